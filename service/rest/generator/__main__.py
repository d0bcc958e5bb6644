"""`make generate`: writes what is generated from the proto files, beside them.

    python -m service.rest.generator                  stubs, routes, OpenAPI into proto/
    python -m service.rest.generator --check          say what is out of date (exit status 1)
    python -m service.rest.generator --image FILE     the contract as one descriptor image, for buf

Needs the development tools (grpcio-tools, mypy-protobuf) and a checkout.
"""

import argparse
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

PROTO = Path(__file__).parents[3] / "proto"
PLUGIN = "service.rest.generator.protoc_plugin"
PACKAGE = Path("croupier/v1")
GENERATED = (
    "*_pb2.py",
    "*_pb2.pyi",
    "*_pb2_grpc.py",
    "*_pb2_grpc.pyi",
    "*_rest.py",
    "contract_index.py",
    "openapi.yaml",
    "openapi.json",
)


def generate(target: Path) -> None:
    """Write everything below a folder; raises CalledProcessError when protoc refuses."""
    files = sorted(str(path.relative_to(PROTO)) for path in (PROTO / PACKAGE).glob("*.proto"))
    services = [file for file in files if file.endswith("_service.proto")]
    with tempfile.TemporaryDirectory() as folder:
        plugin = Path(folder) / "protoc-gen-rest"
        plugin.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {PLUGIN}\n')
        plugin.chmod(0o700)
        _protoc(files, f"--python_out={target}", f"--mypy_out=quiet:{target}")
        # A file without services would get an empty stub.
        _protoc(services, f"--grpc_python_out={target}", f"--mypy_grpc_out=quiet:{target}")
        _protoc(files, f"--plugin=protoc-gen-rest={plugin}", f"--rest_out={target}")


def write_image(path: Path) -> None:
    """Write the contract with all that it imports as one descriptor image."""
    files = sorted(str(file.relative_to(PROTO)) for file in (PROTO / PACKAGE).glob("*.proto"))
    path.parent.mkdir(parents=True, exist_ok=True)
    _protoc(files, "--include_imports", "--include_source_info", f"--descriptor_set_out={path}")


def out_of_date() -> list[str]:
    """The generated files that are missing, left over, or not what generation gives."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        generate(fresh)
        wanted, present = _read(fresh / PACKAGE), _read(PROTO / PACKAGE)
    names = sorted(wanted.keys() | present.keys())
    return [name for name in names if wanted.get(name) != present.get(name)]


def _read(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for pattern in GENERATED for path in folder.glob(pattern)}


def _protoc(files: list[str], *options: str) -> None:
    """Run protoc from the proto folder; the protos of google.api lie with the Python packages."""
    scripts = str(Path(sys.executable).parent)
    libraries = sysconfig.get_path("purelib")
    subprocess.run(  # noqa: S603 - our own arguments
        [sys.executable, "-m", "grpc_tools.protoc", "-I.", f"-I{libraries}", *options, *files],
        cwd=PROTO,
        env=os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ.get('PATH', '')}"},
        check=True,
    )


def main() -> None:
    """Run as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, prog="generate")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--image", type=Path)
    arguments = parser.parse_args()
    if arguments.image:
        write_image(arguments.image.absolute())
    elif arguments.check:
        if stale := out_of_date():
            raise SystemExit(f"out of date, run `make generate`: {', '.join(stale)}")
    else:
        generate(PROTO)


if __name__ == "__main__":
    main()
