"""What 100 submitted files cost, from the upload to their scores: `bench_evaluation` runs it.

Each step is what a server does: the action of the upload, the jobs that it asks for, the tasks that
workers answer, `evaluate_submissions`. Of each: seconds of CPU, queries, and the peak of memory.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import throwaway

PER_DOCUMENT = 20  # pairs of names, of which a system claims about half
ERRS = 0.05
WIDTH = 0.1
ANSWERS = "answers of workers"


def measured(systems: int, claims: int, peak: Callable[[], float]) -> list[dict[str, Any]]:
    """Steps in their order. Each system claims about so much."""
    throwaway.set_up()
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connection

    from annotation.management.jobs.kinds import kind_of
    from annotation.models import Job
    from evaluation.actions.plans import start_plan
    from evaluation.actions.submissions import submit
    from evaluation.actions.teams import create_team
    from evaluation.models import PartLabel, ScoreSnapshot, SubmissionClaim
    from experiments.evaluation.story import World

    draw = random.Random(0)
    shares = {f"s{i}": (draw.uniform(0.3, 0.9), draw.uniform(0.1, 0.5)) for i in range(systems + 1)}
    many = type("Many", (World,), {"SYSTEMS": shares})
    folder = tempfile.TemporaryDirectory(prefix="touchstone-bench-")
    size = max(round(2 * claims / PER_DOCUMENT), 10)
    world = many(
        0, User.objects.create_user("organiser"), Path(folder.name), documents=size,
        sentences=PER_DOCUMENT, answers=3, workers=3,
    )  # fmt: skip
    teams = {name: create_team(world.project, name) for name in shares}
    files = {name: world.file(name) for name in shares}
    found: list[dict[str, Any]] = []

    @contextmanager
    def step(name: str) -> Iterator[dict[str, Any]]:
        queries = 0

        def counted(execute: Any, *told: Any) -> Any:
            nonlocal queries
            queries += 1
            return execute(*told)

        one: dict[str, Any] = {"step": name, "note": ""}
        began, cpu = time.perf_counter(), time.process_time()
        with connection.execute_wrapper(counted):
            yield one
        one["cpu"], one["seconds"] = time.process_time() - cpu, time.perf_counter() - began
        one["queries"], one["memory"] = queries, peak()
        found.append(one)

    def jobs(kind: str) -> int:
        """Those that wait, as `manage.py work` runs them."""
        rows = list(Job.objects.filter(kind=kind, state="queued").order_by("pk"))
        for row in rows:
            kind_of(kind).run(row)
        Job.objects.filter(pk__in=[row.pk for row in rows]).update(state="done")
        return len(rows)

    def scores() -> str:
        last = ScoreSnapshot.objects.latest("number")
        return f"{last.scores.count():,} scores in snapshot {last.number}"

    *names, later = shares
    with step("upload") as one:
        for name in names:
            submit(world.period, teams[name], name, f"{name}.jsonl", [files[name]])
        one["note"] = f"{sum(len(files[name]) for name in names) / 2**20:,.0f} MiB"
    with step("validate") as one:
        jobs("validate_submission")
        lines = sum(world.period.submissions.values_list("lines", flat=True))
        one["note"] = f"{lines:,} lines"
    with step("forecast"):
        jobs("forecast_plan")
    with step("draw, make tasks") as one:
        world.period.refresh_from_db()
        start_plan(world.period, metrics="instance", width=WIDTH)
        jobs("ask_about_claims")
        plan = world.period.plans.get()
        rows = SubmissionClaim.objects.count()
        one["note"] = f"{plan.drawn:,} claims drawn, {plan.made:,} tasks, {rows:,} rows"
    with step(ANSWERS) as one:
        one["note"] = f"{world.judge(ERRS):,} answers"
    with step("score") as one:
        call_command("evaluate_submissions", "--period", str(world.period.key), verbosity=0)
        one["note"] = f"{PartLabel.objects.count():,} labels, {scores()}"
    with step("score again") as one:
        call_command("evaluate_submissions", "--period", str(world.period.key), verbosity=0)
        one["note"] = scores()
    with step("one more system") as one:
        submit(world.period, teams[later], later, f"{later}.jsonl", [files[later]])
        jobs("validate_submission")
        call_command("evaluate_submissions", "--period", str(world.period.key), verbosity=0)
        one["note"] = scores()
    folder.cleanup()
    return found
