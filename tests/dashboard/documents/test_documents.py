import pytest
from django.utils import timezone

from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun, Consensus
from annotation.models import Campaign, Demand, Document, Entity, GoldQuestion
from annotation.models.pseudonyms import short_pseudonym
from dashboard.documents import queries
from tests.aggregation.crowds import choice_campaign, choice_task, tagged_task
from tests.dashboard import CAMPAIGN_BAR, PROJECT_BAR
from tests.factories import (
    make_campaign,
    make_document,
    make_import,
    make_member,
    make_project,
    make_task,
    make_worker,
)

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
FEWER = "B-PER I-PER O O O B-LOC O O O"
PROLIFIC = "5f8a1b2c3d4e5f6a7b8c9d0e"  # an id as that platform makes them
OTHERS = "O O O B-LOC O B-LOC O O O"


@pytest.fixture
def campaign():
    return make_campaign()


@pytest.fixture
def manager(client, campaign):
    client.force_login(make_member(campaign.project, "manager").user)


def listed(client, of, **fields: str) -> str:
    answer = client.get(f"/manage/projects/{of.project.slug}/documents/", fields)
    assert answer.status_code == 200
    return " ".join(answer.text.split())


def shown(client, document: Document, **fields: str) -> str:
    answer = client.get(
        f"/manage/projects/{document.project.slug}/documents/{document.external_id}/", fields
    )
    assert answer.status_code == 200
    return " ".join(answer.text.split())


# --- The list -----------------------------------------------------------------------------------


def test_documents_stand_with_their_answers_and_confidence(client, manager, campaign):
    task = tagged_task(campaign, NAMES, FEWER)
    aggregate(campaign, "mv-token")
    text = listed(client, campaign)
    assert task.document.external_id in text
    assert 'data-l="Answers">2</td> <td data-l="Confidence" class="num">.91</td>' in text


def test_a_text_that_is_its_own_title_is_told_once(client, manager, campaign):
    make_document(campaign.project, "Visitors may sit on it.", title="Visitors may sit on it.")
    assert listed(client, campaign).count("Visitors may sit on it.") == 1


def test_documents_that_wait_for_answers_are_picked_out_for_who_may_see_gold(
    client, manager, campaign
):
    waiting = make_task(campaign, make_document(campaign.project))
    full = {"wanted": 1, "open": 0, "received": 1, "ready": False}
    done = make_task(campaign, make_document(campaign.project), demand=full)
    for show, there, gone in (("unfinished", waiting, done), ("finished", done, waiting)):
        text = listed(client, campaign, show=show)
        assert f"<bdi>{there.document.external_id}</bdi>" in text
        assert f"<bdi>{gone.document.external_id}</bdi>" not in text
    client.force_login(make_member(campaign.project, "viewer").user)
    text = listed(client, campaign, show="finished")
    assert f"<bdi>{waiting.document.external_id}</bdi>" in text
    assert "Waiting for answers" not in text


def test_a_campaign_that_asks_about_no_document_is_not_the_one_that_is_shown(
    client, manager, campaign
):
    make_campaign(campaign.project, interface="choice", name="Notes that came by themselves")
    assert f'Answers of <a href="/manage/campaigns/{campaign.slug}/">' in listed(client, campaign)


def test_most_uncertain_come_first(client, manager, campaign):
    sure = tagged_task(campaign, NAMES, NAMES).document.external_id
    doubtful = tagged_task(campaign, NAMES, OTHERS).document.external_id
    aggregate(campaign, "mv-token")
    text = listed(client, campaign, order="uncertain")
    assert text.index(f"<bdi>{doubtful}<") < text.index(f"<bdi>{sure}<")
    text = listed(client, campaign)
    assert text.index(f"<bdi>{sure}<") < text.index(f"<bdi>{doubtful}<")


@pytest.mark.parametrize("order", ["name", "uncertain"])
def test_list_is_paged_and_every_document_stands_on_one_page(
    client, manager, campaign, order, monkeypatch
):
    monkeypatch.setattr(queries, "ROWS", 2)
    names = {
        tagged_task(campaign, *answers).document.external_id
        for answers in ([NAMES, NAMES], [NAMES, FEWER], [NAMES, OTHERS], [NAMES, NAMES], [FEWER])
    }
    aggregate(campaign, "mv-token")
    seen: list[str] = []
    fields = {"order": order}
    while True:
        found = queries.document_list(
            campaign.project, uncertain_first=order == "uncertain", after=fields.get("after", "")
        )
        seen += [row.id for row in found.rows]
        assert ('rel="next"' in listed(client, campaign, **fields)) is bool(found.following)
        if not found.following:
            break
        fields["after"] = found.following
    assert len(seen) == 5
    assert set(seen) == names


@pytest.mark.parametrize("order", ["name", "uncertain"])
def test_search_looks_into_names_titles_and_texts(client, manager, campaign, order):
    tagged_task(campaign, NAMES)
    letter = tagged_task(campaign, NAMES).document
    Document.objects.filter(pk=letter.pk).update(title="A letter from Ada")
    other = tagged_task(campaign, "O O", text="Nothing here", sentences=[[0, 2]]).document
    aggregate(campaign, "mv-token")
    assert f"{other.external_id}<" not in listed(client, campaign, q="LETTER", order=order)
    assert "A letter from Ada" in listed(client, campaign, q="letter", order=order)
    assert f"{other.external_id}<" in listed(client, campaign, q="nothing", order=order)
    assert "No document has “zebra”" in listed(client, campaign, q="zebra", order=order)


def test_texts_of_very_many_documents_are_not_searched_and_the_page_says_so(
    client, manager, campaign, monkeypatch
):
    monkeypatch.setattr(queries, "SEARCHED_TEXTS", 2)
    letter = tagged_task(campaign, NAMES).document
    Document.objects.filter(pk=letter.pk).update(title="A letter")
    tagged_task(campaign, NAMES)
    assert letter.external_id in listed(client, campaign, q="Babbage")
    tagged_task(campaign, NAMES)
    aggregate(campaign, "mv-token")
    for order in ("name", "uncertain"):
        text = listed(client, campaign, q="Babbage", order=order)
        assert "has “Babbage” in its name or its title." in text
        assert "too many documents to look through their texts" in text
        assert letter.external_id in listed(client, campaign, q="LETTER", order=order)


def test_campaign_can_be_chosen_and_a_wrong_one_is_the_newest(client, manager, campaign):
    newer = make_campaign(campaign.project, name="The newer")
    tagged_task(campaign, NAMES)
    assert f'value="{campaign.slug}" selected' in listed(client, campaign, campaign=campaign.slug)
    assert f'value="{newer.slug}" selected' in listed(client, campaign, campaign="nothing")
    Campaign.objects.filter(pk=newer.pk).update(state="draft")
    assert f'value="{campaign.slug}" selected' in listed(client, campaign)


def test_documents_of_an_import_that_goes_on_are_not_listed(client, manager, campaign):
    running = make_import(campaign.project, state="running")
    document = make_document(campaign.project, import_run=running)
    assert "has no documents yet" in listed(client, campaign)
    address = f"/manage/projects/{campaign.project.slug}/documents/{document.external_id}/"
    assert client.get(address).status_code == 404


def test_list_takes_the_same_number_of_queries_however_long(
    client, manager, campaign, django_assert_max_num_queries
):
    for _ in range(5):
        tagged_task(campaign, NAMES, FEWER)
    aggregate(campaign, "mv-token")
    for order in ("name", "uncertain"):
        with django_assert_max_num_queries(11 + PROJECT_BAR):
            listed(client, campaign, order=order)


# --- One document -------------------------------------------------------------------------------


def test_answers_are_lanes_under_the_words_and_the_consensus_is_above(client, manager, campaign):
    anna, ben = make_worker(external_id="anna"), make_worker(external_id="ben")
    task = tagged_task(campaign, NAMES, OTHERS, NAMES, workers=[anna, ben, make_worker()])
    aggregate(campaign, "mv-token")
    text = shown(client, task.document)
    places = [text.index(part) for part in ("lane-consensus", '<p class="words"', "lane-worker")]
    assert places == sorted(places)
    assert "<bdi>anna</bdi>" in text
    assert 'class="piece from-1 to-3 type-1 starts ends' in text
    assert 'class="doubt-1" title="B-PER 67% · B-LOC 33%"' in text
    assert "Babbage" in text
    assert ">.67<" in text  # of Babbage, in the table


def test_table_holds_who_marked_what(client, manager, campaign):
    anna, ben = make_worker(external_id="anna"), make_worker(external_id="ben")
    task = tagged_task(campaign, NAMES, OTHERS, workers=[anna, ben])
    text = shown(client, task.document).split("Who marked what", 1)[1]
    assert "<bdi>Ada Lovelace</bdi>" in text
    assert "<bdi>anna</bdi>, <bdi>ben</bdi>" in text  # London
    assert "Consensus" not in text  # nothing was aggregated


def test_links_are_told_by_name(client, manager, campaign):
    Entity.objects.create(project=campaign.project, key="Q7", name="Countess of Lovelace")
    mention = {"id": "m1", "start": 0, "end": 12, "type": "PER", "entity": "e1"}
    entity = {"id": "e1", "canonical": "m1", "link": "Q7", "value": None}
    answer = {"mentions": [mention], "entities": [entity], "unlabelled": [[13, 16]]}
    task = tagged_task(campaign, answer)
    text = shown(client, task.document)
    assert "is Countess of Lovelace (Q7)" in text
    assert "unlabelled" in text


def test_gold_is_a_lane_unless_it_was_retired(client, manager, campaign):
    task = tagged_task(campaign, NAMES, gold=OTHERS)
    assert "lane-gold" in shown(client, task.document)
    question = GoldQuestion.objects.create(task=task, answer={"tags": NAMES.split()})
    assert "lane-gold" in shown(client, task.document)
    question.retired_at = timezone.now()
    question.save()
    assert "lane-gold" not in shown(client, task.document)


def test_answers_beyond_the_first_lanes_are_on_the_next_page(
    client, manager, campaign, monkeypatch
):
    monkeypatch.setattr("dashboard.documents.document.LANES", 2)
    monkeypatch.setattr("dashboard.documents.views.LANES", 2)
    workers = [make_worker(external_id=f"worker-{letter}") for letter in "abc"]
    task = tagged_task(campaign, NAMES, NAMES, NAMES, workers=workers)
    first, second = shown(client, task.document), shown(client, task.document, **{"from": "3"})
    assert "Answers 1 to 2 of 3." in first
    assert "from=3" in first
    assert "worker-c" not in first
    assert "worker-c" in second
    assert "from=1" in second
    assert "Answers 1 to 2 of 3." in shown(client, task.document, **{"from": "nonsense"})


def test_choices_are_a_table_with_the_consensus(client):
    campaign = choice_campaign()
    client.force_login(make_member(campaign.project, "manager").user)
    task = choice_task(campaign, "yes", "yes", "unsure", gold="no")
    aggregate(campaign, "majority")
    text = shown(client, task.document)
    assert "<dt>yes</dt><dd>.67</dd>" in text
    assert text.count("<td>yes</td>") == 2
    assert "Gold: <strong>no</strong>" in text
    assert "lane-worker" not in text


def test_consensus_of_a_run_without_classes_is_shown_without_doubt(client, manager, campaign):
    task = tagged_task(campaign, NAMES)
    aggregate(campaign, "mv-token")
    AggregationRun.objects.update(classes=[])
    Consensus.objects.update(probabilities=b"")
    assert "lane-consensus" in shown(client, task.document)


def test_campaign_is_chosen_by_the_address(client, manager, campaign):
    task = tagged_task(campaign, NAMES, workers=[make_worker(external_id="anna")])
    newer = make_campaign(campaign.project)
    make_task(newer, task.document)
    assert "Nobody has answered yet" in shown(client, task.document)
    assert "anna" in shown(client, task.document, campaign=campaign.slug)


def test_document_without_a_campaign_and_one_without_words_are_told(client, manager, campaign):
    text = shown(client, make_document(campaign.project))
    assert "No campaign has asked" in text
    assert "Lovelace" in text
    assert "has no words" in shown(client, make_document(campaign.project, ""))


@pytest.mark.parametrize("name", ["a/b c", "ü%20?#", "42/"])
def test_any_name_of_a_document_can_be_an_address(client, manager, campaign, name):
    make_document(campaign.project, external_id=name)
    text = listed(client, campaign)
    address = text.split('<th scope="row" class="main"> <a href="')[1].split("?")[0]
    assert client.get(address).status_code == 200


def test_name_with_a_nul_is_no_document(client, manager, campaign):
    address = f"/manage/projects/{campaign.project.slug}/documents/a%00b/"
    assert client.get(address).status_code == 404
    assert listed(client, campaign, q="a\0b", after="c\0")


def test_texts_and_names_are_escaped(client, manager, campaign):
    task = tagged_task(
        campaign, "B-PER O", text="<script>alert(1)</script> it", sentences=[[0, 2]],
        workers=[make_worker(external_id='"><script>alert(2)')],
    )  # fmt: skip
    assert "<script>alert" not in shown(client, task.document)
    assert "<script>alert" not in listed(client, campaign)


def test_document_takes_the_same_number_of_queries_however_many_answers(
    client, manager, campaign, django_assert_max_num_queries
):
    task = tagged_task(campaign, *[NAMES] * 6, gold=NAMES)
    make_task(make_campaign(campaign.project), task.document)
    aggregate(campaign, "mv-token")
    assert Consensus.objects.filter(task=task).exists()
    with django_assert_max_num_queries(12 + CAMPAIGN_BAR):
        shown(client, task.document, campaign=campaign.slug)


# --- Who may see what ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "gold"), [("manager", True), ("reviewer", True), ("viewer", False)]
)
def test_members_read_and_viewers_see_no_gold(client, campaign, role, gold):
    task = tagged_task(campaign, NAMES, gold=OTHERS)
    choice = choice_campaign()
    question = choice_task(choice, "yes", gold="no")
    for project in (campaign.project, choice.project):
        user = make_member(project, role).user
        client.force_login(user)
        target = task if project == campaign.project else question
        text = shown(client, target.document)
        assert ("lane-gold" in text or "Gold: " in text) is gold
    client.force_login(make_member(campaign.project, role).user)
    listed(client, campaign)


def answers_told(text: str, document: Document) -> str:
    row = text.split(f"<bdi>{document.external_id}</bdi>")[1]
    return row.split('<td class="num" data-l="Answers">')[1].split("<")[0]


@pytest.mark.parametrize(
    ("role", "gold"), [("manager", True), ("reviewer", True), ("viewer", False)]
)
@pytest.mark.parametrize("kind", [Demand.Kind.HIDDEN, Demand.Kind.TRAINING])
def test_answers_to_gold_tasks_are_for_those_who_see_gold(client, campaign, role, gold, kind):
    plain = tagged_task(campaign, NAMES, NAMES, OTHERS).document
    tested = tagged_task(campaign, *[NAMES] * 4, OTHERS)
    Demand.objects.filter(task=tested).update(kind=kind)
    aggregate(campaign, "mv-token")
    client.force_login(make_member(campaign.project, role).user)

    text = listed(client, campaign)
    assert answers_told(text, plain) == "3"
    assert answers_told(text, tested.document) == ("5" if gold else "0")
    assert tested.document.external_id not in listed(client, campaign, order="uncertain")
    assert "lane-worker" in shown(client, plain)
    text = shown(client, tested.document)
    assert ("lane-worker" in text) is gold
    assert ("No campaign has asked" in text) is not gold


@pytest.mark.parametrize(
    ("role", "ids"), [("manager", True), ("reviewer", False), ("viewer", False)]
)
def test_ids_of_platforms_are_for_those_who_see_earnings(client, campaign, role, ids):
    named = make_worker(external_id="5f8a1b2c3d4e5f6a7b8c9d0f", display_name="Anna B.")
    workers = [make_worker(external_id=PROLIFIC), named]
    task = tagged_task(campaign, NAMES, NAMES, workers=workers)
    choice = choice_campaign()
    question = choice_task(choice, "yes", "no", workers=workers)
    for target in (task, question):
        client.force_login(make_member(target.campaign.project, role).user)
        text = shown(client, target.document)
        pseudonym = short_pseudonym(workers[0].enrollments.get(campaign=target.campaign))
        assert (PROLIFIC in text) is ids
        assert (pseudonym in text) is not ids
        assert "<bdi>Anna B.</bdi>" in text
        assert named.external_id not in text


def test_strangers_are_told_that_there_is_nothing_and_anonymous_are_sent_to_the_log_in(
    client, campaign
):
    document = make_document(campaign.project)
    addresses = [
        f"/manage/projects/{campaign.project.slug}/documents/",
        f"/manage/projects/{campaign.project.slug}/documents/{document.external_id}/",
    ]
    for address in addresses:
        assert client.get(address).url.startswith("/login/?next=/manage/projects/")
    client.force_login(make_member(make_project()).user)
    for address in addresses:
        assert client.get(address).status_code == 404


def test_document_of_another_project_is_not_shown(client, manager, campaign):
    other = make_document(make_project())
    address = f"/manage/projects/{campaign.project.slug}/documents/{other.external_id}/"
    assert client.get(address).status_code == 404
