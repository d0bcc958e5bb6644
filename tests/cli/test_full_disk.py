"""A disk that is full when the last bytes are written: FileTrouble, which names the file, and
nothing half written is left."""

import asyncio
import resource
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.audit.digest.form import TableHead
from service.audit.digest.make import make_digest
from service.cli.reports.export import run_export
from service.errors import FileTrouble
from service.journal.ports import StoreUnavailable
from service.keys.key_file import kept_keys
from service.keys.signing import SigningKeys
from service.records.export.export import Piece

KEYS = SigningKeys({"s1": bytes([1]) * 32})


@contextmanager
def files_of(most: int) -> Iterator[None]:
    """Files that hold so many bytes (Python ignores SIGXFSZ, so that writing more is an error)."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def small() -> AsyncGenerator[Piece, None]:
    """Less than a buffer: it is written when the file is flushed."""
    yield Piece(b"a,b\n" * 10, 0, 0, 0)


async def large() -> AsyncGenerator[Piece, None]:
    yield Piece(b"a,b\n" * 10_000, 0, 0, 0)


async def broken_off() -> AsyncGenerator[Piece, None]:
    yield Piece(b"a,b\n" * 10, 0, 0, 0)
    raise StoreUnavailable("the database is away")


def small_export(out: Path) -> None:
    asyncio.run(run_export(small(), str(out)))


def large_export(out: Path) -> None:
    asyncio.run(run_export(large(), str(out)))


def export_broken_off(out: Path) -> None:
    """Its database goes, and closing its file fails."""
    asyncio.run(run_export(broken_off(), str(out)))


def small_digest(out: Path) -> None:
    make_digest([TableHead("t1", 1, bytes(32))], 5, "*", KEYS, out)


def empty_digest(out: Path) -> None:
    make_digest([], 5, "*", KEYS, out)


def large_digest(out: Path) -> None:
    heads = [TableHead(f"t{number:04}", 1, bytes(32)) for number in range(1000)]
    make_digest(heads, 5, "*", KEYS, out)


def key_file(out: Path) -> None:
    kept_keys(out)


WRITERS = (
    small_export,
    large_export,
    export_broken_off,
    small_digest,
    empty_digest,
    large_digest,
    key_file,
)


@pytest.mark.parametrize("write", WRITERS)
def test_the_last_flush_fails(write: Callable[[Path], None], tmp_path: Path) -> None:
    out = tmp_path / "out"
    with files_of(16), pytest.raises(FileTrouble, match=f"{out}.*: File too large"):
        write(out)
    assert not out.exists()
    assert not list(tmp_path.glob("*.unfinished"))


@pytest.mark.parametrize("write", [small_export, large_export])
def test_a_device_that_is_full(write: Callable[[Path], None]) -> None:
    with pytest.raises(FileTrouble, match="/dev/full: No space left on device"):
        write(Path("/dev/full"))


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize(
    "out", ["no-folder/out", "file/out", "loop/out", "x" * 300], ids=lambda each: each[:9]
)
def test_a_path_that_leads_nowhere(write: Callable[[Path], None], out: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileTrouble):
        write(tmp_path / out)


def test_a_link_that_leads_to_itself(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileTrouble, match="a link to itself"):
        small_export(tmp_path / "loop")
