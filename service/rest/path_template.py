"""The paths of the REST door: `/v1/tables/{table_id}/rounds/{round}`, `/v1/tables/{table_id}:act`.

A path is literal segments and variables of one whole segment each, with at most one custom verb
behind the last segment. That is all that this API uses of `google.api.http`; anything else is
refused when the routes are generated.
"""

import re
from dataclasses import dataclass

_LITERAL = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_VARIABLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_VERB = re.compile(r"[a-z][A-Za-z]*")


@dataclass(frozen=True, slots=True)
class PathTemplate:
    """A path with its variables; `verb` is empty where there is none.

    A segment is `(text, False)` for a literal and `(field, True)` for a variable.
    """

    segments: tuple[tuple[str, bool], ...]
    verb: str

    @property
    def variables(self) -> tuple[str, ...]:
        """The fields that the path gives, from left to right."""
        return tuple(name for name, variable in self.segments if variable)

    def match(self, parts: tuple[str, ...]) -> dict[str, str] | None:
        """The text of each variable in the segments of a path (still escaped), or None.

        >>> parse("/v1/tables/{table_id}").match(("v1", "tables", "t-1"))
        {'table_id': 't-1'}
        """
        if len(parts) != len(self.segments):
            return None
        values = {}
        for part, (name, variable) in zip(parts, self.segments, strict=True):
            if variable:
                if not part:
                    return None
                values[name] = part
            elif part != name:
                return None
        return values


def parse(template: str) -> PathTemplate:
    """Read a template; raises ValueError for a construct that the runtime does not serve."""
    if not template.startswith("/"):
        raise ValueError(f"the path {template!r} does not begin with a slash")
    path, colon, verb = template.partition(":")
    if colon and not _VERB.fullmatch(verb):
        raise ValueError(f"the path {template!r} has no usable custom verb")
    segments = []
    for part in path[1:].split("/"):
        if variable := _VARIABLE.fullmatch(part):
            segments.append((variable[1], True))
        elif _LITERAL.fullmatch(part):
            segments.append((part, False))
        else:
            raise ValueError(f"the path {template!r} has a segment {part!r} that is not served")
    names = [name for name, variable in segments if variable]
    if len(names) != len(set(names)):
        raise ValueError(f"the path {template!r} names a variable twice")
    return PathTemplate(tuple(segments), verb)
