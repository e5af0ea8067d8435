import re
from datetime import timedelta

import pytest
from django.utils import timezone

from aggregation.actions.refresh import refresh
from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun
from annotation.actions import assignments, campaigns
from annotation.actions.assignments.qualification import end_training
from annotation.actions.campaigns import set_instructions
from annotation.actions.forecasts import store_forecasts
from annotation.actions.integrity import check_campaign
from annotation.actions.projects import set_schema
from annotation.actions.rollups import tally, update_rollups
from annotation.actions.tokens import campaign_link
from annotation.actions.workers import set_state
from annotation.management.jobs.kinds import kind_of
from annotation.models import AuditEntry, Campaign, CampaignForecast, Job, Rollup, Tally
from annotation.models.pseudonyms import pseudonym, short_pseudonym
from dashboard.campaigns import opening
from tests.aggregation.crowds import tagged_task
from tests.factories import (
    SCHEMA,
    make_campaign,
    make_document,
    make_enrollment,
    make_member,
    make_project,
    make_response,
    make_task,
    make_worker,
)
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
FEWER = "B-PER I-PER O O O B-LOC O O O"


def page(client, campaign: Campaign, section: str = "", status: int = 200) -> str:
    answer = client.get(f"/manage/campaigns/{campaign.slug}/{section}")
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def post(client, campaign: Campaign, what: str, **fields: str):
    return client.post(f"/manage/campaigns/{campaign.slug}/{what}/", fields, follow=True)


@pytest.fixture
def campaign():
    return make_campaign(opened_at=timezone.now(), pay_mills=60, budget_mills=30_000)


@pytest.fixture
def manager(client, campaign):
    user = make_member(campaign.project, "manager").user
    client.force_login(user)
    return user


def test_four_questions_come_first(client, manager, campaign):
    tagged_task(campaign, NAMES, FEWER)
    text = page(client, campaign)
    questions = ["Is it going well?", "What needs you?", "What will it cost?", "When is it done?"]
    places = [text.index(question) for question in questions]
    assert places == sorted(places)
    assert places[-1] < text.index("Pace")


def test_progress_is_what_was_counted_last(client, manager, campaign):
    make_task(campaign, demand={"wanted": 3, "open": 0, "received": 3, "ready": False})
    make_task(campaign, demand={"wanted": 3, "open": 2, "received": 1})
    assert "the first count is not there yet" in page(client, campaign)
    update_rollups()
    text = page(client, campaign)
    assert "<b>4</b> of 6 answers" in text
    assert "1 of 2 tasks" in text
    assert 'aria-label="4 of 6 answers received"' in text


def test_money_is_told_as_earned_promised_and_left(client, manager, campaign):
    make_task(campaign, demand={"wanted": 100, "open": 40, "received": 60})
    make_enrollment(campaign, submitted=66, earned_mills=3_960, seconds=6600)
    Campaign.objects.filter(pk=campaign.pk).update(committed_mills=4_200)
    update_rollups()
    text = page(client, campaign)
    assert "<dt>Earned by workers</dt><dd>3.96</dd>" in text
    assert "<dt>Promised or reserved</dt><dd>0.24</dd>" in text
    assert "<dt>Left of 30.00</dt><dd>25.80</dd>" in text
    assert '<dd>0.066 <span class="pm">USD' in text


def test_young_campaign_is_told_nothing_ahead_and_an_older_one_its_stored_forecast(
    client, manager, campaign
):
    make_task(campaign, demand={"wanted": 100, "open": 40, "received": 60})
    make_enrollment(campaign, submitted=66, earned_mills=3_960, seconds=6600)
    update_rollups()
    assert page(client, campaign).count("Too early to tell") == 3
    for section in ("results/", "quality/", "plan/"):
        assert "Too early to tell" in page(client, campaign, section)
    assert "in all: too early to tell" in page(client, campaign, "money/")
    Campaign.objects.filter(pk=campaign.pk).update(opened_at=timezone.now() - timedelta(days=5))
    campaign.refresh_from_db()
    tally([campaign])
    text = page(client, campaign)
    assert "Too early to tell" not in text
    assert "6.60 <small>6.36–6.90 USD" in text
    assert "within the budget" in text
    CampaignForecast.objects.update(cost_mills=31_000, cost_high_mills=32_000)
    text = page(client, campaign)
    assert "31.00 <small>6.36–32.00 USD" in text  # the stored row is what is told
    assert "may exceed the budget" in text
    for state in ("open", "paused"):  # and on all pages alike
        Campaign.objects.filter(pk=campaign.pk).update(state=state)
        for section in ("", "money/"):
            assert "31.00 <small>6.36–32.00 USD" in page(client, campaign, section)
        line = client.get("/").content.decode()
        assert "in all 6.36–32.00" in line
        assert 'short">budget 30.00' in line
    for section in ("results/", "quality/", "plan/"):
        assert "Too early to tell" not in page(client, campaign, section)
    Campaign.objects.filter(pk=campaign.pk).update(state="closed", closed_at=timezone.now())
    assert "3.96 <small>USD in all" in page(client, campaign)


def test_workers_stand_with_what_is_known_of_them(client, manager, campaign):
    worker = make_enrollment(
        campaign, make_worker(external_id="anonymous:0123456789abcdef"), submitted=10,
        earned_mills=600, seconds=600, gold_seen=10, gold_score_sum=8,
        state="paused", state_reason="Too fast.",
    )  # fmt: skip
    text = page(client, campaign, "workers/")
    assert f'title="{pseudonym(worker)}"' in text
    assert f"<bdi>{short_pseudonym(worker)}</bdi>" in text
    assert 'paused</span><span class="sub" title="Too fast."><bdi>Too fast.</bdi>' in text
    assert '.80 <span class="pm">.49–.94 of 10' in text


def test_runs_lead_to_the_most_uncertain_documents(client, manager, campaign):
    tagged_task(campaign, NAMES, FEWER)
    run = aggregate(campaign, "dawid-skene")
    text = page(client, campaign, "results/")
    assert str(run.key) in text
    assert "order=uncertain" in text
    text = page(client, campaign)
    assert "<h2>Confidence</h2>" in text
    row = AggregationRun.objects.get()
    row.diagnostics |= {"confidence": [0, 0, 0, 0, 0, 0, 3, 0, 4, 5]}
    row.save()
    Campaign.objects.update(target_confidence=0.85)  # a tenth that holds it: what is kept is tenths
    text = page(client, campaign)
    assert f'<a href="/manage/campaigns/{campaign.slug}/tasks/">3 of 12 tasks</a>' in text
    assert "are less sure than .80</p>" in text
    assert text.count('<rect class="bar k-warn"') == 1
    assert "12 tasks in all, 3 of them below .80" in text
    Campaign.objects.update(target_confidence=None, target_quality=0.75)  # the same rule closes it
    assert "12 tasks in all, 3 of them below .70" in page(client, campaign)


def test_gold_score_of_all_has_an_interval_from_the_spread_between_workers(
    client, manager, campaign
):
    for seen, total in ((4, 3), (2, 1)):
        make_enrollment(campaign, submitted=seen, gold_seen=seen, gold_score_sum=total)
    make_enrollment(campaign, submitted=9)  # met no gold
    assert "Gold score, 6 <span" in page(client, campaign)
    make_enrollment(campaign, submitted=6, gold_seen=6, gold_score_sum=5)
    # The mean is 9/12; the workers are 0, -1/2 and 1/2 away from it: 4.3027 √(3/2 · 1/2) / 12.
    assert '.75 <span class="pm">.44–1.00' in page(client, campaign)


@pytest.mark.parametrize(
    ("opened", "answers", "wanted", "told"),
    [
        (1, 5, 100, "Too early to tell"),
        (200, 0, 100, "No telling"),
        (200, 5, 1_000_000, "In more than two years"),
    ],
)
def test_why_there_is_no_forecast_is_told(client, manager, campaign, opened, answers, wanted, told):
    now = timezone.now()
    hour = now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=1)
    Campaign.objects.filter(pk=campaign.pk).update(opened_at=now - timedelta(hours=opened))
    Rollup.objects.create(
        campaign=campaign, hour=hour, answers=answers, gold=0, late=0, counted_at=now
    )
    counted = Tally.objects.create(
        campaign=campaign, tasks=1, complete=0, wanted=wanted, received=5, gold=0, epoch=0,
        counted_at=now,
    )  # fmt: skip
    store_forecasts([counted])
    assert told in page(client, campaign)


def test_last_changes_are_those_of_the_campaign_not_of_what_has_its_name(client, manager):
    project = make_member(make_project(slug="twin"), user=manager).project
    make_document(project)
    campaign = campaigns.create_campaign(project, slug="twin", name="Twin", interface="entity")
    campaigns.open_campaign(campaign, user=manager)
    campaigns.pause_campaign(campaign, user=manager)
    campaigns.set_budget(campaign, 5_000, user=manager)
    worker = make_enrollment(campaign, make_worker(external_id="twin"), submitted=7)
    set_state(worker, "paused", "Too fast.", user=manager)
    set_schema(project, {"entity_types": SCHEMA["entity_types"]}, user=manager)
    check_campaign(campaign, repair=True)
    campaigns.close_campaign(campaign, user=manager)
    changes = page(client, campaign, "settings/").split("Last changes")[1]
    assert AuditEntry.objects.filter(subject="twin").count() == 8
    for change in ("create", "open", "paused", "closed"):
        assert f"{change} campaign" in changes
    assert "set budget" in changes
    assert "repair counters" in changes
    assert "worker state" not in changes
    assert "set schema" not in changes


def test_instructions_are_shown_as_workers_see_them(client, manager, campaign):
    set_instructions(campaign, "Mark **every** name. <script>alert(1)</script>")
    text = page(client, campaign, "settings/")
    assert "<strong>every</strong>" in text
    assert "<script>alert" not in text


def test_names_are_escaped(client, manager, campaign):
    Campaign.objects.filter(pk=campaign.pk).update(name="<script>alert(1)</script>")
    make_enrollment(campaign, make_worker(external_id="<script>alert(2)"), submitted=1)
    for section in ("", "tasks/", "workers/", "results/", "settings/"):
        assert "<script>alert" not in page(client, campaign, section)


def test_charts_have_a_table_behind_them(client, manager, campaign):
    text = page(client, campaign)
    assert text.count("<figure") == text.count('<details class="behind">') == 1
    update_rollups()
    text = page(client, campaign)  # what was spent is drawn from what was counted
    assert text.count("<figure") == text.count('<details class="behind">') == 2


def test_number_of_queries_does_not_grow(client, manager, campaign, django_assert_max_num_queries):
    for _ in range(6):
        tagged_task(campaign, NAMES, FEWER, NAMES)
    for i in range(20):
        make_enrollment(campaign, submitted=i)
        make_member(campaign.project, "viewer")
        AuditEntry.objects.create(
            project=campaign.project, action="paused campaign", subject=campaign.slug, user=manager
        )
    for _ in range(4):
        aggregate(campaign, "mv-token")
    update_rollups()
    with django_assert_max_num_queries(30):
        page(client, campaign)


@pytest.mark.parametrize("role", ["manager", "reviewer", "viewer"])
def test_broken_task_leads_to_its_document(client, campaign, role):
    task = make_task(campaign, make_document(campaign.project, external_id="a/b c"))
    worker = make_enrollment(campaign)
    lease = assignments.claim_next(worker.key).assignment
    assignments.return_task(worker.key, lease.key, "<b>Cut</b> off.", skip=False)
    client.force_login(make_member(campaign.project, role).user)
    text = page(client, campaign)
    address = f"/manage/projects/{campaign.project.slug}/documents/a/b%20c/"
    assert f'href="{address}?campaign={campaign.slug}">Read document<' in text
    assert "1 worker reports task a/b c as broken." in text
    assert "“&lt;b&gt;Cut&lt;/b&gt; off.”" in text
    assert client.get(address, {"campaign": campaign.slug}).status_code == 200
    assert task.external_id == "a/b c"


# --- Draft, open, paused, closed ----------------------------------------------------------------


def test_draft_shows_what_is_missing_and_no_open_button(client, manager, campaign):
    Campaign.objects.filter(pk=campaign.pk).update(state="draft")
    text = page(client, campaign)
    assert "There is nothing to annotate: import documents first" in text
    assert 'value="open"' not in text


def test_draft_that_is_ready_shows_its_cost_and_opens(client, manager, campaign):
    Campaign.objects.filter(pk=campaign.pk).update(state="draft")
    make_document(campaign.project)
    text = page(client, campaign)
    assert "Nothing is missing" in text
    assert "0.18" in text  # one task, three answers
    answer = post(client, campaign, "state", verb="open")
    assert "Open, with 1 task." in answer.content.decode()
    campaign.refresh_from_db()
    assert campaign.state == "open"
    assert "of 3 answers" in page(client, campaign)  # counted at once


@pytest.mark.parametrize(
    ("limit", "options"),
    [("OPENED_HERE", {}), ("OPENED_HERE_WITH_SUGGESTIONS", {"suggestions": True})],
)
def test_draft_with_too_many_tasks_for_a_request_is_opened_by_a_job(
    client, manager, campaign, monkeypatch, limit, options
):
    Campaign.objects.filter(pk=campaign.pk).update(state="draft", options=options)
    for _ in range(2):
        make_document(campaign.project)
    monkeypatch.setattr(opening, limit, 1)
    assert 'value="open"' in page(client, campaign)
    asked = post(client, campaign, "state", verb="open").wsgi_request.path
    campaign.refresh_from_db()
    assert campaign.state == "draft"
    do_jobs()
    campaign.refresh_from_db()
    assert campaign.state == "open"
    assert "The campaign is open, with 2 tasks." in client.get(asked).text
    assert AuditEntry.objects.get(action="open campaign").user == manager
    (again,) = Job.objects.all()
    assert kind_of(again.kind).run(again) == {"lines": ["The campaign is open."]}


def test_large_draft_that_is_not_ready_is_told_at_once(client, manager, campaign, monkeypatch):
    monkeypatch.setattr(opening, "OPENED_HERE", -1)
    Campaign.objects.filter(pk=campaign.pk).update(state="draft")
    assert "There is nothing to annotate" in post(client, campaign, "state", verb="open").text
    assert not Job.objects.exists()


def test_paused_campaign_goes_on_however_many_tasks_it_has(client, manager, campaign, monkeypatch):
    monkeypatch.setattr(opening, "OPENED_HERE", 0)
    Campaign.objects.filter(pk=campaign.pk).update(state="paused")
    make_task(campaign)
    assert "Open again: workers" in post(client, campaign, "state", verb="open").text


def test_draft_that_is_not_ready_is_told_why_it_does_not_open(client, manager, campaign):
    Campaign.objects.filter(pk=campaign.pk).update(state="draft")
    answer = post(client, campaign, "state", verb="open")
    assert "There is nothing to annotate" in answer.content.decode()


def test_open_campaign_pauses_and_goes_on(client, manager, campaign):
    assert "Paused: no task is given out" in post(client, campaign, "state", verb="pause").text
    assert "Not while it is paused" in page(client, campaign)
    assert (
        "Open again: workers are given tasks." in post(client, campaign, "state", verb="open").text
    )
    assert AuditEntry.objects.filter(user=manager, subject=campaign.slug).count() == 2


def test_closing_asks_first(client, manager, campaign):
    question = client.get(f"/manage/campaigns/{campaign.slug}/state/").text
    assert "can't be opened again" in question
    campaign.refresh_from_db()
    assert campaign.state == "open"
    post(client, campaign, "state", verb="close")
    campaign.refresh_from_db()
    assert campaign.state == "closed"
    assert 'value="open"' not in page(client, campaign)


def test_step_that_the_state_does_not_allow_is_told(client, manager, campaign):
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    assert "only a draft or a paused one opens" in post(client, campaign, "state", verb="open").text
    assert "Choose whether to open" in post(client, campaign, "state", verb="erase").text


# --- Budget and codes ---------------------------------------------------------------------------


def test_budget_is_set_and_recorded(client, manager, campaign):
    Campaign.objects.filter(pk=campaign.pk).update(committed_mills=4_200)
    told = post(client, campaign, "budget", budget="45.5")
    text = " ".join(told.text.split())
    assert "30.00 → 45.50 USD" in text
    assert "4.20 USD are spent or promised, so 41.30 USD are left." in text
    campaign.refresh_from_db()
    assert campaign.budget_mills == 30_000  # nothing is saved by the first press
    digest = told.context["told_digest"]
    other = post(client, campaign, "budget", budget="46", told=digest)
    assert "30.00 → 46.00 USD" in " ".join(other.text.split())  # another amount is told anew
    saved = post(client, campaign, "budget", budget="45.5", told=digest)
    assert "45.50 USD may be spent in all." in saved.text
    campaign.refresh_from_db()
    assert campaign.budget_mills == 45_500
    assert "set budget to 45.50 USD" in page(client, campaign, "settings/")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "Type the amount that may be spent"),
        ("much", "Write an amount, such as"),
        ("-1", "An amount is 0 or more."),
        ("0.01", "spent or promised already"),
    ],
)
def test_wrong_budget_is_told_beside_the_field_and_kept(client, manager, campaign, typed, told):
    Campaign.objects.filter(pk=campaign.pk).update(committed_mills=4_200)
    answer = post(client, campaign, "budget", budget=typed)
    assert answer.status_code == 422
    text = answer.content.decode().replace("&#x27;", "'")
    assert told in text
    assert f'value="{typed}"' in text
    campaign.refresh_from_db()
    assert campaign.budget_mills == 30_000


def test_budget_of_a_closed_campaign_is_refused_and_the_page_says_why(client, manager, campaign):
    Campaign.objects.filter(pk=campaign.pk).update(state="closed", closed_at=timezone.now())
    answer = post(client, campaign, "budget", budget="45.5")
    assert answer.status_code == 422
    assert "so its budget stays" in answer.text
    campaign.refresh_from_db()
    assert campaign.budget_mills == 30_000


def test_completion_code_tells_its_worker(client, manager, campaign):
    from annotation.actions import completion

    enrollment = make_enrollment(campaign, make_worker(external_id="anna"), submitted=4)
    code = completion.code_of(enrollment)
    assert "Check completion code" in page(client, campaign, "workers/")
    assert client.get(f"/manage/campaigns/{campaign.slug}/code/").status_code == 200
    answer = post(client, campaign, "code", code=code.lower())
    assert f"/workers/{enrollment.key}/" in answer.text.split("Check code<", 1)[1]
    wrong = post(client, campaign, "code", code="NOT-A-CODE")
    assert wrong.status_code == 422
    assert "This is no code of this campaign" in wrong.text


# --- Who may what -------------------------------------------------------------------------------

ACTIONS = [
    ("state", {"verb": "pause"}),
    ("budget", {"budget": "50"}),
    ("code", {"code": "X"}),
]


@pytest.mark.parametrize(
    ("role", "acts", "gold", "earnings"),
    [
        ("manager", True, True, True),
        ("reviewer", False, True, False),
        ("viewer", False, False, False),
    ],
)
def test_member_sees_what_the_role_needs(client, campaign, role, acts, gold, earnings):
    make_enrollment(
        campaign, make_worker(external_id="5f8a1b2c3d4e5f6a7b8c9d0e"), submitted=10,
        earned_mills=6_010, seconds=600, gold_seen=10, gold_score_sum=8,
    )  # fmt: skip
    client.force_login(make_member(campaign.project, role).user)
    assert ("5f8a1b2c3d4e5f6a7b8c9d0e" in page(client, campaign, "workers/")) is earnings
    text = page(client, campaign)
    assert ("Gold score, " in text) is gold
    assert (">Quality<" in text) is gold
    text = page(client, campaign, "settings/")
    assert ("Hidden gold" in text) is gold
    assert (campaign_link(campaign).split(":")[0] in text) is acts
    assert ("Last changes" in text) is acts
    groups = text.split('aria-label="Groups of settings"')[1].split("</nav>")[0]
    anchors = re.findall(r'href="#(\w+)"', groups)
    assert [f'id="{anchor}"' in text for anchor in anchors] == [True] * len(anchors)
    assert ("checks" in anchors, "link" in anchors) == (gold, acts)
    for section in ("", "tasks/", "workers/", "results/", "settings/"):
        text = page(client, campaign, section)
        assert (text.count("csrfmiddlewaretoken") > 1) is acts


@pytest.mark.parametrize(
    ("role", "gold"), [("manager", True), ("reviewer", True), ("viewer", False)]
)
def test_reason_that_tells_of_gold_is_for_those_who_see_gold(client, campaign, role, gold):
    Campaign.objects.filter(pk=campaign.pk).update(pass_score=0.9, tries=1)
    failed = make_enrollment(campaign, submitted=5, training_seen=5, training_score_sum=2)
    failed.campaign.refresh_from_db()
    end_training(failed)
    failed.save()
    told = make_enrollment(campaign, submitted=5)
    set_state(told, "paused", "Answers came in seconds.", user=make_member(campaign.project).user)
    client.force_login(make_member(campaign.project, role).user)
    text = page(client, campaign, "workers/")
    assert ("40% of the practice was right" in text) is gold
    assert "Answers came in seconds." in text


@pytest.mark.parametrize(
    ("role", "gold"), [("manager", True), ("reviewer", True), ("viewer", False)]
)
def test_what_a_draft_lacks_of_gold_is_for_those_who_see_gold(client, campaign, role, gold):
    Campaign.objects.filter(pk=campaign.pk).update(state="draft", gold_every=5, budget_mills=1)
    make_document(campaign.project)
    client.force_login(make_member(campaign.project, role).user)
    text = page(client, campaign)
    assert ("hidden gold" in text.lower()) is gold
    assert ("would cost" in text) is gold
    assert (">Cost</h3>" in text) is gold
    assert ("It can't be opened yet" in text) is not gold
    assert "Nothing is missing" not in text
    assert "There are no instructions" in text


@pytest.mark.parametrize(
    ("role", "ids"), [("manager", True), ("reviewer", False), ("viewer", False)]
)
def test_ids_of_platforms_are_for_those_who_see_earnings(client, campaign, role, ids):
    external_id = "5f8a1b2c3d4e5f6a7b8c9d0e"  # as Prolific makes them
    nameless = make_enrollment(campaign, make_worker(external_id=external_id), submitted=3)
    make_enrollment(campaign, make_worker(display_name="Anna B."), submitted=2)
    client.force_login(make_member(campaign.project, role).user)
    text = page(client, campaign, "workers/")
    assert (external_id in text) is ids
    assert (f"<bdi>{short_pseudonym(nameless)}</bdi>" in text) is not ids
    assert "<bdi>Anna B.</bdi>" in text


@pytest.mark.parametrize(("what", "fields"), ACTIONS)
@pytest.mark.parametrize("role", ["reviewer", "viewer"])
def test_only_managers_act(client, campaign, role, what, fields):
    client.force_login(make_member(campaign.project, role).user)
    assert post(client, campaign, what, **fields).status_code == 404
    assert client.get(f"/manage/campaigns/{campaign.slug}/state/").status_code == 404
    campaign.refresh_from_db()
    assert (campaign.state, campaign.budget_mills) == ("open", 30_000)


@pytest.mark.parametrize(("what", "fields"), [("", {}), *ACTIONS])
def test_strangers_are_told_that_there_is_nothing(
    client, campaign, django_user_model, what, fields
):
    for user in (make_member(make_campaign().project).user, django_user_model(username="nobody")):
        user.save()
        client.force_login(user)
        if what:
            assert post(client, campaign, what, **fields).status_code == 404
        else:
            page(client, campaign, status=404)


@pytest.mark.parametrize(("what", "fields"), [("", {}), *ACTIONS])
def test_anonymous_are_sent_to_the_log_in(client, campaign, what, fields):
    address = f"/manage/campaigns/{campaign.slug}/" + (f"{what}/" if what else "")
    answer = client.post(address, fields) if what else client.get(address)
    assert answer.status_code == 302
    assert answer.url.startswith("/login/?next=/manage/campaigns/")


def test_workers_token_opens_nothing(client, campaign):
    from annotation.actions.tokens import worker_token

    token = worker_token(make_enrollment(campaign))
    answer = client.get(
        f"/manage/campaigns/{campaign.slug}/", headers={"authorization": f"Worker {token}"}
    )
    assert answer.status_code == 302


def test_site_administrator_acts_as_a_manager(admin_client, campaign):
    assert 'value="pause"' in page(admin_client, campaign)


@pytest.mark.parametrize("what", ["budget"])
def test_address_of_a_refused_form_leads_back_to_it(client, campaign, what):
    address = f"/manage/campaigns/{campaign.slug}/"
    assert client.get(f"{address}{what}/").url == f"/login/?next={address}{what}/"
    client.force_login(make_member(campaign.project, "reviewer").user)
    assert client.get(f"{address}{what}/").status_code == 404
    client.force_login(make_member(campaign.project).user)
    assert client.get(f"{address}{what}/").url == f"{address}settings/#{what}"


@pytest.mark.parametrize(("mills", "typed"), [(30_000, "30"), (55, "0.055"), (0, "0"), (None, "")])
def test_budget_field_holds_the_budget_as_it_is(client, manager, campaign, mills, typed):
    Campaign.objects.filter(pk=campaign.pk).update(budget_mills=mills)
    found = client.get(f"/manage/campaigns/{campaign.slug}/settings/").context["budget_form"]
    assert found["budget"].value() == typed
    assert f'autocomplete="off" value="{typed}"' in page(client, campaign, "settings/")


def test_old_counts_are_told_with_the_way_out(client, manager, campaign):
    update_rollups(timezone.now() - timedelta(hours=3))
    assert "./run manage work" in page(client, campaign)


def test_agreement_and_reliabilities_are_those_of_the_latest_run(client, manager, campaign):
    workers = [make_worker() for _ in range(3)]
    for _ in range(3):
        tagged_task(campaign, NAMES, FEWER, NAMES, workers=workers)
    assert "Agreement" not in page(client, campaign)
    run = aggregate(campaign, "bsc-seq")
    text = page(client, campaign)
    alpha = run.diagnostics["agreement"][0][1]
    agreement = text.split("Agreement of ")[1]
    assert agreement.split("<dd>")[1].startswith(f"{alpha:.2f}"[1:])
    text = page(client, campaign, "results/")
    assert "What bsc-seq says of the workers" in text
    assert text.count('class="heat-map"') == 3
    assert f"/manage/campaigns/{campaign.slug}/runs/{run.key}/" in text


def test_workers_who_cant_be_compared_have_no_agreement(client, manager, campaign):
    tagged_task(campaign, NAMES)
    aggregate(campaign, "mv-token")
    assert "Agreement" not in page(client, campaign)


def test_answers_added_since_the_run_are_told(client, manager, campaign):
    tasks = [tagged_task(campaign, NAMES, NAMES) for _ in range(10)]
    aggregate(campaign, "bsc-seq")
    assert "since</span>" not in page(client, campaign, "results/")
    make_response(tasks[0], None, {"tags": FEWER.split()})
    refresh(campaign)
    assert '20 <span class="soft">and 1 since</span>' in page(client, campaign, "results/")
