"""Setting a campaign up, and its life, from the command line."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from annotation.actions import links
from annotation.models import Campaign
from tests.factories import make_campaign, make_document, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    project = make_project(slug="news")
    make_document(project)
    return project


def test_a_campaign_is_set_up_opened_paused_and_closed(project, tmp_path, capsys):
    instructions = tmp_path / "how.md"
    instructions.write_text("Mark every name.")
    consent = tmp_path / "agree.md"
    consent.write_text("I am of age.")
    call_command(
        "create_campaign", "names", project="news", pay=0.05, budget=10.0,
        instructions=instructions, consent=consent, content_warning="Some tell of war.", tries=3,
        target_confidence=0.9, max_redundancy=6, keep_workers=12, open_to="selected",
    )  # fmt: skip
    campaign = Campaign.objects.get()
    assert (campaign.pay_mills, campaign.budget_mills) == (50, 10_000)
    assert campaign.instructions.text == "Mark every name."
    assert (campaign.consent.text, campaign.tries) == ("I am of age.", 3)
    assert (campaign.content_warning, campaign.exam_size) == ("Some tell of war.", 0)
    assert (campaign.target_confidence, campaign.max_redundancy) == (0.9, 6)
    assert (campaign.open_to, campaign.nightly_selection.keep_workers) == ("selected", 12)
    for verb, words in (
        ("check", "Ready to open."),
        ("open", "is open; 1 task was made"),
        ("open", "is open already"),
        ("check", "0 of 3 answers"),
        ("pause", "is paused"),
        ("close", "is closed"),
    ):
        call_command("campaign", "names", verb)
        assert words in capsys.readouterr().out


def test_doubts_count_unless_they_are_to_be_left_out(project):
    call_command("create_campaign", "counted", project="news")
    call_command("create_campaign", "sure", project="news", doubts="left_out")
    assert dict(Campaign.objects.values_list("slug", "doubts")) == {
        "counted": "counted", "sure": "left_out",
    }  # fmt: skip
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("create_campaign", "other", "--project=news", "--doubts=half")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pay": float("nan")}, "--pay is nan"),
        ({"pay": float("inf")}, "--pay is inf"),
        ({"pay": -1.0}, "--pay is -1.0"),
        ({"pay": 0.0001}, "to a thousandth"),
        ({"pay": 1e12}, "pay_mills"),
        ({"redundancy": 40_000}, "redundancy"),
        ({"pass_score": 2.0}, "pass_score"),
        ({"target_confidence": 1.5}, "target_confidence"),
        ({"max_redundancy": 2}, "can't be set up"),
        ({"keep_workers": 0}, "--keep-workers is 0"),
        ({"hidden_gold": -3}, "--hidden-gold is -3"),
        ({"interface": "choice", "choices": "x" * 400 + ",y"}, "choices"),
        ({"interface": "choice", "scale": "1-5"}, "Write MIN:MAX or MIN:MAX:STEP"),
        ({"interface": "choice", "scale": "5:1"}, "scale.max"),
        ({"choices": "A,B"}, "are for --interface choice"),
        ({"instructions": "/nowhere"}, "--instructions can't be read"),
        ({"consent": "/nowhere"}, "--consent can't be read"),
        ({"tries": 0}, "tries: "),
        ({"exam_size": -1}, "exam_size: "),
    ],
)
def test_a_wrong_option_is_named_and_nothing_is_made(project, options, words):
    from pathlib import Path

    options |= {
        name: Path(options[name]) for name in ("instructions", "consent") if name in options
    }
    with pytest.raises(CommandError, match=words):
        call_command("create_campaign", "names", project="news", **options)
    assert not Campaign.objects.exists()


def test_what_a_choice_campaign_asks_is_set(project):
    call_command(
        "create_campaign", "moods", project="news", interface="choice",
        choices="Yes|No, never", scale="1:5:0.5", question="Is it praise?",
    )  # fmt: skip
    assert Campaign.objects.get().options == {
        "choices": ["Yes", "No, never"],
        "scale": {"min": 1, "max": 5, "step": 0.5},
        "question": "Is it praise?",
    }


def test_instructions_that_are_too_long_are_refused(project, tmp_path):
    instructions = tmp_path / "how.md"
    instructions.write_text("x" * 20_001)
    with pytest.raises(CommandError, match="have 20,001 characters"):
        call_command("create_campaign", "names", project="news", instructions=instructions)
    assert not Campaign.objects.exists()


def test_unknown_project_and_taken_name_are_said(project):
    with pytest.raises(CommandError, match="create_project gone"):
        call_command("create_campaign", "names", project="gone")
    make_campaign(project, slug="names")
    with pytest.raises(CommandError, match="Choose another name"):
        call_command("create_campaign", "names", project="news")


def test_what_is_missing_and_the_wrong_state_are_one_sentence():
    make_campaign(make_project(), slug="names", state="draft")
    with pytest.raises(CommandError, match="import documents first"):
        call_command("campaign", "names", "open")
    with pytest.raises(CommandError, match="is draft"):
        call_command("campaign", "names", "pause")
    with pytest.raises(CommandError, match="no campaign 'gone'"):
        call_command("campaign", "gone", "check")


def test_links_are_printed_and_an_assigned_campaign_has_personal_ones_only(capsys):
    make_campaign(slug="names")
    call_command("campaign", "names", "link", server="https://touchstone.example/")
    assert capsys.readouterr().out.startswith("https://touchstone.example/join/")
    own = make_campaign(slug="own", assignment="assigned")
    with pytest.raises(CommandError, match="name the worker"):
        call_command("campaign", "own", "link")
    with pytest.raises(CommandError, match="'ann' is not on the list"):
        call_command("campaign", "own", "link", worker="ann")
    links.invite(own, ["ann"])
    call_command("campaign", "own", "link", worker="ann")
    assert "/join/" in capsys.readouterr().out
    assert own.links.count() == 1


def test_a_budget_is_raised_and_never_set_below_what_is_promised(capsys):
    campaign = make_campaign(pay_mills=50, budget_mills=500, committed_mills=500)
    call_command("campaign", campaign.slug, "check")
    assert "The budget is used up. Raise it" in capsys.readouterr().out
    call_command("campaign", campaign.slug, "budget", amount=2.5)
    campaign.refresh_from_db()
    assert campaign.budget_mills == 2_500
    with pytest.raises(CommandError, match=r"0\.50 USD are spent or promised"):
        call_command("campaign", campaign.slug, "budget", amount=0.1)
    with pytest.raises(CommandError, match="--amount"):
        call_command("campaign", campaign.slug, "budget")


def test_gold_that_is_not_there_is_warned_of(capsys):
    project = make_project(slug="few")
    make_document(project)
    call_command("create_campaign", "names", project="few", hidden_gold=9)
    call_command("campaign", "names", "check")
    assert "9 documents are to be set aside as gold, but only 0" in capsys.readouterr().out


def test_an_entity_campaign_groups_where_it_is_asked_to_and_can_do_without_linking(project):
    call_command("create_campaign", "names", project="news", no_linking=True, hidden_gold=2)
    assert Campaign.objects.get().options == {
        "hidden_gold": 2, "coreference": False, "linking": False
    }  # fmt: skip
    call_command("create_campaign", "spans", project="news", coreference=True)
    assert Campaign.objects.get(slug="spans").options == {"coreference": True}
