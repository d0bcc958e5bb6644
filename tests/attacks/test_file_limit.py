"""Connections never take the files that a process needs for anything else."""

import subprocess
import sys

import pytest
from structlog.testing import capture_logs

from service.errors import InputWrong
from service.server.file_limit import OWN_FILES, connections_of_a_door

NAME = "CROUPIER_REST_CONNECTIONS"
DATABASE = 11


def test_the_setting_holds_where_there_are_files_enough() -> None:
    with capture_logs() as logs:
        assert connections_of_a_door(4096, 20_000, DATABASE, NAME) == 4096
    assert logs == []


@pytest.mark.parametrize("files", [1024, 4096, 8330])
def test_both_doors_and_the_database_fit_under_the_limit(files: int) -> None:
    with capture_logs() as logs:
        connections = connections_of_a_door(4096, files, DATABASE, NAME)
    assert files - 1 <= 2 * connections + DATABASE + OWN_FILES <= files
    [warning] = logs
    assert (warning["log_level"], warning["setting"]) == ("warning", NAME)
    assert connections_of_a_door(4096, warning["files_needed"], DATABASE, NAME) == 4096


def test_a_limit_that_is_too_low_to_serve_says_which_one_is_needed() -> None:
    with pytest.raises(InputWrong, match="to 171 or more"):
        connections_of_a_door(4096, 170, DATABASE, NAME)
    assert connections_of_a_door(4096, 171, DATABASE, NAME) == 16


def test_a_process_takes_as_many_files_as_it_may() -> None:
    script = (
        "import resource; from service.server.file_limit import raise_file_limit, WANTED;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (200, 900));"
        "print(raise_file_limit(), *resource.getrlimit(resource.RLIMIT_NOFILE), raise_file_limit())"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == ["900", "900", "900", "900"], done.stderr
