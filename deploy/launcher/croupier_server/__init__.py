"""The command `croupier`, and in the wheel the folder that `service` and `db` are installed in.

Two names as common as these may belong to other programs of the same environment, so the wheel does
not take them at the top level: `service` and `db` lie inside this package. In a checkout they lie
at the root, and this folder has nothing but this file.
"""

import sys
from pathlib import Path


def main() -> None:
    """Run the command line. In this process, and in those that it starts, the service's own
    `service` and `db` come before anybody else's."""
    sys.path.insert(0, str(Path(__file__).parent))
    from service.cli.app import main as run

    run()
