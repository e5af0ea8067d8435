import pytest
from django.contrib.auth.models import User

from annotation.actions import campaigns, locks
from annotation.actions.assignments import claim_next
from annotation.models import AuditEntry, Campaign, Entity, ImportedAnswer
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_member,
    make_project,
    make_task,
)

pytestmark = pytest.mark.django_db

FIELDS = {
    "name": "First round", "slug": "", "instructions": "Mark **every** name.", "redundancy": "3",
    "pay": "0.055", "currency": "eur", "budget": "12.5", "hidden_gold": "5", "gold_every": "10",
    "training_gold": "4", "training_size": "2", "exam_size": "3", "exam_gold": "3", "tries": "1",
    "pass_score": "0.8", "lease_minutes": "20", "skip_limit": "7", "spread": "broad",
    "doubts": "left_out",
    "coreference": "on", "linking": "on", "consent": "I am of age.",
    "content_warning": "Some letters tell of violence.",
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
    assert (made.spread, made.doubts) == ("broad", "left_out")
    assert made.options["coreference"] is True
    assert made.options["linking"] is True
    assert (made.options["hidden_gold"], made.options["training_gold"]) == (5, 4)
    assert made.options["exam_gold"] == 3
    assert made.instructions.text == "Mark **every** name."
    assert (made.exam_size, made.tries, made.consent.text) == (3, 1, "I am of age.")
    assert made.content_warning == "Some letters tell of violence."
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


def test_more_answers_are_asked_for_where_there_is_doubt(client, project):
    send(client, redundancy="12", max_redundancy="10", target_confidence="")
    campaign = Campaign.objects.get()
    assert (campaign.target_confidence, campaign.max_redundancy) == (None, 12)
    page = "/manage/projects/letters/campaigns/new/"
    told = FIELDS | {"slug": "second", "redundancy": "3", "target_confidence": ".9"}
    refused = client.post(page, told | {"max_redundancy": "2"})
    assert refused.status_code == 422
    assert "Each task gets 3 answers. Write that or more." in words(refused)
    client.post(page, told | {"max_redundancy": ""})
    campaign = Campaign.objects.get(slug="second")
    assert (campaign.target_confidence, campaign.max_redundancy) == (0.9, 10)


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
        ({"consent": "x" * 20_001}, "at most 20000 characters"),
        ({"content_warning": "x" * 501}, "at most 500 characters"),
        ({"tries": "0"}, "Write a whole number from 1 to 10."),
        ({"exam_size": "-1"}, "Write a whole number from 0 to 32,767."),
    ],
)
def test_what_is_wrong_is_told_and_what_was_typed_stays(client, project, fields, sentence):
    make_campaign(slug="taken")
    answer = send(client, **fields)
    assert answer.status_code == 422
    assert sentence in words(answer)
    assert 'value="12.5"' in words(answer) or "budget" in fields
    assert Campaign.objects.count() == 1


def test_empty_knowledge_base_is_told_on_the_form_and_before_opening(client, project):
    page = "/manage/projects/letters/campaigns/new/"
    assert "The knowledge base of this project is empty" in words(client.get(page))
    send(client)
    draft = "/manage/campaigns/first-round/"
    assert "but the knowledge base is empty" in words(client.get(draft))
    Entity.objects.create(project=project, key="Q1", name="Ada")
    assert "knowledge base of this project is empty" not in words(client.get(page))
    assert "but the knowledge base is empty" not in words(client.get(draft))


# --- Editing ------------------------------------------------------------------------------------

EDIT = "/manage/campaigns/first-round/edit/"


@pytest.fixture
def draft(client, project):
    send(client)
    return Campaign.objects.get()


def shown(client) -> dict:
    """The fields of the edit page with what stands in them, as a browser would send them back."""
    form = client.get(EDIT).context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in values.items() if value not in (False, None)}


def save(client, fields, **options):
    """What the changes do is told by the first press, where they do something; the second saves."""
    answer = client.post(EDIT, fields, **options)
    if answer.status_code != 200 or not answer.context.get("told"):
        return answer
    return client.post(EDIT, fields | {"told": answer.context["told_digest"]}, **options)


def test_draft_that_is_saved_as_it_stands_is_as_it_was(client, draft):
    before = Campaign.objects.values().get()
    assert save(client, shown(client)).url == "/manage/campaigns/first-round/settings/"
    assert Campaign.objects.values().get() == before
    assert draft.instructions_versions.count() == 1
    assert not AuditEntry.objects.filter(action="edit campaign").exists()


def test_instructions_are_shown_as_workers_read_them_and_nothing_is_saved(client, draft):
    before = Campaign.objects.values().get()
    told = {"preview": "1", "instructions": "Mark **each** name. <script>1</script>"}
    fragment = client.post(EDIT, shown(client) | told).text
    assert "<strong>each</strong>" in fragment
    assert "<script" not in fragment
    assert "Save changes" not in fragment
    assert "workers see the task alone" in client.post(EDIT, {"preview": "1"}).text
    assert Campaign.objects.values().get() == before


def test_all_of_a_draft_can_be_changed_but_its_short_name(client, draft):
    sent = FIELDS | {
        "name": "Second round", "slug": "other", "instructions": "Mark less.", "redundancy": "12",
        "pay": "0.1", "currency": "USD", "budget": "", "hidden_gold": "0", "gold_every": "0",
        "training_gold": "0", "exam_gold": "0", "training_size": "0", "pass_score": "1",
        "lease_minutes": "45",
        "skip_limit": "1", "spread": "complete", "exam_size": "0", "tries": "4", "consent": "Yes.",
        "content_warning": "",
    }  # fmt: skip
    del sent["coreference"], sent["linking"]
    answer = save(client, sent, follow=True)
    assert "Saved." in words(answer)
    draft.refresh_from_db()
    assert (draft.name, draft.slug) == ("Second round", "first-round")
    assert draft.instructions.text == "Mark less."
    assert (draft.redundancy, draft.max_redundancy, draft.pay_mills) == (12, 12, 100)
    assert (draft.currency, draft.budget_mills, draft.gold_every) == ("USD", None, 0)
    assert (draft.training_size, draft.pass_score, draft.lease_minutes) == (0, 1.0, 45)
    assert (draft.skip_limit, draft.spread) == (1, "complete")
    assert (draft.exam_size, draft.tries, draft.consent.text) == (0, 4, "Yes.")
    assert draft.content_warning == ""
    assert draft.options == {"coreference": False, "linking": False}
    entry = AuditEntry.objects.get(action="edit campaign")
    assert (entry.before["pay_mills"], entry.after["pay_mills"]) == (55, 100)
    assert "edit campaign" in words(answer)  # among the last changes


def test_what_is_wrong_in_an_edit_is_told_and_changes_nothing(client, draft):
    answer = save(client, shown(client) | {"pay": "-1", "name": "Other"})
    assert answer.status_code == 422
    assert "An amount is 0 or more." in words(answer)
    draft.refresh_from_db()
    assert draft.name == "First round"


def opened(draft):
    make_task(draft, make_document(draft.project))
    Campaign.objects.update(state="open", gold_every=0, training_size=0)


def test_of_an_open_campaign_only_what_lets_nobody_down_can_be_changed(client, draft):
    opened(draft)
    kept = {
        "name", "instructions", "consent", "content_warning", "lease_minutes", "skip_limit",
        "max_redundancy", "language", "summary", "requester", "payment_terms", "code_completed",
        "code_stopped", "code_screened_out", "doubts",
    }  # fmt: skip
    assert set(shown(client)) == kept
    changed = shown(client) | {
        "name": "New", "instructions": "More.", "lease_minutes": "50", "skip_limit": "3",
    }  # fmt: skip
    answer = save(client, changed | {"pay": "9", "redundancy": "9"}, follow=True)
    assert "Workers read the new instructions before their next task." in words(answer)
    draft.refresh_from_db()
    assert (draft.name, draft.lease_minutes, draft.skip_limit) == ("New", 50, 3)
    assert (draft.pay_mills, draft.redundancy) == (55, 3)
    assert (draft.instructions.number, draft.instructions.text) == (2, "More.")


def test_doubts_can_be_left_out_while_workers_are_at_it(client, draft):
    assert (make_campaign().doubts, draft.doubts) == ("counted", "left_out")
    page = words(client.get("/manage/projects/letters/campaigns/new/"))
    assert '<option value="counted" selected>counts like the rest</option>' in page
    assert "Leave it out of the consensus only where such answers" in page
    opened(draft)
    told = words(client.get("/manage/campaigns/first-round/settings/"))
    assert '<option value="left_out" selected>is left out</option>' in told
    changed = shown(client) | {"doubts": "counted"}
    again = client.post(EDIT, changed)
    assert "is left out → counts like the rest" in words(again)
    client.post(EDIT, changed | {"told": again.context["told_digest"]})
    draft.refresh_from_db()
    assert draft.doubts == "counted"


def test_certainty_that_is_enough_can_be_changed_while_workers_are_at_it(client, draft):
    opened(draft)
    save(client, shown(client) | {"target_confidence": "0.85", "max_redundancy": "6"})
    draft.refresh_from_db()
    assert (draft.target_confidence, draft.max_redundancy) == (0.85, 6)
    refused = save(client, shown(client) | {"max_redundancy": "2"})
    assert "Each task gets 3 answers. Write that or more." in words(refused)
    told = words(client.get("/manage/campaigns/first-round/settings/"))
    assert "up to 6, where there is doubt" in told
    assert "<dt>Confidence wanted</dt><dd>.85" in told
    save(client, shown(client) | {"max_redundancy": "2", "target_confidence": ""})
    draft.refresh_from_db()
    assert (draft.target_confidence, draft.max_redundancy) == (None, 3)
    assert AuditEntry.objects.filter(action="edit campaign").count() == 2


def test_task_that_is_given_out_next_records_the_new_version(client, draft):
    opened(draft)
    save(client, shown(client) | {"instructions": "More."})
    lease = claim_next(make_enrollment(draft, consent=draft.consent).key).assignment
    assert lease.instructions.number == 2


def test_instructions_can_be_taken_away_and_brought_back(client, draft):
    opened(draft)
    save(client, shown(client) | {"instructions": " "})
    draft.refresh_from_db()
    assert draft.instructions is None
    save(client, shown(client) | {"instructions": "Mark **every** name."})
    draft.refresh_from_db()
    assert draft.instructions.number == 1


def test_line_ends_of_a_browser_make_no_new_version(client, draft):
    campaigns.set_instructions(draft, "One.\n\nTwo.\n")
    save(client, shown(client) | {"instructions": "One.\r\n\r\nTwo."})
    draft.refresh_from_db()
    assert draft.instructions.number == 2


def test_new_text_of_consent_is_a_version_of_which_the_page_and_the_answer_tell(client, draft):
    opened(draft)
    page = words(client.get(EDIT))
    assert "A change makes version 2: every worker is asked again before the next task" in page
    again = shown(client) | {"consent": "I am of age.\r\n"}
    assert "Nothing has changed." in words(save(client, again, follow=True))
    answer = save(client, shown(client) | {"consent": "I am eighteen."}, follow=True)
    assert "Every worker is asked to agree to the new text" in words(answer)
    draft.refresh_from_db()
    assert (draft.consent.number, draft.consent.text) == (2, "I am eighteen.")
    entry = AuditEntry.objects.get(action="edit campaign")
    assert (entry.before["consent"], entry.after["consent"]) == (12, 14)
    answer = save(client, shown(client) | {"consent": " "}, follow=True)
    assert "Nobody is asked to agree any more." in words(answer)
    draft.refresh_from_db()
    assert draft.consent is None


def test_draft_whose_tasks_are_made_keeps_what_they_were_made_from(client, draft):
    make_task(draft, make_document(draft.project))
    fields = set(shown(client))
    assert {"pay", "budget", "gold_every", "coreference"} <= fields
    assert not {"redundancy", "hidden_gold", "training_gold", "suggestions"} & fields
    save(client, shown(client) | {"pay": "0.2", "redundancy": "9"})
    draft.refresh_from_db()
    assert (draft.pay_mills, draft.redundancy) == (200, 3)


def test_draft_of_another_kind_keeps_its_own_options(client, draft):
    options = {"from": "first", "hidden_gold": 2}
    Campaign.objects.update(interface="relation", options=options)
    assert not {"coreference", "linking", "suggestions", "choices", "question"} & set(shown(client))
    save(client, shown(client) | {"pay": "0.2", "coreference": "on"})
    draft.refresh_from_db()
    assert (draft.pay_mills, draft.options) == (200, options)


def test_draft_that_was_opened_meanwhile_is_not_changed(draft):
    opened(draft)
    with pytest.raises(campaigns.WrongState, match="can't be changed any more"):
        campaigns.edit_campaign(draft, name="Other", pay_mills=1)
    draft.refresh_from_db()
    assert (draft.name, draft.pay_mills) == ("First round", 55)


def test_draft_that_is_being_opened_is_not_changed(client, draft):
    with locks.hold(f"campaign:{draft.slug}"):
        answer = save(client, shown(client) | {"pay": "1"})
    assert answer.status_code == 422
    draft.refresh_from_db()
    assert draft.pay_mills == 55


def test_nothing_of_a_closed_campaign_changes(client, draft):
    Campaign.objects.update(state="closed")
    for answer in (client.get(EDIT, follow=True), client.post(EDIT, FIELDS, follow=True)):
        assert "The campaign is closed" in words(answer)
    with pytest.raises(campaigns.WrongState, match="closed"):
        campaigns.edit_campaign(draft, name="Other")


@pytest.mark.parametrize("state", ["draft", "open"])
@pytest.mark.parametrize("visitor", ["reviewer", "viewer", "other manager", "stranger", "nobody"])
def test_managers_alone_edit(client, draft, visitor, state):
    Campaign.objects.update(state=state)
    client.logout()
    if visitor in ("reviewer", "viewer"):
        client.force_login(make_member(draft.project, visitor).user)
    elif visitor == "other manager":
        client.force_login(make_member(make_project()).user)
    elif visitor == "stranger":
        client.force_login(User.objects.create_user("stranger"))
    for answer in (client.get(EDIT), client.post(EDIT, FIELDS | {"name": "Mine"})):
        if visitor == "nobody":
            assert answer.url == f"/login/?next={EDIT}"
        else:
            assert answer.status_code == 404
    assert Campaign.objects.get().name == "First round"
    if visitor in ("reviewer", "viewer"):
        assert EDIT not in words(client.get("/manage/campaigns/first-round/settings/"))


def test_settings_lead_managers_to_the_edit_page_and_names_the_settings(client, draft):
    page = words(client.get("/manage/campaigns/first-round/settings/"))
    assert f'href="{EDIT}">Edit draft<' in page
    assert "<dt>Names that mean the same</dt><dd>are grouped</dd>" in page
    assert "<dt>Links to the knowledge base</dt><dd>are asked for</dd>" in page
    Campaign.objects.update(state="open", options={"coreference": False, "linking": False})
    page = words(client.get("/manage/campaigns/first-round/settings/"))
    assert f'method="post" action="{EDIT}"' in page  # what may change now, in place
    assert 'name="lease_minutes"' in page
    assert 'name="pay"' not in page
    assert "<dd>are not grouped</dd>" in page
    assert "<dd>are not asked for</dd>" in page
