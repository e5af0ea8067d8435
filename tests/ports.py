"""A port for a server that tests start."""

import random
import socket
from pathlib import Path

RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")


def free_port() -> int:
    """One that the kernel gives to nobody by itself.

    Whoever asks again and again at a port of the kernel's own range, where nothing listens yet, is
    given that same port for the call one time in some thousands, and reaches itself: the server
    that should have it finds it taken then.
    """
    lowest = int(RANGE.read_text().split()[0]) if RANGE.exists() else 32_768
    while True:
        port = random.SystemRandom().randrange(max(1_024, lowest - 12_000), lowest)
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:
            continue
