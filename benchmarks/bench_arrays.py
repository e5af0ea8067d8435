"""Read a campaign's judgments into arrays: token labels a second, the query included.

    ./run bench arrays --tokens 200 --documents 1000

The target is 1,000,000 token labels a second. Where a task is one short sentence, the database's
rows cost more than the labels do: try --tokens 15 --documents 13000.
"""

from __future__ import annotations

import argparse
import resource
import time

import throwaway

BATCH = 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=1_000)
    parser.add_argument("--tokens", type=int, default=200, help="of a document; 20 a sentence")
    parser.add_argument("--redundancy", type=int, default=5)
    parser.add_argument("--workers", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=5)
    options = throwaway.parsed(parser, documents=5, tokens=30, workers=6, repeats=1)
    vendor = throwaway.set_up()
    campaign = make_campaign(options)

    from aggregation.arrays import load_sequences

    wall, cpu = [], []
    for _ in range(options.repeats):
        began, began_cpu = time.perf_counter(), time.process_time()
        crowd = load_sequences(campaign)
        wall.append(time.perf_counter() - began)
        cpu.append(time.process_time() - began_cpu)
    labels = crowd.labels.n_labels
    print(  # noqa: T201
        f"{vendor}, {labels:,} token labels: {len(crowd.tasks):,} documents of "
        f"{options.tokens} tokens, {crowd.answers:,} answers by {len(crowd.workers)} workers\n"
        f"{labels / min(cpu):,.0f} token labels a second of CPU, {labels / min(wall):,.0f} by the "
        f"wall clock (best of {options.repeats}); "
        f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB"
    )


def make_campaign(options: argparse.Namespace):
    """Rows as the engine leaves them, made in bulk."""
    from annotation.actions.projects import create_project, label_numbers
    from annotation.models import Campaign, Enrollment, Worker

    kinds = [{"name": name} for name in ("LOC", "MISC", "ORG", "PER")]
    project = create_project(slug="bench", name="Benchmark", schema={"entity_types": kinds})
    tags = [f"{edge}-{kind['name']}" for edge in "BI" for kind in kinds]
    label_numbers(project.pk, {"tag": ["O", *tags]})
    campaign = Campaign.objects.create(
        project=project, slug="bench", name="Benchmark", interface="entity", state="open"
    )
    workers = Worker.objects.bulk_create(
        Worker(platform="link", external_id=f"w{i}") for i in range(options.workers)
    )
    enrollments = Enrollment.objects.bulk_create(
        Enrollment(campaign=campaign, worker=worker, state="qualified") for worker in workers
    )
    make_answers(options, make_tasks(options, campaign), enrollments)
    return campaign


def make_tasks(options: argparse.Namespace, campaign):
    from annotation.models import Demand, Document, ImportRun, Task

    run = ImportRun.objects.create(
        project=campaign.project, file_name="made", format="jsonl", state="complete"
    )
    n, wanted = options.tokens, options.redundancy
    tokens = [[6 * i, 6 * i + 5] for i in range(n)]
    sentences = [[i, min(i + 20, n)] for i in range(0, n, 20)]
    documents = Document.objects.bulk_create(
        (
            Document(
                project=campaign.project, external_id=f"d{i}", text="token " * n, tokens=tokens,
                sentences=sentences, import_run=run, digest="",
            )
            for i in range(options.documents)
        ),
        BATCH,
    )  # fmt: skip
    tasks = Task.objects.bulk_create(
        (Task(campaign=campaign, document=d, external_id=d.external_id) for d in documents), BATCH
    )
    Demand.objects.bulk_create(
        (
            Demand(
                task=task, campaign=campaign, rank=i, wanted=wanted, open=0, received=wanted,
                ready=False,
            )
            for i, task in enumerate(tasks)
        ),
        BATCH,
    )  # fmt: skip
    return tasks


def make_answers(options: argparse.Namespace, tasks, enrollments) -> None:
    """Random tags; of nine, so that a number takes one byte."""
    import numpy as np
    from django.utils import timezone

    from annotation.interfaces.judgments import pack
    from annotation.models import Assignment, Response

    rng, now = np.random.default_rng(0), timezone.now()
    outside = getattr(options, "outside", 1 / 9)  # share of O
    shares = [outside, *[(1 - outside) / 8] * 8]
    pairs = (
        (task, enrollments[(i + j) % len(enrollments)])
        for i, task in enumerate(tasks)
        for j in range(options.redundancy)
    )
    assignments = Assignment.objects.bulk_create(
        (
            Assignment(
                task=task, worker_id=enrollment.worker_id, enrollment=enrollment,
                state="submitted", leased_at=now, expires_at=now, submitted_at=now,
            )
            for task, enrollment in pairs
        ),
        BATCH,
    )  # fmt: skip
    others = {"clusters": [-1] * 5, "links": [-1] * 5}
    Response.objects.bulk_create(
        (
            Response(
                assignment=assignment,
                answer={"mentions": [], "entities": [], "unlabelled": []},
                judgments=pack(
                    {"tags": rng.choice(9, options.tokens, p=shares).tolist(), **others}
                ),
                received_at=now,
            )
            for assignment in assignments
        ),
        BATCH,
    )


if __name__ == "__main__":
    main()
