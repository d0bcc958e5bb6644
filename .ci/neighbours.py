"""Two other programs that own the top-level names `service` and `db`, as wheels made by hand."""

import subprocess
import sys
import zipfile
from pathlib import Path

NAMES = ("service", "db")


def wheels(folder: Path) -> list[Path]:
    """A wheel for each name: the package, and a command that prints what it finds there."""
    return [_wheel(folder, name) for name in NAMES]


def run(scripts: Path) -> None:
    """Run both; leaves with a message unless each finds its own package."""
    for name in NAMES:
        said = subprocess.check_output([scripts / f"other-{name}"], text=True)
        if said != f"the other {name}\n":
            sys.exit(f"other-{name} found {said!r}")


def _wheel(folder: Path, name: str) -> Path:
    info = f"other_{name}-1.dist-info"
    files = {
        f"{name}/__init__.py": f"def main():\n    import {name}.says\n",
        f"{name}/says.py": f"print('the other {name}')\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: other-{name}\nVersion: 1\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[console_scripts]\nother-{name} = {name}:main\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"])
    wheel = folder / f"other_{name}-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
    return wheel
