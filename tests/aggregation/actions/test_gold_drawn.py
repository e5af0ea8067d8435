"""How gold was drawn decides what it may say: only a random sample tells how good labels are."""

from __future__ import annotations

import csv
import json
from io import StringIO

import numpy as np
import pytest
from django.core.management import call_command

from aggregation import arrays
from aggregation.actions import runs
from aggregation.actions.runs import aggregate
from aggregation.algorithms.measures.intervals import wilson
from aggregation.models import Consensus
from aggregation.queries import latest_run
from annotation.actions.campaigns.tasks import publish_tasks
from annotation.actions.gold import count_documents_as_random
from annotation.actions.gold_import import GoldFileRefused, import_gold
from annotation.models import AuditEntry, Demand, GoldQuestion, ImportedAnswer
from tests.aggregation.crowds import choice, choice_campaign, choice_task, make_workers, tagged_task
from tests.factories import make_campaign, make_document, make_member, make_response, make_task

pytestmark = pytest.mark.django_db


def hidden(campaign, *names, workers, gold="yes", drawn="random"):
    """A question among the others, with the answers in the order of arrival."""
    task = make_task(campaign, kind=Demand.Kind.HIDDEN)
    GoldQuestion.objects.create(task=task, answer=choice(gold), drawn=drawn)
    for worker, name in zip(workers, names, strict=False):
        make_response(task, worker, choice(name))
    return task


def crowd_of(campaign, **options):
    return arrays.load_labels(campaign, gold=True, **options)


def answers_of(crowd, task):
    unit = int(np.flatnonzero(crowd.tasks == task.pk)[0])
    return int((crowd.labels.unit == unit).sum())


def test_random_gold_is_scored_as_an_ordinary_task_with_its_first_answers():
    campaign, workers = choice_campaign(), make_workers(9)
    choice_task(campaign, "yes", "yes", "no", workers=workers)
    # Of nine answers six are right, but an ordinary task would have got the first three.
    task = hidden(campaign, "no", "no", "yes", "yes", "yes", "yes", "yes", "yes", "no",
                  workers=workers)  # fmt: skip
    run = aggregate(campaign, "majority")
    gold = run.facts.gold
    assert (gold.units, gold.shares[0].value) == (1, 0.0)
    assert run.facts.tasks == 1
    assert not Consensus.objects.filter(task=task).exists()
    digest = run.input_digest
    GoldQuestion.objects.filter(pk=task.pk).update(drawn="picked")
    again = aggregate(campaign, "majority")
    assert again.facts.gold is None
    assert again.input_digest != digest


def test_where_answers_stop_at_a_confidence_those_to_gold_stop_there_too():
    campaign, workers = choice_campaign(), make_workers(9)
    type(campaign).objects.filter(pk=campaign.pk).update(
        redundancy=2, max_redundancy=6, target_quality=0.8
    )
    campaign.refresh_from_db()
    for _ in range(12):
        choice_task(campaign, "yes", "yes", "yes", workers=workers)
        choice_task(campaign, "no", "no", "no", workers=workers)
    sure = hidden(campaign, *["yes"] * 9, workers=workers)
    doubt = hidden(campaign, *["yes", "no"] * 4, workers=workers)
    loaded = crowd_of(campaign)
    assert (answers_of(loaded, sure), answers_of(loaded, doubt)) == (6, 6)
    seen, score = [], runs.score_crowd

    def watched(crowd, *arguments, **options):
        seen.append(crowd)
        return score(crowd, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "score_crowd", watched)
        aggregate(campaign, "dawid-skene")
    assert answers_of(seen[0], sure) == 2
    assert answers_of(seen[0], doubt) > 2


def test_documents_that_are_random_gold_are_read_as_ordinary_ones():
    campaign = make_campaign(redundancy=2)
    right, wrong = "B-PER I-PER O O O O O O O", "O O O O O O O O O"
    tagged_task(campaign, right, right)
    task = tagged_task(campaign, wrong, wrong, right, right, right)
    Demand.objects.filter(task=task).update(kind=Demand.Kind.HIDDEN)
    question = GoldQuestion.objects.create(task=task, answer={"tags": right.split()})
    assert aggregate(campaign, "mv-token").facts.gold is None
    GoldQuestion.objects.filter(pk=question.pk).update(drawn="random")
    gold = aggregate(campaign, "mv-token").facts.gold
    # Of five answers three are right, but two are what an ordinary document gets.
    assert (gold.documents, gold.shares[-1].value) == (1, 0.0)


@pytest.mark.parametrize("method", ["bsc-seq", "dawid-skene", "mv-token"])
def test_answers_to_documents_are_cut_where_the_campaign_would_have_stopped(method):
    campaign, workers = make_campaign(redundancy=2), make_workers(9)
    type(campaign).objects.filter(pk=campaign.pk).update(max_redundancy=5, target_quality=0.9)
    campaign.refresh_from_db()
    named, other = "B-PER I-PER O O O O O O O", "O O O B-PER O O O O O"
    for _ in range(12):
        tagged_task(campaign, named, named, named, workers=workers)
    tagged = {}
    for name, tags in (("sure", [named] * 7), ("doubt", [named, other] * 4)):
        tagged[name] = task = tagged_task(campaign, *tags, workers=workers)
        Demand.objects.filter(task=task).update(kind=Demand.Kind.HIDDEN)
        GoldQuestion.objects.create(task=task, answer={"tags": named.split()}, drawn="random")
    seen, score = [], runs.score_crowd

    def watched(crowd, *arguments, **options):
        seen.append(crowd)
        return score(crowd, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "score_crowd", watched)
        aggregate(campaign, method)
    (crowd,) = seen

    def answers(task):
        place = np.flatnonzero(crowd.tasks == task.pk)[0]
        return len(set(crowd.labels.worker[crowd.task_of_label() == place].tolist()))

    assert crowd.sequences.n_labels == crowd.labels.n_labels == len(crowd.place)
    if method == "mv-token":  # which can't judge one by itself: as many as others have
        assert (answers(tagged["sure"]), answers(tagged["doubt"])) == (3, 3)
    else:
        assert 2 <= answers(tagged["sure"]) <= 3 < answers(tagged["doubt"]) <= 5


def write(path, *rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_task_with_answers_can_be_checked_and_stays_a_task(tmp_path):
    campaign, workers = choice_campaign(), make_workers(3)
    tasks = [choice_task(campaign, "yes", "yes", "no", workers=workers) for _ in range(10)]
    names = [task.external_id for task in tasks]
    file = write(
        tmp_path / "gold.jsonl",
        *({"task": name, "answer": {"choice": "yes"}, "gold": "check"} for name in names),
        {"task": names[0] + "x", "text": "not filled in", "answer": None},
    )
    assert import_gold(campaign, file).checks == 10
    assert set(GoldQuestion.objects.values_list("drawn", flat=True)) == {"picked"}
    run = aggregate(campaign, "majority")
    assert run.facts.gold is None
    assert run.facts.checked == "not checked against gold"
    with pytest.raises(GoldFileRefused) as refused:
        import_gold(campaign, write(tmp_path / "kind.jsonl",
                                    {"task": names[0], "answer": {"choice": "yes"}}))  # fmt: skip
    assert "was given out as work already" in refused.value.lines[0].reason

    table = tmp_path / "gold.csv"
    table.write_text("item,text,gold,drawn\n" + "".join(f"{name},,no,random\n" for name in names))
    tally = import_gold(campaign, table)
    assert (tally.checks, tally.corrected) == (0, 10)
    run = aggregate(campaign, "majority")
    assert (run.facts.gold.units, run.facts.gold.shares[0].value) == (10, 0.0)
    assert run.facts.checked == "checked against gold"
    assert run.facts.tasks == 10
    kinds = set(Demand.objects.values_list("kind", flat=True))
    assert kinds == {Demand.Kind.PLAIN}
    out = StringIO()
    call_command("export_annotations", campaign=campaign.slug, what="consensus", stdout=out)
    assert json.loads(out.getvalue().splitlines()[0])["gold_check"] == "checked against gold"


def test_twenty_tasks_at_random_are_written_to_be_filled_in(tmp_path):
    campaign, workers = choice_campaign(), make_workers(2)
    for _ in range(25):
        choice_task(campaign, "yes", "no", workers=workers)

    def asked():
        path = tmp_path / "sample.csv"
        call_command("export_annotations", campaign=campaign.slug, what="gold-sample",
                     format="csv", out=str(path), stdout=StringIO())  # fmt: skip
        with path.open() as file:
            return path, list(csv.DictReader(file))

    path, rows = asked()
    assert len(rows) == 20
    assert asked()[1] == rows
    assert [row["item"] for row in rows] != sorted(row["item"] for row in rows)
    path.write_text(path.read_text().replace(",,random", ",yes,random"))
    assert import_gold(campaign, path).checks == 20
    assert len(asked()[1]) == 5
    assert not {row["item"] for row in asked()[1]} & {row["item"] for row in rows}
    table = tmp_path / "wrong.csv"
    table.write_text("item,gold\n" + f"{rows[0]['item']},perhaps\n")
    with pytest.raises(GoldFileRefused) as refused:
        import_gold(campaign, table)
    assert refused.value.lines[0].field.startswith("answer.choice")


def test_vote_is_taken_where_known_answers_speak_for_it(tmp_path):
    campaign, workers = choice_campaign(), make_workers(5)
    for i in range(12):
        says, other = ("yes", "no") if i % 2 else ("no", "yes")
        choice_task(campaign, says, says, *(other if (i >> k) & 1 else says for k in range(3)),
                    workers=workers)  # fmt: skip
    for _ in range(8):
        choice_task(campaign, "yes", "yes", "no", "no", "no", workers=workers)
    aggregate(campaign, "one-coin")
    path = tmp_path / "differ.csv"
    call_command("export_annotations", campaign=campaign.slug, what="differing", format="csv",
                 out=str(path), stdout=StringIO())  # fmt: skip
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert {row["drawn"] for row in rows} == {"differing"}
    lines = "".join(f"{row['item']},{row['vote']},differing\n" for row in rows)
    path.write_text(f"item,gold,drawn\n{lines}")
    import_gold(campaign, path)
    told = aggregate(campaign, "one-coin").facts
    assert told.gold is None  # tasks that differ are no sample of all
    found = told.differing
    assert (found.known, found.method_right, found.vote_right) == (len(rows), 0, len(rows))
    assert found.vote_taken
    assert found.accuracy is None
    assert found.difference.value == pytest.approx(-found.share)

    out = StringIO()
    call_command("aggregate", campaign=campaign.slug, stdout=out)
    assert "majority was chosen: of " in out.getvalue()
    assert latest_run(campaign).method == "majority"
    # Once there are other answers the method is tried again.
    import_gold(campaign, write(tmp_path / "more.jsonl", {
        "task": campaign.tasks.order_by("pk")[0].external_id, "answer": {"choice": "no"},
        "gold": "check", "drawn": "differing",
    }))  # fmt: skip
    out = StringIO()
    call_command("aggregate", campaign=campaign.slug, stdout=out)
    assert out.getvalue().startswith("hierarchical-dawid-skene was chosen")


def test_gold_of_some_documents_counts_where_somebody_says_that_they_were_drawn_at_random(client):
    campaign, workers = choice_campaign(), make_workers(3)
    for _ in range(10):
        choice_task(campaign, "yes", "yes", "no", workers=workers, gold="yes")
    without = choice_task(campaign, "yes", "yes", "no", workers=workers)
    again = aggregate(campaign, "majority")
    assert again.facts.gold is None
    lines = exported(campaign, "gold")
    assert [line["drawn"] for line in lines] == ["document"] * 10
    assert "quality" not in exported(campaign, "consensus")[0]

    client.force_login(make_member(campaign.project).user)
    page = f"/manage/campaigns/{campaign.slug}/gold/"
    assert "10 known answers came with documents" in client.get(page).content.decode()
    assert "10 known answers came with documents" in (
        client.get(page.replace("/gold/", "/quality/")).content.decode()
    )
    client.post(page)
    assert "came with documents" not in client.get(page).content.decode()
    assert AuditEntry.objects.get(action="gold of documents is random").after == {"known": 10}
    assert {line["drawn"] for line in exported(campaign, "gold")} == {"random"}
    counted = aggregate(campaign, "majority")
    assert (counted.facts.gold.units, counted.facts.tasks) == (10, 11)
    assert counted.input_digest != again.input_digest
    line = exported(campaign, "consensus")[0]
    assert (line["quality"], line["quality_of"], line["quality_gold"]) == (1.0, "accuracy", 10)
    assert line["quality_low"] == pytest.approx(wilson(10, 10)[0], abs=1e-4)
    assert line["quality_high"] == 1.0
    assert without.external_id in {line["task"] for line in exported(campaign, "consensus")}


def test_hidden_gold_of_some_documents_is_no_random_sample():
    campaign = make_campaign(state="draft", gold_every=2, options={"hidden_gold": 2})
    for i in range(4):
        document = make_document(campaign.project)
        if i < 3:
            ImportedAnswer.objects.create(
                document=document, interface="entity", source="gold", answer={"tags": ["O"] * 9}
            )
    publish_tasks(campaign)
    drawn = GoldQuestion.objects.filter(task__campaign=campaign).values_list("drawn", flat=True)
    assert list(drawn) == ["document"] * 2
    assert count_documents_as_random(campaign) == 3  # and the one that is work
    assert GoldQuestion.objects.sampled().filter(task__campaign=campaign).count() == 3


def exported(campaign, what):
    out = StringIO()
    call_command("export_annotations", campaign=campaign.slug, what=what, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]
