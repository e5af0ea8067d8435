"""Look at all workers of a campaign for spam: seconds of `flag_workers`, by its steps.

    ./run bench guards                        1,000,000 choices
    ./run bench guards --interface entity     1,000,000 texts of 20 words

Choices of four classes or tags of nine, three answers a task, 100 answers a worker; one worker in
twenty says always the same. The target is a minute for a million answers; most of it is the
database's, which hands them over.
"""

from __future__ import annotations

import argparse
import resource
import time
from typing import Any

import throwaway

WORDS = 20
SAME = 20  # one worker in so many


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=1_000_000)
    parser.add_argument("--redundancy", type=int, default=3)
    parser.add_argument("--each", type=int, default=100, help="answers of a worker")
    parser.add_argument("--interface", choices=("choice", "entity"), default="choice")
    options = throwaway.parsed(parser, answers=3_000)
    vendor = throwaway.set_up()
    campaign = make_campaign(options)

    import numpy as np

    from selection import arrays
    from selection.actions.guards import flag_workers
    from selection.algorithms.workers.guards import chance_agreement, same_answer, too_fast
    from selection.algorithms.workers.peers import find_peers

    began, began_cpu = time.perf_counter(), time.process_time()
    flags = flag_workers(campaign)
    wall, cpu = time.perf_counter() - began, time.process_time() - began_cpu
    took = {}

    def timed(name: str, step: Any) -> Any:
        started = time.process_time()
        found = step()
        took[name] = time.process_time() - started
        return found

    work = timed("read", lambda: arrays.load_work(campaign))
    of = work.answers
    peers = timed("peers", lambda: find_peers(of, np.random.default_rng(0)))
    timed("same", lambda: same_answer(peers))
    timed("chance", lambda: chance_agreement(peers))
    timed("fast", lambda: too_fast(of.worker, of.task, work.seconds, work.words, of.n_workers))
    steps = ", ".join(f"{name} {seconds:.1f}" for name, seconds in took.items())
    print(  # noqa: T201
        f"{vendor}, {options.interface}, {len(of.worker):,} answers by {of.n_workers:,} workers: "
        f"{len(flags):,} flags in {wall:.1f} s by the clock, {cpu:.1f} s of CPU ({steps}); "
        f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB"
    )


def make_campaign(options: argparse.Namespace) -> Any:
    """Rows as the engine leaves them, made in bulk."""
    from annotation.actions import campaigns
    from annotation.actions.projects import create_project, label_numbers
    from annotation.models import Enrollment, ImportRun, Worker

    schema = {"entity_types": [{"name": "PER"}]}
    project = create_project(slug="bench", name="Benchmark", schema=schema)
    tags = [f"{edge}-{name}" for edge in "BI" for name in ("LOC", "MISC", "ORG", "PER")]
    label_numbers(project.pk, {"tag": ["O", *tags], "choice": list("ABCD")})
    run = ImportRun.objects.create(
        project=project, file_name="made", format="jsonl", state="complete"
    )
    tasks = max(options.answers // options.redundancy, 1)
    throwaway.insert_documents(run, tasks, ["word"] * WORDS)
    campaign = campaigns.create_campaign(
        project, slug="bench", name="Benchmark", interface=options.interface,
        redundancy=options.redundancy, options={"choices": list("ABCD")},
    )  # fmt: skip
    campaigns.open_campaign(campaign)
    number = max(options.answers // options.each, options.redundancy)
    workers = Worker.objects.bulk_create(
        Worker(platform="link", external_id=f"w{i}") for i in range(number)
    )
    enrollments = Enrollment.objects.bulk_create(
        Enrollment(campaign=campaign, worker=worker, state="qualified") for worker in workers
    )
    answer(campaign, options, enrollments)
    return campaign


def answer(campaign: Any, options: argparse.Namespace, enrollments: list[Any]) -> None:
    import numpy as np
    from django.utils import timezone

    from annotation.interfaces.judgments import pack
    from annotation.models import Assignment, Response

    rng, now = np.random.default_rng(0), timezone.now()
    n, redundancy = len(enrollments), options.redundancy
    step = max(n // redundancy, 1)
    tasks = campaign.tasks.order_by("pk").values_list("pk", flat=True)
    for begin in range(0, len(tasks), 3_000):
        some = tasks[begin : begin + 3_000]
        assignments, packed = [], []
        for i, task in enumerate(some, start=begin):
            truth = (
                rng.integers(4) if options.interface == "choice" else rng.integers(9, size=WORDS)
            )
            for j in range(redundancy):
                who = (i * 7 + j * step + int(rng.integers(step))) % n
                if options.interface == "choice":
                    said = truth if rng.random() < 0.8 else rng.integers(4)
                    packed.append(pack({"choice": [0 if who % SAME == 0 else int(said)]}))
                else:
                    said = truth if rng.random() < 0.8 else rng.permutation(truth)
                    said = np.zeros(WORDS, int) if who % SAME == 0 else said
                    packed.append(pack({"tags": said.tolist(), "clusters": [], "links": []}))
                assignments.append(
                    Assignment(
                        task_id=task, worker_id=enrollments[who].worker_id,
                        enrollment=enrollments[who], state="submitted", leased_at=now,
                        expires_at=now, submitted_at=now,
                    )
                )  # fmt: skip
        rows = Assignment.objects.bulk_create(assignments, 1_000)
        Response.objects.bulk_create(
            (
                Response(
                    assignment=row, answer={}, judgments=data, seconds=20.0, received_at=now
                )
                for row, data in zip(rows, packed, strict=True)
            ),
            1_000,
        )  # fmt: skip


if __name__ == "__main__":
    main()
