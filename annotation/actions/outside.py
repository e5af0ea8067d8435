"""A request to an address that a person has typed, from a server that stands inside a network.

The name is looked up first, each address that it has is checked, and the connection goes to an
address that was checked: a name that is looked up twice could have two answers. TLS still proves
the name. Redirects are not followed, and of the reply the status alone is read.
"""

from __future__ import annotations

import http.client
import ipaddress
import queue
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import SplitResult, urlsplit

from annotation.sentences import CodedError

SECONDS = 5.0  # for all of it
# Through these an address of the one kind leads to one of the other, which may be inside.
TRANSLATED = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16")))


class CannotReach(CodedError):
    """The address may not be asked, or does not answer."""


def checked_url(url: str, *, private: bool) -> SplitResult:
    """Its parts. `private`: addresses inside, and http, are allowed. Raises CannotReach."""
    wrong = CannotReach("webhook.url", "url")
    if private:
        wrong = CannotReach("webhook.url_inside", "url")
    schemes = ("https", "http") if private else ("https",)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
        name = (host or "").encode("idna").decode()
    except ValueError as error:  # a port that is none, a name that is too long
        raise wrong from error
    plain = url.isascii() and url.isprintable() and " " not in url
    if parts.scheme not in schemes or not name or not plain or "\\" in url or port == 0:
        raise wrong
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise CannotReach("webhook.credentials", "url")
    with suppress(ValueError):
        if not private and not is_public(str(ipaddress.ip_address(name))):
            raise CannotReach("webhook.inside", "url")
    return parts


def is_public(address: str) -> bool:
    """Whether an address is one of the internet, and of nothing inside."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        elif any(ip in network for network in TRANSLATED) or ip.teredo is not None:
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def post(
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    private: bool = False,
    seconds: float = SECONDS,
) -> int:
    """The status of the reply. Raises CannotReach."""
    ends = time.monotonic() + seconds
    parts = checked_url(url, private=private)
    assert parts.hostname is not None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    addresses = _addresses(parts.hostname, port, seconds)
    if not private and not all(map(is_public, addresses)):
        raise CannotReach("webhook.inside")
    context = ssl.create_default_context() if parts.scheme == "https" else None
    connection = _Connection(parts.hostname, port, addresses, context, ends)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    watch = threading.Timer(max(0.0, ends - time.monotonic()), connection.cut)
    watch.daemon = True
    watch.start()
    try:
        connection.request("POST", path, body, dict(headers))
        status = connection.getresponse().status
        if time.monotonic() >= ends:  # it was cut off, which looks like the end of the headers
            raise CannotReach("webhook.slow", seconds=int(seconds))
        return status
    except ssl.SSLCertVerificationError as error:
        raise CannotReach("webhook.certificate") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        if time.monotonic() >= ends:
            raise CannotReach("webhook.slow", seconds=int(seconds)) from error
        why = getattr(error, "strerror", None) or type(error).__name__
        raise CannotReach("webhook.unreachable", why=why) from error
    finally:
        watch.cancel()
        connection.close()


def _addresses(host: str, port: int, seconds: float) -> list[str]:
    """All that the name has now. Looked up beside, since a look-up can't be given a time."""
    found: queue.SimpleQueue[list[str]] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.put(list(dict.fromkeys(str(row[4][0]) for row in rows)))
        except (OSError, UnicodeError):
            found.put([])

    threading.Thread(target=look_up, daemon=True).start()
    try:
        addresses = found.get(timeout=seconds)
    except queue.Empty:
        raise CannotReach("webhook.slow", seconds=int(seconds)) from None
    if not addresses:
        raise CannotReach("webhook.unknown_host")
    return addresses


class _Connection(http.client.HTTPConnection):
    """To one of the addresses that were checked, whatever the name leads to by now."""

    def __init__(
        self,
        host: str,
        port: int,
        addresses: list[str],
        context: ssl.SSLContext | None,
        ends: float,
    ):
        super().__init__(host, port)
        self.default_port = 443 if context else 80  # which the header Host leaves out
        self._addresses, self._context, self._ends = addresses, context, ends

    def connect(self) -> None:
        problem: OSError = TimeoutError()
        for address in self._addresses:
            left = self._ends - time.monotonic()
            if left <= 0:
                break
            try:
                self.sock = socket.create_connection((address, self.port), timeout=left)
                break
            except OSError as error:
                problem = error
        if self.sock is None:
            raise problem
        if self._context is not None:
            secure = self._context.wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.sock = secure  # before it talks, so that it can be cut
            secure.do_handshake()

    def cut(self) -> None:
        """The time is over, however slowly the other side goes on."""
        sock = self.sock
        if sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
