"""Writes the generated parts into pages and proto files, between two comments with their name.

python -m docs.generator            write
python -m docs.generator --proto    write into the proto files only, from which some pages are made
python -m docs.generator --check    say which pages are out of date (exit status 1)
"""

import argparse
from collections.abc import Callable
from pathlib import Path

from docs.generator.events import event_table
from docs.generator.limits import limit_table
from docs.generator.options import option_table
from docs.generator.reasons import reason_enum, reason_table
from docs.generator.rooms import room_picture, room_table

DOCS = Path(__file__).parents[1]

PARTS: dict[str, dict[str, Callable[[], str]]] = {
    "architecture.md": {"rooms": room_table, "picture": room_picture},
    "auditors.md": {"events": event_table},
    "operators.md": {"limits": limit_table},
    "errors.md": {"reasons": reason_table},
    "rules.md": {"options": option_table},
    "../proto/croupier/v1/reason.proto": {"reasons": reason_enum},
}
"""By page and by the name that its comments give."""


def with_parts(page: str, parts: dict[str, Callable[[], str]]) -> str:
    """The page with these parts as they are now; raises ValueError where it lacks one."""
    for name, make in parts.items():
        said = f"{name}: made from the code, never edited"
        before, begin, rest = _around(page, f"<!-- {said} -->\n", f"// {said}\n")
        _, end, after = _around(rest, f"<!-- end of {name} -->", f"// end of {name}")
        if not (begin and end):
            raise ValueError(f"no place for the part {name!r} between its two comments")
        page = f"{before}{begin}\n{make().strip()}\n\n{end}{after}"
    return page


def _around(text: str, page: str, proto: str) -> tuple[str, str, str]:
    """The text around a comment, which is written as in a page or as in a proto file."""
    return text.partition(page if page in text else proto)


def out_of_date() -> list[str]:
    """The pages whose parts are not what the code says."""
    pages = {name: (DOCS / name).read_text() for name in PARTS}
    return [name for name, page in pages.items() if with_parts(page, PARTS[name]) != page]


def main() -> None:
    """Run as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m docs.generator")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--proto", action="store_true")
    asked = parser.parse_args()
    if asked.check:
        if stale := out_of_date():
            raise SystemExit(f"out of date, run `make generate`: {', '.join(stale)}")
        return
    for name, parts in PARTS.items():
        if name.endswith(".proto") or not asked.proto:
            page = DOCS / name
            page.write_text(with_parts(page.read_text(), parts))


if __name__ == "__main__":
    main()
