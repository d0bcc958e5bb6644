"""`croupier hands FILE…`: says of each hand history whether its outcome is the one written down.

Exit status 0: all hold; 1: some differ, shown side by side; 2: a file can't be read.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from service.audit.hands.marked_yaml import Unreadable
from service.audit.hands.outcome import Outcome, Verdict
from service.audit.hands.play import play_case
from service.audit.hands.reader import read_file

ALL_HOLD, SOME_DIFFER, UNREADABLE = 0, 1, 2

_STYLES = {Verdict.HOLDS: "green", Verdict.DIFFERS: "red"}
_WORDS = {
    Verdict.HOLDS: "hold",
    Verdict.DIFFERS: "differ",
}
_WIDTH = max(len(verdict.value) for verdict in Verdict)


def report(files: Sequence[Path], console: Console) -> int:
    """Play the hand histories of these files, print the outcome of each, and give the status."""
    counts: Counter[Verdict] = Counter()
    unreadable = False
    for file in files:
        console.print(Text(str(file), "bold"), soft_wrap=True)
        try:
            cases = read_file(file)
        except Unreadable as error:
            unreadable = True
            where = f"{file}:{error.line}" if error.line else str(file)
            console.print(Text(f"can't be read: {where}: {error.why}", "red"), soft_wrap=True)
            continue
        for case in cases:
            outcome = play_case(case)
            counts[outcome.verdict] += 1
            _print(outcome, console)
    console.print(_summary(counts, unreadable))
    if unreadable:
        return UNREADABLE
    return SOME_DIFFER if counts[Verdict.DIFFERS] else ALL_HOLD


def _print(outcome: Outcome, console: Console) -> None:
    case = outcome.case
    line = Text("  ")
    line.append(f"{outcome.verdict.value:<{_WIDTH}}", _STYLES[outcome.verdict])
    line.append(f"  {case.id}  {case.title}")
    if outcome.verdict is not Verdict.HOLDS:
        line.append(f"  ({case.preset}, line {case.line})")
    console.print(line, soft_wrap=True)
    if outcome.differences:
        table = Table("", "written", "played")
        for one in outcome.differences:
            table.add_row(Text(one.place), Text(one.written, "green"), Text(one.played, "red"))
        console.print(table)


def _summary(counts: Counter[Verdict], unreadable: bool) -> Text:
    parts = [f"{counts[verdict]} {_WORDS[verdict]}" for verdict in Verdict]
    return Text(", ".join(parts) + (", and a file can't be read" if unreadable else ""))
