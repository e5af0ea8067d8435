"""The campaign page with 1,000,000 responses in the campaign, against one with 1,000.

    ./run bench dashboard                    SQLite
    DATABASE_URL=postgres://… ./run bench dashboard

Prints the best of several requests in milliseconds of the clock (operations.md: under 300), the
number of queries, and what the minute's counting costs when another minute has passed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from datetime import timedelta
from typing import Any

import throwaway

REPEATS = 7
REDUNDANCY = 3
WORKERS = 2_000
HOURS = 24 * 14
NEW = 500  # answers in the minute that is counted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--responses", type=int, default=1_000_000)
    options = throwaway.parsed(parser, responses=1_500)
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
    for name, campaign in (("small", small), ("large", large)):
        figures[f"{name}: ms a page"], figures[f"{name}: queries"] = page(client, campaign)
    figures["ratio large / small"] = round(
        figures["large: ms a page"] / figures["small: ms a page"], 2
    )
    figures["seconds to count a minute"] = one_minute(large)
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


def answered(number: int) -> Any:
    """An open campaign with this many responses of the last two weeks, and places for more.

    Rows are written by the thousand, past the actions, as the actions would have left them.
    """
    from django.db import connection
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
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
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
    tasks = list(campaign.tasks.order_by("pk").values_list("pk", flat=True))
    step = timedelta(hours=HOURS) / number
    for start in range(0, number, 10_000):
        rows = []
        for i in range(start, min(start + 10_000, number)):
            enrollment = enrollments[i % len(enrollments)]
            at = now - step * (number - i)
            rows.append(
                Assignment(
                    task_id=tasks[i // REDUNDANCY], worker_id=enrollment.worker_id,
                    enrollment=enrollment, state="submitted", pay_mills=10, leased_at=at,
                    expires_at=at, submitted_at=at,
                )
            )  # fmt: skip
        Assignment.objects.bulk_create(rows, batch_size=2_000)
        Response.objects.bulk_create(
            [
                Response(
                    assignment=row, answer={"tags": ["O"] * 4}, judgments=b"", seconds=40,
                    received_at=row.submitted_at,
                )
                for row in rows
            ],
            batch_size=2_000,
        )  # fmt: skip
        Payment.objects.bulk_create(
            [
                Payment(
                    worker_id=row.worker_id, campaign=campaign, assignment=row, kind="base",
                    mills=10, currency="USD",
                )
                for row in rows
            ],
            batch_size=2_000,
        )  # fmt: skip
    filled = campaign.tasks.filter(pk__lt=tasks[number // REDUNDANCY])
    Demand.objects.filter(task__in=filled).update(received=F("wanted"), open=0, ready=False)
    type(campaign).objects.filter(pk=campaign.pk).update(committed_mills=10 * number)


def page(client: Any, campaign: Any) -> tuple[float, int]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    best, queries = float("inf"), 0
    for _ in range(REPEATS):
        with CaptureQueriesContext(connection) as captured:
            started = time.perf_counter()
            answer = client.get(f"/manage/campaigns/{campaign.slug}/")
            best = min(best, time.perf_counter() - started)
        if answer.status_code != 200:
            raise SystemExit(f"The page answered {answer.status_code}.")
        queries = len(captured)
    return round(best * 1000, 1), queries


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
