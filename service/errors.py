"""The family of errors: everything that this program raises on purpose.

    CroupierError
    ├── NotAllowed             a caller asked for what can't be done: the answer says why
    │   ├── Refused            by the rules, or by who may do what
    │   ├── ApiError           as both doors show it
    │   ├── BadJson
    │   ├── NoSuchPath
    │   ├── DataRefused        the database does not take a value as data
    │   └── Unacceptable       what is not an HTTP request, or exceeds a limit
    ├── Mendable               whoever runs the program can put it right: one line says how
    │   ├── InputWrong         an argument, or a setting
    │   ├── FileTrouble        a file that can't be read or written
    │   ├── KeysMissing
    │   ├── AddressTaken
    │   ├── EvidenceWrong      a digest, a proof or a receipt is not what it claims to be
    │   ├── Unreadable         a hand history
    │   ├── StrategyError
    │   ├── KnownError
    │   ├── ParquetMissing
    │   ├── StoreUnavailable   the database can't be reached, or refuses
    │   ├── EmbeddedServerError
    │   ├── BadAnnotation      the contract says of itself what can't be
    │   └── Unsupported        the contract uses what the REST door does not serve
    ├── RecordWrong            something that was kept is not as it has to be
    │   ├── UnknownRecord      a newer version wrote it
    │   │   └── UnknownEngine
    │   ├── SealBroken
    │   ├── SignatureWrong
    │   └── CheckFailed        verification says where
    └── Signal                 not a fault: a step that can't be taken yet, caught by its caller
        ├── StillHidden
        ├── OutOfCards
        ├── Deviation
        ├── BrokenOff
        └── ReaderGone

Each class stands in the room that it belongs to; a test holds the picture and the code together.
Any other exception is a fault of the program: the API answers INTERNAL, a command shows its trace
and ends with an exit status of its own (`service.cli.endings`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


class CroupierError(Exception):
    """Whatever is raised on purpose."""


class NotAllowed(CroupierError):
    """A caller asked for what can't be done; nothing was changed."""


class Mendable(CroupierError):
    """Whoever runs the program can put it right; the message says in one line what and how."""


class RecordWrong(CroupierError):
    """Something that was kept is not as it has to be."""


class Signal(CroupierError):
    """A step that can't be taken yet; whoever asked for it catches this."""


class InputWrong(Mendable):
    """An argument or a setting that will not do; the message names it, and shows no secret."""


class FileTrouble(Mendable):
    """A file that can't be read or written; the message names it and says why."""


class AddressTaken(Mendable):
    """An address that can't be listened on; the message names it and says why."""


@contextmanager
def using(path: Path | str) -> Iterator[None]:
    """What the system says of a file within leaves as FileTrouble."""
    try:
        yield
    except BrokenPipeError:
        raise  # nothing is wrong with the file: whoever read from it has gone
    except OSError as error:
        raise FileTrouble(f"{path}: {error.strerror or error}") from error


@contextmanager
def closing(path: Path | str, file: BinaryIO) -> Iterator[BinaryIO]:
    """A file that is closed at the end; what it still had to write fails as FileTrouble, too.

    Other failures within are none of this file's, and leave as they are.
    """
    try:
        yield file
    finally:
        with using(path):
            file.close()
