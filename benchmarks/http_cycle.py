"""Server CPU of one *submit with next task* over HTTP, everything on.

    ./run bench http_cycle --clients 8 --cycles 2000

Two gunicorn workers; texts with nine spans; pay, budget, ledger, hidden gold one in ten; twelve
events with each answer (`--events`), replies compressed, rates counted. CPU is read from /proc:
the gunicorn processes, and the database's where it is PostgreSQL. `--tasks 1000000` and
`--history 10000` show that it stays flat, `--new-connections` what a connection for each request
adds (nginx opens one unless it is told otherwise), `--texts real` how documents of the
demonstration do in the place of one made text, `--import-megabytes 100` how long workers wait while
a file of short lines is imported (it must take longer than the cycles do: that is said at the end).
Memory is what the server's processes have alone and their part of what they share (PSS). `./run
bench web` runs the peers beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from itertools import cycle
from pathlib import Path
from typing import Any

import throwaway

from tests.ports import free_port

TICKS = os.sysconf("SC_CLK_TCK")
NAMES = ["Ada Lovelace", "London", "Grace Hopper", "Paris", "Alan Turing", "Rome", "Emmy Noether",
         "Oslo", "Katherine Johnson"]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--cycles", type=int, default=2000)
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--events", type=int, default=12, help="that come with an answer")
    parser.add_argument("--history", type=int, default=0, help="tasks each worker has behind them")
    parser.add_argument("--new-connections", action="store_true", help="one for each request")
    parser.add_argument("--texts", choices=["made", "real"], default="made")
    parser.add_argument("--import-megabytes", type=int, default=0, help="imported meanwhile")
    options = throwaway.parsed(parser, clients=2, cycles=20, tasks=50)
    vendor = throwaway.set_up()
    links = seed(options)
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "config.wsgi", "--no-control-socket", "-w", "2",
         "--preload", "-b", f"127.0.0.1:{port}", "--log-level", "error"],
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
    total = options.tasks + 50
    if options.texts == "real":
        insert_real_documents(run, total)
    else:
        words = " and then a long walk home before supper with ".join(NAMES).split(" ")
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


def insert_real_documents(run, total: int) -> None:
    """Those of the demonstration, again and again, as an import would make them."""
    from annotation.models import Document
    from annotation.text.tokeniser import sentences_of, tokens_of
    from demonstration import corpus

    made = []
    for one in corpus.documents():
        tokens = tokens_of(one["text"], "words")
        made.append((one["text"], tokens, sentences_of(one["text"], tokens)))
    Document.objects.bulk_create(
        (
            Document(
                project_id=run.project_id, import_run=run, external_id=f"d{n}", text=text,
                tokens=tokens, sentences=sentences,
            )
            for n, (text, tokens, sentences) in zip(range(total), cycle(made))
        ),
        batch_size=1_000,
    )  # fmt: skip


def run(
    options: argparse.Namespace, links: list[str], server: str, pid: int, vendor: str
) -> dict[str, object]:
    import httpx

    deadline = time.perf_counter() + 300
    while True:
        try:
            httpx.get(f"{server}/api/schema/")
            break
        except httpx.HTTPError:
            if time.perf_counter() > deadline:
                raise
            time.sleep(0.1)
    body = {
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
        kept = httpx.Limits(max_keepalive_connections=0 if options.new_connections else None)
        with httpx.Client(base_url=server, timeout=60, limits=kept) as http:
            joined = http.post("/api/work/join/", json={"link": link}).json()
            headers = {"Authorization": f"Worker {joined['token']}"}
            page = http.post("/api/work/next/", json={}, headers=headers).json()
            ready.wait()
            for _ in range(each):
                key = page["assignment"]["key"]
                mentions = nine_spans() if options.texts == "made" else some_spans(page)
                started = time.perf_counter()
                reply = http.post(
                    f"/api/work/assignments/{key}/submit/",
                    json=body | {"answer": {"mentions": mentions}},
                    headers=headers,
                )
                latencies.append(time.perf_counter() - started)
                page = reply.raise_for_status().json()["next"]
            ready.wait()

    threads = [threading.Thread(target=work, args=(link,), daemon=True) for link in links]
    for thread in threads:
        thread.start()
    importing = begin_import(options.import_megabytes) if options.import_megabytes else None
    ready.wait()
    before, began = cpu_seconds(pid, vendor), time.perf_counter()
    ready.wait()
    wall = time.perf_counter() - began
    lasted = importing is None or importing.poll() is None
    if importing is not None:
        importing.terminate()
        importing.wait()
    used = {name: seconds - before[name] for name, seconds in cpu_seconds(pid, vendor).items()}
    cycles = each * options.clients
    latencies.sort()
    total = sum(used.values()) / cycles * 1000
    return {
        "server CPU ms a cycle": round(total, 2),
        "of it": {name: round(seconds / cycles * 1000, 2) for name, seconds in used.items()},
        "cycles a second": round(cycles / wall, 1),
        "p50 ms": round(latencies[len(latencies) // 2] * 1000, 1),
        "p95 ms": round(latencies[int(len(latencies) * 0.95)] * 1000, 1),
        "p99 ms": round(latencies[int(len(latencies) * 0.99)] * 1000, 1),
        "memory of two workers MB": round(sum(map(memory, [pid, *children(pid)])) / 1e6),
    } | ({} if importing is None else {"the import lasted as long": lasted})


def begin_import(megabytes: int) -> subprocess.Popen[bytes]:
    """A process that imports short lines, after it has stored the first of them."""
    from annotation.models import Document, ImportRun

    path = Path(os.environ["DATA_DIR"]) / "short.jsonl"
    with path.open("w", encoding="utf-8") as file:
        number = 0
        while file.tell() < megabytes * 2**20:
            number += 1
            file.write(f'{{"id": "short{number}", "text": "Ada was here."}}\n')
    command = [sys.executable, "manage.py", "import_documents", str(path), "--project", "cycle"]
    root = Path(__file__).resolve().parent.parent
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL)
    while process.poll() is None:
        run = ImportRun.objects.filter(state=ImportRun.State.RUNNING).first()
        if run is not None and Document.objects.filter(import_run=run).exists():
            return process
        time.sleep(0.05)
    raise SystemExit(f"The import ended with {process.returncode} before the cycles began.")


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


def some_spans(page: dict[str, Any]) -> list[dict[str, object]]:
    """Up to nine names of one word, spread over the text."""
    number = len(page["assignment"]["page"]["tokens"])
    places = range(0, number, max(number // 9, 1))
    return [
        {"id": f"m{n}", "start": at, "end": at + 1, "type": "PER"}
        for n, at in enumerate(list(places)[:9])
    ]


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
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


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
