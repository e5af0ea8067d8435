"""From submissions to a plan, tasks, labels and scores."""

import numpy as np
import pytest
from django.core.management import call_command
from django.db.models import Max

from annotation.actions import assignments
from annotation.actions.campaigns import close_campaign
from annotation.models import Demand, Job, Payment, Task
from evaluation.actions import asking
from evaluation.actions.asking import ask, forecast
from evaluation.actions.plans import CannotPlan, start_plan
from evaluation.actions.scoring import evaluate_period
from evaluation.actions.submissions import submit, withdraw
from evaluation.actions.validation import validate
from evaluation.arrays.parts import with_scores
from evaluation.files.scores import MetricScores, Score
from evaluation.models import Claim, ClaimPart, Draw, PartLabel, ScoreSnapshot, SubmissionClaim
from evaluation.queries.periods import periods_at_rest
from tests.evaluation.files import born, born_text, lines
from tests.evaluation.made import make_evaluated_project, make_period, make_team
from tests.evaluation.verifying import verify_all
from tests.factories import make_campaign, make_document, make_enrollment

pytestmark = pytest.mark.django_db
FALCON, HERON = range(12), range(6, 16)  # documents; of so few claims all are drawn
LARGER = range(48), range(16, 64)
ALL = 0.02  # so narrow that nearly all are drawn


def is_true(number: int) -> bool:
    return number % 4 != 0


def holds(task) -> bool:
    return is_true(int(task.document.external_id[1:]))


@pytest.fixture
def period(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    project = make_evaluated_project()
    for number in range(64):
        make_document(project, born_text(number), external_id=f"d{number:03}")
    campaign = make_campaign(project, interface="relation", redundancy=1, pay_mills=51)
    return make_period(project, list(project.documents.all()), campaign=campaign)


def sent(period, name, numbers, team=None, **more):
    team = team or make_team(period.project)
    content = lines(*(born(number, **more) for number in numbers))
    return validate(submit(period, team, name, f"{name}.jsonl", content))


def planned(period, width=0.1, **more):
    forecast(period)
    return ask(start_plan(period, metrics="instance", width=width, **more))


def test_story_from_submissions_to_scores_whose_costs_add_up(period):
    period.campaign.redundancy = 2
    period.campaign.save()
    falcon, heron = sent(period, "falcon", LARGER[0]), sent(period, "heron", LARGER[1])
    told = forecast(period)
    curve = told["curves"]["instance"]
    assert [one["width"] for one in curve] == sorted((one["width"] for one in curve), reverse=True)
    claims = [one["most"]["claims"] for one in curve]
    assert claims == sorted(claims)
    assert 0 < claims[0] < claims[-1] <= told["claims"] == 64
    assert curve[0]["most"]["mills"] == claims[0] * 2 * 51
    assert curve[0]["expected"]["claims"] <= claims[0]

    plan = planned(period)
    assert (plan.state, plan.drawn, plan.known, plan.lost) == ("asked", claims[0], 0, 0)
    assert plan.made == Demand.objects.count() == Claim.objects.count() == claims[0]
    assert not ClaimPart.objects.filter(task=None).exists()
    # Who is drawn for both is asked once, and stands under both with its own probability.
    both = Claim.objects.filter(draws__submission=falcon).filter(draws__submission=heron)
    assert both.exists()
    for draw in Draw.objects.select_related("claim"):
        assert draw.claim.number < draw.probability <= 1
    made = SubmissionClaim.objects.filter(submission=heron)
    assert made.filter(claim__document_name__lt="d048").exists()

    assert not evaluate_period(period).snapshot
    verify_all(period.campaign, holds, workers=1)
    assert not periods_at_rest().exists()
    verify_all(period.campaign, holds)
    assert list(periods_at_rest()) == [period]
    found = evaluate_period(period)
    assert (found.is_new, found.labels, found.snapshot.number) == (True, 5 * claims[0], 1)
    assert not periods_at_rest().exists()
    snapshot = found.snapshot
    assert (snapshot.planned, snapshot.judged) == (claims[0], claims[0])
    scores = {one.submission: one for one in snapshot.scores.all()}
    for row, numbers in ((falcon, LARGER[0]), (heron, LARGER[1])):
        truth = sum(map(is_true, numbers)) / len(numbers)
        assert scores[row].precision_low <= truth <= scores[row].precision_high
        assert scores[row].recall is None
        assert "annotated in full" in scores[row].recall_why
    paid = sum(Payment.objects.values_list("mills", flat=True))
    assert paid == snapshot.cost_mills == sum(one.cost_mills for one in scores.values())
    comparison = snapshot.comparisons.get()
    assert comparison.systems == [str(falcon.key), str(heron.key)]
    assert comparison.value[0][1] == pytest.approx(
        scores[falcon].precision - scores[heron].precision, abs=1e-5
    )
    assert comparison.value[1][0] == -comparison.value[0][1]
    # What would tell the two apart stands beside it, at the price of today.
    assert comparison.low[0][1] < 0 < comparison.high[0][1]
    [tie] = comparison.settling
    assert {tie["first"], tie["second"]} == {str(falcon.key), str(heron.key)}
    assert tie["labels"] > 0
    assert tie["mills"] == tie["labels"] * 2 * 51

    again = evaluate_period(period)
    assert (again.is_new, again.labels, again.snapshot) == (False, 0, snapshot)
    call_command("evaluate_submissions", verbosity=0)
    assert ScoreSnapshot.objects.count() == 1


def test_new_system_asks_only_for_what_nobody_has_judged_and_all_are_scored_anew(period):
    sent(period, "falcon", FALCON)
    first = planned(period)
    verify_all(period.campaign, holds)
    evaluate_period(period)
    drawn = Claim.objects.filter(period=period).drawn().values_list("code", "inclusion")
    before = dict(drawn)
    labels = set(PartLabel.objects.values_list("pk", flat=True))
    team = make_team(period.project)
    sent(period, "heron", range(4, 14), team)
    second = planned(period)
    assert (first.number, second.number) == (1, 2)
    assert second.known > 0
    assert second.made == second.drawn - second.known < first.made
    assert Demand.objects.count() == first.made + second.made
    now = dict(drawn.all())
    assert all(now[code] >= before[code] for code in before)
    verify_all(period.campaign, holds)
    found = evaluate_period(period)
    assert labels <= set(PartLabel.objects.values_list("pk", flat=True))
    assert found.snapshot.scores.count() == 2
    assert [one["code"] for one in found.snapshot.changes] == ["system.added", "labels"]
    sent(period, "heron", range(4, 12), team)
    sent(period, "owl", FALCON)
    assert [(one["code"], one["system"]) for one in evaluate_period(period).snapshot.changes] == [
        ("system.replaced", "heron"), ("system.added", "owl"),
    ]  # fmt: skip


def test_claim_that_differs_in_a_link_alone_asks_for_that_link(period):
    sent(period, "falcon", FALCON, links=("Q1", ""))
    first = planned(period, ALL)
    verify_all(period.campaign, holds)
    sent(period, "heron", FALCON, links=("Q2", ""))
    plan = planned(period, ALL)
    assert plan.drawn == plan.known == plan.made == first.drawn
    asked = Task.objects.filter(demand__received=0).values_list("payload", flat=True)
    assert [one["asks"] for one in asked] == [["subject_link_ok"]] * plan.made
    with pytest.raises(CannotPlan, match="judged, or asked for, already"):
        planned(period, ALL)


def test_plan_that_was_killed_goes_on_and_asks_nothing_twice(period, monkeypatch):
    sent(period, "falcon", FALCON)
    forecast(period)
    plan = start_plan(period, metrics="instance", width=ALL)
    monkeypatch.setattr(asking, "AT_ONCE", 4)
    real, calls = asking.build_claims, []

    def killed(*arguments, **options):
        calls.append(1)
        built = real(*arguments, **options)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return built

    monkeypatch.setattr(asking, "build_claims", killed)
    with pytest.raises(KeyboardInterrupt):
        ask(plan)
    draws = Draw.objects.count()
    assert Demand.objects.count() == 8
    plan = ask(plan)
    assert (plan.state, plan.lost) == ("asked", 0)
    assert Demand.objects.count() == Claim.objects.count() == plan.drawn > 8
    assert Draw.objects.count() == draws == plan.drawn
    assert ask(plan).made == plan.made


def test_any_beginning_of_the_tasks_is_a_sample(period, monkeypatch):
    """Tasks are given out by number / inclusion: those with a small one first."""
    sent(period, "falcon", FALCON)
    monkeypatch.setattr(asking, "AT_ONCE", 4)
    planned(period, ALL)
    rows = (
        Claim.objects.filter(period=period)
        .drawn()
        .values_list("number", "inclusion", "parts__task__demand__priority")
    )
    order = [priority for _, _, priority in sorted(rows.distinct(), key=lambda r: r[0] / r[1])]
    assert order == sorted(order, reverse=True)
    assert len(set(order)) == 3


def test_claims_of_a_removed_document_count_for_nobody(period):
    falcon = sent(period, "falcon", FALCON)
    forecast(period)
    period.documents.get(external_id="d001").delete()
    plan = ask(start_plan(period, metrics="instance", width=ALL))
    assert not Claim.objects.filter(document_name="d001").exists()
    assert plan.made == plan.drawn
    verify_all(period.campaign, holds)
    evaluate_period(period)
    score = falcon.scores.get()
    assert (score.claims, score.judged) == (11, plan.drawn)


def test_document_removed_between_draw_and_task_loses_that_claim_alone(period, monkeypatch):
    sent(period, "falcon", FALCON)
    forecast(period)
    plan = start_plan(period, metrics="instance", width=ALL)
    monkeypatch.setattr(asking, "_make_tasks", lambda *_: None)
    ask(plan)
    Claim.objects.first().document.delete()
    monkeypatch.undo()
    plan = ask(plan)
    assert (plan.state, plan.made, plan.lost) == ("asked", plan.drawn - 1, 1)


def test_withdrawn_while_tasks_are_open_closes_those_that_nobody_else_needs(period):
    sent(period, "falcon", range(6))
    heron = sent(period, "heron", range(3, 9))
    planned(period, ALL)
    assert Demand.objects.filter(open__gt=0).count() == 9
    assert withdraw(heron) == 3
    assert Demand.objects.filter(open__gt=0).count() == 6
    assert Draw.objects.filter(submission=heron).exists()  # their probabilities stay known
    verify_all(period.campaign, holds)
    snapshot = evaluate_period(period).snapshot
    assert [one.submission.system.name for one in snapshot.scores.all()] == ["falcon"]
    assert snapshot.judged == 6


def test_submission_that_arrives_while_scores_are_computed_is_in_the_next(period, monkeypatch):
    from evaluation.actions import scoring

    sent(period, "falcon", FALCON)
    planned(period)
    verify_all(period.campaign, holds)
    real = scoring.evaluate

    def meanwhile(*arguments, **options):
        monkeypatch.undo()
        sent(period, "heron", HERON)
        return real(*arguments, **options)

    monkeypatch.setattr(scoring, "evaluate", meanwhile)
    first = evaluate_period(period).snapshot
    assert first.scores.count() == 1
    assert Job.objects.queued().filter(kind="evaluate_submissions").exists()
    second = evaluate_period(period).snapshot
    assert (second.number, second.scores.count()) == (2, 2)


def test_budget_smaller_than_the_least_plan_is_refused_with_figures(period):
    campaign = period.campaign
    campaign.budget_mills = 500
    campaign.save()
    sent(period, "falcon", FALCON)
    forecast(period)
    with pytest.raises(CannotPlan, match=r"takes \d+\.\d\d USD, and campaign '.+' has 0\.50 left"):
        start_plan(period, metrics="instance", width=0.1)
    assert not Draw.objects.exists()
    assert not Job.objects.filter(kind="ask_about_claims").exists()


def test_plan_is_refused_where_it_can_t_go_on(period):
    with pytest.raises(CannotPlan, match="Choose one above 0"):
        start_plan(period, metrics="instance", width=0.1)  # nothing was forecast
    sent(period, "falcon", FALCON)
    forecast(period)
    sent(period, "heron", HERON)
    with pytest.raises(CannotPlan, match="have come or gone"):
        start_plan(period, metrics="instance", width=0.1)
    forecast(period)
    start_plan(period, metrics="instance", width=0.1)
    with pytest.raises(CannotPlan, match="still being made"):
        start_plan(period, metrics="instance", width=0.1)
    close_campaign(period.campaign)
    period.campaign.refresh_from_db()
    with pytest.raises(CannotPlan, match="is closed"):
        start_plan(period, metrics="instance", width=0.1)
    period.campaign = None
    with pytest.raises(CannotPlan, match="names no campaign"):
        start_plan(period, metrics="instance", width=0.1)


@pytest.mark.parametrize("target", ["target_confidence", "target_quality"])
def test_adaptive_redundancy_decides_how_many_answers_a_claim_gets(period, target):
    campaign = period.campaign
    setattr(campaign, target, 0.99)
    campaign.redundancy, campaign.max_redundancy = 2, 4
    campaign.save()
    sent(period, "falcon", range(6))
    told = forecast(period)
    assert told["most_answers"] == 4
    planned(period, ALL)
    seen = set()
    verify_all(campaign, lambda task: task in seen or seen.add(task), workers=2)
    found = evaluate_period(period)
    assert found.asked > 0
    assert Demand.objects.aggregate(most=Max("wanted"))["most"] > 2


def test_withdrawn_before_its_tasks_are_made_asks_about_what_others_claim_alone(
    period, monkeypatch
):
    sent(period, "falcon", range(6))
    heron = sent(period, "heron", range(3, 9))
    forecast(period)
    plan = start_plan(period, metrics="instance", width=ALL)
    monkeypatch.setattr(asking, "_make_tasks", lambda *_: None)
    ask(plan)
    monkeypatch.undo()
    assert withdraw(heron) == 0
    plan = ask(plan)
    assert (plan.state, plan.made, plan.lost) == ("asked", 6, 0)


def test_types_and_links_count_beside_the_base_claim(period):
    """Falcon's links are wrong in every third document; heron gives none, and shares its labels."""
    period.metrics = ["instance", "relation"]
    period.save()
    falcon, heron = (
        sent(period, "falcon", range(12), links=("Q1", "")),
        sent(period, "heron", HERON),
    )
    forecast(period)
    ask(start_plan(period, metrics="instance", width=ALL))

    def answer(task):
        number = int(task.document.external_id[1:])
        told = dict.fromkeys(task.payload["asks"], True)
        if "relation" in told:
            told["relation"] = task.payload["predicted"] if is_true(number) else "none"
        if "subject_link_ok" in told:
            told["subject_link_ok"] = number % 3 != 0
        if "object_type_ok" in told:
            told["object_type_ok"] = number != 7
        return told

    for enrollment in (make_enrollment(period.campaign) for _ in range(2)):
        while lease := assignments.claim_next(enrollment.key).assignment:
            task = Task.objects.select_related("document").get(pk=lease.task_id)
            assignments.submit(enrollment.key, lease.key, answer(task))
    evaluate_period(period)

    def share(numbers, also=lambda number: True):
        return sum(is_true(n) and n != 7 and also(n) for n in numbers) / len(numbers)

    for metric in ("instance", "relation"):
        told = falcon.scores.get(metric=metric)
        assert told.precision == pytest.approx(9 / 12, abs=0.05)
        assert told.with_parts("types", "precision")["value"] < told.precision
        assert told.with_parts("types", "precision")["value"] == pytest.approx(
            share(range(12)), abs=0.05
        )
        with_links = share(range(12), lambda number: number % 3 != 0)
        assert told.with_parts("links", "precision")["value"] == pytest.approx(with_links, abs=0.05)
        assert told.stricter["links"]["judged"] == 12
    # Of the 48 that are true falcon has 9: recall with its types leaves d007 out, F1 as well.
    told = falcon.scores.get(metric="instance")
    recall, f1 = (Score(name, *np.array([[v], [v - 0.01], [v + 0.01]]), ("",))
                  for name, v in (("recall", 9 / 48), ("F1", 2 * 9 / (12 + 48))))  # fmt: skip
    scores = MetricScores("instance", recall, recall, f1, np.ones(1), np.ones(1))
    found = with_scores(told.stricter, scores, 0)["types"]
    assert found["recall"]["value"] == pytest.approx(8 / 48, abs=0.01)
    assert found["f1"]["value"] == pytest.approx(2 * 8 / (12 + 48), abs=0.01)
    assert found["recall"]["low"] < 8 / 48 < found["recall"]["high"]
    assert "recall" not in told.stricter["types"]  # without documents annotated in full
    told = heron.scores.get(metric="instance").stricter
    assert told["types"]["precision"]["value"] == pytest.approx(share(HERON), abs=0.05)
    assert "links" not in told
    assert not evaluate_period(period).is_new
