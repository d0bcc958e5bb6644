"""`croupier serve`: the service."""

import typer

from service.cli.endings import ending


@ending()
def serve() -> None:
    """Serve gRPC and REST; every setting comes from the environment (CROUPIER_...)."""
    from service.server.stopping import stop_ends_the_start

    with stop_ends_the_start():
        from service.server.serve import serve as run
        from service.server.settings import read_settings

        status = run(read_settings(), typer.echo, ending)
    if status:
        raise typer.Exit(status)
