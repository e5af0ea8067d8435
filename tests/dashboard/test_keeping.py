"""Copy, archive and delete: what goes, what stays, and that nothing paid is lost."""

import pytest
from django.utils import timezone

from annotation.actions.assignments import claim_next
from annotation.actions.campaigns import open_campaign, set_instructions
from annotation.models import AuditEntry, Campaign, Document, Job, Project, Task
from dashboard import keeping
from tests.factories import (
    make_campaign,
    make_document,
    make_enrollment,
    make_member,
    make_project,
)
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(client):
    project = make_project()
    client.force_login(make_member(project).user)
    return project


@pytest.fixture
def campaign(project):
    for _ in range(3):
        make_document(project)
    return make_campaign(
        project, state="draft", options={"coreference": False}, pay_mills=70, lease_minutes=9
    )


def keep(client, row, act, **fields):
    kind = "campaigns" if isinstance(row, Campaign) else "projects"
    return client.post(f"/manage/{kind}/{row.slug}/keep/{act}/", fields)


def actions() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))


def test_a_copy_has_the_settings_and_nothing_else(client, campaign):
    set_instructions(campaign, "Mark each name.")
    Campaign.objects.update(doubts="left_out")
    keep(client, campaign, "copy", name="Second round")
    made = Campaign.objects.get(name="Second round")
    assert (made.state, made.pay_mills, made.lease_minutes) == ("draft", 70, 9)
    assert made.doubts == "left_out"
    assert made.options == {"coreference": False}
    assert made.instructions.text == "Mark each name."
    assert made.instructions.campaign == made
    assert not made.tasks.exists()
    assert "copy campaign" in actions()


def test_a_copied_project_has_the_labels_and_its_campaigns_as_drafts(client, project, campaign):
    set_instructions(campaign, "Mark each name.")
    open_campaign(Campaign.objects.get())
    Campaign.objects.update(committed_mills=70)
    hidden = make_campaign(project, name="Put away", state="closed")
    Campaign.objects.filter(pk=hidden.pk).update(archived_at=timezone.now())
    keep(client, project, "copy", name="Another")
    made = Project.objects.get(name="Another")
    assert [one["name"] for one in made.schema["entity_types"]] == ["PER", "LOC", "ORG"]
    assert [member.role for member in made.members.all()] == ["manager"]
    (draft,) = made.campaigns.all()
    assert (draft.name, draft.state, draft.pay_mills) == (campaign.name, "draft", 70)
    assert (draft.committed_mills, draft.tasks.count(), draft.enrollments.count()) == (0, 0, 0)
    assert draft.instructions.text == "Mark each name."
    assert draft.instructions.campaign == draft
    assert draft.slug != campaign.slug
    assert draft.links.count() == 1  # its own, that of everybody


@pytest.mark.parametrize("act", ["archive", "delete"])
def test_an_open_campaign_is_to_be_closed_first_and_no_button_says_otherwise(client, campaign, act):
    Campaign.objects.update(state="open")
    page = client.get(f"/manage/campaigns/{campaign.slug}/keep/{act}/").content.decode()
    assert "Close campaign…" in page
    assert "Archive campaign" not in page
    assert "Archive it instead" not in page


def test_what_is_archived_leaves_the_lists_and_comes_back(client, campaign):
    client.get(keep(client, campaign, "archive").url)  # where it is said, by its name
    assert campaign.name not in client.get("/").content.decode()
    assert campaign.name in client.get("/?show=archived").content.decode()
    assert campaign.slug not in client.get(f"/manage/go.json?q={campaign.name}").content.decode()
    (row,) = client.get("/api/projects/").json()["results"]
    assert row["campaigns"] == []
    assert client.get(f"/manage/campaigns/{campaign.slug}/").status_code == 200
    client.get(keep(client, campaign, "restore").url)
    assert campaign.name in client.get("/").content.decode()
    client.get(keep(client, campaign.project, "archive").url)
    assert campaign.project.name not in client.get("/").content.decode()
    assert client.get("/api/projects/").json()["results"] == []
    assert [one for one in actions() if "archive" in one or "restore" in one] == [
        "archive campaign", "restore campaign", "archive project",
    ]  # fmt: skip


def test_an_open_campaign_is_closed_first(client, campaign):
    open_campaign(Campaign.objects.filter(pk=campaign.pk).first())
    for row in (campaign, campaign.project):
        for act, fields in (("archive", {}), ("delete", {"slug": row.slug})):
            reply = client.get(keep(client, row, act, **fields).url)
            assert "Close it first" in reply.content.decode()
    assert Campaign.objects.get().archived_at is None


def test_what_nobody_worked_on_is_deleted_by_its_short_name(client, campaign):
    open_campaign(Campaign.objects.get())
    Campaign.objects.update(state="closed")
    wrong = keep(client, campaign, "delete", slug="other")
    assert wrong.status_code == 422
    assert f"Type {campaign.slug}" in wrong.content.decode()
    keep(client, campaign, "delete", slug=campaign.slug)
    assert not Campaign.objects.exists()
    assert not Task.objects.exists()
    assert Document.objects.count() == 3
    assert actions()[-1] == "delete campaign"


def test_what_workers_did_is_never_deleted(client, campaign):
    open_campaign(Campaign.objects.get())
    claim_next(make_enrollment(campaign).key)
    Campaign.objects.update(state="closed")
    for row in (campaign, campaign.project):
        page = client.get(keep(client, row, "delete", slug=row.slug).url)
        assert "kept with what they earned" in page.content.decode()
    assert Task.objects.count() == 3


def test_a_project_goes_with_its_documents(client, campaign):
    project = campaign.project
    keep(client, project, "delete", slug=project.slug)
    assert not Project.objects.exists()
    assert not Document.objects.exists()
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.subject, entry.project) == ("delete project", project.slug, None)


def test_what_is_large_goes_by_a_job(client, campaign, monkeypatch):
    monkeypatch.setattr(keeping, "DELETED_HERE", 2)
    open_campaign(Campaign.objects.get())
    Campaign.objects.update(state="closed")
    keep(client, campaign, "delete", slug=campaign.slug)
    assert Campaign.objects.exists()
    do_jobs()
    assert Job.objects.get().state == "done"
    assert not Campaign.objects.exists()
    keep(client, campaign.project, "delete", slug=campaign.project.slug)
    do_jobs()
    assert not Project.objects.exists()
