"""From mentions to a knowledge base, as the demonstration does it with its simulated workers."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from itertools import pairwise, permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from aggregation.actions.cluster_scores import METRIC_NAMES, cluster_score
from aggregation.arrays.piles import KnownPiles
from aggregation.models import AggregationRun
from annotation.actions import integrity
from annotation.interfaces import Material, interface
from annotation.models import Campaign, Entity, Payment, Rollup, Task
from annotation.models import Response as Answer
from demonstration import chain, register
from demonstration.chain_runs import KNOWLEDGE, TABLE, run_chain
from demonstration.systems import CLAIMS, run_systems, true_scores
from evaluation.models import ScoreSnapshot
from evaluation.queries.errors import errors_of
from tests.factories import make_project

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture(scope="module")
def done(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[SimpleNamespace]:
    """The whole chain, once for all tests here, and taken back in the end."""
    folder, told, now = tmp_path_factory.mktemp("chain") / "files", [], timezone.now()
    with django_db_blocker.unblock(), transaction.atomic():
        manager = User.objects.create_user("chain")
        run_chain(manager, folder, told.append, now)
        yield SimpleNamespace(folder=folder, told=told, now=now, manager=manager)
        transaction.set_rollback(True)


def campaigns() -> list[Campaign]:
    slugs = (chain.ENTITIES, chain.RELATIONS, chain.LINKS)
    return [Campaign.objects.select_related("project").get(slug=slug) for slug in slugs]


def records(path: Path) -> dict[str, list[dict[str, Any]]]:
    kinds: dict[str, list[dict[str, Any]]] = {}
    for line in path.read_text().splitlines():
        record = json.loads(line)
        kinds.setdefault(record["kind"], []).append(record)
    return kinds


def figure(done: SimpleNamespace, campaign: str, name: str) -> float:
    """What `score_consensus` has said of a campaign."""
    number = next(
        i
        for i, said in enumerate(done.told)
        if said.startswith(f"\n$ ./run manage score_consensus --campaign {campaign}")
    )
    words = done.told[number + 1].replace(",", "").split(f"{name} ", 1)[1]
    return float(words.split()[0])


def test_every_step_is_a_command_that_can_be_typed_and_is_told_with_its_outcome(done):
    typed = [said.split()[3] for said in done.told if said.startswith("\n$")]
    assert typed == [
        "aggregate", "score_consensus", "campaign",
        "build_relation_tasks", "aggregate", "score_consensus",
        "build_linking_tasks", "aggregate", "score_consensus",
        "export_knowledge_base", "export_knowledge_base", "import_knowledge_base",
    ]  # fmt: skip
    assert sum("simulated workers give" in said for said in done.told) == 3


def test_each_campaign_has_all_its_answers_and_a_run(done):
    for campaign in campaigns():
        assert integrity.check_campaign(campaign) == []
        assert campaign.tally.received == campaign.tally.wanted >= 3 * campaign.tasks.count()
        assert campaign.enrollments.filter(submitted__gt=0).count() == len(chain.CROWD)
    assert [campaign.state for campaign in campaigns()] == ["closed", "open", "open"]
    runs = AggregationRun.objects.filter(campaign__project__slug=chain.PROJECT)
    assert set(runs.values_list("state", flat=True)) == {"complete"}
    agreement = [run.diagnostics["agreement"][0][1] for run in runs]
    assert all(0.3 < alpha < 0.9 for alpha in agreement), agreement


def test_the_consensus_is_good_and_not_perfect(done):
    assert 85 < figure(done, chain.ENTITIES, "F1") < 100
    assert 70 < figure(done, chain.RELATIONS, "F1") < 100
    for name in METRIC_NAMES.values():
        assert 70 < figure(done, chain.ENTITIES, name) < 100
        assert 70 < figure(done, chain.LINKS, name) < 100


def test_the_work_lies_in_the_days_before(done):
    answers = Answer.objects.filter(assignment__task__campaign__project__slug=chain.PROJECT)
    received = list(answers.values_list("received_at", flat=True))
    assert max(received) < done.now
    assert min(received) > done.now - timedelta(days=6)
    assert len({moment.date() for moment in received}) >= 5
    ends = [
        (
            min(answers.filter(assignment__task__campaign=one).values_list("received_at")),
            max(answers.filter(assignment__task__campaign=one).values_list("received_at")),
        )
        for one in campaigns()
    ]
    assert all(before[1] < after[0] for before, after in pairwise(ends))
    assert Rollup.objects.filter(campaign__project__slug=chain.PROJECT).count() > 6


def test_an_answer_depends_on_the_worker_and_the_task_alone(done):
    """So that the same corpus gives the same figures at every first start."""
    for campaign in campaigns():
        assert chain._dealt(campaign) == chain._dealt(campaign)
        again = chain.ANSWERERS[campaign.slug](campaign)
        kind = interface(campaign.interface)
        rows = Answer.objects.filter(assignment__task__campaign=campaign)
        dealt = set()
        for row in rows.select_related("assignment__task__document", "assignment__worker"):
            task, worker = row.assignment.task, row.assignment.worker.external_id
            dealt.add((worker, task.external_id))
            raw, _ = again(worker, task.pk)
            assert row.answer == kind.read(raw, material(campaign, task))
        assert dealt == set(chain._dealt(campaign))


def material(campaign: Campaign, task: Task) -> Material:
    document = task.document
    return Material(
        schema=campaign.project.schema,
        text=document.text if document else "",
        tokens=document.tokens if document else [],
        sentences=document.sentences if document else [],
        payload=task.payload,
    )


def test_the_knowledge_base_tells_how_sure_it_is_and_where_it_has_it_from(done):
    found = records(done.folder / KNOWLEDGE)
    assert set(found) == {"entity", "mention", "link", "relation"}
    keys = {entity["key"] for entity in found["entity"]}
    slugs = {campaign.slug for campaign in campaigns()}
    for one in (*found["mention"], *found["link"]):
        assert one["entity"] in keys
        assert 0 < one["confidence"] <= 1
        assert one["provenance"]["campaign"] in slugs
    for relation in found["relation"]:
        assert {relation["subject"], relation["object"]} <= keys
        assert all(one["provenance"]["answers"] == 3 for one in relation["evidence"])
    documents = Counter(entity["documents"] for entity in found["entity"])
    assert sum(number for size, number in documents.items() if size > 1) > 20
    nil = [e for e in found["entity"] if ":" in e["key"] and e["documents"] > 1]
    assert len(nil) > 5, "clusters over documents that have no entry"


def test_entities_over_all_documents_are_mostly_those_of_the_gold(done):
    known = {one["id"]: one["entity"] for one in records(done.folder / chain.GOLD)["mention"]}
    found = {
        one["id"]: one["entity"]
        for one in records(done.folder / KNOWLEDGE)["mention"]
        if one["id"] in known and one["type"] in chain.LINKED
    }
    numbers: dict[str, int] = {}
    score = cluster_score(
        {m: numbers.setdefault(f"found {e}", len(numbers)) for m, e in found.items()},
        dict.fromkeys(found, 1.0),
        [KnownPiles("all", {m: numbers.setdefault(known[m], len(numbers)) for m in found})],
    )
    assert score is not None
    assert all(0.75 < share.value < 1 for share in score.shares if share.value), score.shares


def test_the_file_comes_in_again_whole(done):
    """All that the reader of entries promises to keep, into a project that has nothing."""
    other = make_project(slug="other", schema=campaigns()[0].project.schema)
    for name in (KNOWLEDGE, TABLE):
        call_command(
            "import_knowledge_base", str(done.folder / name), "--project", other.slug,
            stdout=(out := StringIO()), stderr=StringIO(),
        )  # fmt: skip
    assert "0 entries added, 0 changed" in out.getvalue()  # the table says the same
    entities = records(done.folder / KNOWLEDGE)["entity"]
    fields = ("key", "name", "aliases", "type", "description", "url")
    stored = Entity.objects.filter(project=other).values(*fields)
    assert {one["key"]: one for one in stored} == {
        one["key"]: {name: one[name] for name in fields} for one in entities
    }
    own = Entity.objects.filter(project__slug=chain.PROJECT).values_list("key", flat=True)
    assert {one["key"] for one in entities} <= set(own)


def test_out_once_more_it_is_the_same_file(done, tmp_path):
    call_command(
        "export_knowledge_base", "--project", chain.PROJECT, "--out", str(tmp_path / KNOWLEDGE),
        stdout=StringIO(), stderr=StringIO(),
    )  # fmt: skip
    assert (tmp_path / KNOWLEDGE).read_text() == (done.folder / KNOWLEDGE).read_text()
    with (done.folder / TABLE).open() as file:
        rows = Counter(row["kind"] for row in csv.DictReader(file, delimiter="\t"))
    kinds = {kind: len(found) for kind, found in records(tmp_path / KNOWLEDGE).items()}
    assert rows == kinds


def test_a_second_time_it_does_nothing(done):
    before = [model.objects.count() for model in (Answer, AggregationRun, Entity, Task)]
    told: list[str] = []
    run_chain(done.manager, done.folder, told.append)
    assert [model.objects.count() for model in (Answer, AggregationRun, Entity, Task)] == before
    assert told == []


def test_what_is_lacking_is_made_up_for(done, tmp_path):
    told: list[str] = []
    run_chain(done.manager, tmp_path / "elsewhere", told.append)
    assert [said.split()[3] for said in told if said.startswith("\n$")] == [
        "export_knowledge_base", "export_knowledge_base", "import_knowledge_base",
    ]  # fmt: skip
    AggregationRun.objects.filter(campaign__slug=chain.LINKS).update(state="failed")
    told.clear()
    run_chain(done.manager, tmp_path / "elsewhere", told.append)
    assert [said.split()[3] for said in told if said.startswith("\n$")] == [
        "aggregate", "score_consensus",
    ]  # fmt: skip


def test_a_campaign_that_a_manager_has_taken_away_is_left_alone(done, tmp_path):
    Campaign.objects.filter(slug=chain.ENTITIES).update(slug="taken")
    told: list[str] = []
    run_chain(done.manager, tmp_path, told.append)
    assert told == []


def pairs_of_entities():
    """(document, a name, another) of which some paper says something, one way or the other."""
    papers = list(register.papers())
    facts = {
        frozenset((paper.names[one.subject].key, paper.names[one.object].key))
        for paper in papers
        for one in paper.facts
    }
    return {
        (paper.name, paper.text[a.start : a.end], paper.text[b.start : b.end])
        for paper in papers
        for a, b in permutations(paper.names, 2)
        if frozenset((a.key, b.key)) in facts
    }


def test_three_made_systems_are_scored_on_the_papers(done):
    said: list[str] = []
    run_systems(done.manager, said.append, done.now)
    [snapshot] = ScoreSnapshot.objects.filter(period__project__slug=chain.PROJECT)
    scores = {
        one.submission.system.name: one
        for one in snapshot.scores.select_related("submission__system")
    }
    truth = true_scores(snapshot.period.project)
    assert scores.keys() == truth.keys()
    for name, (precision, recall) in truth.items():
        one = scores[name]
        assert one.precision == pytest.approx(precision, abs=0.1)
        assert one.recall == pytest.approx(recall, abs=0.1)  # of what the crowd of the chain found
        assert one.precision_low < one.precision < one.precision_high
    assert snapshot.exhaustive_documents == 20
    assert sum(one.cost_mills for one in scores.values()) == snapshot.cost_mills
    paid = Payment.objects.filter(campaign__slug=CLAIMS).aggregate(sum=Sum("mills"))["sum"]
    assert snapshot.cost_mills == paid
    related = pairs_of_entities()
    for one in scores.values():
        errors = errors_of(one.submission, 0.9, recalls=one.relations)
        assert sum(group.claims for group in errors.relations) == one.claims
        assert errors.wrong > 0 or one.submission.system.name == "Almanac"
        for wrong in errors.examples:  # no paper says of these two what is called wrong here
            assert (wrong.document, wrong.subject, wrong.object) not in related
    run_systems(done.manager, said.append, done.now)
    assert len(said) == 1  # done again, nothing is lacking
