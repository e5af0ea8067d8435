"""The manager's pages about who works, whom to keep, and gold."""

from __future__ import annotations

import random
import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotation.actions import assignments
from annotation.actions.workers import set_state
from annotation.models import Campaign, Demand, Enrollment, GoldQuestion, Rollup, Tally
from selection.models import GoldCheck, RedundancyRound, WorkerFlag, WorkerSelection
from tests.browser.manage_page import LAPTOP, at, log_in
from tests.factories import GOLD_NEXT, make_campaign, make_enrollment, make_task, make_worker
from tests.jobs import do_jobs

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("ada", "bo", "cyrus", "dido", "emil", "fay", "gus", "hal", "iris", "juno", "kit", "lou")


@pytest.fixture
def campaign() -> Campaign:
    """Twelve workers who are more or less good, one gold question that may be wrong."""
    campaign = make_campaign(
        interface="choice", slug="moods", name="Moods of old letters", redundancy=2, pay_mills=40,
        options={"choices": ["Glad", "Sad"]}, gold_every=4, target_confidence=0.9,
    )  # fmt: skip
    drawn = random.Random(4)
    now = timezone.now()
    for place, name in enumerate(NAMES):
        seen = 4 + place * 3
        right = round(seen * (0.97 if place % 3 else 0.5))
        worker = make_enrollment(
            campaign, make_worker(external_id=name), gold_seen=seen, gold_score_sum=right,
            gold_score_sumsq=right, submitted=drawn.randint(3, 12) * seen, seen_at=now,
            seconds=seen * drawn.randint(40, 200),
        )  # fmt: skip
        if place in (3, 6):
            WorkerFlag.objects.create(
                enrollment=worker, kind="fast" if place == 3 else "same", at=now,
                evidence={"share": 0.9, "usual": 0.5, "number": seen * 5},
            )  # fmt: skip
    make_enrollment(campaign, make_worker(external_id="mo"), state="training")
    question = GoldQuestion.objects.create(
        task=make_task(campaign, kind=Demand.Kind.HIDDEN, external_id="a-letter-of-thanks"),
        answer={"choice": "Sad", "unsure": False, "value": None, "note": ""},
    )
    Enrollment.objects.update(**GOLD_NEXT)
    for name in ("ada", "bo", "cyrus"):
        worker = Enrollment.objects.get(worker__external_id=name)
        lease = assignments.claim_next(worker.key).assignment
        said = {"choice": "Glad" if name != "bo" else "Sad", "unsure": False, "value": None}
        assignments.submit(worker.key, lease.key, said | {"note": ""}, 9.0)
    GoldCheck.objects.create(
        question=question, number=3, mean=0.33, expected=0.95, suspicious=True, at=now
    )
    Tally.objects.create(
        campaign=campaign, tasks=900, complete=300, wanted=1_900, received=1_100, gold=90, epoch=0,
        counted_at=now,
    )  # fmt: skip
    Rollup.objects.create(
        campaign=campaign, hour=now - timedelta(days=1), answers=600, gold=9, late=0,
        counted_at=now,
    )  # fmt: skip
    RedundancyRound.objects.create(
        campaign=campaign, rule="confidence", target=0.9, code_version="1", asked=70, closed=110,
        waiting=2, certain=480, full=31, received=1_100, saved=900,
    )  # fmt: skip
    return campaign


def test_workers_are_looked_through_selected_and_gold_is_put_right(page, campaign):
    stopped = Enrollment.objects.get(worker__external_id="kit")
    set_state(stopped, "blocked", "Somebody else used the account.")
    log_in(page, campaign)

    page.get_by_role("link", name="See evidence").click()
    at(page, campaign.name)
    rows = page.get_by_role("checkbox", name=re.compile("^Choose (?!all)"))
    expect(rows).to_have_count(2)
    page.get_by_role("link", name="All 13").click()
    expect(rows).to_have_count(13)
    page.set_viewport_size(LAPTOP)  # on a phone rows are cards, and have no heads to sort by
    page.get_by_role("link", name="On gold", exact=True).click()
    expect(page.get_by_role("columnheader", name="On gold")).to_have_attribute(
        "aria-sort", "ascending"
    )
    for name in ("dido", "gus"):
        page.get_by_role("checkbox", name=f"Choose {name}").check()
    expect(page.get_by_role("status").filter(has_text="2 chosen")).to_be_visible()
    at(page, campaign.name)
    page.get_by_role("button", name="Pause workers…").click()
    at(page, "Pause 2 workers")
    expect(page.get_by_text("12 → 10").or_(page.get_by_text("11 → 9"))).to_be_visible()
    page.get_by_label("What these workers read").fill("Please take more time for each letter.")
    page.get_by_role("button", name="Pause workers").click()
    done = page.get_by_role("main").get_by_role("status").first
    expect(done).to_contain_text("2 workers paused.")
    page.set_viewport_size(LAPTOP)
    expect(page.get_by_role("columnheader", name="On gold")).to_have_attribute(
        "aria-sort", "ascending"
    )
    mark = page.locator('.plot a[aria-label^="gus: "]')
    expect(mark.locator(".ring")).to_have_count(1)
    expect(mark).to_have_attribute("href", f"/manage/campaigns/moods/workers/{key('gus')}/")
    mark.click()
    at(page, "gus")
    page.get_by_role("button", name="Dismiss flag").click()
    expect(page.get_by_role("main")).to_contain_text("Dismissed by")
    at(page, "gus")

    page.goto("/manage/campaigns/moods/selection/")
    page.get_by_label("Keep at most (K)").fill("6")
    page.get_by_role("button", name="Preview selection").click()
    at(page, "Preview selection")
    do_jobs()
    page.get_by_role("link", name="See whom it would keep").click()  # it comes by itself
    expect(page.get_by_role("heading", name="tested workers would be kept")).to_be_visible()
    at(page, "Selection")
    page.get_by_role("button", name="Apply selection").click()
    expect(page.get_by_role("heading", name="waiting")).to_be_visible()
    do_jobs()
    expect(page.get_by_role("main")).to_contain_text("are selected now.")
    assert WorkerSelection.objects.get().made_by is not None
    at(page, "Select workers")
    page.get_by_role("link", name="See the selection").click()
    page.get_by_label("Each night keep at most").fill("8")
    page.get_by_label("Who gets tasks").select_option("selected")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("Each night at most 8 are kept.")
    at(page, "Selection")
    page.goto("/manage/campaigns/moods/quality/")
    at(page, campaign.name)
    page.get_by_role("link", name="Gold questions", exact=True).click()
    at(page, campaign.name)
    page.get_by_role("link", name="a-letter-of-thanks").click()
    page.get_by_text("The known answer as it is stored").click()
    expect(page.get_by_role("textbox", name="Known answer")).to_have_value(re.compile("Sad"))
    at(page, "a-letter-of-thanks")
    page.get_by_role("button", name="Glad").click()
    expect(page.get_by_role("status")).to_contain_text("3 answers were scored anew")
    at(page, "a-letter-of-thanks")
    page.goto("/manage/campaigns/moods/edit/")
    expect(page.get_by_label("Confidence wanted")).to_have_value("0.9")
    at(page, "Edit Moods of old letters")


def key(name: str) -> str:
    return str(Enrollment.objects.get(worker__external_id=name).key)
