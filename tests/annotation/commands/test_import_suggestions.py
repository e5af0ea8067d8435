"""import_suggestions and suggestion_report, as they are typed."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation.models import Demand, Event, GoldQuestion
from annotation.queries.suggestions import suggestion_report
from tests.factories import make_campaign, make_document, make_project, make_response, make_task

pytestmark = pytest.mark.django_db

ADA = {"id": "m1", "start": 0, "end": 12, "type": "PER", "entity": None}
ONE = {"mentions": [ADA], "entities": [], "unlabelled": []}


@pytest.fixture
def campaign():
    campaign = make_campaign(make_project(), slug="names")
    make_task(campaign, make_document(campaign.project, external_id="d1"))
    return campaign


def run(*arguments):
    out = io.StringIO()
    call_command(*map(str, arguments), stdout=out, stderr=out)
    return out.getvalue()


def test_it_works(campaign, tmp_path):
    path = tmp_path / "model.jsonl"
    path.write_text(json.dumps({"id": "d1", "mentions": [ADA | {"end": 10}]}) + "\n{}\n")
    told = run("import_suggestions", "names", "--from", path)
    assert "1 suggestion for 1 task, none for 0, in" in told
    assert "1 mentions were widened to whole words." in told
    assert "1 lines were left out:" in told
    assert "  line 2, id: There is no id. Give each document its own." in told


def test_an_exported_consensus_comes_in_where_the_documents_are(campaign, tmp_path):
    path = tmp_path / "consensus.jsonl"
    path.write_text(json.dumps({"id": "d1", "task": "d1", "consensus": {"mentions": [ADA]}}) + "\n")
    assert "1 suggestion for 1 task" in run("import_suggestions", "names", "--from", path)


def test_names_of_a_file_and_of_the_knowledge_base(campaign, tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text("London\tLOC\n")
    told = run("import_suggestions", "names", "--dictionary", path)
    assert "1 names were looked for; 0 were not" in told
    with pytest.raises(CommandError, match="Import it first"):
        run("import_suggestions", "names", "--dictionary")
    assert "suggestions for" in run("import_suggestions", "names", "--from", "import")


def test_what_is_wrong_is_told(campaign, tmp_path):
    with pytest.raises(CommandError, match="There is no campaign 'x'"):
        run("import_suggestions", "x", "--from", "import")
    with pytest.raises(CommandError, match="required"):
        run("import_suggestions", "names")
    path = tmp_path / "model.jsonl"
    path.write_text("{}\n")
    with pytest.raises(CommandError, match="Every line was rejected"):
        run("import_suggestions", "names", "--from", path)


# --- The report ---------------------------------------------------------------------------------


def tell(response, number, **fates):
    Event.objects.create(
        assignment=response.assignment, number=number, at=timezone.now(), kind="submitted",
        data={"suggestions": fates},
    )  # fmt: skip


def suggest(task, *mentions):
    task.payload = {"suggestions": ONE | {"mentions": list(mentions)}}
    task.save()
    return task


def test_report_tells_what_became_of_suggestions_and_who_took_wrong_ones(campaign):
    wrong = {"id": "m2", "start": 13, "end": 16, "type": "LOC", "entity": None}
    task = suggest(campaign.tasks.get(), ADA, wrong)
    GoldQuestion.objects.create(task=task, answer=ONE)
    other = suggest(make_task(campaign, make_document(campaign.project, external_id="d2")), ADA)
    credulous, careful, elsewhere = (make_response(one, None, ONE) for one in (task, task, other))
    tell(credulous, 3, accepted=[], left=[0, 1])  # refused by the server, and sent again:
    tell(credulous, 5, accepted=[0, 1], changed=[], dismissed=[], left=[])
    tell(careful, 0, accepted=[0], changed=[], dismissed=[1], left=[])
    tell(elsewhere, 0, accepted=[], changed=[], dismissed=[], left=[0])
    report = suggestion_report(campaign)
    assert report.answers == 3
    assert report.suggested == {"accepted": 3, "dismissed": 1, "left": 1}
    assert (report.right, report.wrong) == ({"accepted": 2}, {"accepted": 1, "dismissed": 1})
    told = run("suggestion_report", "names")
    assert "5 suggestions: 60% taken, 0% changed, 20% dismissed, 20% left alone." in told
    assert "Where it is another: 2 suggestions: 50% taken, 0% changed, 50% dismissed" in told


def test_report_passes_over_what_no_page_of_ours_would_tell(campaign):
    response = make_response(suggest(campaign.tasks.get(), ADA), None, ONE)
    tell(response, 0, accepted=["0", -1, True, 10**9, 0], changed="all", other=[3])
    assert suggestion_report(campaign).suggested == {"accepted": 1}
    Event.objects.update(data={"suggestions": [1]})
    assert suggestion_report(campaign).suggested == {}
    assert "No known answer says" in run("suggestion_report", "names")


def test_report_of_a_campaign_without_suggestions_says_so(campaign):
    assert "No answer of campaign 'names' was given" in run("suggestion_report", "names")
    with pytest.raises(CommandError, match="There is no campaign 'x'"):
        run("suggestion_report", "x")


def test_report_leaves_out_what_the_known_answer_is_silent_about(campaign):
    task = suggest(campaign.tasks.get(), ADA)
    GoldQuestion.objects.create(task=task, answer={"tags": ["?"] * 7})
    tell(make_response(task, None, ONE), 0, accepted=[0])
    report = suggestion_report(campaign)
    assert (report.suggested, report.right, report.wrong) == ({"accepted": 1}, {}, {})


def test_report_leaves_out_what_hidden_gold_had_before_it_was_given_others(campaign, tmp_path):
    Demand.objects.update(kind=Demand.Kind.HIDDEN)
    task = campaign.tasks.get()
    path = tmp_path / "names.tsv"
    path.write_text("Ada Lovelace\tPER\n")
    run("import_suggestions", "names", "--dictionary", path)
    tell(make_response(task, None, ONE), 0, accepted=[0])
    run("import_suggestions", "names", "--dictionary", path)
    assert suggestion_report(campaign).answers == 1  # they are as they were
    path.write_text("London\tLOC\n")
    run("import_suggestions", "names", "--dictionary", path)
    assert suggestion_report(campaign).answers == 0
    tell(make_response(task, None, ONE), 0, left=[0])
    assert suggestion_report(campaign).suggested == {"left": 1}
