"""Run a server program so that it cannot outlive the service.

A separate script, run as `python -I -S launcher.py PARENT UID GID SIGNAL PROGRAM ARGUMENT…`,
because its work is between fork and exec, where a process with threads may run only the simplest
code. It drops root's rights, asks the kernel for a signal when the parent dies, and execs the
program. The order matters: a change of user clears that request, an exec of an ordinary program
keeps it.
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1


def launch(parent: int, uid: int, gid: int, number: int, command: list[str]) -> None:
    """Become `command`, run as `uid` and `gid`, sent the signal `number` when the process `parent`
    dies."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, number, 0, 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    if os.getppid() != parent:
        sys.exit("the parent died before the server started")
    os.execv(command[0], command)  # noqa: S606 - there is no shell, and none is wanted


if __name__ == "__main__":
    launch(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
