"""The table of all workers, and what is done with several of them at once."""

from __future__ import annotations

import re
import uuid

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun
from annotation.actions import appeals
from annotation.actions.workers import set_state
from annotation.models import AuditEntry, Campaign, Enrollment, Worker
from annotation.models.pseudonyms import short_pseudonym
from annotation.sentences import workers as sentences
from selection.algorithms import Reason
from selection.models import SelectedWorker, WorkerFlag, WorkerSelection
from selection.queries.words import REASONS
from tests.aggregation.crowds import tagged_task
from tests.dashboard import SECTION
from tests.factories import (
    make_campaign,
    make_enrollment,
    make_member,
    make_project,
    make_worker,
)

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
FAST = {"share": 0.9, "usual": 0.5, "number": 40}


@pytest.fixture
def campaign():
    return make_campaign(gold_every=5, pay_mills=50)


@pytest.fixture
def manager(client, campaign):
    user = make_member(campaign.project).user
    client.force_login(user)
    return user


def named(campaign, name, right=0, number=0, **fields) -> Enrollment:
    sums = {"gold_seen": number, "gold_score_sum": right, "gold_score_sumsq": right}
    return make_enrollment(campaign, make_worker(external_id=name), **(sums | fields))


def flagged(worker, kind="fast", evidence=FAST, **fields) -> WorkerFlag:
    return WorkerFlag.objects.create(
        enrollment=worker, kind=kind, evidence=evidence, at=timezone.now(), **fields
    )


def selected(worker, reason="chosen", score=0.8) -> WorkerSelection:
    made = WorkerSelection.objects.create(
        campaign=worker.campaign, budget=3, estimator="unbiased", code_version="1", tested=1,
        kept=1, crowd=1.2, low=0.4, high=2.0,
    )  # fmt: skip
    SelectedWorker.objects.create(
        selection=made, enrollment=worker, number=12, accuracy=0.9, score=score,
        chosen=reason == "chosen", reason=reason, state_before="qualified", state_after="selected",
    )  # fmt: skip
    return made


def address(campaign, query="", what="") -> str:
    return f"/manage/campaigns/{campaign.slug}/workers/{what}{query}"


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def page(client, campaign, query="", status=200) -> str:
    answer = client.get(address(campaign, query))
    assert answer.status_code == status
    return words(answer)


def order(text: str) -> list[str]:
    body = text.split("<tbody>")[-1]  # before it stands the table of the plot
    return re.findall(r'<th scope="row" class="main[^>]*><a [^>]*><bdi>([^<]+)<', body)


def test_it_tells_of_each_worker_what_is_known(client, manager, campaign):
    worker = named(campaign, "ada", right=9, number=10, submitted=40, seconds=400)
    flagged(worker)
    selected(worker, "surplus")
    set_state(worker, "paused", "We are full.", user=manager)
    text = page(client, campaign)
    for told in (
        ">ada</bdi>", 'state-paused">paused</span>', "<bdi>We are full.</bdi>", manager.username,
        'aria-label=".90, .60 to .98"', '.90 <span class="pm">.60–.98 of 10', ">10 s<",
        "far too fast</a>",
        "36 of 40 answers took less than a quarter of the time that is usual",
    ):  # fmt: skip
        assert told in text, told
    assert address(campaign) in words(client.get(f"/manage/campaigns/{campaign.slug}/"))


def test_table_has_no_agreement_with_the_consensus_and_the_workers_page_names_it(
    client, manager, campaign
):
    for _ in range(4):
        tagged_task(campaign, NAMES, NAMES)
    for method in ("mv-token", "dawid-skene", "mv-token"):
        aggregate(campaign, method)
    assert "mv-token" not in page(client, campaign)
    worker = Enrollment.objects.order_by("pk").first()
    told = words(client.get(address(campaign, "", f"{worker.key}/")))
    told = told.split('"q">Agreement with the consensus')[1].split("</dl>")[0]
    assert told.count(">mv-token</a>") == told.count(">dawid-skene</a>") == 1
    latest = AggregationRun.objects.first()
    assert f'/runs/{latest.key}/">mv-token</a>' in told


def test_reasons_have_words_for_whatever_a_selection_says():
    assert {reason.name.lower() for reason in Reason} == REASONS.keys()
    kept = {"chosen", "untested", "barred"}  # whom no selection pauses
    assert sentences.SENTENCES["selection.paused"].forms.keys() == REASONS.keys() - kept


def test_columns_sort_both_ways_and_who_has_no_number_comes_last(client, manager, campaign):
    named(campaign, "good", right=9, number=10, submitted=5, seconds=50)
    named(campaign, "bad", right=1, number=10, submitted=50, seconds=100)
    named(campaign, "new", state="training")
    for query, expected in (
        ("", ["bad", "good", "new"]),
        ("?order=-answers", ["new", "good", "bad"]),
        ("?order=gold", ["bad", "good", "new"]),
        ("?order=-gold", ["good", "bad", "new"]),
        ("?order=pace", ["bad", "good", "new"]),
        ("?order=-pace", ["good", "bad", "new"]),
        ("?order=state", ["bad", "good", "new"]),
        ("?order=nonsense", ["bad", "good", "new"]),
    ):
        assert order(page(client, campaign, query)) == expected, query
    text = page(client, campaign, "?order=gold")
    assert 'aria-sort="ascending"><a href="?order=-gold">On gold' in text
    for query, expected in (
        ("?order=earned", ["good", "bad", "new"]), ("?order=pay", ["bad", "good", "new"]),
        ("?order=seen", ["bad", "good", "new"]),
    ):  # fmt: skip
        Enrollment.objects.filter(worker__external_id="good").update(earned_mills=90)
        Enrollment.objects.filter(worker__external_id="bad").update(
            earned_mills=80, seconds=10, seen_at=timezone.now()
        )
        assert order(page(client, campaign, query)) == expected, query


def test_state_and_flag_say_which_are_shown(client, manager, campaign):
    fast, same, calm = (named(campaign, name) for name in ("fast", "same", "calm"))
    flagged(fast)
    flagged(same, "same")
    flagged(calm, dismissed_at=timezone.now())
    set_state(same, "blocked", "No.", user=manager)
    for query, expected in (
        ("?flag=any", {"fast", "same"}), ("?flag=fast", {"fast"}), ("?state=blocked", {"same"}),
        ("?state=qualified&flag=any", {"fast"}), ("?flag=odd&state=odd", {"fast", "same", "calm"}),
    ):  # fmt: skip
        assert set(order(page(client, campaign, query))) == expected, query
    assert "No worker is so." in page(client, campaign, "?state=done")
    needs = words(client.get(f"/manage/campaigns/{campaign.slug}/")).split("What needs you?")[1]
    assert "1 worker is flagged." in needs  # not the blocked
    assert f'href="{address(campaign, "?flag=any")}">See evidence' in needs


def test_plot_draws_a_mark_for_each_who_was_tested(client, manager, campaign):
    worker = named(campaign, "ada", right=9, number=10, submitted=40)
    named(campaign, "untested", submitted=3)
    set_state(worker, "paused", "No.", user=manager)
    drawing = page(client, campaign).split("<figure")[1].split("</figure>")[0]
    assert drawing.count("<circle ") == 1
    assert 'aria-label="ada: .90, .60 to .98, 40 answers, paused"' in drawing
    assert '<circle class="ring"' in drawing
    assert f"/workers/{worker.key}/" in drawing


def test_queries_are_as_many_for_two_hundred_workers_as_for_one(
    client, manager, campaign, django_assert_num_queries
):
    flagged(named(campaign, "first", right=1, number=2, submitted=1))
    queries = 22  # session, user, campaign, role; the seven of the state; eleven of the table
    with django_assert_num_queries(queries + SECTION):
        page(client, campaign)
    crowd = Worker.objects.bulk_create(
        Worker(platform="link", external_id=f"w{number:03}") for number in range(200)
    )
    rows = Enrollment.objects.bulk_create(
        Enrollment(
            campaign=campaign, worker=worker, state="qualified", submitted=number + 2, gold_seen=2,
            gold_score_sum=1,
        )
        for number, worker in enumerate(crowd)
    )  # fmt: skip
    WorkerFlag.objects.bulk_create(
        WorkerFlag(enrollment=row, kind="fast", evidence=FAST, at=timezone.now()) for row in rows
    )
    appeals.appeal(_paused(rows[3]).key, "Why?")
    with django_assert_num_queries(queries + SECTION):
        page(client, campaign)


def _paused(worker: Enrollment) -> Enrollment:
    set_state(worker, "paused", "No.")
    return worker


def test_table_is_shown_by_the_page(client, manager, campaign, monkeypatch):
    monkeypatch.setattr("dashboard.workers.queries.ROWS", 3)
    monkeypatch.setattr("dashboard.workers.plot.MOST", 5)
    for number in range(8):
        named(campaign, f"w{number}", right=1, number=2, submitted=number + 1)
    text = page(client, campaign)
    assert order(text) == ["w7", "w6", "w5"]
    assert "the 5 with the most answers of 8" in text
    assert "Page 1 of 3" in text
    assert "1–3 of 8" in text
    assert order(page(client, campaign, "?page=3")) == ["w1", "w0"]
    assert order(page(client, campaign, "?page=99")) == ["w1", "w0"]
    assert order(page(client, campaign, "?page=x")) == ["w7", "w6", "w5"]


def test_buttons_say_how_many_and_show_them(client, manager, campaign):
    named(campaign, "new", state="training")
    named(campaign, "going", state="exam")
    fast = named(campaign, "fast")
    flagged(fast)
    asks = _paused(named(campaign, "asks"))
    appeals.appeal(asks.key, "Why?")
    text = page(client, campaign).split('aria-label="Which workers">')[1].split("</nav>")[0]
    said = re.findall(r'<a href="([^"]*)"[^>]*>([^<]+)</a>', text)
    assert [words for _, words in said] == [
        "All 4", "Flagged 1", "Appeals 1", "Getting tasks 1", "Qualified 1", "Paused 1",
        "Practising 2",
    ]  # fmt: skip
    shown = {
        words: set(order(page(client, campaign, href.replace("&amp;", "&"))))
        for href, words in said
    }
    assert shown["Practising 2"] == {"new", "going"}
    assert shown["Appeals 1"] == shown["Paused 1"] == {"asks"}
    assert shown["Flagged 1"] == shown["Getting tasks 1"] == {"fast"}
    Campaign.objects.filter(pk=campaign.pk).update(open_to="selected")
    named(campaign, "chosen", state="selected")
    assert order(page(client, campaign, "?state=with-tasks")) == ["chosen"]
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")  # then nobody gets any
    assert "Getting tasks" not in page(client, campaign)


def test_search_is_by_the_name_that_the_pages_show(client, manager, campaign):
    ada, bo = named(campaign, "ada"), named(campaign, "bo", submitted=3)
    assert order(page(client, campaign, "?q=AD")) == ["ada"]
    assert order(page(client, campaign, f"?q=%23{short_pseudonym(bo)[1:]}")) == ["bo"]
    assert "No worker is so." in page(client, campaign, "?q=nobody%00")
    client.force_login(make_member(campaign.project, "viewer").user)
    assert "No worker is so." in page(client, campaign, "?q=ada")
    assert order(page(client, campaign, f"?q=%23{short_pseudonym(ada)[1:]}")) == [
        short_pseudonym(ada)
    ]


# --- Several at once ----------------------------------------------------------------------------


def act(client, campaign, workers, query="", **fields):
    keys = [worker.key if isinstance(worker, Enrollment) else worker for worker in workers]
    fields["worker"] = keys
    return client.post(address(campaign, query, "states/"), fields, follow=True)


def test_many_refusals_are_not_told_one_by_one(client, manager, campaign):
    rows = [named(campaign, f"w{number}") for number in range(7)]
    Worker.objects.update(blocked_at=timezone.now())
    text = words(act(client, campaign, rows, verb="admit", sure="1"))
    assert text.count("is blocked on the whole platform") == 5
    assert "2 more stay as they are." in text
    assert "Tick 200 workers at most." in words(
        act(client, campaign, [uuid.uuid4() for _ in range(201)], verb="admit")
    )


def test_those_who_are_ticked_are_paused_after_one_more_question(client, manager, campaign):
    first, second, third = (named(campaign, name) for name in ("ada", "bo", "cy"))
    Enrollment.objects.filter(pk=first.pk).update(submitted=7)
    asked = words(act(client, campaign, [first, second], verb="pause"))
    assert "Pause 2 workers</h1>" in asked
    for told in (
        "State changes for</dt><dd>2 of 2 chosen workers", "Tasks that they hold now</dt><dd>none",
        'Answers that they have given</dt><dd>7 <span class="soft">go on counting',
        "Workers who get tasks</dt><dd>3 → 1",
    ):  # fmt: skip
        assert told in asked, told
    first.refresh_from_db()
    assert first.state == "qualified"

    done = act(
        client, campaign, [first, second], "?order=gold", verb="pause", reason="All too fast.",
        sure="1",
    )  # fmt: skip
    assert "2 workers paused." in words(done)
    assert done.redirect_chain[-1][0] == address(campaign, "?order=gold")
    states = dict(Enrollment.objects.values_list("worker__external_id", "state"))
    assert states == {"ada": "paused", "bo": "paused", "cy": "qualified"}
    entries = AuditEntry.objects.filter(action="worker state")
    assert {entry.subject for entry in entries} == {"ada", "bo"}
    assert {entry.user for entry in entries} == {manager}
    again = words(act(client, campaign, [first, third], verb="pause", reason="No.", sure="1"))
    assert "1 worker paused. 1 was so already." in again


def test_letting_back_in_answers_what_was_asked_and_tells_what_can_not_be(
    client, manager, campaign
):
    first, barred, working = (named(campaign, name) for name in ("ada", "bo", "cy"))
    for worker in (first, barred):
        set_state(worker, "blocked", "No.", user=manager)
    asked = appeals.appeal(first.key, "Why?")
    barred.worker.blocked_at = timezone.now()
    barred.worker.save()
    text = words(act(client, campaign, [first, barred, working], verb="admit", sure="1"))
    assert "1 worker back in. 1 was so already." in text
    assert "bo: This worker is blocked on the whole platform." in text
    asked.refresh_from_db()
    assert asked.granted


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"verb": "pause", "reason": " "}, "Write the reason: the worker reads it"),
        ({"verb": "fire", "reason": "No."}, "Choose whether to pause, to block"),
        ({"verb": "pause", "reason": "No.", "worker": []}, "Tick the workers"),
        ({"verb": "pause", "reason": "No.", "worker": ["x"]}, "Tick the workers"),
    ],
)
def test_what_is_missing_is_told_and_ticks_stay(client, manager, campaign, fields, told):
    worker = named(campaign, "ada")
    answer = act(client, campaign, fields.pop("worker", [worker]), sure="1", **fields)
    assert answer.status_code == 422
    assert told in words(answer)
    kept = f'value="{worker.key}" aria-label="Choose ada" checked'
    hidden = f'name="worker" value="{worker.key}">'
    assert kept in words(answer) or hidden in words(answer) or "Tick" in told
    assert not AuditEntry.objects.filter(action="worker state").exists()


def test_workers_of_another_campaign_are_passed_over(client, manager, campaign):
    other = named(make_campaign(), "other")
    assert "0 workers paused." in words(
        act(client, campaign, [other], verb="pause", reason="No.", sure="1")
    )
    other.refresh_from_db()
    assert other.state == "qualified"
    assert client.get(address(campaign, "", "states/")).url == address(campaign)


# --- Who sees what ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "acts", "gold", "ids"),
    [
        ("manager", True, True, True),
        ("reviewer", False, True, False),
        ("viewer", False, False, False),
    ],
)
def test_member_sees_what_the_role_needs(client, campaign, role, acts, gold, ids):
    worker = named(campaign, "5f8a1b2c3d4e", right=9, number=10, submitted=4)
    told = "Your answers to the check tasks can’t be told from guessing."
    Enrollment.objects.update(state="paused", state_by="selection", state_reason=told)
    flagged(worker)
    selected(worker, "worthless")
    client.force_login(make_member(campaign.project, role).user)
    text = page(client, campaign, "?order=gold")
    assert ("5f8a1b2c3d4e" in text) is ids
    assert (short_pseudonym(worker) in text) is not ids
    assert ("gold" in text.split("<main")[1].lower()) is gold
    assert (told in text) is gold
    assert ('type="checkbox"' in text) is acts
    assert "far too fast" in text


@pytest.mark.parametrize("visitor", ["reviewer", "viewer", "other manager", "stranger", "nobody"])
def test_managers_alone_act(client, campaign, visitor):
    worker = named(campaign, "ada")
    flag = flagged(worker)
    if visitor in ("reviewer", "viewer"):
        client.force_login(make_member(campaign.project, visitor).user)
    elif visitor == "other manager":
        client.force_login(make_member(make_project()).user)
    elif visitor == "stranger":
        client.force_login(User.objects.create_user("stranger"))
    fields = {"worker": [worker.key], "verb": "block", "reason": "No.", "sure": "1"}
    for what in ("states/", f"{worker.key}/flags/fast/"):
        answer = client.post(address(campaign, "", what), fields)
        if visitor == "nobody":
            assert answer.url == f"/login/?next={address(campaign, '', what)}"
        else:
            assert answer.status_code == 404
    worker.refresh_from_db()
    flag.refresh_from_db()
    assert (worker.state, flag.dismissed_at) == ("qualified", None)
    if visitor in ("other manager", "stranger"):
        page(client, campaign, status=404)


def test_forms_of_other_sites_are_refused(campaign):
    worker = named(campaign, "ada")
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_member(campaign.project).user)
    fields = {"worker": [worker.key], "verb": "block", "reason": "No.", "sure": "1"}
    home = f"/manage/campaigns/{campaign.slug}"
    for what in ("workers/states", "selection/try", "selection/rules", "gold/check"):
        assert client.post(f"{home}/{what}/", fields).status_code == 403


# --- On a worker's own page ---------------------------------------------------------------------


def test_last_selection_is_told_and_no_earlier_one(client, manager, campaign):
    worker = named(campaign, "ada", right=9, number=10)
    selected(worker, "worthless")
    selected(worker, "over_budget")
    text = words(client.get(address(campaign, "", f"{worker.key}/")))
    assert "good, but enough others are better" in text
    assert "can’t be told from guessing" not in text


def test_flag_is_dismissed_by_a_person_and_that_is_kept(client, manager, campaign):
    worker = named(campaign, "ada")
    flag = flagged(worker)
    own = address(campaign, "", f"{worker.key}/")
    text = words(client.get(own))
    assert "A flag changes nothing by itself." in text
    text = words(client.post(f"{own}flags/fast/", follow=True))
    assert f"Dismissed by <bdi>{manager.username}</bdi>" in text
    flag.refresh_from_db()
    assert flag.dismissed_by == manager
    assert AuditEntry.objects.get(action="dismiss flag").before["kind"] == "fast"
    assert client.post(f"{own}flags/same/").status_code == 404
    assert client.get(f"{own}flags/fast/").url == own
