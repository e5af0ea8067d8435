"""Score a million answers to hidden gold anew, after the questions were corrected.

    ./run bench gold
    ./run bench gold --answers 100000 --alike 0

Each answer marks the nine names of a text of 84 words, and misses each with a chance of one in
five; `--alike 0` puts a span of its own into every answer, so that no two are alike. The target is
60 seconds for the million, by the wall clock. No peer scores gold.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
import uuid

import throwaway

NAMES = 9
WORDS = ["Ada", "Lovelace", "was", "born", "in", "London", "."] * 12


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--alike", type=int, choices=(0, 1), default=1)
    options = throwaway.parsed(parser, answers=500, questions=10)
    vendor = throwaway.set_up()

    from annotation.actions.gold import score_gold
    from annotation.models import Campaign, Enrollment, GoldQuestion

    workers = -(-options.answers // options.questions)
    began = time.perf_counter()
    campaign = make(options.questions, workers, bool(options.alike))
    print(  # noqa: T201
        f"{vendor}: {options.questions * workers:,} answers of {workers:,} workers to "
        f"{options.questions} questions ({time.perf_counter() - began:.0f} s to make)."
    )
    for told in ("the first time", "again", "with another answer known"):
        if told.startswith("with"):
            for question in GoldQuestion.objects.all():
                question.answer["mentions"].pop()
                question.save()
        began, cpu = time.perf_counter(), time.process_time()
        done = score_gold(Campaign.objects.get(pk=campaign.pk))
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
        print(  # noqa: T201
            f"  {told}: {wall:.1f} s, {cpu:.1f} s of CPU; {done.changed:,} scores changed; "
            f"{60 / wall:.1f} times as fast as wanted"
        )
    seen = Enrollment.objects.first().gold_seen
    assert seen == options.questions, seen
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  peak memory {peak:.0f} MiB")  # noqa: T201


def make(questions: int, workers: int, alike: bool):
    from django.utils import timezone

    from annotation.actions.projects import label_numbers
    from annotation.interfaces import Material, interface
    from annotation.models import (
        Assignment,
        Campaign,
        Demand,
        Document,
        Enrollment,
        GoldQuestion,
        ImportRun,
        Project,
        Response,
        Task,
        Worker,
    )

    kind, draw, now = interface("entity"), random.Random(0), timezone.now()
    project = Project.objects.create(
        slug="p", name="P", schema={"entity_types": [{"name": "PER"}, {"name": "LOC"}]}
    )
    run = ImportRun.objects.create(
        project=project, file_name="made", format="jsonl", state="complete"
    )
    throwaway.insert_documents(run, questions, WORDS)
    campaign = Campaign.objects.create(project=project, slug="c", name="C", interface="entity")
    document = Document.objects.first()
    material = Material(
        schema=project.schema, text=document.text, tokens=document.tokens,
        sentences=document.sentences,
    )  # fmt: skip
    labels = label_numbers(project.pk, {"tag": ["O", "B-PER", "I-PER", "B-LOC"], "link": []})

    def answer(places: list[int], extra: int | None = None) -> dict:
        spans = [(material.tokens[7 * i][0], material.tokens[7 * i + 1][1], "PER") for i in places]
        if extra is not None:
            spans.append((*material.tokens[extra], "LOC"))
        return {
            "mentions": [
                {"id": f"m{start}", "start": start, "end": end, "type": type_, "entity": None}
                for start, end, type_ in sorted(spans)
            ],
            "entities": [], "unlabelled": [],
        }  # fmt: skip

    tasks = Task.objects.bulk_create(
        Task(campaign=campaign, document=row, external_id=row.external_id)
        for row in Document.objects.order_by("pk")
    )
    GoldQuestion.objects.bulk_create(
        GoldQuestion(task=task, answer=answer(list(range(NAMES)))) for task in tasks
    )
    Demand.objects.bulk_create(
        Demand(task=task, campaign=campaign, kind=2, rank=i, wanted=1, open=1, ready=True)
        for i, task in enumerate(tasks)
    )
    people = Worker.objects.bulk_create(
        (Worker(platform="link", external_id=f"w{i}") for i in range(workers)), batch_size=5_000
    )
    rows = Enrollment.objects.bulk_create(
        (Enrollment(campaign=campaign, worker=worker, state="qualified") for worker in people),
        batch_size=2_000,
    )
    made: dict[tuple, tuple[dict, bytes, float]] = {}
    gold = answer(list(range(NAMES)))
    for task in tasks:
        leases = Assignment.objects.bulk_create(
            (
                Assignment(
                    key=uuid.UUID(int=draw.getrandbits(128)), task=task, worker=row.worker,
                    enrollment=row, state="submitted", leased_at=now, expires_at=now,
                    submitted_at=now,
                )
                for row in rows
            ),
            batch_size=5_000,
        )  # fmt: skip
        responses = []
        for number, lease in enumerate(leases):
            places = tuple(i for i in range(NAMES) if draw.random() > 0.2)
            extra = None if alike else 2 + number % 80
            if (places, extra) not in made:
                given = answer(list(places), extra if extra and extra % 7 > 1 else None)
                made[places, extra] = (
                    given, kind.judge(given, material, labels),
                    kind.score_gold(given, gold, material, 0),
                )  # fmt: skip
            given, judged, score = made[places, extra]
            responses.append(
                Response(
                    assignment=lease, answer=given, judgments=judged, gold_score=score,
                    received_at=now, seconds=20,
                )
            )  # fmt: skip
        Response.objects.bulk_create(responses, batch_size=5_000)
    return campaign


if __name__ == "__main__":
    main()
