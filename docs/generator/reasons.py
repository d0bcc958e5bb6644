"""The reasons of refusals, from their declarations: the enum of the contract and the page of
errors."""

from collections.abc import Iterator
from textwrap import wrap

from service.calls.errors import code_of
from service.rest.replies import statuses
from service.rules.reasons import Reason

RESERVED = {58: "NOT_YET_PLAYABLE"}
"""Numbers of removed reasons; they are never used again."""


def reason_table() -> str:
    """Every reason with its codes, an example, and its metadata."""
    rows = [
        f"| `{reason.name}` | {code_of(reason).name} | {', '.join(map(str, statuses(reason)))} |"
        f" {_sentence(reason.example)} | {_metadata(reason, '<br>')} |"
        for reason in Reason
    ]
    head = "| reason | gRPC code | HTTP | example | metadata |"
    return "\n".join([head, "|---|---|---|---|---|", *rows])


def reason_enum() -> str:
    """The enum of `reason.proto`."""
    numbers = ", ".join(map(str, RESERVED))
    names = ", ".join(f'"REASON_{name}"' for name in RESERVED.values())
    lines = [
        "// The cause of a refusal. Each value names an example, its gRPC code, and its metadata.",
        "enum Reason {",
        f"  reserved {numbers};",
        f"  reserved {names};",
        "",
        "  // Never sent.",
        "  REASON_UNSPECIFIED = 0;",
    ]
    for reason in sorted(Reason):
        lines += [f"  // {line}" for line in _comment(reason)]
        lines.append(f"  REASON_{reason.name} = {reason.value};")
    return "\n".join([*lines, "}"])


def _comment(reason: Reason) -> Iterator[str]:
    metadata = f" Metadata: {_metadata(reason, '; ')}." if reason.metadata else ""
    text = f"{_sentence(reason.example)}. {code_of(reason).name}.{metadata}"
    yield from wrap(text, 95, break_long_words=False, break_on_hyphens=False)


def _metadata(reason: Reason, between: str) -> str:
    return between.join(f"`{key}` ({said})" for key, said in reason.metadata.items())


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
