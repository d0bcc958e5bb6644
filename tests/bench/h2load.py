"""What our own load client costs: the same reads, by it and by h2load.

h2load sends one body again and again. A command can't be repeated (its request id makes it a
repetition, which appends nothing), so h2load can't play, and our own client has to. Reads can be
repeated; so both send the same ones, and the difference is what our client costs on top. h2load
counts an answer as a success whatever its gRPC status; that these calls succeed is seen by our own
client, which reads each of its answers.
"""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.bench.grpc_client import GrpcWire
from tests.bench.load import GRPC, Door
from tests.bench.serving import Served

INSTALL = "h2load is not installed (Debian has it in the package nghttp2-client)"


def is_installed() -> bool:
    """Whether h2load can be run."""
    return shutil.which("h2load") is not None


def reads_a_second(
    served: Served, door: Door, table_id: str, token: str, clients: int, seconds: float
) -> float:
    """Let h2load's clients read one table, each on its own connection."""
    with tempfile.NamedTemporaryFile(prefix="croupier-h2load-") as body:
        if door is GRPC:
            message = GrpcWire().get(table_id).body
            Path(body.name).write_bytes(b"\0" + len(message).to_bytes(4, "big") + message)
            call = [
                f"--data={body.name}",
                "--header=content-type: application/grpc",
                "--header=te: trailers",
                f"http://{served.grpc}/croupier.v1.TableService/GetTable",
            ]
        else:
            call = ["--h1", f"http://{served.rest}/v1/tables/{table_id}"]
        command = [
            "h2load",
            f"--clients={clients}",
            "--max-concurrent-streams=1",
            "--warm-up-time=1",
            f"--duration={round(seconds)}",
            f"--header=authorization: Bearer {token}",
            *call,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"finished in .*?, ([\d.]+) req/s", done.stdout)
    if not found or "0 failed, 0 errored, 0 timeout" not in done.stdout:
        raise RuntimeError(f"h2load failed: {done.stdout}{done.stderr}")
    return float(found[1])
