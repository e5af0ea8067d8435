"""Entities of an entity campaign's consensus."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command

from aggregation.actions import coreference
from aggregation.actions.coreference import coreference_score, matched
from aggregation.actions.refresh import refresh
from aggregation.actions.runs import aggregate
from aggregation.models import Consensus, WorkerReliability
from annotation.interfaces import Material, entity
from annotation.models import Campaign, ImportedAnswer, Task
from tests.aggregation.crowds import make_workers
from tests.factories import make_campaign, make_document, make_response, make_task

pytestmark = pytest.mark.django_db

TEXT = "Ada Lovelace met Babbage . She liked London ."
ADA, BABBAGE, SHE, LONDON = (0, 12), (17, 24), (27, 30), (37, 43)
PLACES = {ADA: "PER", BABBAGE: "PER", SHE: "PER", LONDON: "LOC"}
Group = list[tuple[int, int]]


def grouped(
    *groups: Group, links: dict[int, str] | None = None, values: dict[int, str] | None = None
) -> dict[str, Any]:
    """An answer with an entity for each group, whose first mention is the canonical one. What
    stands in no group is marked, but without an entity."""
    name = {span: f"e{n}" for n, group in enumerate(groups) for span in group}
    mark = {span: f"x{n}" for n, span in enumerate(sorted({*PLACES, *name}))}
    kinds = {**dict.fromkeys(name, "PER"), **PLACES}
    return {
        "mentions": [
            {"id": mark[s], "start": s[0], "end": s[1], "type": kinds[s], "entity": name.get(s)}
            for s in mark
            if s in name or s in PLACES
        ],
        "entities": [
            {
                "id": f"e{n}",
                "canonical": mark[group[0]],
                "link": (links or {}).get(n),
                "value": (values or {}).get(n),
            }
            for n, group in enumerate(groups)
        ],
        "unlabelled": [],
    }


RIGHT = grouped([ADA, SHE], [BABBAGE], [LONDON], links={0: "Q7259", 2: "Q84"})


def make(campaign: Campaign, *answers: Any, workers: Any = None, gold: Any = None) -> Task:
    document = make_document(campaign.project, TEXT, sentences=[[0, 5], [5, 9]])
    if gold is not None:
        ImportedAnswer.objects.create(
            document=document, interface="entity", source="gold", answer=gold
        )
    task = make_task(campaign, document)
    for n, answer in enumerate(answers):
        make_response(task, workers[n] if workers else None, answer)
    return task


def groups_of(task: Task) -> list[tuple[list[tuple[int, int]], str | None]]:
    answer = Consensus.objects.filter(task=task).latest("id").answer
    return [
        (
            [(m["start"], m["end"]) for m in answer["mentions"] if m["entity"] == one["id"]],
            one["link"],
        )
        for one in answer["entities"]
    ]


def test_groups_and_links_of_most_are_in_the_answer_in_canonical_form():
    campaign = make_campaign()
    wrong = grouped([ADA], [BABBAGE, SHE], [LONDON], links={0: "Q7259", 2: "Q9"})
    task = make(campaign, RIGHT, RIGHT, wrong)

    run = aggregate(campaign, "mv-token")

    assert groups_of(task) == [([ADA, SHE], "Q7259"), ([BABBAGE], None), ([LONDON], "Q84")]
    row = Consensus.objects.get(task=task)
    document = task.document
    material = Material(
        schema=campaign.project.schema,
        text=document.text,
        tokens=document.tokens,
        sentences=document.sentences,
    )
    assert entity.check(row.answer, material) == row.answer
    assert row.confidences["mentions"].keys() == {"m1", "m2", "m3", "m4"}
    assert row.confidences["links"].keys() == {"e1", "e2", "e3"}
    facts = run.diagnostics["coreference"]
    assert (facts["mentions"], facts["entities"]) == (4, 3)
    assert len(facts["agreement"]) == 2


def test_spans_that_differ_a_little_are_taken_for_the_same():
    campaign = make_campaign()
    short = grouped([(4, 12), SHE], [BABBAGE], [LONDON])  # "Lovelace" alone
    short["mentions"] = [m for m in short["mentions"] if (m["start"], m["end"]) != ADA]
    task = make(campaign, RIGHT, RIGHT, short)
    aggregate(campaign, "mv-token")
    assert groups_of(task)[0][0] == [ADA, SHE]
    assert WorkerReliability.objects.filter(parameters__has_key="coreference").count() == 3


def test_dates_and_canonical_mentions_are_voted_on():
    campaign = make_campaign()
    early, late = (
        grouped([SHE, ADA], [BABBAGE], [LONDON], values={0: date})
        for date in ("1815-12-10", "1816-XX-XX")
    )
    task = make(campaign, early, early, late)
    aggregate(campaign, "mv-token")
    first = Consensus.objects.get(task=task).answer["entities"][0]
    assert (first["canonical"], first["value"]) == ("m3", "1815-12-10")


def test_mentions_that_nobody_grouped_have_no_entity():
    campaign = make_campaign()
    task = make(campaign, grouped([ADA, SHE]), grouped([ADA, SHE]))
    aggregate(campaign, "mv-token")
    answer = Consensus.objects.get(task=task).answer
    assert [m["entity"] for m in answer["mentions"]] == ["e1", None, "e1", None]


def test_campaigns_without_entities_are_left_as_they_are():
    campaign = make_campaign()
    task = make(campaign, grouped(), grouped())
    run = aggregate(campaign, "mv-token")
    assert "coreference" not in run.diagnostics
    assert Consensus.objects.get(task=task).confidences.keys() == {"spans"}


def test_links_of_other_campaigns_make_no_entities():
    campaign = make_campaign()
    other = make_campaign(campaign.project)
    make(other, RIGHT)
    task = make(campaign, grouped(), grouped())
    assert "coreference" not in aggregate(campaign, "mv-token").diagnostics
    assert groups_of(task) == []


def test_tasks_are_read_by_the_batch(monkeypatch):
    monkeypatch.setattr(coreference, "AT_ONCE", 2)
    campaign = make_campaign()
    tasks = [make(campaign, RIGHT, RIGHT) for _ in range(3)]
    tasks.append(make(campaign, grouped(), grouped()))
    aggregate(campaign, "mv-token")
    assert [len(groups_of(task)) for task in tasks] == [3, 3, 3, 0]


def test_entities_are_scored_against_gold():
    campaign = make_campaign()
    apart = grouped([ADA], [SHE], [BABBAGE], [LONDON])
    make(campaign, RIGHT, RIGHT, gold=RIGHT)
    make(campaign, apart, apart, gold=RIGHT)

    run = aggregate(campaign, "mv-token")

    shares = {name: value for name, value, *_ in run.diagnostics["coreference"]["gold"]}
    assert shares["coreference: F1 of pairs"] == pytest.approx(2 / 3)
    assert [s.value for s in coreference_score(run.key)] == list(shares.values())


def test_mentions_on_one_side_alone_count():
    campaign = make_campaign()
    gold = grouped([ADA, SHE], [LONDON])
    gold["mentions"] = [m for m in gold["mentions"] if m["entity"]]
    make(campaign, RIGHT, RIGHT, gold=gold)
    run = aggregate(campaign, "mv-token")
    shares = {s.name: s.value for s in coreference_score(run.key)}
    assert shares["coreference: F1 of pairs"] == 1.0
    assert shares["coreference: B³ F1"] == pytest.approx(2 * 0.75 / 1.75)


def test_answers_that_come_later_are_grouped_by_what_was_learnt():
    campaign, workers = make_campaign(), make_workers(3)
    tasks = [make(campaign, RIGHT, RIGHT, workers=workers) for _ in range(10)]
    aggregate(campaign, "mv-token")
    apart = grouped([ADA], [SHE], [BABBAGE], [LONDON])
    make_response(tasks[0], workers[2], apart)
    assert refresh(campaign).outcome == "refreshed"
    assert groups_of(tasks[0])[0] == ([ADA, SHE], "Q7259")
    assert Consensus.objects.get(task=tasks[0]).answers == 3


def test_matching_takes_the_most_alike_and_each_once():
    assert matched([(0, 4), (0, 10)], [(0, 9), (20, 30)]) == [(1, 0)]
    assert matched([(0, 4)], [(0, 9)]) == []
    assert matched([(5, 9), (0, 4)], [(0, 4), (5, 9)]) == [(0, 1), (1, 0)]
    assert matched([], [(0, 1)]) == []


def test_pages_and_commands_show_them(client, django_user_model, capsys):
    campaign = make_campaign()
    make(campaign, RIGHT, RIGHT, gold=RIGHT)
    run = aggregate(campaign, "mv-token")
    client.force_login(django_user_model.objects.create_superuser("root"))

    call_command("score_consensus", "--campaign", campaign.slug)
    page = client.get(f"/manage/campaigns/{campaign.slug}/runs/{run.key}/")

    assert "coreference: F1 of pairs 100.00, B³ F1 100.00" in capsys.readouterr().out
    assert page.status_code == 200
    assert "Coreference: B³ F1" in page.content.decode()
    assert "F1 of coreferent pairs between two workers" in page.content.decode()


@pytest.mark.parametrize(("at", "link"), [(None, "Q7259"), ("x0", "Q7259"), ("x1", "Q9")])
def test_doubted_names_have_no_say_where_they_are_left_out(at, link):
    """x0 is Ada, of whom two name another entry than the one who is sure."""
    campaign = make_campaign()
    wrong = grouped([ADA], [BABBAGE], [LONDON], links={0: "Q9"})
    unsure = wrong | {"doubts": [{"at": at, "note": ""}]}
    task = make(campaign, RIGHT, unsure, unsure)
    aggregate(campaign, "mv-token")
    assert groups_of(task)[0] == ([ADA], "Q9")

    campaign.doubts = Campaign.Doubts.LEFT_OUT
    campaign.save()
    aggregate(campaign, "mv-token")
    assert groups_of(task)[0][1] == link
