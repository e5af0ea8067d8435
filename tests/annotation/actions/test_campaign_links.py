import uuid
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.core import signing
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.actions import links, recovery, tokens, workers
from annotation.actions.campaigns import create_campaign
from annotation.actions.links import WrongLink
from annotation.actions.workers import CannotJoin
from annotation.models import AuditEntry, CampaignLink, Enrollment
from tests.factories import make_campaign, make_enrollment, make_member, make_project, make_worker

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def campaign():
    return make_campaign()


def join(token: str, device: uuid.UUID | None = None, **options) -> Enrollment:
    return workers.join(tokens.read_link(token), device, **options)


def token(link: CampaignLink) -> str:
    return tokens.token_of(link)


# --- Adding and ending --------------------------------------------------------------------------


def test_a_campaign_for_everybody_begins_with_a_link_and_an_assigned_one_with_none():
    project = make_project()
    made = create_campaign(project, slug="all", name="All", interface="entity")
    assert [(row.number, row.for_whom) for row in made.links.all()] == [(1, "everyone")]
    own = create_campaign(
        project, slug="own", name="Own", interface="entity", assignment="assigned"
    )
    assert not own.links.exists()
    assert links.public_link(own) is None


def test_numbers_go_on_and_are_never_given_twice(campaign):
    one = links.create_link(campaign, note="leaflets")
    links.end_link(campaign, one.number)
    two = links.create_link(campaign, worker="anna")
    assert (one.number, two.number) == (2, 3)
    assert (one.for_whom, two.for_whom) == ("leaflets", "anna")


def test_new_link_and_end_link_are_recorded(campaign):
    user = make_member(campaign.project).user
    soon = timezone.now() + HOUR
    links.create_link(campaign, note="leaflets", ends_at=soon, user=user)
    links.end_link(campaign, 2, user=user)
    ended, made = AuditEntry.objects.filter(subject=campaign.slug, user=user)
    assert (made.action, ended.action) == ("new link", "end link")
    assert made.after == {"number": 2, "for": "leaflets", "ends": soon.isoformat()}
    row = CampaignLink.objects.get(number=2)
    assert row.ended_by == user
    assert row.has_ended(timezone.now())


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"ends_at": timezone.now() - HOUR}, "This time has passed"),
        ({"worker": "anonymous:0123"}, "can't be a worker's name"),
    ],
)
def test_a_link_that_can_not_be_made_is_refused_in_words(campaign, chosen, told):
    with pytest.raises(WrongLink, match=told):
        links.create_link(campaign, **chosen)
    assert campaign.links.count() == 1
    assert not AuditEntry.objects.exists()


def test_an_assigned_campaign_gives_links_to_those_on_its_list_alone():
    own = make_campaign(assignment="assigned")
    links.invite(own, ["anna"])
    with pytest.raises(WrongLink, match="name the worker"):
        links.create_link(own, note="everyone")
    with pytest.raises(WrongLink, match="'bob' is not on the list"):
        links.create_link(own, worker="bob")
    assert links.create_link(own, worker="anna").number == 3


def test_a_closed_campaign_gets_no_new_link():
    with pytest.raises(WrongLink, match="is closed"):
        links.create_link(make_campaign(state="closed"))


def test_a_link_is_ended_once(campaign):
    links.end_link(campaign, 1)
    with pytest.raises(WrongLink, match="ended already"):
        links.end_link(campaign, 1)
    with pytest.raises(WrongLink, match="no link number 7"):
        links.end_link(campaign, 7)


def test_personal_links_are_made_in_a_fixed_number_of_queries(django_assert_num_queries):
    own = make_campaign(assignment="assigned")
    links.invite(own, ["before"])
    with CaptureQueriesContext(connection) as of_one:
        links.invite(own, ["anna"])
    with django_assert_num_queries(len(of_one)):
        found = links.invite(own, ["anna", *(f"worker {n}" for n in range(20))])
    assert len(found) == 21
    numbers = list(own.links.values_list("number", flat=True))
    assert numbers == list(range(2, 24))
    assert own.links.filter(worker__external_id="anna").count() == 1


# --- Joining ------------------------------------------------------------------------------------


def end(campaign, link: CampaignLink, way: str) -> None:
    if way == "by hand":
        links.end_link(campaign, link.number)
    else:
        CampaignLink.objects.filter(pk=link.pk).update(ends_at=timezone.now())


@pytest.mark.parametrize("way", ["by hand", "by its time"])
def test_an_ended_link_takes_nobody_in_and_whoever_has_joined_goes_on(campaign, way):
    link = links.create_link(campaign, ends_at=timezone.now() + HOUR)
    device = uuid.uuid4()
    here = join(token(link), device)
    phrase = recovery.phrase_of(here.key)
    end(campaign, link, way)
    with pytest.raises(CannotJoin, match="This link has ended"):
        join(token(link), uuid.uuid4())
    assert join(token(link), device) == here
    assert join(token(link), uuid.uuid4(), phrase=phrase) == here
    assert tokens.read_worker_token(tokens.worker_token(here)) == here.key
    other = join(tokens.campaign_link(campaign), uuid.uuid4())  # the campaign's other link
    assert other != here
    assert Enrollment.objects.count() == 2


@pytest.mark.parametrize("way", ["by hand", "by its time"])
def test_an_ended_personal_link_is_refused_until_its_worker_has_joined(campaign, way):
    early, late = (links.create_link(campaign, worker=name) for name in ("early", "late"))
    here = join(token(early))
    for link in (early, late):
        end(campaign, link, way)
    assert join(token(early)) == here
    with pytest.raises(CannotJoin, match="This link has ended"):
        join(token(late))
    again = links.create_link(campaign, worker="late")
    assert join(token(again)).worker.external_id == "late"


def test_a_worker_of_another_campaign_does_not_come_in_by_an_ended_link(campaign):
    other = make_campaign()
    device = uuid.uuid4()
    phrase = recovery.phrase_of(join(tokens.campaign_link(other), device).key)
    links.end_link(campaign, 1)
    for options in ({}, {"phrase": phrase}):
        with pytest.raises(CannotJoin, match="This link has ended"):
            join(tokens.campaign_link(campaign), device, **options)


@pytest.mark.parametrize("worker", [None, "anna"])
def test_a_link_from_before_links_had_numbers_is_the_first(campaign, worker):
    payload = {"c": campaign.slug} | ({"w": worker} if worker else {})
    old = signing.dumps(payload, salt=tokens.LINK_SALT)
    links.create_link(campaign, note="another")
    device = uuid.uuid4()
    here = join(old, device)
    links.end_link(campaign, 1)
    assert join(old, device) == here
    with pytest.raises(CannotJoin, match="This link has ended"):
        join(old.replace(old, signing.dumps({"c": campaign.slug}, salt=tokens.LINK_SALT)))


def test_a_link_that_is_in_no_row_is_not_known(campaign):
    with pytest.raises(CannotJoin, match="not known here any more"):
        join(tokens.campaign_link(campaign, number=5))


# --- The migration ------------------------------------------------------------------------------


def test_campaigns_of_before_get_their_first_link_and_personal_ones():
    everybody, own = make_campaign(), make_campaign(assignment="assigned")
    people = [make_worker(external_id=name) for name in ("anna", "bob")]
    for person in people:
        make_enrollment(own, person, state="invited")
    make_enrollment(everybody, make_worker())
    CampaignLink.objects.all().delete()

    migration = import_module("annotation.migrations.0014_campaign_links")
    migration.make_links(apps, None)

    def told(campaign):
        return [(row.number, row.for_whom) for row in campaign.links.select_related("worker")]

    assert told(everybody) == [(1, "everyone")]
    assert told(own) == [(1, migration.BEFORE), (2, "anna"), (3, "bob")]
    assert links.public_link(everybody).number == 1
    old = signing.dumps({"c": own.slug, "w": "anna"}, salt=tokens.LINK_SALT)
    assert join(old).worker == people[0]
    assert set(links.personal_links(own, ["anna", "bob"])) == {"anna", "bob"}
