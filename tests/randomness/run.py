"""`make randomness`: the battery over ten times as many shoes, and of another series of seeds.

Takes --times (as many as the tests look at) and --series. Prints each p-value; exit status 1 if a
fair shuffle would not give them, which happens to a fair one in one series of a hundred.
"""

import argparse
import sys

from rich.console import Console

from tests.randomness.battery import p_values, rejected
from tests.randomness.shoes import served

SHOES = {1: 20_000, 6: 4_000, 8: 2_000}
"""How many shoes of so many packs the tests look at."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--series", type=int, default=2)
    asked = parser.parse_args()
    console = Console()
    with console.status("shuffling"):
        found = p_values(
            served(count * asked.times, decks, asked.series) for decks, count in SHOES.items()
        )
    odd = rejected(found)
    for name, p in sorted(found.items(), key=lambda item: item[1]):
        console.print(f"{p:10.6f}  {name}{'  REJECTED' if name in odd else ''}")
    console.print(f"{len(odd)} of {len(found)} tests reject the shuffle")
    return 1 if odd else 0


if __name__ == "__main__":
    sys.exit(main())
