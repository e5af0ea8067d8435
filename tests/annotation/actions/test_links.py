"""What workers link to is an entry of the project's knowledge base: they add nothing to it."""

from __future__ import annotations

from importlib import import_module

import pytest

from annotation.actions import assignments, tokens
from annotation.interfaces import AnswerError, kinds, links, traits
from annotation.models import Assignment, Entity, Label, Response
from tests.annotation.api.worker import Worker
from tests.factories import make_campaign, make_document, make_enrollment, make_project, make_task

pytestmark = pytest.mark.django_db

CARDS = [{"id": f"d{i}:m1", "name": "Ada", "sentence": "Ada came."} for i in range(3)]
PAYLOADS = {"linking": {"mentions": CARDS}}


def entity_answer(first, second=None):
    return {
        "mentions": [
            {"id": "a", "start": 0, "end": 1, "type": "PER", "entity": "x"},
            {"id": "b", "start": 2, "end": 3, "type": "PER", "entity": "y"},
        ],
        # The other way round than they are stored.
        "entities": [
            {"id": "y", "canonical": "b", "link": second},
            {"id": "x", "canonical": "a", "link": first},
        ],
    }


def linking_answer(first, second=None):
    return {
        "clusters": [
            {"link": second, "mentions": ["d1:m1", "d2:m1"]},
            {"link": first, "mentions": ["d0:m1"]},
        ]
    }


ANSWERS = {"entity": entity_answer, "linking": linking_answer}
LINKED = kinds(lambda traits: bool(traits.linked))


@pytest.fixture
def project():
    project = make_project()
    for key in ("Q1", "Q2"):
        Entity.objects.create(project=project, key=key, name="Ada")
    Entity.objects.create(project=make_project(), key="Q9", name="Ada, elsewhere")
    return project


def leased(project, kind, **payload):
    campaign = make_campaign(project, interface=kind, pay_mills=10)
    document = make_document(project, text="Ada met Bob .")
    make_task(campaign, document, payload=PAYLOADS.get(kind, {}) | payload)
    worker = make_enrollment(campaign)
    return worker, assignments.claim_next(worker.key).assignment


def test_every_interface_with_links_is_tried_here():
    assert set(LINKED) == set(ANSWERS)


@pytest.mark.parametrize("kind", LINKED)
@pytest.mark.parametrize("key", ["Q3", "Q9", "q1", " Q1", "=1+1"])
def test_a_link_that_is_no_entry_is_refused_with_its_field(project, kind, key):
    """It became a name of the project's vocabulary for ever, and of every export."""
    worker, lease = leased(project, kind)
    entries, labels = Entity.objects.count(), Label.objects.count()
    with pytest.raises(AnswerError) as error:
        assignments.submit(worker.key, lease.key, ANSWERS[kind](key, "Q1"))
    member = traits(kind).linked
    assert [(problem.path, str(problem)) for problem in error.value.problems] == [
        (
            f"{member}[1].link",
            f"'{key}' is no entry of the knowledge base. Search for the entry, or send null where "
            "there is none.",
        )
    ]
    assert (Entity.objects.count(), Label.objects.count()) == (entries, labels)
    assert not Response.objects.exists()
    lease.refresh_from_db()
    assert lease.state == Assignment.State.LEASED


@pytest.mark.parametrize("kind", LINKED)
def test_every_unknown_link_is_told_up_to_twenty(project, kind):
    worker, lease = leased(project, kind)
    with pytest.raises(AnswerError) as error:
        assignments.submit(worker.key, lease.key, ANSWERS[kind]("Q3", "Q4"))
    member = traits(kind).linked
    assert [problem.path for problem in error.value.problems] == [
        f"{member}[0].link",
        f"{member}[1].link",
    ]


@pytest.mark.parametrize("kind", LINKED)
@pytest.mark.parametrize(("first", "second"), [("Q1", "Q2"), ("Q1", None), (None, None)])
def test_entries_and_no_entry_are_taken(project, kind, first, second):
    worker, lease = leased(project, kind)
    assignments.submit(worker.key, lease.key, ANSWERS[kind](first, second))
    names = set(Label.objects.filter(vocabulary="link").values_list("name", flat=True))
    assert names == {key or "none" for key in (first, second)}


def test_what_the_project_itself_suggests_may_be_accepted(project):
    """A list of names may hold keys that are not in the knowledge base (yet)."""
    suggestions = {
        "mentions": [{"id": "s", "start": 0, "end": 3, "type": "PER", "entity": "e"}],
        "entities": [{"id": "e", "canonical": "s", "link": "Q77", "value": None}],
        "unlabelled": [],
    }
    worker, lease = leased(project, "entity", suggestions=suggestions)
    with pytest.raises(AnswerError, match="'Q78' is no entry"):
        assignments.submit(worker.key, lease.key, entity_answer("Q77", "Q78"))
    assert assignments.submit(worker.key, lease.key, entity_answer("Q77", "Q1")).counted


def test_raw_tags_have_no_links():
    assert links("entity", {"tags": ["B-PER", "O"]}) == {}


@pytest.mark.parametrize("link", [None, "Q1"])
def test_a_link_costs_one_query_and_none_costs_nothing(
    project, link, django_assert_max_num_queries, django_capture_on_commit_callbacks
):
    campaign = make_campaign(project)
    for _ in range(3):
        make_task(campaign, make_document(project, text="Ada met Bob ."))
    worker = Worker(tokens.campaign_link(campaign))
    lease = worker.next()["assignment"]
    body = {"answer": entity_answer(link)}
    with django_capture_on_commit_callbacks(execute=True):  # the labels are remembered
        lease = worker.act(lease["key"], "submit", body).json()["next"]["assignment"]
    with django_assert_max_num_queries(12 + 2) as queries:  # and the test's own savepoint
        assert worker.act(lease["key"], "submit", body).status_code == 200
    asked = [query for query in queries if "annotation_entity" in query["sql"]]
    assert len(asked) == (link is not None)


def test_more_links_than_one_query_takes_are_all_looked_up(project, monkeypatch):
    module = import_module("annotation.actions.assignments.reading")
    monkeypatch.setattr(module, "LINKS_AT_ONCE", 1)
    worker, lease = leased(project, "entity")
    assert assignments.submit(worker.key, lease.key, entity_answer("Q1", "Q2")).counted


def test_over_http_the_field_is_named(project):
    campaign = make_campaign(project)
    make_task(campaign, make_document(project, text="Ada met Bob ."))
    worker = Worker(tokens.campaign_link(campaign))
    key = worker.next()["assignment"]["key"]
    reply = worker.act(key, "submit", {"answer": entity_answer("Q1", "made up")})
    assert reply.status_code == 400
    assert [error["field"] for error in reply.json()["errors"]] == ["entities[0].link"]
