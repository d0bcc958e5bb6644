"""`make soak`: tables for several players, their watchers, and readers of the feed, at length and
in real processes.

Says how far it is, ends with a summary, and exits with 1 if a figure fails.
"""

import argparse
import sys

from tests.soak import banks, feed, matches, watchers
from tests.soak.figures import progress


def main() -> None:
    """Run what the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=["matches", "banks", "watchers", "feed"])
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=40, help="matches at a time")
    parser.add_argument("--match-rounds", type=int, default=10)
    parser.add_argument("--kill-every", type=float, default=4.0, help="seconds")
    parser.add_argument("--banks", type=int, default=10, help="banker tables")
    parser.add_argument("--bank-rounds", type=int, default=500, help="at each table")
    parser.add_argument("--tables", type=int, default=200, help="tables that are watched")
    parser.add_argument("--watchers", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=60.0, help="of changes by one process")
    parser.add_argument("--stalled", type=int, default=40, help="watchers who stop reading")
    parser.add_argument("--feed-tables", type=int, default=20, help="of each of four writers")
    parser.add_argument("--feed-seconds", type=float, default=60.0, help="of writing")
    given = parser.parse_args()
    tests = {
        "matches": lambda: matches.run(
            given.matches, given.at_once, given.match_rounds, given.kill_every
        ),
        "banks": lambda: banks.run(given.banks, given.bank_rounds),
        "watchers": lambda: watchers.run(
            given.tables, given.watchers, given.seconds, given.stalled
        ),
        "feed": lambda: feed.run(given.feed_tables, given.feed_seconds),
    }
    results = {}
    for part in given.parts:
        if part not in tests:
            parser.error(f"{part}: one of {', '.join(tests)}")
        progress(f"{part} begin")
        results[part] = tests[part]()
    for part, figures in results.items():
        print(f"{part}\n{figures.table()}")
    sys.exit(1 if any(figures.failed for figures in results.values()) else 0)


if __name__ == "__main__":
    main()
