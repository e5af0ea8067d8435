"""Scores know how far labels may be wrong together."""

import pytest

from aggregation.models import Adjudication, AggregationRun
from aggregation.queries import latest_run
from annotation.actions import assignments
from annotation.actions.webhooks import create_webhook
from annotation.models import GoldQuestion, Task, Webhook, WebhookDelivery
from evaluation.actions.asking import ask, forecast
from evaluation.actions.periods import release_labels
from evaluation.actions.plans import start_plan
from evaluation.actions.scoring import evaluate_period
from evaluation.actions.submissions import submit
from evaluation.actions.validation import validate
from evaluation.arrays.imputation import imputed
from evaluation.arrays.pool import load_labels, load_pool
from tests.evaluation.files import born, born_text, lines
from tests.evaluation.made import make_evaluated_project, make_period, make_team
from tests.evaluation.verifying import answer_of
from tests.factories import make_campaign, make_document, make_enrollment

pytestmark = pytest.mark.django_db
DISPUTED, NOT_A_NAME, GOLD = "d001", "d002", "d003"


@pytest.fixture
def period(settings, tmp_path):
    """Two workers have judged twelve claims, of which all but each fourth are true; they differ on
    one, and call a side of another no name."""
    settings.DATA_DIR = tmp_path
    project = make_evaluated_project()
    for number in range(12):
        make_document(project, born_text(number), external_id=f"d{number:03}")
    campaign = make_campaign(project, interface="relation", redundancy=2)
    period = make_period(project, list(project.documents.all()), campaign=campaign)
    create_webhook(project, "https://receiver.example/", Webhook.Event.values)
    content = lines(*(born(number) for number in range(12)))
    validate(submit(period, make_team(project), "falcon", "falcon.jsonl", content))
    forecast(period)
    ask(start_plan(period, metrics="instance", width=0.02))
    for errs in ((), (DISPUTED,)):
        enrollment = make_enrollment(campaign)
        while lease := assignments.claim_next(enrollment.key).assignment:
            name = lease.task.document.external_id
            says = (int(name[1:]) % 4 > 0) != (name in errs)
            answer = answer_of(lease.task, lambda _, says=says: says)
            if name == NOT_A_NAME:
                answer["subject_ok"] = False
            assignments.submit(enrollment.key, lease.key, answer)
    return period


def drawn(period):
    standing = load_pool(period)
    run = latest_run(period.campaign)
    told = imputed(period, period.campaign, run, standing.submissions)
    by_name = {
        name: (told.correct[claim], told.shared[claim])
        for name, claim in period.claims.values_list("document_name", "pk")
    }
    return by_name, load_labels(period, standing.pool, standing.directions, told)


def told_of(event):
    """What a webhook's receiver is told of it, without what every body has."""
    rows = WebhookDelivery.objects.filter(event=event).order_by("pk")
    project = Webhook.objects.get().project.slug
    assert all((row.body["event"], row.body["project"]) == (event, project) for row in rows)
    common = ("event", "at", "project")
    return [{k: v for k, v in row.body.items() if k not in common} for row in rows]


def test_labels_are_drawn_with_their_workers_and_what_people_decide_is_sure(period):
    first = evaluate_period(period).snapshot
    by_name, labels = drawn(period)
    assert 0.1 < by_name[DISPUTED][0] < 0.95
    assert by_name["d005"][0] > 0.9 > 0.15 > by_name["d004"][0]
    assert by_name[DISPUTED][1].std() > by_name["d005"][1].std() > 0
    assert labels.shared.shape == (250, 12)
    # Where a side is no name the relation is not what is doubted.
    assert sorted(labels.correct)[0] == 0
    assert (labels.shared.std(axis=0) > 0).sum() == 11
    [score] = first.scores.all()
    assert score.precision == pytest.approx(labels.correct.mean(), abs=1e-5)

    task = Task.objects.get(document__external_id=DISPUTED)
    Adjudication.objects.create(task=task, answer={"relation": task.payload["predicted"]})
    made = Task.objects.get(document__external_id=GOLD)
    GoldQuestion.objects.create(task=made, answer={"relation": "none"})
    by_name, _ = drawn(period)
    assert (by_name[DISPUTED][0], by_name[DISPUTED][1].any()) == (1, False)
    assert (by_name[GOLD][0], by_name[GOLD][1].any()) == (0, False)
    again = evaluate_period(period)
    assert again.is_new
    assert not evaluate_period(period).is_new

    # Each of this is told once, and names things: no labels, no scores, no decisions.
    key = str(period.key)
    assert [release_labels(period) for _ in range(2)] == [True, False]
    sent = str(period.submissions.get().key)
    assert told_of("evaluation.submitted") == [
        {"period": key, "submission": sent, "state": "valid"}
    ]
    assert told_of("evaluation.scored") == [{"period": key, "snapshot": n} for n in (1, 2)]
    assert told_of("evaluation.released") == [{"period": key}]
    runs = AggregationRun.objects.filter(state="complete").order_by("pk")
    campaign = period.campaign.slug
    assert told_of("run.completed") == [
        {"campaign": campaign, "run": str(run.key), "method": run.method} for run in runs
    ]
    assert runs
