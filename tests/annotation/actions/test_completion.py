"""The code that proves to a platform that somebody worked."""

import re

import pytest

from annotation.actions.completion import (
    Ending,
    code_of,
    ending_of,
    enrollment_of,
    is_code_of,
    platform_ending,
    told_by,
)
from tests.factories import make_campaign, make_enrollment

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return make_campaign()


def test_a_code_is_short_and_has_no_letter_that_is_taken_for_another(campaign):
    for _ in range(50):
        code = code_of(make_enrollment(campaign, submitted=1))
        assert re.fullmatch(r"[2-9B-DF-HJKMNP-TV-Z]{4}-[2-9B-DF-HJKMNP-TV-Z]{4}", code)


def test_a_code_leads_to_its_worker_however_it_is_typed(campaign):
    owner = make_enrollment(campaign, submitted=3)
    make_enrollment(campaign, submitted=3)
    code = code_of(owner)
    for typed in (code, code.lower(), code.replace("-", ""), f"  {code[:4]} {code[5:]} "):
        assert enrollment_of(campaign, typed) == owner


@pytest.mark.parametrize("code", ["", "-", "2222-2222", "K7QF-2M9", "K7QF-2M9DX", "ÄÖ東-☃"])
def test_what_is_no_code_leads_nowhere(campaign, code):
    make_enrollment(campaign, submitted=1)
    assert enrollment_of(campaign, code) is None


def test_who_submitted_nothing_has_no_code(campaign):
    idle = make_enrollment(campaign)
    assert code_of(idle) is None
    idle.submitted = 1
    code = code_of(idle)
    idle.submitted = 0
    assert not is_code_of(idle, code)
    assert enrollment_of(campaign, code) is None


def test_codes_of_two_campaigns_differ_for_one_worker(campaign):
    one = make_enrollment(campaign, submitted=1)
    other = make_enrollment(make_campaign(), one.worker, submitted=1)
    assert code_of(one) != code_of(other)
    assert enrollment_of(other.campaign, code_of(one)) is None


def test_a_code_outlives_a_change_of_the_secret_key(campaign, settings):
    owner = make_enrollment(campaign, submitted=1)
    old = code_of(owner)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-" * 8
    assert code_of(owner) != old
    assert enrollment_of(campaign, old) == enrollment_of(campaign, code_of(owner)) == owner
    settings.SECRET_KEY_FALLBACKS = []
    assert enrollment_of(campaign, old) is None


def test_looking_a_code_up_is_one_query(campaign, django_assert_num_queries):
    for _ in range(5):
        make_enrollment(campaign, submitted=1)
    with django_assert_num_queries(1):
        assert enrollment_of(campaign, "2222-2222") is None


def test_each_ending_has_a_code_of_its_own(campaign):
    owner = make_enrollment(campaign, submitted=1)
    codes = {ending: code_of(owner, ending) for ending in Ending}
    assert len({*codes.values()}) == 3
    assert codes[Ending.COMPLETED] == code_of(owner)  # as it was before there were others
    for ending, code in codes.items():
        assert (enrollment_of(campaign, code), told_by(owner, code)) == (owner, ending)
    assert told_by(make_enrollment(campaign, submitted=1), code_of(owner)) is None


def test_the_ending_follows_from_why_there_is_no_task(campaign):
    worker = make_enrollment(campaign, submitted=1)
    said = {
        reason: ending_of(worker, reason)
        for reason in ("", "nothing_left", "campaign_closed", "campaign_paused", "blocked")
    }
    assert [*said.values()] == ["stopped", "completed", "completed", "stopped", "stopped"]
    worker.state, worker.state_by = "paused", "qualification"
    assert ending_of(worker, "paused") == "screened_out"


def test_a_platform_s_code_is_given_to_every_worker_and_leads_to_none(campaign):
    campaign.code_stopped = "C0FFEE"
    workers = [make_enrollment(campaign, submitted=1) for _ in range(2)]
    assert {code_of(one, Ending.STOPPED) for one in workers} == {"C0FFEE"}
    assert code_of(workers[0]) != code_of(workers[1])
    assert platform_ending(campaign, " C0FFEE ") == "stopped"
    assert platform_ending(campaign, "") is None
    assert enrollment_of(campaign, "C0FFEE") is None
