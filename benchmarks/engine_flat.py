"""Does *submit with next task* stay flat? 1,000 against 1,000,000 tasks; a new worker against one
with 10,000 tasks behind them. Also times publishing.

    ./run bench engine_flat --tasks 1000000 --history 10000

CPU of this process and of its database backend, in milliseconds a cycle, best of five.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

import throwaway

REPEATS = 5
NOTHING = {"mentions": []}
WORDS = ["Ada", "met", "Bob", "in", "Oslo", "."]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=1_000_000)
    parser.add_argument("--history", type=int, default=10_000)
    parser.add_argument("--cycles", type=int, default=100, help="in each of the five rounds")
    options = throwaway.parsed(parser, tasks=500, history=50, cycles=5)
    vendor = throwaway.set_up()
    figures: dict[str, object] = {"database": vendor} | vars(options)
    small, _ = campaign_of(2_000)
    large, figures["seconds to publish"] = campaign_of(options.tasks)
    novice, base = joined(large), joined(small)
    veteran = joined(large)
    figures["veteran's tasks"] = give_history(veteran, options.history)
    cycles = {"small": base, "large": novice, "veteran": veteran}
    best = {name: float("inf") for name in cycles}
    for _ in range(REPEATS):  # in turn, so that a busy machine is unfair to none
        for name, enrollment in cycles.items():
            best[name] = min(best[name], cycle_ms(enrollment, options.cycles))
    figures["CPU ms a cycle"] = {name: round(ms, 2) for name, ms in best.items()}
    figures["ratio large / small"] = round(best["large"] / best["small"], 2)
    figures["ratio veteran / new"] = round(best["veteran"] / best["large"], 2)
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


def campaign_of(tasks: int):
    from annotation.actions import campaigns
    from annotation.actions.projects import create_project
    from annotation.models import ImportRun

    slug = f"flat-{tasks}"
    project = create_project(slug=slug, name=slug, schema={"entity_types": [{"name": "PER"}]})
    run = ImportRun.objects.create(
        project=project, file_name="made", format="jsonl", state="complete"
    )
    throwaway.insert_documents(run, tasks, WORDS)
    campaign = campaigns.create_campaign(
        project, slug=slug, name=slug, interface="entity", pay_mills=10, budget_mills=10**12
    )
    started = time.perf_counter()
    campaigns.open_campaign(campaign)
    return campaign, round(time.perf_counter() - started, 1)


def joined(campaign):
    from annotation.actions import workers
    from annotation.actions.tokens import Link

    return workers.join(Link(campaign.slug, None))


def give_history(enrollment, number: int) -> int:
    """As if they had submitted the first tasks of the order, and are now on their second lap."""
    from django.db import connection
    from django.utils import timezone

    from annotation.models import Assignment

    now = timezone.now()
    tasks = enrollment.campaign.demands.order_by("rank").values_list("task", flat=True)[:number]
    rows = [
        Assignment(
            task_id=task, worker=enrollment.worker, enrollment=enrollment, state="submitted",
            leased_at=now, expires_at=now,
        )
        for task in tasks
    ]  # fmt: skip
    last = enrollment.campaign.demands.order_by("rank").values_list("rank", flat=True)[number - 1]
    Assignment.objects.bulk_create(rows, batch_size=5_000)
    type(enrollment).objects.filter(pk=enrollment.pk).update(cursor=last)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE annotation_assignment")
    return len(rows)


def cycle_ms(enrollment, cycles: int) -> float:
    from annotation.actions import assignments
    from annotation.queries.work import next_page

    following = assignments.claim_next(enrollment.key)
    before = cpu()
    for _ in range(cycles):
        following = assignments.submit(enrollment.key, following.assignment.key, NOTHING).next
        next_page(following)
    return (cpu() - before) / cycles * 1000


def cpu() -> float:
    """Of this process; and of the backend, where the database is one of its own."""
    from django.db import connection

    own = time.process_time()
    if connection.vendor != "postgresql":
        return own
    backend = connection.connection.info.backend_pid
    ticks = Path(f"/proc/{backend}/stat").read_text().rpartition(") ")[2].split()[11:13]
    return own + sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
