"""Many processes drain one campaign at once; then every counter is recomputed from its rows.

    ./run bench engine_drain --processes 64 --tasks 1000 --budget-for 2000 --kills 200

Exits 1 where a task has more answers than wanted, an acknowledged answer is missing, a counter is
wrong, or a worker met an error. The suite runs it small.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import time
import traceback
from pathlib import Path

import throwaway

REDUNDANCY = 3
PAY = 10


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=64)
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--budget-for", type=int, help="answers that the budget pays for")
    parser.add_argument("--kills", type=int, default=0, help="processes killed on the way")
    parser.add_argument("--seed", type=int, default=0)
    options = throwaway.parsed(parser, processes=4, tasks=10, budget_for=20, kills=2)
    vendor = throwaway.set_up()
    seed(options)
    log = Path(os.environ["DATA_DIR"]) / "acknowledged"
    log.mkdir()
    started = time.perf_counter()
    errors = run_crowd(options, log)
    seconds = time.perf_counter() - started
    return report(options, vendor, log, errors, seconds)


def seed(options: argparse.Namespace) -> None:
    from annotation.actions import campaigns
    from annotation.actions.projects import create_project
    from annotation.models import Enrollment, ImportRun, Worker

    project = create_project(slug="drain", name="Drain", schema={"entity_types": [{"name": "PER"}]})
    run = ImportRun.objects.create(
        project=project, file_name="made", format="jsonl", state="complete"
    )
    throwaway.insert_documents(run, options.tasks, ["Ada", "met", "Bob"])
    budget = None if options.budget_for is None else options.budget_for * PAY
    campaign = campaigns.create_campaign(
        project, slug="drain", name="Drain", interface="entity", redundancy=REDUNDANCY,
        pay_mills=PAY, budget_mills=budget,
    )  # fmt: skip
    campaigns.open_campaign(campaign)
    workers = Worker.objects.bulk_create(
        Worker(platform="link", external_id=f"w{n}") for n in range(options.processes)
    )
    Enrollment.objects.bulk_create(
        Enrollment(campaign=campaign, worker=worker, state="qualified") for worker in workers
    )


def run_crowd(options: argparse.Namespace, log: Path) -> list[str]:
    """Start one process a worker; kill some and let others take their workers over."""
    from django.db import connections

    from annotation.models import Enrollment

    keys = list(Enrollment.objects.order_by("pk").values_list("key", flat=True))
    connections.close_all()  # a forked connection must not be shared
    fork = multiprocessing.get_context("fork")
    draw, kills, number = random.Random(options.seed), options.kills, len(keys)
    running = {}
    for n, key in enumerate(keys):
        running[key] = fork.Process(target=work, args=(key, log / f"{n}"))
        running[key].start()
    while any(process.is_alive() for process in running.values()):
        if kills:
            key = draw.choice(keys)
            if running[key].is_alive():
                os.kill(running[key].pid, signal.SIGKILL)
                running[key].join()
                running[key] = fork.Process(target=work, args=(key, log / f"{number}"))
                running[key].start()
                kills, number = kills - 1, number + 1
        time.sleep(0.01)
    for process in running.values():
        process.join()
    return [path.read_text() for path in sorted(log.glob("*.error"))]


def work(key: object, log: Path) -> None:
    """One worker until nothing is left: claim, submit, and note what was acknowledged."""
    from annotation.actions import assignments

    try:
        following = assignments.claim_next(key)
        with log.open("w", buffering=1) as acknowledged:
            while True:
                lease = following.assignment
                if lease is None:
                    if following.reason != "nothing_left" or _is_long(following):
                        return
                    time.sleep(0.05)
                    following = assignments.claim_next(key)
                    continue
                started = time.perf_counter()
                result = assignments.submit(key, lease.key, {"mentions": []}, 1.0)
                acknowledged.write(f"{lease.key} {time.perf_counter() - started:.6f}\n")
                following = result.next
    except Exception:
        log.with_suffix(".error").write_text(traceback.format_exc())


def _is_long(following) -> bool:
    from django.utils import timezone

    return (following.retry_at - timezone.now()).total_seconds() > 10


def report(
    options: argparse.Namespace, vendor: str, log: Path, errors: list[str], seconds: float
) -> int:
    from django.db.models import F

    from annotation.actions.integrity import check_campaign
    from annotation.models import Assignment, Campaign, Demand, Response

    lines = [
        line.split()
        for path in log.iterdir()
        if path.suffix != ".error"
        for line in path.read_text().splitlines()
        if len(line.split()) == 2
    ]
    stored = {str(key) for key in Response.objects.values_list("assignment__key", flat=True)}
    latencies = sorted(float(seconds) for _, seconds in lines) or [0.0]
    campaign = Campaign.objects.get()
    demands = Demand.objects.all()
    leased = Assignment.objects.live().count()
    findings = {
        "errors": len(errors),
        "acknowledged but missing": len({key for key, _ in lines} - stored),
        "too many answers": demands.filter(received__gt=REDUNDANCY).count(),
        "counters that are wrong": len(check_campaign(campaign)),
        "leases left": leased,
    }
    wanted = options.tasks * REDUNDANCY
    if options.budget_for is not None:
        wanted = min(wanted, options.budget_for)
    findings["answers missing"] = wanted - len(stored)
    figures = {
        "database": vendor,
        "processes": options.processes,
        "kills": options.kills,
        "answers": len(stored),
        "complete": demands.filter(received=F("wanted")).count(),
        "partly": demands.filter(received__gt=0, open__gt=0).count(),
        "untouched": demands.filter(received=0).count(),
        "seconds": round(seconds, 1),
        "answers a second": round(len(stored) / seconds, 1),
        "p50 ms": round(latencies[len(latencies) // 2] * 1000, 1),
        "p99 ms": round(latencies[int(len(latencies) * 0.99)] * 1000, 1),
    }
    sys.stdout.write(json.dumps(figures | findings, indent=1) + "\n")
    for error in errors[:3]:
        sys.stdout.write(error)
    return 1 if any(findings.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
