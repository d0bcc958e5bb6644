"""How many files a process may open, of which every connection is one.

A process that runs out of files can't even accept a connection to turn it away. So it takes as many
as the system allows, and the doors share what is left when its other needs are met.
"""

import resource

import structlog

from service.errors import InputWrong

_log = structlog.get_logger(__name__)

WANTED = 1 << 20
"""Files; more are never asked for, because some libraries look at each possible one."""

OWN_FILES = 128
"""What a process has open beside connections: libraries, logs, pipes, event loops, listeners."""

FEWEST_CONNECTIONS = 16
"""Connections of a door without which there is no use in serving."""


def raise_file_limit() -> int:
    """Raise the limit of open files as far as this process may; the limit from now on."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = WANTED if hard == resource.RLIM_INFINITY else min(hard, WANTED)
    if soft == resource.RLIM_INFINITY or soft >= allowed:
        return WANTED if soft == resource.RLIM_INFINITY else soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return allowed


def connections_of_a_door(wanted: int, files: int, database: int, setting: str) -> int:
    """How many connections one of the two doors may have, at most `wanted`, if the process may open
    `files` and has `database` connections to PostgreSQL.

    Half of what is left is for each door. If that is less than wanted, a warning names the setting;
    InputWrong if it is too little to serve at all.
    """
    room = (files - OWN_FILES - database) // 2
    if room < FEWEST_CONNECTIONS:
        raise InputWrong(
            f"the limit of open files, {files}, is too low to serve: raise it"
            f" (`ulimit -n`, LimitNOFILE=) to {_needed(FEWEST_CONNECTIONS, database)} or more"
        )
    if room < wanted:
        _log.warning(
            "the limit of open files is too low for the connections of the setting",
            setting=setting,
            wanted=wanted,
            connections=room,
            files=files,
            files_needed=_needed(wanted, database),
        )
    return min(wanted, room)


def _needed(connections: int, database: int) -> int:
    return 2 * connections + OWN_FILES + database
