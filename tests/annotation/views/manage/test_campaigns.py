import pytest

from annotation.models import Campaign, Entity, ImportedAnswer
from tests.factories import make_campaign, make_document, make_member, make_project

pytestmark = pytest.mark.django_db

FIELDS = {
    "name": "First round", "slug": "", "instructions": "Mark **every** name.", "redundancy": "3",
    "pay": "0.055", "currency": "eur", "budget": "12.5", "hidden_gold": "5", "gold_every": "10",
    "training_gold": "4", "training_size": "2", "pass_score": "0.8", "lease_minutes": "20",
    "skip_limit": "7", "spread": "broad", "coreference": "on", "linking": "on",
}  # fmt: skip


@pytest.fixture
def project(client):
    project = make_project(slug="letters")
    client.force_login(make_member(project).user)
    return project


def send(client, **fields):
    return client.post("/manage/projects/letters/campaigns/new/", FIELDS | fields)


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def test_it_works(client, project):
    assert send(client).url == "/manage/campaigns/first-round/"
    made = Campaign.objects.get()
    assert (made.project, made.interface, made.state) == (project, "entity", "draft")
    assert (made.redundancy, made.pay_mills, made.budget_mills) == (3, 55, 12_500)
    assert (made.currency, made.gold_every, made.training_size) == ("EUR", 10, 2)
    assert (made.pass_score, made.lease_minutes, made.skip_limit) == (0.8, 20, 7)
    assert made.spread == "broad"
    assert made.options["coreference"] is True
    assert made.options["linking"] is True
    assert (made.options["hidden_gold"], made.options["training_gold"]) == (5, 4)
    assert made.instructions.text == "Mark **every** name."
    assert client.get("/manage/campaigns/first-round/").status_code == 200


def test_what_is_not_ticked_is_off(client, project):
    client.post(
        "/manage/projects/letters/campaigns/new/",
        {name: value for name, value in FIELDS.items() if name not in ("coreference", "linking")},
    )
    options = Campaign.objects.get().options
    assert (options["coreference"], options["linking"]) == (False, False)


def test_linking_is_proposed_where_there_is_a_knowledge_base(client, project):
    page = "/manage/projects/letters/campaigns/new/"
    assert client.get(page).context["form"]["linking"].value() is False
    Entity.objects.create(project=project, key="Q1", name="Ada")
    assert client.get(page).context["form"]["linking"].value() is True


def test_budget_that_is_left_empty_is_none(client, project):
    send(client, budget="")
    assert Campaign.objects.get().budget_mills is None


def test_page_comes_with_what_a_campaign_has_if_nothing_is_said(client, project):
    page = words(client.get("/manage/projects/letters/campaigns/new/"))
    for name, value in {"redundancy": 3, "currency": "USD", "lease_minutes": 30}.items():
        assert f'name="{name}" value="{value}"' in page


def test_page_says_how_many_documents_can_be_gold(client, project):
    page = "/manage/projects/letters/campaigns/new/"
    assert "No document of this project has a known answer yet" in words(client.get(page))
    ImportedAnswer.objects.create(
        document=make_document(project), interface="entity", source="gold", answer={"tags": []}
    )
    assert "1 document of this project has a known answer." in words(client.get(page))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "Give the campaign a name."),
        ({"slug": "taken"}, "Another campaign has this short name."),
        ({"slug": "a b"}, "Use letters, digits, hyphens and underscores only."),
        ({"redundancy": "0"}, "Write a whole number from 1 to 1,000."),
        ({"redundancy": "many"}, "Write a whole number from 1 to 1,000."),
        ({"pay": ""}, "Write an amount, such as 0.05; 0 for unpaid work."),
        ({"pay": "-1"}, "An amount is 0 or more."),
        ({"pay": "0.0005"}, "Amounts go to a thousandth of a unit"),
        ({"pay": "NaN"}, "Write an amount, such as 0.05 or 12."),
        ({"budget": "1e400"}, "Ensure"),
        ({"currency": "euro"}, "Write the three letters of a currency"),
        ({"pass_score": "70"}, "Write a share from 0 to 1, such as 0.7."),
        ({"gold_every": "99999"}, "Write a whole number from 0 to 32,767."),
        ({"lease_minutes": "0"}, "Write a whole number from 1 to 43,200."),
        ({"spread": "wide"}, "Select a valid choice."),
        ({"instructions": "x" * 20_001}, "at most 20000 characters"),
        ({"instructions": "a\0b"}, "Null characters are not allowed."),
    ],
)
def test_what_is_wrong_is_told_and_what_was_typed_stays(client, project, fields, sentence):
    make_campaign(slug="taken")
    answer = send(client, **fields)
    assert answer.status_code == 422
    assert sentence in words(answer)
    assert 'value="12.5"' in words(answer) or "budget" in fields
    assert Campaign.objects.count() == 1
