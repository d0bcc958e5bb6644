"""`croupier verify`: the database compared with its journals, the rules, the seeds, and kept
evidence."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.endings import UNANSWERED, ending
from service.cli.sources import DATABASE_HELP, KEYS_HELP, look_into, public_keys

if TYPE_CHECKING:
    from service.audit.evidence.kept_hashes import KeptHash
    from service.cli.reports.verify import Wanted
    from service.server.settings import Settings
    from service.shoes.sealing import SealingKeys


@ending(UNANSWERED)
def verify(
    table: Annotated[str, typer.Option(help="Only this table.")] = "",
    operator: Annotated[str, typer.Option(help="Only the tables of this operator.")] = "",
    everything: Annotated[
        bool, typer.Option("--all", help="Every table, and rows that belong to none (default).")
    ] = False,
    receipt: Annotated[
        list[Path] | None, typer.Option(help="Receipts that players kept, JSON of the API.")
    ] = None,
    digest: Annotated[list[Path] | None, typer.Option(help="Digests that were published.")] = None,
    proofs: Annotated[
        list[Path] | None, typer.Option(help="Shoes in use with their proofs, JSON of the API.")
    ] = None,
    unseal: Annotated[
        bool,
        typer.Option(
            "--unseal", help="Verify shoes in use, too, with the sealing keys of the settings."
        ),
    ] = False,
    database: Annotated[str, typer.Option(help=DATABASE_HELP)] = "",
    keys: Annotated[Path | None, typer.Option(help=KEYS_HELP)] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="A line of JSON for each table, and one at the end.")
    ] = False,
) -> None:
    """Derive all that is stored from the journals again, and name what does not fit.

    Exit status 0: all is right; 1: something is wrong; 2: the database could not be verified; 70: a
    fault of the program.
    """
    from service.audit.evidence.kept_hashes import KeptHashes
    from service.audit.evidence.proofs import read_proofs
    from service.cli.reports.verify import Wanted
    from service.records.verification import Scope
    from service.server.settings import read_settings

    if [bool(table), bool(operator), everything].count(True) > 1:
        raise typer.BadParameter("say one of --table, --operator and --all")
    settings = read_settings()
    wanted = Wanted(
        scope=Scope(table, operator),
        known=KeptHashes(_evidence(receipt or (), digest or (), keys)),
        proofs=read_proofs(proofs or ()),
        sealing=_sealing_keys(settings) if unseal else None,
        as_json=as_json,
    )
    with look_into(settings, database) as conninfo:
        status = _verified(conninfo, wanted)
    raise typer.Exit(status)


def _evidence(
    receipts: Sequence[Path], digests: Sequence[Path], keys: Path | None
) -> "list[Iterable[KeptHash]]":
    """What these files prove, each source ordered by table; nothing is read where none is named."""
    from service.audit.digest.reader import known_from_digest, known_from_receipt

    if not receipts and not digests:
        return []
    public = public_keys(keys)
    kept = [known for file in receipts for known in known_from_receipt(file, public)]
    kept.sort(key=lambda known: known.table_id)
    return [kept, *[known_from_digest(file, public) for file in digests]]


def _sealing_keys(settings: "Settings") -> "SealingKeys":
    from service.server.data_folder import data_folder
    from service.server.keys_in_use import sealing_keys_of
    from service.shoes.sealing import parse_sealing_keys

    return parse_sealing_keys(sealing_keys_of(settings, data_folder(settings)))


def _verified(conninfo: str, wanted: "Wanted") -> int:
    """Verify on a connection that can only read; the exit status."""
    import asyncio

    import uvloop

    from db.audit_reader import PostgresAuditReader
    from db.connections import connect
    from service.cli.reports.verify import run_verification

    async def run() -> int:
        async with connect(conninfo, size=1, read_only=True) as connected:
            return await run_verification(PostgresAuditReader(connected), wanted)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(run())
