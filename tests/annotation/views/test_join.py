import pytest

from annotation.actions.campaigns import set_instructions
from annotation.actions.tokens import campaign_link
from annotation.models import Enrollment
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


def behind_the_link(client, campaign) -> str:
    answer = client.get(f"/join/{campaign_link(campaign)}/")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_open_campaign_shows_its_instructions_and_that_programs_can_work(client):
    campaign = make_campaign(name="Names in letters")
    set_instructions(campaign, "Mark every name.\nAnd <b>nothing</b> else.")
    page = behind_the_link(client, campaign)
    assert "<h1>Names in letters</h1>" in page
    assert "Mark every name. And &lt;b&gt;nothing&lt;/b&gt; else." in page
    assert "The page for answering is not built yet" in page
    assert "http://testserver/api/work/join/" in page


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("draft", "This campaign is not open yet."),
        ("paused", "This campaign is paused."),
        ("closed", "This campaign is closed."),
    ],
)
def test_campaign_that_is_not_open_says_so_and_offers_nothing(client, state, sentence):
    page = behind_the_link(client, make_campaign(state=state))
    assert sentence in page
    assert "curl" not in page


def test_looking_at_the_link_enrols_nobody(client):
    behind_the_link(client, make_campaign())
    assert not Enrollment.objects.exists()


def test_link_that_was_cut_is_told_in_a_sentence(client):
    answer = client.get(f"/join/{campaign_link(make_campaign())[:-3]}/")
    assert answer.status_code == 404
    assert "This link is not complete." in answer.content.decode()
