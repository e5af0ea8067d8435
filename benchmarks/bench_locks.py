"""For how long each bulk writer holds SQLite's one lock, in which no worker can submit.

    ./run bench bench_locks [--tasks 100000]

The longest turn of each, by the clock and in CPU (which other processes do not lengthen). The
target is 50 ms. Imports: `bench_import`; `bsc-seq` on a million answers: `bench_aggregate`. No peer
has such a queue.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from typing import Any

import throwaway

turns: list[tuple[float, float]] = []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=100_000, help="with one answer each")
    parser.add_argument("--workers", type=int, default=1_000)
    options = throwaway.parsed(parser, tasks=6, workers=6)
    options.documents, options.tokens, options.redundancy = options.tasks, 20, 1
    vendor = throwaway.set_up()
    if vendor != "sqlite":
        raise SystemExit("Only SQLite has one lock for all writers.")
    watch_turns()

    import bench_arrays
    import bench_gold

    from aggregation.actions.pruning import delete_results
    from aggregation.actions.runs import aggregate
    from annotation.actions.assignments import add_slots, close_tasks, set_priorities
    from annotation.actions.campaigns import publish_tasks
    from annotation.actions.documents import undo_import
    from annotation.actions.gold import score_gold
    from annotation.actions.integrity import check_campaign
    from annotation.actions.keeping import delete_campaign
    from annotation.actions.projects import create_project
    from annotation.models import Campaign, ImportRun, Worker

    questions = bench_gold.make(min(options.workers, 10), options.workers, True)
    longest("score_gold", lambda: score_gold(questions))
    Worker.objects.update(platform="other")  # the next have the same names
    campaign = bench_arrays.make_campaign(options)
    Campaign.objects.filter(pk=campaign.pk).update(max_redundancy=5)
    campaign.refresh_from_db()
    tasks = list(campaign.tasks.values_list("pk", flat=True))
    other = Campaign.objects.create(
        project=campaign.project, slug="other", name="Other", interface="entity"
    )
    run: list[Any] = []
    longest("publish_tasks", lambda: publish_tasks(other))
    longest("aggregate", lambda: run.append(aggregate(campaign, "mv-token")))
    longest("add_slots", lambda: add_slots(campaign, tasks))
    longest("close_tasks", lambda: close_tasks(campaign, tasks))
    longest("set_priorities", lambda: set_priorities(campaign, dict.fromkeys(tasks, 1)))
    longest("check_integrity", lambda: check_campaign(campaign))
    longest("prune_runs", lambda: delete_results(run[0]))
    Campaign.objects.filter(pk=other.pk).update(state="draft")
    longest("delete_campaign", lambda: delete_campaign(Campaign.objects.get(pk=other.pk)))
    imported = ImportRun.objects.create(
        project=create_project(slug="more", name="More", schema=campaign.project.schema),
        file_name="more",
        format="jsonl",
        state="complete",
    )
    throwaway.insert_documents(imported, min(options.tasks, 20_000), ["word"] * 20)
    longest("undo_import", lambda: undo_import(imported))


def longest(name: str, act: Callable[[], Any]) -> None:
    turns.clear()
    gc.collect()
    gc.freeze()  # what the benchmark holds is not the writer's
    began = time.process_time()
    act()
    wall, cpu = (1000 * max((turn[i] for turn in turns), default=0.0) for i in (0, 1))
    print(  # noqa: T201
        f"{name:18} {len(turns):6,} turns, {time.process_time() - began:6.1f} s of CPU; "
        f"the longest {wall:6.0f} ms, {cpu:5.0f} of CPU"
    )


def watch_turns() -> None:
    from config.sqlite.base import DatabaseWrapper

    wait, end, began = DatabaseWrapper._wait_for_turn, DatabaseWrapper._end_turn, []

    def waited(self: Any) -> None:
        wait(self)
        began.append((time.perf_counter(), time.process_time()))

    def ended(self: Any) -> None:
        end(self)
        if began:
            wall, cpu = began.pop()
            turns.append((time.perf_counter() - wall, time.process_time() - cpu))

    DatabaseWrapper._wait_for_turn, DatabaseWrapper._end_turn = waited, ended


if __name__ == "__main__":
    main()
