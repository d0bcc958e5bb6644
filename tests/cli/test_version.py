from importlib.metadata import version

from typer.testing import CliRunner

from service.cli.app import app


def test_version_is_that_of_the_distribution() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.output == f"croupier {version('croupier')}\n"
