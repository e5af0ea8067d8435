"""Add new answers to a run's consensus: CPU beyond the start of the process.

    ./run bench refresh --method bsc-seq --touched 50

The campaign is as large as the news articles tagged on Mechanical Turk: 399 documents of 208 words,
5 answers each by 47 workers, nine tags; its words are drawn from 15,000. The target is well under
100 ms for 50 touched tasks.
"""

from __future__ import annotations

import argparse
import statistics
import time
from datetime import timedelta
from unittest import mock

import throwaway


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=399)
    parser.add_argument("--tokens", type=int, default=208)
    parser.add_argument("--redundancy", type=int, default=5)
    parser.add_argument("--workers", type=int, default=47)
    parser.add_argument("--vocabulary", type=int, default=15_000)
    parser.add_argument("--outside", type=float, default=0.85, help="share of words in no span")
    parser.add_argument("--method", default="bsc-seq")
    parser.add_argument("--touched", type=int, default=50, help="tasks with a new answer")
    parser.add_argument("--repeats", type=int, default=3)
    options = throwaway.parsed(
        parser, documents=20, tokens=40, workers=12, vocabulary=500, touched=5, repeats=1
    )
    vendor = throwaway.set_up()

    from bench_arrays import make_campaign
    from django.db import connection, reset_queries
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from aggregation.actions.refresh import refresh
    from aggregation.actions.runs import aggregate
    from aggregation.models import AggregationRun

    yesterday = timezone.now() - timedelta(days=1)
    with mock.patch.object(timezone, "now", return_value=yesterday):
        campaign = make_campaign(options)
    give_words(options)
    spent, queries, idle = [], 0, 0.0
    for _ in range(options.repeats):
        run = aggregate(campaign, options.method)
        touch(campaign, options.touched)
        reset_queries()
        began = time.process_time()
        done = refresh(campaign)
        spent.append(time.process_time() - began)
        assert (done.outcome, done.tasks) == ("refreshed", options.touched), done
        began = time.process_time()
        refresh(campaign)
        idle = time.process_time() - began
        touch(campaign, 1)
        with CaptureQueriesContext(connection) as captured:
            refresh(campaign)
        queries = len(captured)
    kept = AggregationRun.objects.values_list("fitted", flat=True).get(pk=run.pk)
    print(  # noqa: T201
        f"{vendor}, {options.method}: {run.facts.answers:,} answers to "
        f"{options.documents:,} documents of {options.tokens} words; "
        f"kept {len(kept or b'') / 1024:,.0f} KiB\n"
        f"{options.touched} touched tasks: {min(spent) * 1e3:.1f} ms of CPU (best of "
        f"{options.repeats}; median {statistics.median(spent) * 1e3:.1f}, the first with its "
        f"imports {spent[0] * 1e3:.1f}), {queries} queries; nothing new: {idle * 1e3:.1f} ms"
    )


def give_words(options: argparse.Namespace) -> None:
    """Other words in each document, as common as in a language (Zipf)."""
    import numpy as np

    from annotation.models import Document

    rng = np.random.default_rng(1)
    common = 1 / np.arange(1, options.vocabulary + 1)
    documents = list(Document.objects.all())
    for document in documents:
        words = rng.choice(options.vocabulary, size=options.tokens, p=common / common.sum())
        document.text = " ".join(f"{word:05d}" for word in words)
    Document.objects.bulk_update(documents, ["text"], 100)


def touch(campaign, number: int) -> None:
    """One more answer, by a worker who has not seen the task, to each of the first tasks."""
    from django.utils import timezone

    from annotation.models import Assignment, Enrollment, Response

    now = timezone.now()
    enrollments = list(Enrollment.objects.filter(campaign=campaign).order_by("pk"))
    for task in campaign.tasks.order_by("pk")[:number]:
        seen = set(task.assignments.values_list("worker", flat=True))
        enrollment = next(row for row in enrollments if row.worker_id not in seen)
        other = Response.objects.filter(assignment__task=task).first()
        assignment = Assignment.objects.create(
            task=task, worker_id=enrollment.worker_id, enrollment=enrollment, state="submitted",
            leased_at=now, expires_at=now, submitted_at=now,
        )  # fmt: skip
        Response.objects.create(
            assignment=assignment, answer=other.answer, judgments=other.judgments, received_at=now
        )


if __name__ == "__main__":
    main()
