"""The set-up, step by step: what each keeps, and where one comes back to."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import (
    AuditEntry,
    Campaign,
    Demand,
    Document,
    GoldQuestion,
    Payment,
    Project,
    Response,
)
from dashboard.setup.task_templates import TEMPLATES
from tests.factories import make_campaign, make_document, make_member, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(client, django_user_model):
    user = django_user_model.objects.create_user("anna")
    client.force_login(user)
    return client


def begin(client, template="names", project="The ferry"):
    reply = client.post(
        "/manage/set-up/", {"template": template, "project": project, "language": "en"}
    )
    assert reply.status_code == 302, reply.context["form"].errors
    return Campaign.objects.get()


def resumed(client, campaign) -> str:
    """The step to which whoever comes back is led."""
    return client.get(f"/manage/campaigns/{campaign.slug}/set-up/").url.split("/")[-2]


def post(client, campaign, step, **fields):
    return client.post(f"/manage/campaigns/{campaign.slug}/set-up/{step}/", fields)


GOLD = {"mentions": [{"start": 0, "end": 11, "type": "PER"}]}
LINES = [
    {"id": f"d{n}", "text": f"Ruth Okafor opened ferry {n}.", **({"gold": GOLD} if n < 3 else {})}
    for n in range(8)
]


def test_steps_stand_outside_of_the_sections_and_lead_back(manager):
    campaign = begin(manager)
    text = manager.get(f"/manage/campaigns/{campaign.slug}/set-up/files/").text
    assert ">Overview<" not in text
    assert f'<a href="/manage/campaigns/{campaign.slug}/">Leave</a>' in text


def test_from_nothing_to_an_open_campaign(manager, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    campaign = begin(manager)
    assert campaign.state == "draft"
    assert campaign.project.name == "The ferry"
    assert [one["name"] for one in campaign.project.schema["entity_types"]][:2] == ["PER", "ORG"]
    assert resumed(manager, campaign) == "files"

    file = SimpleUploadedFile("a.jsonl", "\n".join(map(json.dumps, LINES)).encode())
    address = f"/manage/projects/{campaign.project.slug}/import/?campaign={campaign.slug}"
    preview = manager.post(address, {"file": file, "campaign": campaign.slug}).url
    assert f"campaign={campaign.slug}" in preview
    reply = manager.post(preview, {"import": "", "campaign": campaign.slug})
    assert reply.url == f"/manage/campaigns/{campaign.slug}/set-up/"
    assert resumed(manager, campaign) == "gold"  # labels and instructions came with the template

    page = manager.get(f"/manage/campaigns/{campaign.slug}/set-up/gold/")
    form = page.context["form"]
    assert (form["gold_every"].value(), form["hidden_gold"].value()) == (10, 3)
    fields = {name: form[name].value() for name in form.fields}
    auto = post(manager, campaign, "gold", **fields | {"gold_every": 7}, auto="1")
    assert auto.status_code == 200
    assert Campaign.objects.get().gold_every == 7
    assert b"<auto-save" in page.content
    assert post(manager, campaign, "gold", **fields).url.endswith("/pay/")
    assert resumed(manager, campaign) == "pay"

    auto = post(
        manager, campaign, "pay", redundancy=3, pay="0.12", currency="USD", budget="20",
        max_redundancy="", target_quality="", auto="1",
    )  # fmt: skip
    assert auto.status_code == 200  # it stays there, with the figures of what was typed
    assert auto.context["plan"].cost_mills == 120 * (5 * 3 + 15 // 9)
    usual, low, high = auto.context["hourly"]
    assert low < usual < high
    assert "Pay an hour" in auto.content.decode()
    assert "assumed: nobody has worked here yet" in auto.content.decode()
    assert resumed(manager, campaign) == "check"

    check = manager.get(f"/manage/campaigns/{campaign.slug}/set-up/check/").content.decode()
    assert "No gold" not in check
    assert "Open campaign" in check
    opened = manager.post(
        f"/manage/campaigns/{campaign.slug}/state/", {"verb": "open", "set-up": "1"}
    )
    assert opened.url.endswith("/set-up/link/")
    assert "/join/" in manager.get(opened.url).content.decode()
    assert resumed(manager, campaign) == "link"


@pytest.mark.parametrize("template", TEMPLATES)
def test_each_template_makes_a_draft_that_its_steps_show(manager, template):
    campaign = begin(manager, template)
    for step in ("files", "labels", "instructions", "gold", "pay", "check"):
        reply = manager.get(f"/manage/campaigns/{campaign.slug}/set-up/{step}/")
        assert reply.status_code == 200, step
    assert "No gold" in reply.content.decode()  # the check says what is lost without


def test_a_project_keeps_its_own_labels(manager):
    project = make_project()
    make_member(project, user=manager.get("/").wsgi_request.user)
    before = [one["name"] for one in project.schema["entity_types"]]
    manager.post(f"/manage/projects/{project.slug}/set-up/", {"template": "relations"})
    after = Project.objects.get().schema
    assert [one["name"] for one in after["entity_types"]] == before
    assert [one["name"] for one in after["relation_types"]] == ["per:born_in", "per:employee_of"]


def test_what_is_typed_is_saved_without_a_pile_of_versions(manager):
    campaign = begin(manager)
    before = AuditEntry.objects.count()
    for text in ("Mark", "Mark each", "Mark each name"):
        reply = post(
            manager, campaign, "instructions", name="Names", instructions=text, consent="",
            content_warning="", language="", auto="1",
        )  # fmt: skip
        assert f"<p>{text}</p>" in reply.content.decode()  # as the worker will see it
    campaign.refresh_from_db()
    assert campaign.instructions.text == "Mark each name"
    assert campaign.instructions_versions.count() == 1
    assert AuditEntry.objects.count() == before


def test_what_a_quality_can_promise_stands_beside_its_field(manager):
    campaign = begin(manager)
    page = manager.get(f"/manage/campaigns/{campaign.slug}/set-up/pay/").text
    beside, _ = page.split("Stop early")[1].split('id="id_target_quality"')[0].split("<label", 1)
    assert "a quality can be aimed at, but not promised" in beside
    typed = post(
        manager, campaign, "pay", redundancy=2, pay="0.1", currency="USD", budget="20",
        max_redundancy="5", target_quality="0.8", auto="1",
    )  # fmt: skip
    told = typed.text.split('id="promise" data-fresh')[1].split("</p>")[0]
    assert "would show a quality of .80 as" in told  # it follows what is typed


def test_unpaid_work_is_a_decision_too(manager):
    campaign = begin(manager)
    make_document(campaign.project)
    fields = {"redundancy": 2, "currency": "USD", "budget": "", "max_redundancy": ""}
    campaign.project.imports.update(added=1)
    assert resumed(manager, campaign) == "gold"
    assert post(manager, campaign, "pay", pay="0", **fields).url.endswith("/check/")
    assert resumed(manager, campaign) == "check"


def test_what_is_wrong_stands_beside_its_field_and_nothing_is_saved(manager):
    campaign = begin(manager)
    reply = post(manager, campaign, "pay", redundancy="many", pay="0.1", currency="USD")
    assert reply.status_code == 422
    assert reply.context["form"].errors["redundancy"] == ["Write a whole number from 1 to 1,000."]
    assert Campaign.objects.get().pay_mills == 0


def test_an_open_campaign_is_set_up_no_more(manager):
    campaign = begin(manager)
    Campaign.objects.update(state="open")
    assert manager.get(f"/manage/campaigns/{campaign.slug}/set-up/pay/").url.endswith(
        f"/{campaign.slug}/"
    )
    assert manager.get(f"/manage/campaigns/{campaign.slug}/set-up/nothing/").status_code == 404


def test_queries_do_not_grow(manager, django_assert_max_num_queries):
    campaign = begin(manager)
    for number in range(30):
        make_document(campaign.project, text=f"Ada was here {number}")
    other = make_campaign(campaign.project, state="draft")
    assert other.pk
    for step in ("files", "labels", "instructions", "gold", "pay", "check"):
        with django_assert_max_num_queries(31):
            reply = manager.get(f"/manage/campaigns/{campaign.slug}/set-up/{step}/")
    told = reply.content.decode()
    assert "3 to look at" in told
    assert told.count('"i warn"') == 3
    assert "Forecast quality" in told


# --- Gold by doing --------------------------------------------------------------------------------


def page_data(reply) -> dict:
    text = reply.content.decode()
    return json.loads(text.split('<script id="work" type="application/json">')[1].split("<")[0])


def ask(client, work, step, key=None, **body):
    headers = {"authorization": f"Worker {key}"} if key else {}
    return client.post(
        work["api"] + step, json.dumps(body), content_type="application/json", headers=headers
    )


def answering(client, campaign, use):
    work = page_data(client.get(f"/manage/campaigns/{campaign.slug}/gold/answer/?use={use}"))
    client.logout()  # the page sends no cookie
    joined = ask(client, work, "join/", link=work["link"], next=True).json()
    given_out = campaign.tasks.filter(assignments__isnull=False).count()
    there = max(Document.objects.count(), campaign.tasks.count()) - given_out
    assert (joined["available"], joined["available_more"]) == (there, False)  # none is known yet
    return work, joined["token"], joined["next"]


@pytest.mark.parametrize(("use", "kind"), [("hidden", 2), ("practice", 1), ("exam", 3)])
@pytest.mark.parametrize("state", ["draft", "open"])
def test_each_answer_becomes_gold_and_nothing_else(manager, use, kind, state):
    campaign = begin(manager)
    for _ in range(3):
        make_document(campaign.project)
    if state == "open":
        from annotation.actions.campaigns import open_campaign

        open_campaign(campaign)
    work, token, following = answering(manager, campaign, use)
    seen = set()
    for _ in range(3):
        key = following["assignment"]["key"]
        answer = {"mentions": [{"id": "m1", "start": 0, "end": 2, "type": "PER", "entity": "e1"}],
                  "entities": [{"id": "e1", "canonical": "m1"}]}  # fmt: skip
        reply = ask(manager, work, f"assignments/{key}/submit/", token, answer=answer, seconds=3)
        assert reply.status_code == 200, reply.json()
        seen.add(key)
        following = reply.json()["next"]
    assert len(seen) == 3
    assert following["assignment"] is None
    assert "No further task" in following["message"]
    questions = GoldQuestion.objects.select_related("task__demand")
    assert {one.task.demand.kind for one in questions} == {kind}
    assert {one.answer["mentions"][0]["end"] for one in questions} == {12}  # in code points
    assert not Response.objects.exists()
    assert not Payment.objects.exists()
    again = ask(manager, work, f"assignments/{key}/submit/", token, answer=answer)
    assert again.status_code == 409
    assert "already" in again.json()["detail"]


def test_gold_of_a_draft_leaves_its_tasks_to_be_set_up(manager):
    campaign = begin(manager)
    for _ in range(3):
        make_document(campaign.project)
    work, token, following = answering(manager, campaign, "hidden")
    key = following["assignment"]["key"]
    ask(manager, work, f"assignments/{key}/submit/", token, answer={"mentions": [], "entities": []})
    manager.force_login(campaign.project.owner)
    form = manager.get(f"/manage/campaigns/{campaign.slug}/set-up/gold/").context["form"]
    assert form["gold_every"].value() == 10
    assert "redundancy" in manager.get(
        f"/manage/campaigns/{campaign.slug}/set-up/pay/"
    ).context["form"].fields  # fmt: skip
    from annotation.actions.campaigns import open_campaign

    Campaign.objects.update(gold_every=10)
    campaign.refresh_from_db()
    assert open_campaign(campaign) == 2
    assert sorted(Demand.objects.values_list("kind", flat=True)) == [0, 0, 2]


def test_a_try_keeps_nothing(manager):
    campaign = begin(manager)
    make_document(campaign.project)
    work, token, following = answering(manager, campaign, "try")
    key = following["assignment"]["key"]
    wrong = ask(manager, work, f"assignments/{key}/submit/", token, answer={"mentions": 3})
    assert wrong.status_code == 400
    assert wrong.json()["errors"]
    answer = {"mentions": [], "entities": []}
    reply = ask(manager, work, f"assignments/{key}/submit/", token, answer=answer)
    assert reply.json()["next"]["assignment"]["key"] == key  # it is the only one
    assert not GoldQuestion.objects.exists()
    assert not campaign.tasks.exists()


def test_a_key_ends_with_the_role(manager):
    campaign = begin(manager)
    make_document(campaign.project)
    work, token, _ = answering(manager, campaign, "hidden")
    assert ask(manager, work, "next/", "nonsense").status_code == 401
    campaign.project.members.update(role="reviewer")
    assert ask(manager, work, "next/", token).status_code == 401


def test_a_task_that_was_given_out_is_never_offered(manager):
    from annotation.actions.assignments import claim_next
    from annotation.actions.campaigns import open_campaign
    from tests.factories import make_enrollment

    campaign = begin(manager)
    for _ in range(2):
        make_document(campaign.project)
    open_campaign(campaign)
    lease = claim_next(make_enrollment(campaign).key).assignment
    work, token, following = answering(manager, campaign, "hidden")
    given = campaign.tasks.get(pk=lease.task_id).external_id
    other = campaign.tasks.exclude(pk=lease.task_id).get().external_id
    key = following["assignment"]["key"]
    answer = {"mentions": [], "entities": []}
    reply = ask(manager, work, f"assignments/{key}/submit/", token, answer=answer).json()
    assert reply["next"]["assignment"] is None
    assert GoldQuestion.objects.get().task.external_id == other != given


def test_columns_are_chosen_on_the_page(manager, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    campaign = begin(manager)
    table = "nr,said,by\n1,The ferry was late again today,Ada\n2,It was not late at all,Bob\n"
    address = f"/manage/projects/{campaign.project.slug}/import/"
    file = SimpleUploadedFile("said.csv", table.encode())
    preview = manager.post(address, {"file": file, "campaign": campaign.slug}).url
    page = manager.get(preview)
    assert page.context["preview"].uses == {"text": "said", "id": "", "title": ""}
    chosen = {"columns": "", "column-text": "by", "column-id": "nr", "column-title": "said"}
    again = manager.post(preview, chosen | {"campaign": campaign.slug}).url
    assert [row.external_id for row, _ in manager.get(again).context["rows"]] == ["1", "2"]
    manager.post(again, {"import": "", "campaign": campaign.slug})
    found = campaign.project.documents.order_by("external_id").values_list("title", "text")
    assert next(iter(found)) == ("The ferry was late again today", "Ada")
