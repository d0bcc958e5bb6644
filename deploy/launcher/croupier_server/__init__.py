"""The command `croupier`, and in the wheel the folder that `service` and `db` are installed in.

Two names as common as these may belong to other programs of the same environment, so the wheel does
not take them at the top level: `service` and `db` lie inside this package. In a checkout they lie
at the root, and this folder has nothing but this file.
"""

import os
import signal
import sys
from pathlib import Path


def main() -> None:
    """Run the command line. In this process, and in those that it starts, the service's own
    `service` and `db` come before anybody else's."""
    sys.path.insert(0, str(Path(__file__).parent))
    before = {number: signal.getsignal(number) for number in _STOP}
    for number, handler in before.items():
        if handler != signal.SIG_IGN:
            signal.signal(number, _end)
    from service.cli.app import main as run

    for number, handler in before.items():
        signal.signal(number, handler)
    run()


_STOP = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def _end(number: int, _frame: object) -> None:
    """End while modules are loaded, which takes half a second: without a trace, and also as a
    container's first process, to which the kernel passes no signal that has no handler."""
    os._exit(128 + number)
