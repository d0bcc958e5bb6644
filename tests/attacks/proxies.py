"""What stands between the attacker and the service: nothing, nginx or Envoy."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.rest.envoy_server import (
    envoy_proxy_before,
    free_port,
    running,
    skip_where_envoy_cannot_run,
)

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")

_CONFIGURATION = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  upstream service {{ server 127.0.0.1:{upstream}; keepalive 4; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_request_buffering off;
      # Passed on, as where a WebSocket is served beside the API.
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $http_connection;
      proxy_set_header Host $http_host;
    }}
  }}
}}
"""


@contextmanager
def nginx_before(upstream: int, folder: Path) -> Iterator[int]:
    """The port of an nginx that passes HTTP/1.1 on to a port on loopback."""
    if NGINX is None:
        pytest.skip("NOT ATTACKED THROUGH NGINX: it is not installed (Debian: nginx-light)")
    port = free_port()
    configuration = folder / "nginx.conf"
    configuration.write_text(_CONFIGURATION.format(folder=folder, port=port, upstream=upstream))
    command = [NGINX, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(configuration)]
    with running(command, folder / "nginx.log", port):
        yield port


@contextmanager
def envoy_before(upstream: int, folder: Path) -> Iterator[int]:
    """The port of an Envoy that passes HTTP/1.1 on to a port on loopback."""
    skip_where_envoy_cannot_run()
    with envoy_proxy_before(upstream, folder) as port:
        yield port


@contextmanager
def nothing_before(upstream: int, folder: Path) -> Iterator[int]:
    """The port itself."""
    yield upstream


WAYS = {"direct": nothing_before, "nginx": nginx_before, "envoy": envoy_before}
