"""A server on this machine that takes webhooks, with and without TLS."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def receiver(
    status: int = 204, headers: Sequence[tuple[str, str]] = (), tls: Path | None = None
) -> Iterator[tuple[str, list[tuple[str, dict[str, str], bytes]]]]:
    """Its address, and what it was sent. `tls`: a file with its certificate and its key."""
    got = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            got.append((self.path, dict(self.headers), body))
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    if tls is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    scheme = "https" if tls else "http"
    try:
        yield f"{scheme}://127.0.0.1:{server.server_port}/in?x=1", got
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def make_certificate(folder: Path, host: str) -> tuple[Path, Path]:
    """A certificate for a host, with its key, and that of the authority which signed it: both made
    now, so that no key is kept anywhere."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl, which makes the certificates of this test, is not installed.")
    authority, host_s = folder / "authority.pem", folder / "host.pem"

    def make(file: Path, name: str, *more: str) -> None:
        subprocess.run(
            [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
             "-nodes", "-days", "2", "-subj", f"/CN={name}", "-keyout", f"{file}.key",
             "-out", str(file), *more],
            check=True, capture_output=True,
        )  # fmt: skip

    make(authority, "Authority of a test", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    make(
        host_s, host, "-addext", f"subjectAltName=DNS:{host}", "-addext",
        "basicConstraints=critical,CA:FALSE", "-CA", str(authority), "-CAkey", f"{authority}.key",
    )  # fmt: skip
    host_s.write_text(host_s.read_text() + Path(f"{host_s}.key").read_text())
    return host_s, authority
