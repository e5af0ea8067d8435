"""Server CPU of one *submit with next task* over HTTP, everything on.

    ./run bench http_cycle --clients 8 --cycles 2000

Two gunicorn workers; texts with nine spans; pay, budget, ledger, hidden gold one in ten; twelve
events with each answer (`--events`), replies compressed, rates counted. CPU is read from /proc:
the gunicorn processes, and the database's where it is PostgreSQL. `--tasks 1000000` and
`--history 10000` show that it stays flat. The peer figures are those of the design document,
measured there on a machine of the same size; they are not run here.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import throwaway

from tests.ports import free_port

TICKS = os.sysconf("SC_CLK_TCK")
PEERS_MS = {"Label Studio 1.23": 117, "doccano 1.8": 157, "Potato 2.12": 55}
NAMES = ["Ada Lovelace", "London", "Grace Hopper", "Paris", "Alan Turing", "Rome", "Emmy Noether",
         "Oslo", "Katherine Johnson"]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--cycles", type=int, default=2000)
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--events", type=int, default=12, help="that come with an answer")
    parser.add_argument("--history", type=int, default=0, help="tasks each worker has behind them")
    options = throwaway.parsed(parser, clients=2, cycles=20, tasks=50)
    vendor = throwaway.set_up()
    links = seed(options)
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "config.wsgi", "--no-control-socket", "-w", "2",
         "-b", f"127.0.0.1:{port}", "--log-level", "error"],
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        figures = run(options, links, f"http://127.0.0.1:{port}", server.pid, vendor)
    finally:
        server.terminate()
        server.wait()
    sys.stdout.write(json.dumps({"database": vendor} | vars(options) | figures, indent=1) + "\n")


def seed(options: argparse.Namespace) -> list[str]:
    from django.utils import timezone

    from annotation.actions import campaigns, tokens, workers
    from annotation.actions.projects import create_project
    from annotation.models import Assignment, Document, ImportedAnswer, ImportRun

    project = create_project(
        slug="cycle", name="Cycle", schema={"entity_types": [{"name": "PER"}, {"name": "LOC"}]}
    )
    run = ImportRun.objects.create(
        project=project, file_name="made", format="jsonl", state="complete"
    )
    words = " and then a long walk home before supper with ".join(NAMES).split(" ")
    total = options.tasks + 50
    throwaway.insert_documents(run, total, words)
    gold = Document.objects.order_by("pk")[:50]
    empty = {"mentions": [], "entities": [], "unlabelled": []}
    ImportedAnswer.objects.bulk_create(
        ImportedAnswer(document=document, interface="entity", source="gold", answer=empty)
        for document in gold
    )
    campaign = campaigns.create_campaign(
        project, slug="cycle", name="Cycle", interface="entity", redundancy=10,
        pay_mills=10, budget_mills=10**12, gold_every=10, options={"hidden_gold": 50},
    )  # fmt: skip
    started = time.perf_counter()
    campaigns.open_campaign(campaign)
    sys.stderr.write(f"published {total:,} tasks in {time.perf_counter() - started:.1f} s\n")
    names = [f"w{n}" for n in range(options.clients)]
    links = [tokens.campaign_link(campaign, name) for name in names]
    if options.history:
        now = timezone.now()
        first = list(campaign.demands.filter(kind=0).order_by("rank").values_list("task", "rank"))[
            : options.history
        ]
        for name in names:
            enrollment = workers.join(tokens.Link("cycle", name))
            Assignment.objects.bulk_create(
                (
                    Assignment(
                        task_id=task, worker=enrollment.worker, enrollment=enrollment,
                        state="returned", leased_at=now, expires_at=now,
                    )
                    for task, _ in first
                ),
                batch_size=5_000,
            )  # fmt: skip
    return links


def run(
    options: argparse.Namespace, links: list[str], server: str, pid: int, vendor: str
) -> dict[str, object]:
    import httpx

    deadline = time.perf_counter() + 30
    while True:
        try:
            httpx.get(f"{server}/api/schema/")
            break
        except httpx.HTTPError:
            if time.perf_counter() > deadline:
                raise
            time.sleep(0.1)
    body = {
        "answer": {"mentions": nine_spans()},
        "seconds": 4.0,
        "events": [
            {"number": number, "at": "2026-11-21T10:00:00.000Z", "kind": "span-added",
             "data": {"start": 3 * number, "end": 3 * number + 2, "type": "PER"}}
            for number in range(options.events)
        ],
    }  # fmt: skip
    latencies: list[float] = []
    each = options.cycles // options.clients
    ready = threading.Barrier(options.clients + 1)

    def work(link: str) -> None:
        with httpx.Client(base_url=server, timeout=60) as http:
            joined = http.post("/api/work/join/", json={"link": link}).json()
            headers = {"Authorization": f"Worker {joined['token']}"}
            page = http.post("/api/work/next/", json={}, headers=headers).json()
            ready.wait()
            for _ in range(each):
                key = page["assignment"]["key"]
                started = time.perf_counter()
                reply = http.post(
                    f"/api/work/assignments/{key}/submit/",
                    json=body,
                    headers=headers,
                )
                latencies.append(time.perf_counter() - started)
                page = reply.raise_for_status().json()["next"]
            ready.wait()

    threads = [threading.Thread(target=work, args=(link,), daemon=True) for link in links]
    for thread in threads:
        thread.start()
    ready.wait()
    before, began = cpu_seconds(pid, vendor), time.perf_counter()
    ready.wait()
    wall = time.perf_counter() - began
    used = {name: seconds - before[name] for name, seconds in cpu_seconds(pid, vendor).items()}
    cycles = each * options.clients
    latencies.sort()
    total = sum(used.values()) / cycles * 1000
    return {
        "server CPU ms a cycle": round(total, 2),
        "of it": {name: round(seconds / cycles * 1000, 2) for name, seconds in used.items()},
        "cycles a second": round(cycles / wall, 1),
        "p50 ms": round(latencies[len(latencies) // 2] * 1000, 1),
        "p99 ms": round(latencies[int(len(latencies) * 0.99)] * 1000, 1),
        "memory of two workers MB": round(sum(map(memory, children(pid))) / 1e6),
        "published peer CPU / ours": {
            name: round(peer / total, 1) for name, peer in PEERS_MS.items()
        },
    }


def nine_spans() -> list[dict[str, object]]:
    gap = len(["and", "then", "a", "long", "walk", "home", "before", "supper", "with"])
    spans, position = [], 0
    for number, name in enumerate(NAMES):
        length = len(name.split())
        kind = "LOC" if length == 1 else "PER"
        spans.append(
            {"id": f"m{number}", "start": position, "end": position + length, "type": kind}
        )
        position += length + gap
    return spans


def cpu_seconds(pid: int, vendor: str) -> dict[str, float]:
    used = {"web": sum(cpu(child) for child in [pid, *children(pid)])}
    if vendor == "postgresql":
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            postmaster = parent(cursor.fetchone()[0])
        used["database"] = sum(cpu(child) for child in [postmaster, *children(postmaster)])
    return used


def stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()


def parent(pid: int) -> int:
    return int(stat(pid)[1])


def cpu(pid: int) -> float:
    return sum(int(ticks) for ticks in stat(pid)[11:15]) / TICKS


def memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and parent(int(entry.name)) == pid:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


if __name__ == "__main__":
    main()
