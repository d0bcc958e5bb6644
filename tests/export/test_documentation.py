"""The page of the auditors has the columns of exports as they are."""

from pathlib import Path

import pytest

from service.records.export.columns import EVENTS, ROUNDS, Columns

PAGE = Path(__file__).parents[2] / "docs" / "auditors.md"


@pytest.mark.parametrize(("heading", "columns"), [("Rounds", ROUNDS), ("Events", EVENTS)])
def test_the_columns_are_documented(heading: str, columns: Columns) -> None:
    _, after = PAGE.read_text().split(f"### {heading}:")
    rows = [line for line in after.split("\n#")[0].splitlines() if line.startswith("| `")]
    assert rows == [f"| `{one.name}` | {one.kind.value} | {one.meaning} |" for one in columns]
