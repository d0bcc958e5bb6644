"""`croupier export`: what has happened, as a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.endings import ending
from service.cli.sources import DATABASE_HELP, look_into

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from db.connections import Database
    from service.records.export.columns import Columns
    from service.records.export.export import Piece
    from service.records.export.formats import FileWriter

export = typer.Typer(help="Write what has happened into a file.", no_args_is_help=True)

Operator = Annotated[str, typer.Option(help="Only tables of this operator.")]
Table = Annotated[str, typer.Option(help="Only this table.")]
Player = Annotated[str, typer.Option(help="Only seats of this player.")]
From = Annotated[
    str, typer.Option("--from", metavar="TIME", help="Only from this time on (ISO 8601, UTC).")
]
To = Annotated[str, typer.Option("--to", metavar="TIME", help="Only before this time.")]
Format = Annotated[
    str,
    typer.Option("--format", help="csv, jsonl or parquet; else what the file's name ends in."),
]
Out = Annotated[str, typer.Option(metavar="FILE", help="The file to write; -: standard output.")]
DatabaseName = Annotated[str, typer.Option("--database", help=DATABASE_HELP)]


@export.command()
@ending()
def rounds(
    operator: Operator = "",
    table: Table = "",
    player: Player = "",
    begin: From = "",
    end: To = "",
    form: Format = "",
    out: Out = "-",
    database: DatabaseName = "",
) -> None:
    """Settled rounds, the oldest first: a row for each seat."""
    from db.catalog import PostgresCatalog
    from db.history import PostgresHistory
    from service.records.export.columns import ROUNDS
    from service.records.export.export import export_rounds
    from service.records.history import RoundFilter

    def pieces(database: "Database", writer: "FileWriter") -> "AsyncGenerator[Piece, None]":
        wanted = RoundFilter(
            operator=operator,
            table_id=table,
            player=player,
            from_at=_time(begin),
            to_at=_time(end),
        )
        history, catalog = PostgresHistory(database), PostgresCatalog(database)
        return export_rounds(history, catalog, wanted, writer)

    _run(ROUNDS, pieces, form, out, database)


@export.command()
@ending()
def events(
    operator: Operator = "",
    table: Table = "",
    begin: From = "",
    end: To = "",
    form: Format = "",
    out: Out = "-",
    database: DatabaseName = "",
) -> None:
    """Events, the oldest first: a row for each."""
    from db.history import PostgresHistory
    from service.records.export.columns import EVENTS
    from service.records.export.export import export_events
    from service.records.history import RowFilter

    def pieces(database: "Database", writer: "FileWriter") -> "AsyncGenerator[Piece, None]":
        wanted = RowFilter(
            operator=operator, table_id=table, from_at=_time(begin), to_at=_time(end)
        )
        return export_events(PostgresHistory(database), wanted, writer)

    _run(EVENTS, pieces, form, out, database)


def _time(text: str) -> int:
    from service.cli.reports.export import moment

    return (moment(text) or 1) if text else 0  # 0 is no limit


def _writer(form: str, out: str, columns: "Columns") -> "FileWriter":
    from service.errors import InputWrong
    from service.records.export.formats import FORMATS, FileFormat

    name = form or Path(out).suffix.removeprefix(".") or "csv"
    if name not in FORMATS:
        raise InputWrong(f"{name!r} is not a format: there are {', '.join(FORMATS)}")
    return FORMATS[FileFormat(name)](columns)


def _run(
    columns: "Columns",
    pieces: "Callable[[Database, FileWriter], AsyncGenerator[Piece, None]]",
    form: str,
    out: str,
    database: str,
) -> None:
    """Export on a connection that can only read."""
    import asyncio

    import uvloop

    from db.connections import connect
    from service.cli.reports.export import run_export
    from service.server.settings import read_settings

    async def run(conninfo: str) -> str:
        async with connect(conninfo, size=1, read_only=True) as connected:
            return await run_export(pieces(connected, writer), out)

    writer = _writer(form, out, columns)
    with (
        look_into(read_settings(), database) as conninfo,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        typer.echo(runner.run(run(conninfo)), err=True)
