"""The way from mentions to a knowledge base, and the file at its end."""

from __future__ import annotations

import io

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from aggregation.actions.runs import aggregate
from annotation.actions.tokens import worker_token
from tests.aggregation.actions.test_linking import block, linking_campaign, sort
from tests.aggregation.actions.test_relations import pair, relation_campaign
from tests.aggregation.crowds import make_workers, tagged_task
from tests.dashboard import PROJECT_BAR
from tests.factories import (
    make_campaign,
    make_enrollment,
    make_member,
    make_project,
)
from tests.jobs import do_jobs

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
PAGE = "/manage/projects/letters/knowledge/"
FILE = "/manage/projects/letters/knowledge.jsonl"


@pytest.fixture
def project():
    return make_project(slug="letters")


@pytest.fixture
def manager(client, project):
    user = make_member(project).user
    client.force_login(user)
    return user


@pytest.fixture(autouse=True)
def _data(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def written(client, form="jsonl", *campaigns) -> str:
    """The address of the job that was to write the file, when it is over."""
    asked = client.post(f"/manage/projects/letters/knowledge.{form}", {"campaign": campaigns}).url
    do_jobs()
    return asked


def names(project, slug="names"):
    campaign = make_campaign(project, slug=slug, name=slug.title())
    tagged_task(campaign, NAMES, NAMES)
    aggregate(campaign, "mv-token")
    return campaign


def words(answer) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def test_page_shows_each_step_with_its_campaigns(client, manager, project):
    assert "It can be downloaded once a campaign is aggregated." in words(client.get(PAGE))
    names(project)
    relation, workers = relation_campaign(), make_workers(2)
    pair(relation, workers, "founded", "founded")
    pair(relation, workers, "none", "none")
    aggregate(relation, "majority")
    linking = linking_campaign()
    sort(block(linking, "a b c"), workers, *["a c | b"] * 2)
    aggregate(linking, "correlation-clustering")
    for campaign in (relation, linking):
        campaign.project = project
        campaign.save()
    text = words(client.get(PAGE))
    for told in (
        "/manage/campaigns/names/", "/manage/campaigns/names/next/relation/",
        f"/manage/campaigns/{relation.slug}/", '1 <span class="soft">of 2</span>',
        f"/manage/campaigns/{linking.slug}/", '2 <span class="soft">of 3 cards</span>',
        "Download JSON lines",
    ):  # fmt: skip
        assert told in text, told


def test_pairs_and_piles_stand_on_the_campaigns_pages(client, manager, project):
    relation, workers = relation_campaign(), make_workers(2)
    for answer in ("founded", "founded", "works_for", "none", "unsure"):
        pair(relation, workers, answer, answer)
    aggregate(relation, "majority")
    make_member(relation.project, user=manager)
    text = words(client.get(f"/manage/campaigns/{relation.slug}/tasks/"))
    assert "5 pairs judged, 3 of them related." in text
    order = [text.index(f"<bdi>{name}</bdi>") for name in ("founded", "works_for", "can’t tell")]
    assert order == sorted(order)
    assert '<td class="num">2</td><td class="num">.40</td>' in text

    linking = linking_campaign()
    make_member(linking.project, user=manager)
    address = f"/manage/campaigns/{linking.slug}/tasks/"
    assert "What the answers come to stands here" in words(client.get(address))
    sort(block(linking, "a b c d"), workers, *["a c | b | d"] * 2)
    aggregate(linking, "correlation-clustering")
    text = words(client.get(address))
    assert "<dt>Cards judged</dt><dd>4</dd>" in text
    assert '<dt>Piles found</dt><dd>3 <span class="soft">2 cards with others' in text
    assert "<dt>Largest pile</dt><dd>2 cards</dd>" in text


def test_newest_run_of_each_interface_is_ticked(client, manager, project):
    names(project, "first")
    names(project, "second")
    aggregate(names(project, "third").project.campaigns.get(slug="first"), "mv-token", seed=1)
    text = words(client.get(PAGE))
    assert 'value="first" aria-label="Take First" checked' in text
    assert text.count("checked") == 1


@pytest.mark.parametrize(("form", "begins"), [("jsonl", b'{"kind"'), ("tsv", b"kind\tkey")])
def test_file_is_taken_away_whole(client, manager, project, form, begins):
    names(project)
    asked = written(client, form, "names")
    assert "1 mention" not in words(client.get(asked))
    assert "were written to letters-" in words(client.get(asked))
    answer = client.get(f"{asked}file/")
    content = b"".join(answer.streaming_content)
    assert content.startswith(begins)
    assert content.count(b"\n") == 6 + (form == "tsv")
    assert answer["Content-Disposition"].startswith('attachment; filename="letters-')


def test_file_can_be_imported_again(client, manager, project, tmp_path):
    names(project)
    path = tmp_path / "again.jsonl"
    path.write_bytes(b"".join(client.get(f"{written(client)}file/").streaming_content))
    other = make_project(slug="other")
    call_command("import_knowledge_base", str(path), project="other", stdout=io.StringIO())
    assert other.entities.count() == 3


@pytest.mark.parametrize(
    ("campaign", "told"),
    [
        ("", "has no complete run"),
        ("nowhere", "has no campaign 'nowhere'"),
        ("--help", "has no campaign '--help'"),
        ("a b", "has no complete run"),
    ],
)
def test_what_can_not_be_exported_is_told(client, manager, project, campaign, told):
    asked = written(client, "jsonl", campaign)
    assert told in words(client.get(asked))
    assert client.get(f"{asked}file/").status_code == 404


@pytest.mark.parametrize(
    ("visitor", "page", "file"),
    [
        ("reviewer", 200, 302),
        ("viewer", 200, 404),
        ("other manager", 404, 404),
        ("stranger", 404, 404),
        ("worker", 302, 302),
        ("nobody", 302, 302),
    ],
)
def test_known_answers_leave_with_those_alone_who_see_them(client, project, visitor, page, file):
    campaign = names(project)
    if visitor in ("reviewer", "viewer"):
        client.force_login(make_member(project, visitor).user)
    elif visitor == "other manager":
        client.force_login(make_member(make_project()).user)
    elif visitor == "stranger":
        client.force_login(User.objects.create_user("stranger"))
    elif visitor == "worker":
        token = worker_token(make_enrollment(campaign))
        client.defaults["HTTP_AUTHORIZATION"] = f"Worker {token}"
    answer = client.get(PAGE)
    assert answer.status_code == page
    if page == 200:
        assert ("Download" in words(answer)) is (file == 302)
        assert "/next/" not in words(answer)
    answer = client.post(FILE)
    assert answer.status_code == file
    if file == 302 and page == 200:
        do_jobs()
        assert client.get(answer.url).status_code == 200
        assert client.get(f"{answer.url}file/").getvalue()


@pytest.mark.parametrize("address", ["knowledge.csv", "knowledge.", "knowledge"])
def test_other_forms_there_are_none(client, manager, project, address):
    answer = client.post(f"/manage/projects/letters/{address}")
    assert answer.status_code in (301, 404, 405)


def test_number_of_queries_does_not_grow(client, manager, project, django_assert_max_num_queries):
    for number in range(4):
        names(project, f"names-{number}")
        make_campaign(project, interface="linking")
    with django_assert_max_num_queries(6 + PROJECT_BAR):  # session, user, project, role, and two
        assert client.get(PAGE).status_code == 200
