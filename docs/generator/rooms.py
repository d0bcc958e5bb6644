"""The rooms: the folders of `service`, and `db`; their contents, and the imports between them.

The picture omits an arrow if a longer path leads to the same room, so that it shows the order and
stays readable. The contracts in pyproject.toml say which imports are allowed; this module shows the
actual ones.
"""

import ast
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[2]
PACKAGES = ("service", "db")

Arrows = set[tuple[str, str]]


def room_table() -> str:
    """Each room with the first sentence of its docstring, from the command line down."""
    rows = [f"| [{room}](../{room}) | {_said(room)} |" for room in _downwards(all_arrows())]
    return "\n".join(["| room | what is in it |", "|---|---|", *rows])


def room_picture() -> str:
    """The arrows between rooms, as a Mermaid graph, from the importing room to the imported one."""
    arrows = shortest(all_arrows())
    order = _downwards(arrows)
    lines = [
        f"    {_node(one)} --> {_node(other)}"
        for one, other in sorted(arrows, key=lambda ends: [order.index(end) for end in ends])
    ]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```"])


def all_arrows() -> Arrows:
    """All imports between rooms in the code."""
    graph = grimp.build_graph(PACKAGES[0], *PACKAGES[1:], cache_dir=None)
    arrows = {
        (_room(module), _room(imported))
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
    }
    return {(one, other) for one, other in arrows if one and other and one != other}


def shortest(arrows: Arrows) -> Arrows:
    """The arrows without those that a longer path replaces."""
    return {
        (one, other) for one, other in arrows if other not in _reached(one, arrows - {(one, other)})
    }


def _reached(room: str, arrows: Arrows) -> set[str]:
    reached: set[str] = set()
    waiting = [room]
    while waiting:
        here = waiting.pop()
        found = {other for one, other in arrows if one == here} - reached
        reached |= found
        waiting.extend(found)
    return reached


def _downwards(arrows: Arrows) -> list[str]:
    """The rooms by the number of levels below them, the highest first."""
    rooms = {room for arrow in arrows for room in arrow}
    return sorted(rooms, key=lambda room: (-_height(room, arrows, ()), room))


def _height(room: str, arrows: Arrows, above: tuple[str, ...]) -> int:
    """The number of levels below a room; raises ValueError where arrows go in a circle."""
    if room in above:
        raise ValueError(f"arrows go in a circle: {' > '.join([*above, room])}")
    under = [other for one, other in arrows if one == room]
    return max((_height(other, arrows, (*above, room)) + 1 for other in under), default=0)


def _room(module: str) -> str:
    package, *rest = module.split(".")
    if package != "service":
        return package
    if not rest:
        return ""
    room = f"service/{rest[0]}"
    return room if (ROOT / room).is_dir() else f"{room}.py"


def _node(room: str) -> str:
    name = room.rpartition("/")[2].removesuffix(".py")
    return f'{name}["{room}"]'


def _said(room: str) -> str:
    file = ROOT / room
    text = ast.get_docstring(ast.parse((file if file.suffix else file / "__init__.py").read_text()))
    if not text:
        raise ValueError(f"{room} does not say what is in it")
    return " ".join(text.split("\n\n")[0].split())
