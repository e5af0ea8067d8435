import gzip
import shutil
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.management.jobs.kinds import kind_of
from annotation.models import AuditEntry, Job
from evaluation.actions.submissions import CannotSubmit, drop_orphans, submit, withdraw
from evaluation.actions.validation import validate
from evaluation.arrays.columns import load_columns
from evaluation.models import Submission, System
from tests.evaluation.files import ADA, DATE, LONDON, TEXT, WILLIAM, claim, lines
from tests.evaluation.made import (
    SCHEMA,
    make_evaluated_project,
    make_period,
    make_submitter,
    make_team,
)
from tests.factories import make_document

pytestmark = pytest.mark.django_db
RELATIONS = [kind["name"] for kind in SCHEMA["relation_types"]]


@pytest.fixture
def period(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    project = make_evaluated_project()
    return make_period(project, [make_document(project, TEXT, external_id="d1")])


@pytest.fixture
def team(period):
    return make_team(period.project)


def sent(period, team, *claims, system="falcon", **more):
    return submit(period, team, system, "falcon.jsonl", lines(*claims), **more)


def test_file_becomes_columns_and_a_report(period, team):
    born = claim(links=("Q7259", ""), confidence=0.5)
    wedding = claim(
        relation="per:spouse", subject=ADA, object_=WILLIAM, types=("PER", "PER"), provenance=[]
    )
    row = sent(period, team, born, born, wedding, "{", claim("d2"), user=make_submitter(team))
    assert (row.state, row.version, row.job.kind) == ("received", 1, "validate_submission")
    told = kind_of("validate_submission").run(row.job)
    assert told == {"lines": ["falcon, version 1: 2 valid claims in 5 lines."]}
    row.refresh_from_db()
    assert (row.state, row.claims, row.lines) == ("valid", 2, 5)
    assert row.report["counts"] == {
        "bad-json": 1, "outside-corpus": 1, "duplicate": 1, "missing-provenance": 1,
    }  # fmt: skip
    assert row.report["kept"]["outside-corpus"] == [[5, "document", "d2"]]
    assert row.report["relations"] == {"per:place_of_birth": 1, "per:spouse": 1}
    assert row.report["preview"][0] == [
        1, "d1", "Ada Lovelace was born in London", TEXT,
    ]  # fmt: skip
    found = load_columns(row.columns, "falcon", RELATIONS)
    found = found.kept(found.lines.argsort())  # they are kept by key
    assert found.lines.tolist() == [1, 3]
    assert found.link_names == ("Q7259",)
    assert found.links.tolist() == [[0, -1], [-1, -1]]
    assert found.provenance.tolist() == [[0, 31]]
    assert found.provenance_starts.tolist() == [0, 1, 1]
    with gzip.open(row.annotated, "rt") as file:
        notes = [line.split("\t")[:3] for line in file]
    assert notes[1:] == [
        ["1", "kept", ""], ["2", "warning", "duplicate"], ["3", "warning", "missing-provenance"],
        ["4", "left out", "bad-json"], ["5", "left out", "outside-corpus"],
    ]  # fmt: skip
    waiting = Job.objects.queued().values_list("kind", flat=True)
    assert {"evaluate_submissions", "forecast_plan"} <= {*waiting}


def test_file_that_breaks_off_is_refused_as_a_whole(period, team):
    packed = gzip.compress(b"".join(lines(claim())))[:-9]
    row = validate(submit(period, team, "falcon", "falcon.jsonl.gz", [packed]))
    assert row.state == "refused"
    assert "falcon.jsonl.gz" in row.problem
    assert str(row.folder) not in row.problem
    assert not row.columns.exists()
    assert not row.issues.exists()


def test_same_file_again_is_the_same_submission_and_another_is_the_next_version(period, team):
    first = sent(period, team, claim())
    assert sent(period, team, claim()) == first
    later = sent(period, team, claim(), claim(relation="per:spouse"))
    assert (later.version, later.system) == (2, first.system)
    withdraw(later)
    assert sent(period, team, claim(), claim(relation="per:spouse")).version == 3
    assert len(list(first.folder.parent.iterdir())) == Submission.objects.count() == 3


def test_submission_outside_the_window_or_of_another_team_s_system_leaves_nothing(period, team):
    sent(period, team, claim())
    with pytest.raises(CannotSubmit, match="Another team has a system called 'falcon'"):
        sent(period, make_team(period.project), claim())
    with pytest.raises(CannotSubmit, match="The file is empty"):
        submit(period, team, "heron", "heron.jsonl", [])
    with pytest.raises(CannotSubmit, match="1 to 100 characters"):
        sent(period, team, claim(), system=" ")
    period.opens_at = timezone.now() + timedelta(days=1)
    with pytest.raises(CannotSubmit, match="takes no submissions before"):
        sent(period, team, claim(), system="heron")
    period.opens_at, period.closes_at = (timezone.now() - timedelta(days=n) for n in (2, 1))
    with pytest.raises(CannotSubmit, match="takes none any more"):
        sent(period, team, claim(), system="heron")
    assert [one.name for one in System.objects.all()] == ["falcon"]
    assert len(list(Submission.objects.get().folder.parent.iterdir())) == 1


def test_submission_for_another_corpus_is_valid_and_empty_and_says_why(period, team):
    row = validate(sent(period, team, claim("x1"), claim("x2")))
    assert (row.state, row.claims) == ("valid", 0)
    assert row.report["counts"] == {"outside-corpus": 2, "empty-submission": 1}


def test_validation_that_was_killed_is_done_by_the_next(period, team, monkeypatch):
    row = sent(period, team, claim())
    monkeypatch.setattr("evaluation.actions.validation.save_columns", _killed)
    with pytest.raises(KeyboardInterrupt):
        validate(row)
    row.refresh_from_db()
    assert row.state == "received"
    monkeypatch.undo()
    assert validate(row).claims == 1
    at = Submission.objects.get().validated_at
    assert validate(row).validated_at == at  # once is enough


def _killed(*_):
    raise KeyboardInterrupt


def test_withdrawing_is_audited_and_done_once(period, team):
    row = validate(sent(period, team, claim()))
    user = make_submitter(team)
    withdraw(row, user=user)
    entry = AuditEntry.objects.get(action="withdraw submission")
    assert (entry.user, entry.after["version"]) == (user, 1)
    with pytest.raises(CannotSubmit, match="has been withdrawn already"):
        withdraw(row)
    assert not Submission.objects.current()


def test_folders_without_a_row_go_after_a_day(period, team, monkeypatch):
    kept, gone = (sent(period, team, claim(), system=name) for name in ("falcon", "heron"))
    Submission.objects.filter(pk=gone.pk).delete()
    assert drop_orphans() == 0
    monkeypatch.setattr("evaluation.actions.submissions.DAY", -1)
    assert drop_orphans() == 1
    assert kept.content.exists()
    shutil.rmtree(kept.folder.parent)
    assert drop_orphans() == 0


def test_dates_and_turned_relations_are_previewed_as_they_are_judged(period, team):
    turned = claim(
        relation="gpe:births_in_city", subject=LONDON, object_=ADA, types=("GPE", "PER"),
        links=("Q84", "Q7259"),
    )  # fmt: skip
    row = validate(sent(period, team, turned, claim(object_=DATE, types=("PER", "DATE"))))
    assert row.report["preview"][0][2] == "Ada Lovelace was born in London"
    found = load_columns(row.columns, "falcon", RELATIONS)
    assert [found.link_names[i] for i in found.links[0]] == ["Q7259", "Q84"]
    assert [found.type_names[i] for i in found.types[0]] == ["PER", "GPE"]
    assert row.report["counts"] == {"types-not-allowed": 1}


def test_relations_are_found_again_where_the_schema_has_changed(period, team):
    """Numbers of columns go by the schema at that time."""
    wedding = claim(relation="per:spouse", subject=ADA, object_=WILLIAM, types=("PER", "PER"))
    row = validate(sent(period, team, claim(), wedding))
    assert len(load_columns(row.columns, "falcon", RELATIONS[::-1]).key) == 2
    turned = load_columns(row.columns, "falcon", RELATIONS[::-1])
    assert {RELATIONS[::-1][i] for i in turned.relation} == {"per:place_of_birth", "per:spouse"}
    without = [name for name in RELATIONS if name != "per:spouse"]
    left = load_columns(row.columns, "falcon", without, details=False)
    assert [without[i] for i in left.relation] == ["per:place_of_birth"]
