"""The folder of an embedded server: its path, its files, and its owner.

    owner.lock      locked by the service that runs the server, as long as that runs
    pgdata/         PostgreSQL's own files
    socket/         the Unix socket, unless the path is too long for one
    postgres.log    the server's messages since its last start; postgres.log.1 has those before
    server-VERSION/ the server's programs, only where its user cannot read the installed ones

PostgreSQL refuses to run as root, so for root the server runs as `nobody`, who then owns the
folder.
"""

import fcntl
import hashlib
import os
import pwd
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from service.errors import Mendable

# sun_path holds 108 bytes with the closing zero; the server adds "/.s.PGSQL.5432" to the folder
# and makes a lock file with ".lock" after it.
LONGEST_SOCKET_FOLDER = 107 - len("/.s.PGSQL.5432.lock")


SYSTEM_TEMPORARY = Path("/tmp")  # noqa: S108 - only private folders are used there


class EmbeddedServerError(Mendable):
    """The embedded server cannot run; the message says why and what to do."""


@dataclass(frozen=True)
class ServerUser:
    """The system user that the server runs as."""

    uid: int
    gid: int

    @classmethod
    def current(cls) -> "ServerUser":
        """The user of this process, or `nobody` for root."""
        if os.geteuid() != 0:
            return cls(os.geteuid(), os.getegid())
        nobody = pwd.getpwnam("nobody")
        return cls(nobody.pw_uid, nobody.pw_gid)


def default_data_folder() -> Path:
    """The default data folder: in the system's or the user's state folder."""
    if os.geteuid() == 0:
        return Path("/var/lib/croupier")
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if state.startswith("/") else Path.home() / ".local" / "state"
    return base / "croupier"


class DataFolder:
    """A data folder that this process owns until `release`."""

    def __init__(self, path: Path, user: ServerUser) -> None:
        self.path = path.absolute()
        self.user = user
        self.pgdata = self.path / "pgdata"
        self.log = self.path / "postgres.log"
        self._lock = self.path / "owner.lock"
        self._lock_fd = -1
        self._socket_elsewhere: Path | None = None

    def acquire(self) -> None:
        """Make the folder if needed and own it.

        Raises EmbeddedServerError when another process owns it, when it has other files, or when
        the server's user could not enter it.
        """
        try:
            self._prepare()
        except OSError as error:
            raise EmbeddedServerError(
                f"the data folder {self.path} cannot be used: {error.strerror}"
            ) from error

    def _prepare(self) -> None:
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self._lock.exists() and {each.name for each in self.path.iterdir()} - {"lost+found"}:
            raise EmbeddedServerError(f"{self.path} has other files: name an empty folder")
        fd = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(fd, 20).decode().strip() or "unknown"
            os.close(fd)
            raise EmbeddedServerError(
                f"the data folder {self.path} is in use by another service (process {owner}): "
                "stop that service, or give this one another folder"
            ) from None
        self._lock_fd = fd
        # A forked process must not keep the folder locked after this one ends.
        os.register_at_fork(after_in_child=self._forget_lock)
        os.ftruncate(fd, 0)
        os.write(fd, f"{os.getpid()}\n".encode())
        if os.geteuid() == 0:
            self._own(self.path)
            self._check_reachable()

    def _own(self, path: Path) -> None:
        if os.geteuid() == 0:
            os.chown(path, self.user.uid, self.user.gid)

    def _check_reachable(self) -> None:
        for parent in self.path.parents:
            if not parent.stat().st_mode & stat.S_IXOTH:
                raise EmbeddedServerError(
                    f"the server runs as `nobody`, who cannot enter {parent}: "
                    f"name a data folder elsewhere, such as {default_data_folder()}"
                )

    def socket_folder(self) -> Path:
        """A folder for the socket that only the server's user can enter; its path is short enough
        and has no comma, at which clients would split it.
        """
        folder = self.path / "socket"
        if not _can_hold_socket(folder):
            folder = self._socket_elsewhere = self._folder_elsewhere()
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            self._own(folder)
        found = folder.lstat()
        # The name in the temporary folder can be guessed: a folder of another user is not used.
        if (
            not stat.S_ISDIR(found.st_mode)
            or found.st_uid != self.user.uid
            or found.st_mode & 0o077
        ):
            raise EmbeddedServerError(f"{folder} is not a private folder of the server's user")
        return folder

    def _folder_elsewhere(self) -> Path:
        """Where the socket is if the data folder can't have it: the same for all processes, so in
        the system's folder for temporary files if there is one, whatever their environment says."""
        digest = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        for place in (SYSTEM_TEMPORARY, Path(tempfile.gettempdir())):
            folder = place / f"croupier-{digest}"
            if os.access(place, os.W_OK) and _can_hold_socket(folder):
                return folder
        raise EmbeddedServerError(
            f"the server's socket can't be in {self.path}, because that path is too long or has a"
            f" comma, nor in {SYSTEM_TEMPORARY} or TMPDIR: name a data folder with a shorter path"
        )

    def open_log(self) -> int:
        """Start a new log, keep the previous one beside it, and return the new descriptor."""
        with suppress(FileNotFoundError):
            self.log.replace(self.log.with_suffix(".log.1"))
        return os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)

    def _forget_lock(self) -> None:
        if self._lock_fd >= 0:
            os.close(self._lock_fd)
            self._lock_fd = -1

    def release(self) -> None:
        """Release the folder, and remove everything outside it."""
        if self._socket_elsewhere is not None:
            with suppress(OSError):  # not empty: a server that was killed left its socket
                self._socket_elsewhere.rmdir()
        self._forget_lock()


def _can_hold_socket(folder: Path) -> bool:
    """Whether a path is short enough for a socket, and has no comma, where clients would split."""
    return len(os.fsencode(folder)) <= LONGEST_SOCKET_FOLDER and "," not in str(folder)
