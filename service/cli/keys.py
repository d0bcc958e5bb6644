"""`croupier keys`: new keys."""

import typer

from service.cli.endings import ending


@ending()
def keys() -> None:
    """Make new keys, as the environment of servers that share a database needs them."""
    from service.keys.key_file import Keys

    made = Keys.fresh()
    typer.echo(f"CROUPIER_TOKEN_SECRET={made.token_secret}")
    typer.echo(f"CROUPIER_SEALING_KEYS={made.sealing_keys}")
    typer.echo(f"CROUPIER_SIGNING_KEYS={made.signing_keys}")
    typer.echo(f"CROUPIER_OPERATOR_KEY={made.operator_key}")
