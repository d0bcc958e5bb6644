"""`croupier digest` and `croupier receipt`: evidence that outlives whoever owns the database."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.endings import ending
from service.cli.sources import DATABASE_HELP, KEYS_HELP, look_into, public_keys

Keys = Annotated[Path | None, typer.Option(help=KEYS_HELP)]


@ending()
def digest(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE]...", help="Digests and proofs.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Make a digest: the file to write.")] = None,
    previous: Annotated[Path | None, typer.Option(help="The digest that it follows.")] = None,
    operator: Annotated[str, typer.Option(help="Whose tables; empty: everybody's.")] = "",
    database: Annotated[str, typer.Option(help=DATABASE_HELP)] = "",
    check: Annotated[
        bool, typer.Option("--check", help="Check files: digests in their order, and proofs.")
    ] = False,
    prove: Annotated[
        str, typer.Option(metavar="TABLE", help="Print the proof that a table is in a digest.")
    ] = "",
    keys: Keys = None,
) -> None:
    """Publish the state of all tables in a signed file; or check such files, or prove with them."""
    from service.cli.reports.digest import check_files, proof_of

    files = files or []
    if [out is not None, check, bool(prove)].count(True) != 1:
        raise typer.BadParameter("say one of --out, --check and --prove")
    if prove and len(files) != 1:
        raise typer.BadParameter("--prove takes one digest")
    if out and files:
        raise typer.BadParameter("--out takes no further files")
    if out:
        typer.echo(_published(out, previous, operator, database))
    elif prove:
        typer.echo(proof_of(files[0], prove, public_keys(keys)))
    else:
        for line in check_files(files, public_keys(keys)):
            typer.echo(line)


def _published(out: Path, previous: Path | None, operator: str, database: str) -> str:
    from db.heads import snapshot_of_heads
    from service.cli.reports.digest import publish
    from service.keys.signing import parse_signing_keys
    from service.server.data_folder import data_folder
    from service.server.keys_in_use import signing_keys_of
    from service.server.settings import read_settings

    settings = read_settings()
    signing = parse_signing_keys(signing_keys_of(settings, data_folder(settings)))
    with (
        look_into(settings, database) as conninfo,
        snapshot_of_heads(conninfo, operator) as (made_at, rows),
    ):
        return publish(rows, made_at, operator, signing, out, previous)


@ending()
def receipt(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="JSON of the API.")],
    keys: Keys = None,
) -> None:
    """Check the signatures of the receipts in files, without a database."""
    from service.cli.reports.digest import check_receipts

    for line in check_receipts(files, public_keys(keys)):
        typer.echo(line)
