"""Each manager's page with 1,000,000 responses in the campaign, and the campaign's with 1,000.

    ./run bench dashboard                    SQLite
    DATABASE_URL=postgres://… ./run bench dashboard
    ./run bench dashboard --only workers,results

Prints for every page the best of several requests in milliseconds of the clock (operations.md:
under 300), of this process's CPU (in which SQLite's work is) and of that of PostgreSQL on this
machine, its queries, and the kilobytes and requests of a first visit (at most 40 in 8); and what
the minute's counting costs when another minute has passed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import throwaway

GOLD = 200  # questions, at most
APPEALS, FLAGS, JOBS = 40, 40, 200
REDUNDANCY = 5
WORKERS = 2_000
HOURS = 24 * 14
NEW = 500  # answers in the minute that is counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--responses", type=int, default=1_000_000)
    parser.add_argument("--only", default="", help="parts of addresses, with commas between them")
    parser.add_argument("--repeats", type=int, default=4, help="requests of a page that are timed")
    options = throwaway.parsed(parser, responses=1_500, repeats=1)
    figures: dict[str, Any] = {"database": throwaway.set_up(), "responses": options.responses}
    throwaway.collect_static()

    from django.contrib.auth.models import User
    from django.test import Client

    from annotation.actions.rollups import update_rollups

    user = User.objects.create_superuser("bench")
    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    small, large = answered(1_000), answered(options.responses)
    figures["seconds to count all"] = seconds(update_rollups)
    names = furnish(large, user)
    with connection_cursor() as cursor:
        cursor.execute("ANALYZE")
    ms = {}
    for name, campaign in (("small", small), ("large", large)):
        ms[name] = page(client, f"/manage/campaigns/{campaign.slug}/", options.repeats)["ms"]
        figures[f"{name}: ms of the campaign's page"] = ms[name]
    figures["ratio large / small"] = round(ms["large"] / ms["small"], 2)
    files: dict[str, Any] = {}  # that pages share
    figures["pages"] = {
        route: page(client, where, options.repeats) | weight(client, where, files)
        for route, where in pages_of(client, names).items()
        if any(part in route for part in options.only.split(","))
    }
    slow = {route: row["ms"] for route, row in figures["pages"].items() if row["ms"] > 300}
    figures["pages that take longer than 300 ms"] = slow
    figures["seconds to count a minute"] = one_minute(large)
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


def connection_cursor() -> Any:
    from django.db import connection

    return connection.cursor()


def answered(number: int) -> Any:
    """An open campaign with this many responses of the last two weeks, and places for more.

    Rows are written by the thousand, past the actions, as the actions would have left them.
    """
    from django.utils import timezone

    from annotation.actions import campaigns
    from annotation.actions.projects import create_project
    from annotation.models import Campaign, ImportRun

    slug = f"dashboard-{number}"
    project = create_project(slug=slug, name=slug, schema={"entity_types": [{"name": "PER"}]})
    run = ImportRun.objects.create(
        project=project, file_name="made", format="jsonl", state="complete"
    )
    throwaway.insert_documents(run, number // REDUNDANCY + NEW, ["Ada", "met", "Ben", "."])
    campaign = campaigns.create_campaign(
        project, slug=slug, name=slug, interface="entity", redundancy=REDUNDANCY, pay_mills=10,
        budget_mills=10**12,
    )  # fmt: skip
    now = timezone.now()
    campaigns.open_campaign(campaign, now=now - timedelta(hours=HOURS))
    respond(campaign, number, now)
    return Campaign.objects.get(pk=campaign.pk)


def respond(campaign: Any, number: int, now: Any) -> None:
    from django.db.models import F

    from annotation.models import Assignment, Demand, Enrollment, Payment, Response, Worker

    workers = Worker.objects.bulk_create(
        [
            Worker(platform="link", external_id=f"{campaign.slug}-{i}")
            for i in range(min(WORKERS, number))
        ]
    )
    each = number // len(workers)
    enrollments = Enrollment.objects.bulk_create(
        [
            Enrollment(
                campaign=campaign, worker=worker, state="qualified", submitted=each,
                earned_mills=10 * each, seconds=40.0 * each, gold_seen=5, gold_score_sum=4.0,
                seen_at=now,
            )
            for worker in workers
        ]
    )  # fmt: skip
    # Answer i is to task i / REDUNDANCY, by worker i modulo their number.
    tasks = campaign.tasks.order_by("pk").values_list("pk", flat=True)
    first = tasks[0]
    began, step = now - timedelta(hours=HOURS), timedelta(hours=HOURS).total_seconds() / number
    at = throwaway.moments(began, step)
    worker = f"{workers[0].pk} + i % {len(workers)}"
    assignment = throwaway.insert_numbered(
        Assignment(state="submitted", pay_mills=10),
        number,
        key=throwaway.random_key(),
        task_id=f"{first} + i / {REDUNDANCY}",
        worker_id=worker,
        enrollment_id=f"{enrollments[0].pk} + i % {len(workers)}",
        leased_at=at, expires_at=at, submitted_at=at,
    )  # fmt: skip
    throwaway.insert_numbered(
        Response(answer={"tags": ["O"] * 4}, judgments=b"", seconds=40),
        number,
        assignment_id=f"{assignment} + i",
        received_at=at,
    )
    throwaway.insert_numbered(
        Payment(campaign=campaign, kind="base", mills=10, currency="USD"),
        number,
        assignment_id=f"{assignment} + i",
        worker_id=worker,
        created_at=at,
    )
    filled = campaign.tasks.filter(pk__lt=first + number // REDUNDANCY)
    Demand.objects.filter(task__in=filled).update(received=F("wanted"), open=0, ready=False)
    type(campaign).objects.filter(pk=campaign.pk).update(committed_mills=10 * number)


def furnish(campaign: Any, user: Any) -> dict[str, Any]:
    """A run with a consensus of every task that has answers, gold, requests of workers, flags and
    jobs: what pages list beside answers. Name of a parameter (tests.access.rules) → its value."""
    from django.utils import timezone

    from aggregation.models import AggregationRun, Consensus, WorkerReliability
    from annotation.models import Appeal, Campaign, GoldQuestion, Job
    from selection.models import WorkerFlag

    now = timezone.now()
    tasks = list(campaign.tasks.order_by("pk").values_list("pk", flat=True))[:-NEW]
    answer: dict[str, Any] = {"mentions": [], "entities": [], "unlabelled": []}
    enrollments = list(campaign.enrollments.select_related("worker").order_by("pk"))
    facts = {"tasks": len(tasks), "answers": len(tasks) * REDUNDANCY, "workers": len(enrollments)}
    run = AggregationRun.objects.create(
        campaign=campaign, method="hmm-crowd", state="complete", finished_at=now,
        diagnostics=facts
        | {"confidence": [0] * 5 + [len(tasks) // 5] * 5, "expected_errors": len(tasks) / 4},
    )  # fmt: skip
    unsure = f"({tasks[0]} + i) % 5000 * 7919 % 5000 / 10000.0"
    throwaway.insert_numbered(
        Consensus(run=run, answer=answer, probabilities=b"", answers=REDUNDANCY),
        len(tasks),
        task_id=f"{tasks[0]} + i",
        confidence=f"0.5 + {unsure}",
        expected_errors=unsure,
    )
    WorkerReliability.objects.bulk_create(
        [
            WorkerReliability(
                run=run, worker=one.worker, judged=400, accuracy=0.8, low=0.75, high=0.85
            )
            for one in enrollments
        ]
    )
    known = tasks[:GOLD]
    campaign.demands.filter(task__in=known).update(kind=2)
    GoldQuestion.objects.bulk_create([GoldQuestion(task_id=task, answer=answer) for task in known])
    for one in enrollments[:APPEALS]:
        campaign.enrollments.filter(pk=one.pk).update(state="paused", state_reason="Too fast.")
        Appeal.objects.create(enrollment=one, about="Too fast.", text="I read every word.")
    evidence = {"share": 0.9, "usual": 0.5, "number": 20, "times": 18}
    for one in enrollments[-FLAGS:]:
        WorkerFlag.objects.create(enrollment=one, kind="fast", evidence=evidence, at=now)
    for number in range(JOBS):
        Job.objects.create(
            kind="aggregate", digest=str(number), project=campaign.project, campaign=campaign,
            state="failed" if number % 20 == 0 else "done", ended_at=now, asked_by=user,
            error="There are no answers yet." if number % 20 == 0 else "",
        )  # fmt: skip
    draft = Campaign.objects.create(
        project=campaign.project, slug=f"{campaign.slug}-draft", name="Draft", interface="relation",
        options={"from": campaign.slug},
    )  # fmt: skip
    document = campaign.project.documents.order_by("pk").first()
    return {
        "project": campaign.project.slug,
        "campaign": campaign.slug,
        "into": draft.slug,
        "enrollment": enrollments[-1].key,
        "run": run.key,
        "job": campaign.jobs.first().key,
        "document": document.external_id,
        "task": campaign.tasks.get(pk=known[0]).external_id,
        "import": campaign.project.imports.first().key,
    }


def pages_of(client: Any, names: dict[str, Any]) -> dict[str, str]:
    """Route → address of every page that a manager may open."""
    from tests.access.rules import RULES, address

    found = {"": "/"}
    for route, rule in RULES.items():
        if route.startswith("manage/") and "manager" in rule.allows.get("GET", ()):
            where = address(route, rule, names)
            reply = client.get(where)
            if reply.status_code == 200 and reply["Content-Type"].startswith("text/html"):
                found[route.removeprefix("manage/")] = where
                if route.endswith("/tasks/"):
                    shown = ("disputed", "reported", "unfinished")
                    found |= {f"{route}?show={show}": f"{where}?show={show}" for show in shown}
            reply.close()
    return found


def page(client: Any, address: str, repeats: int) -> dict[str, Any]:
    """The best of several requests, so that other work on the machine counts for little; before
    them comes one that counts the queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    taken, queries = [], 0
    for number in range(1 + repeats):
        before = clocks()
        if number:
            answer = client.get(address)
            taken.append([after - begun for begun, after in zip(before, clocks(), strict=True)])
        else:
            with CaptureQueriesContext(connection) as captured:
                answer = client.get(address)
            queries = len(captured)
        if answer.status_code != 200:
            raise SystemExit(f"{address} answered {answer.status_code}.")
    ms, cpu, database = (round(min(of_all) * 1000, 1) for of_all in zip(*taken, strict=True))
    return {"ms": ms, "cpu_ms": cpu, "database_ms": database, "queries": queries}


def clocks() -> tuple[float, float, float]:
    """Seconds by the clock, of this process, and of PostgreSQL's process for it."""
    from django.db import connection

    database = 0.0
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        pid = connection.connection.info.backend_pid
        database = int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    return time.perf_counter(), time.process_time(), database


def weight(client: Any, address: str, files: dict[str, Any]) -> dict[str, Any]:
    from tests.weight import first_visit

    sizes = first_visit(client, address, files)
    return {"kB": round(sum(sizes.values()) / 1000, 1), "requests": len(sizes)}


def one_minute(campaign: Any) -> float:
    from django.utils import timezone

    from annotation.actions.rollups import update_rollups
    from annotation.models import Assignment, Enrollment, Response

    now = timezone.now()
    enrollments = list(Enrollment.objects.filter(campaign=campaign)[:NEW])
    tasks = campaign.tasks.order_by("-pk").values_list("pk", flat=True)[:NEW]
    rows = Assignment.objects.bulk_create(
        [
            Assignment(
                task_id=task, worker_id=enrollment.worker_id, enrollment=enrollment,
                state="submitted", leased_at=now, expires_at=now, submitted_at=now,
            )
            for task, enrollment in zip(tasks, enrollments, strict=True)
        ]
    )  # fmt: skip
    Response.objects.bulk_create(
        [Response(assignment=row, answer={}, judgments=b"", received_at=now) for row in rows]
    )
    Enrollment.objects.filter(campaign=campaign).update(seen_at=now)
    return seconds(update_rollups)


def seconds(work: Any) -> float:
    started = time.perf_counter()
    work()
    return round(time.perf_counter() - started, 2)


if __name__ == "__main__":
    main()
