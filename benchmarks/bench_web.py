"""Touchstone beside Potato, Label Studio and doccano: the same texts, clients and spans.

    ./run bench web                          Touchstone alone
    ./run bench web --peers potato,label-studio,doccano
    ./run bench web --peers potato --visits  and what a first visit of a worker's page weighs

Peers are installed from PyPI into environments of their own in DATA_DIR/peers, the first time that
they are asked for. Each server runs on SQLite, as its own command starts it, one after the other,
with eight clients who mark nine spans in each text and go on to the next. CPU is that of all of the
server's processes (/proc); clients run elsewhere. `--visits` takes Chromium. A peer that can't be
installed, started or worked with is named with its error.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import throwaway
from http_cycle import NAMES, children, cpu, memory, nine_spans, seed

from tests.ports import free_port

JOINED = " and then a long walk home before supper with "
WARM_UP = 5  # cycles of each client that aren't counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", default="", help="potato, label-studio, doccano, with commas")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--cycles", type=int, default=400, help="of all clients together")
    parser.add_argument("--visits", action="store_true", help="weigh a first visit in Chromium")
    options = throwaway.parsed(parser, clients=2, cycles=4)
    from web_peers import PEERS, Touchstone

    asked = [name for name in options.peers.split(",") if name]
    if unknown := [name for name in asked if name not in PEERS]:
        parser.error(f"There is no peer '{unknown[0]}'. Choose from {', '.join(PEERS)}.")
    rows: dict[str, dict[str, Any]] = {Touchstone.name: {}}
    servers = []
    for name in asked:  # before DATA_DIR is a throw-away one
        try:
            servers.append(PEERS[name]())
        except (OSError, subprocess.CalledProcessError) as error:
            rows[PEERS[name].name] = {"error": f"It can't be installed: {error}"}
    throwaway.set_up()
    throwaway.collect_static()
    texts = made_texts(options.cycles + (WARM_UP + 2) * options.clients)
    cycle = argparse.Namespace(
        tasks=len(texts), clients=options.clients + 1, history=0, texts="made"
    )
    events = [
        {"number": n, "at": "2026-11-21T10:00:00.000Z", "kind": "span-added",
         "data": {"start": 3 * n, "end": 3 * n + 2, "type": "PER"}}
        for n in range(12)
    ]  # fmt: skip
    body = {"answer": {"mentions": nine_spans()}, "seconds": 4.0, "events": events}
    for peer in [Touchstone(seed(cycle), body), *servers]:
        try:
            rows[peer.name] = measured(peer, options, texts)
        except Exception as error:  # named, and the others go on
            if peer.name == Touchstone.name:
                raise
            rows[peer.name] = {"error": f"{type(error).__name__}: {error}"[:600]}
    ours = rows[Touchstone.name]
    for row in rows.values():
        if row is not ours and "error" not in row:
            row["times ours"] = {
                name: round(row[name] / value, 1) for name, value in ours.items() if value
            }
    sys.stdout.write(json.dumps(vars(options) | {"servers": rows}, indent=1) + "\n")
    sys.stdout.write(table(rows))


def made_texts(number: int) -> list[Any]:
    from web_peers import Text

    text, spans, position = JOINED.join(NAMES), [], 0
    for name in NAMES:
        spans.append((position, position + len(name), "PER" if " " in name else "LOC"))
        position += len(name) + len(JOINED)
    return [Text(text, tuple(spans))] * number


def measured(peer: Any, options: argparse.Namespace, texts: list[Any]) -> dict[str, Any]:
    import httpx

    with tempfile.TemporaryDirectory(prefix="touchstone-web-") as folder:
        server = peer.start(Path(folder), free_port(), texts, options.clients)
        try:
            latencies: list[float] = []
            errors: list[Exception] = []
            ready = threading.Barrier(options.clients + 1)

            def client(number: int) -> None:
                try:
                    with httpx.Client(
                        base_url=server.url, timeout=120, follow_redirects=True
                    ) as http:
                        cycles = peer.work(server, number, http)
                        run(cycles, 1 + min(WARM_UP, options.cycles))
                        ready.wait()
                        latencies.extend(run(cycles, options.cycles // options.clients))
                except Exception as error:
                    errors.append(error)
                    ready.abort()
                else:
                    ready.wait()

            threads = [
                threading.Thread(target=client, args=(n,), daemon=True)
                for n in range(options.clients)
            ]
            for thread in threads:
                thread.start()
            try:
                ready.wait()
                before, began = cpu_of(server.process.pid), time.perf_counter()
                ready.wait()
            except threading.BrokenBarrierError:
                raise errors[0] from None
            wall = time.perf_counter() - began
            used = cpu_of(server.process.pid) - before
            latencies.sort()
            found = {
                "CPU ms per submit + next": round(used / len(latencies) * 1000, 2),
                "cycles a second": round(len(latencies) / wall, 1),
                "p50 ms": round(latencies[len(latencies) // 2] * 1000, 1),
                "p95 ms": round(latencies[int(len(latencies) * 0.95)] * 1000, 1),
                "memory MB": round(sum(map(memory, tree(server.process.pid))) / 1e6),
            }
            return found | (first_visit(server) if options.visits else {})
        finally:
            server.stop()


def run(cycles: Iterator[None], number: int) -> list[float]:
    taken = []
    for _ in range(number):
        began = time.perf_counter()
        next(cycles)
        taken.append(time.perf_counter() - began)
    return taken


def tree(pid: int) -> list[int]:
    return [pid, *(one for child in children(pid) for one in tree(child))]


def cpu_of(pid: int) -> float:
    """Seconds of the process and of all that it has begun."""
    return sum(map(cpu, tree(pid)))


def first_visit(server: Any) -> dict[str, Any]:
    """kB on the wire and requests of a page with a task, in a browser that has nothing cached."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        browser = player.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        context = browser.new_context()
        context.add_cookies(
            [{"name": n, "value": v, "url": server.url} for n, v in server.cookies.items()]
        )
        page = context.new_page()
        wire, sizes = context.new_cdp_session(page), {}
        wire.send("Network.enable")
        wire.on("Network.loadingFinished", lambda e: sizes.update({e["requestId"]: e}))
        page.goto(server.url + server.visit, timeout=120_000)
        page.wait_for_timeout(8_000)
        weight = sum(one["encodedDataLength"] for one in sizes.values()) / 1000
        browser.close()
    return {"kB of a first visit": round(weight, 1), "requests of a first visit": len(sizes)}


def table(rows: dict[str, dict[str, Any]]) -> str:
    """For docs/operations.md: what was measured, and in brackets how many times ours it is."""
    names = list(rows["Touchstone"])
    lines = ["", "| | " + " | ".join(rows) + " |", "|---" * (len(rows) + 1) + "|"]
    for name in names:
        cells = []
        for row in rows.values():
            times = row.get("times ours", {}).get(name)
            cells.append(f"{row.get(name, '—')}" + (f" (× {times})" if times else ""))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += [f"{name}: {row['error']}" for name, row in rows.items() if "error" in row]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
