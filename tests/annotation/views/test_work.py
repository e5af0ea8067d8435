"""What a campaign's link shows, to anybody who has it."""

from __future__ import annotations

import gzip
import json
import re

import brotli
import pytest
from django.test import Client

from annotation.actions.campaigns import set_instructions
from annotation.actions.consent import set_consent
from annotation.actions.tokens import campaign_link
from annotation.models import Campaign, Enrollment, Entity, Project
from annotation.views.scripts import PARTS
from tests.factories import make_campaign, make_member, make_project, make_task

pytestmark = pytest.mark.django_db


def behind_the_link(client, campaign, **headers):
    answer = client.get(f"/join/{campaign_link(campaign)}/", headers=headers)
    assert answer.status_code == 200
    return answer


def text(answer) -> str:
    return " ".join(answer.content.decode().split())


def work_of(answer):
    found = re.search(
        r'<script id="work" type="application/json">(.*?)</script>', answer.content.decode()
    )
    return json.loads(found[1])


def test_an_open_campaign_gives_the_page_and_what_its_script_needs(client):
    campaign = make_campaign(name="Names in letters", pay_mills=60, lease_minutes=45, skip_limit=7)
    set_instructions(campaign, "First.")
    set_instructions(campaign, "# Names\n\nMark *every* name. <b>Nothing</b> else.")
    answer = behind_the_link(client, campaign)
    assert answer.templates[0].name == "annotation/work.html"
    page = text(answer)
    assert "Names in letters" in page
    assert "<h3>Names</h3>" in page
    assert "<p>Mark <em>every</em> name. &lt;b&gt;Nothing&lt;/b&gt; else.</p>" in page
    assert answer.context["project"] == campaign.project
    assert work_of(answer) == {
        "link": answer.request["PATH_INFO"].split("/")[2],
        "campaign": campaign.slug,
        "interface": "entity",
        "currency": "USD",
        "pay_mills": 60,
        "lease_minutes": 45,
        "skip_limit": 7,
        "instructions": 2,
        "consent": 0,
        "agree": "0-0",  # pay, time and checks are read first, whether or not there is a consent
        "public": True,
        "parts": {name: f"/static/bundles/{name}.css" for name in ("beside", "past")}
        | {
            name: f"/static/bundles/{name}.js"
            for name in PARTS
            if not name.startswith(("relation-", "linking-", "choice-"))
        },
        "api": "/api/work/",
        "knowledge_base": False,
    }


def test_the_page_says_whether_there_is_a_knowledge_base_of_its_own_project(client):
    campaign = make_campaign()
    Entity.objects.create(project=make_project(), key="Q1", name="Elsewhere")
    assert work_of(behind_the_link(client, campaign))["knowledge_base"] is False
    Entity.objects.create(project=campaign.project, key="Q1", name="Ada")
    assert work_of(behind_the_link(client, campaign))["knowledge_base"] is True


def test_a_campaign_without_instructions_says_which_types_there_are(client):
    campaign = make_campaign()
    type = {"name": "SHIP", "key": "s", "colour": 1, "description": "A vessel <by name>"}
    Project.objects.update(schema={"entity_types": [type]})
    answer = behind_the_link(client, campaign)
    assert answer.context["instructions_html"] == ""
    assert work_of(answer)["instructions"] == 0
    told = "<strong><bdi>SHIP</bdi></strong>: A vessel &lt;by name&gt;</li>"
    assert told in answer.content.decode()
    set_instructions(campaign, "Mark ships.")
    assert told not in behind_the_link(client, campaign).content.decode()
    Campaign.objects.update(interface="choice", options={"choices": ["yes", "no"]})
    assert told not in behind_the_link(client, campaign).content.decode()


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("draft", "This campaign is not open yet."),
        ("paused", "This campaign is paused."),
        ("closed", "This campaign is closed."),
    ],
)
def test_a_campaign_that_is_not_open_says_so_and_offers_nothing(client, state, sentence):
    answer = behind_the_link(client, make_campaign(state=state))
    assert answer.templates[0].name == "annotation/join.html"
    assert sentence in text(answer)
    assert "<h1><bdi>Campaign" in text(answer)  # in whatever language it is named


def test_who_has_worked_comes_back_to_a_campaign_that_is_not_open(client):
    campaign = make_campaign(state="closed", content_warning="War.")
    set_consent(campaign, "We keep your answers.")
    set_instructions(campaign, "Mark names.")
    assert '<a href="?mine">' in text(behind_the_link(client, campaign))
    answer = client.get(f"/join/{campaign_link(campaign)}/?mine")
    work = work_of(answer)
    assert (answer.templates[0].name, work["agree"], work["instructions"]) == (
        "annotation/work.html", "", 0,
    )  # fmt: skip
    Campaign.objects.update(state="draft")
    answer = client.get(f"/join/{campaign_link(campaign)}/?mine")
    assert answer.templates[0].name == "annotation/join.html"


def test_the_page_holds_what_the_worker_agrees_to_the_warning_first(client):
    campaign = make_campaign(content_warning="It tells of <war>.")
    set_consent(campaign, "We keep *your* answers. <script>alert(1)</script>")
    answer = behind_the_link(client, campaign)
    page = text(answer)
    assert "It tells of &lt;war&gt;." in page
    assert "We keep <em>your</em> answers. &lt;script&gt;" in page
    assert page.index("It tells of") < page.index("We keep") < page.index("I do not agree")
    before = work_of(answer)
    assert before["consent"] == 1
    set_consent(campaign, "We keep nothing.")
    second = work_of(behind_the_link(client, campaign))
    Campaign.objects.update(content_warning="It tells of peace.")
    third = work_of(behind_the_link(client, campaign))
    assert len({before["agree"], second["agree"], third["agree"]}) == 3


def test_where_nobody_says_what_is_done_the_instructions_and_the_question_do(client):
    options = {"choices": ["Yes", "No"], "question": "Is it <praise>?"}
    campaign = make_campaign(interface="choice", options=options)
    set_instructions(campaign, "# Praise\n\nRead *each* text. Then judge it.")
    lead = text(behind_the_link(client, campaign)).partition('class="first-lead"')[2]
    assert '<p class="first-summary" dir="auto">Read each text.</p>' in lead
    assert '<p class="first-question" dir="auto">Is it &lt;praise&gt;?</p>' in lead
    Campaign.objects.update(summary="You read reviews.")
    lead = text(behind_the_link(client, campaign)).partition('class="first-lead"')[2]
    assert '<p class="first-summary" dir="auto">You read reviews.</p>' in lead


def test_the_consent_ends_the_page_and_the_bar_leads_to_it(client):
    campaign = make_campaign()
    set_consent(campaign, "We keep your answers.")
    page, _, bar = text(behind_the_link(client, campaign)).partition('<footer class="work-bar">')
    assert 'id="terms"' in page
    assert "We keep your answers." in page
    assert bar.index('href="#terms"') < bar.index('data-act="agree"')


def test_the_instructions_are_cut_into_steps(client):
    campaign = make_campaign()
    set_instructions(campaign, "Intro.\n# One\n# Two")
    page = text(behind_the_link(client, campaign))
    assert page.count("<div data-step>") == 3


def test_a_personal_link_needs_no_words_for_another_device(client):
    campaign = make_campaign()
    answer = client.get(f"/join/{campaign_link(campaign, 'anna')}/")
    assert work_of(answer)["public"] is False
    assert "I have worked here before" not in text(answer)


def test_the_general_link_of_a_campaign_by_invitation_says_so_before_anything_is_agreed(client):
    campaign = make_campaign(assignment=Campaign.AssignmentMode.ASSIGNED)
    set_instructions(campaign, "Mark every name.")
    told = "This campaign is by invitation. Use the link that was sent to you."
    assert told in text(behind_the_link(client, campaign))
    assert told not in text(client.get(f"/join/{campaign_link(campaign, 'anna')}/"))


def test_looking_at_the_link_enrols_nobody_and_sets_no_cookie(client):
    assert not behind_the_link(client, make_campaign()).cookies
    assert not behind_the_link(client, make_campaign(state="closed")).cookies
    assert not Enrollment.objects.exists()


def test_who_looks_makes_no_difference(client, admin_client):
    """The link is the permission: a member, a stranger and nobody see the same page."""
    campaign = make_campaign()
    address = f"/join/{campaign_link(campaign)}/"
    pages = {client.get(address).content, admin_client.get(address).content}
    for project in (campaign.project, make_project()):
        for role in ("manager", "reviewer", "viewer"):
            member = Client()
            member.force_login(make_member(project, role).user)
            pages.add(member.get(address).content)
    assert len(pages) == 1


def test_a_link_that_was_cut_or_whose_campaign_is_gone_is_told_in_a_sentence(client):
    campaign = make_campaign()
    link = campaign_link(campaign)
    answer = client.get(f"/join/{link[:-3]}/")
    assert answer.status_code == 404
    assert "This link is not complete." in answer.content.decode()
    Campaign.objects.all().delete()
    assert client.get(f"/join/{link}/").status_code == 404


def test_only_looking_is_allowed(client):
    assert client.post(f"/join/{campaign_link(make_campaign())}/").status_code == 405


# --- Frames --------------------------------------------------------------------------------------


def test_no_host_may_frame_the_page_unless_it_is_named(client):
    answer = behind_the_link(client, make_campaign())
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("state", ["open", "paused"])
def test_named_hosts_may_frame_the_worker_s_page_and_no_other(client, settings, state):
    settings.FRAME_HOSTS = ["https://www.mturk.com", "https://*.prolific.com"]
    answer = behind_the_link(client, make_campaign(state=state))
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors https://www.mturk.com https://*.prolific.com" in policy
    assert "script-src 'self'" in policy
    assert "X-Frame-Options" not in answer.headers
    start = client.get("/")
    assert "frame-ancestors 'none'" in start.headers["Content-Security-Policy"]
    assert start.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    ("language", "currency", "shown"),
    [
        ("en", "USD", "$0.065 a task"), ("en", "SEK", "SEK 0.065 a task"),
        ("de", "USD", "0,065 $ je Aufgabe"), ("es", "USD", "0,065 US$ por tarea"),
        ("fr", "GBP", "0,065 £GB par tâche"), ("fr", "EUR", "0,065 € par tâche"),
        ("ar", "USD", "\u20660.065 US$\u2069"),
    ],
)  # fmt: skip
def test_the_first_page_writes_money_as_the_browser_does(client, language, currency, shown):
    """As Intl.NumberFormat writes it in the head of the same page."""
    campaign = make_campaign(pay_mills=65, currency=currency, summary="Names.", language=language)
    assert shown in text(behind_the_link(client, campaign))


# --- What it costs -------------------------------------------------------------------------------


def test_the_page_is_compressed_for_who_can_read_it(client):
    campaign = make_campaign()
    plain = behind_the_link(client, campaign)
    signed = re.compile(rb'"link": "[^"]+"')  # its signature tells the second
    sizes = []
    for accepted, packed_as, unpack in (
        ("gzip", "gzip", gzip.decompress),
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
        ("br;q=0, gzip", "gzip", gzip.decompress),
    ):
        packed = behind_the_link(client, campaign, accept_encoding=accepted)
        assert packed.headers["Content-Encoding"] == packed_as
        assert "Accept-Encoding" in packed.headers["Vary"]
        found = signed.sub(b"", unpack(packed.content))
        assert found.split() == signed.sub(b"", plain.content).split()  # Brotli's is not indented
        sizes.append(len(packed.content))
    assert sizes[1] < sizes[0] < len(plain.content) / 2
    for refused in ("gzip;q=0", "br;q=0, gzip;q=0.0", "abr"):
        reply = behind_the_link(client, campaign, accept_encoding=refused)
        assert "Content-Encoding" not in reply.headers


def test_a_manager_s_page_is_never_packed_by_brotli_whose_length_nobody_pads(client):
    reply = client.get("/login/", headers={"accept-encoding": "gzip, br"})
    assert reply.headers["Content-Encoding"] == "gzip"


def test_the_page_costs_two_queries_and_three_for_the_first_page(client, django_assert_num_queries):
    campaign = make_campaign()
    set_instructions(campaign, "Mark every name.")
    make_task(campaign)
    for _ in range(3):
        make_campaign(campaign.project)
    with django_assert_num_queries(5):  # three of them for the first page
        behind_the_link(client, campaign)
    Campaign.objects.filter(pk=campaign.pk).update(instructions=None)
    with django_assert_num_queries(2):
        behind_the_link(client, campaign)


def test_names_are_escaped(client):
    campaign = make_campaign(name="</script><script>alert(1)</script>", slug="x")
    assert "<script>alert" not in behind_the_link(client, campaign).content.decode()
