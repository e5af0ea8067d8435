"""What a campaign's quality page says, and what it leaves open."""

from __future__ import annotations

import re

import pytest

from aggregation.actions.runs import aggregate
from annotation.models import Demand, GoldQuestion
from tests.aggregation.crowds import tagged_task
from tests.dashboard import SECTION
from tests.factories import make_campaign, make_enrollment, make_member, make_task

pytestmark = pytest.mark.django_db

NAMES = "B-PER I-PER O B-PER O B-LOC O O O"
FEWER = "B-PER I-PER O O O B-LOC O O O"


@pytest.fixture
def campaign():
    return make_campaign(gold_every=5)


@pytest.fixture
def manager(client, campaign):
    user = make_member(campaign.project).user
    client.force_login(user)
    return user


def page(client, campaign, status=200) -> str:
    answer = client.get(f"/manage/campaigns/{campaign.slug}/quality/")
    assert answer.status_code == status
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def figures(text: str) -> list[str]:
    """Of the four panels: the heading without its explanation, then what stands below."""
    panels = (
        text.split('aria-label="Figures"')[1].split("</section>")[0].split('<h2 class="q">')[1:]
    )
    explained = re.compile(r"<details.*?</details>")
    return [" ".join(re.sub(r"<[^>]+>", " ", explained.sub("", panel)).split()) for panel in panels]


def test_without_gold_it_says_so_in_the_place_of_the_figure(client, manager, campaign):
    text = page(client, campaign)
    assert "Not checked against gold.</b> This campaign has no gold questions." in text
    assert "Import gold questions</a>" in text
    f1, answers, agreement, error = figures(text)
    assert f1.startswith("Consensus against gold not checked against gold The labels are compared")
    assert answers == "Single answers on gold no answer to hidden gold yet"
    assert agreement == "Agreement told once a run has been made"
    assert error == "Calibration error not checked against gold"
    for _ in range(3):
        tagged_task(campaign, NAMES, FEWER)
    aggregate(campaign, "mv-token")
    text = page(client, campaign)
    assert "Not checked against gold.</b>" in text
    assert "set on news articles" not in text  # of a vote nothing was measured
    assert re.search(r"Agreement, α of words \.\d\d \.\d\d–[.1]\d", figures(text)[2])
    assert 'id="types-title"' not in text


def test_where_the_confidence_of_spans_comes_from_news_alone_pages_say_so(
    client, manager, campaign
):
    for _ in range(3):
        tagged_task(campaign, NAMES, FEWER)
    aggregate(campaign, "bsc-cm")
    assert "How sure a span is was set on news articles alone." in page(client, campaign)
    overview = client.get(f"/manage/campaigns/{campaign.slug}/").text
    assert "right on news articles" in overview  # behind the question mark of the histogram


def test_run_that_was_compared_with_gold_is_told_by_type(client, manager, campaign):
    for _ in range(4):
        tagged_task(campaign, FEWER, FEWER, gold=NAMES)
    aggregate(campaign, "mv-token")
    text = page(client, campaign)
    assert "The labels of 4 gold documents were compared with known answers: too few" in text
    f1, _, _, error = figures(text)
    assert f1.startswith("F1 of spans, strict .80 .")
    assert "not checked against gold" in f1
    tagged_task(campaign, FEWER, FEWER, gold=NAMES)
    run = aggregate(campaign, "mv-token")
    text = page(client, campaign)
    assert "ot checked against gold" not in text
    f1, _, _, error = figures(text)
    assert re.match(r"F1 of spans, strict \.80 \.\d\d–\.\d\d precision 1\.00 \(", f1)
    assert "5 gold documents, mv-token of" in f1
    assert f"/runs/{run.key}/" in text
    assert error.startswith("Calibration error 0.0 points")  # all spans found are right, and sure
    assert "· by chance alone 0.0" in error
    assert "10 spans on gold" in error
    types = text.split('id="types-title"')[1].split("</section>")[0]
    types, lost = types.split('id="found-title"')
    assert re.findall(r'class="type type-\d+">(\w+)<', types) == ["PER", "LOC"]
    assert 'aria-label=".67, .' in types
    assert "0 to 1, 95 %" in types  # an interval goes below one half
    assert "PER, LOC: fewer than 30 spans in gold" in lost
    found = [" own", "", " much", "", " own", ""]
    assert re.findall(r'<td class="num( own| much|)">', lost) == found


def test_calibration_is_told_of_spans_and_of_words_apart(client, manager, campaign):
    for _ in range(5):
        tagged_task(campaign, FEWER, FEWER, gold=NAMES)
    run = aggregate(campaign, "mv-token")
    spans = {"span_error": 0.042, "word_error": 0.031, "expected_f1": 0.87, "f1": 0.8}
    facts = run.diagnostics | {"spans": run.diagnostics["spans"] | spans | {"outside_error": 0.004}}
    type(run).objects.filter(pk=run.pk).update(diagnostics=facts)
    text = page(client, campaign)
    parts = text.split('id="parts-title"')[1].split("</section>")[0]
    rows = re.findall(r'<th scope="row">([^<]+)</th><td class="num">([^<]+)</td>', parts)
    assert rows == [("Spans", "4.2"), ("Words in spans", "3.1"), ("Words outside", "0.4")]
    assert "F1 of spans: .87 expected by these confidences, .80 true." in parts
    facts["spans"] = {"temperature": 2.3, "stated": 2.3}  # gold could tell nothing of spans
    type(run).objects.filter(pk=run.pk).update(diagnostics=facts)
    assert 'id="parts-title"' not in page(client, campaign)


def test_agreement_tells_of_such_workers_where_the_run_does(client, manager, campaign):
    tagged_task(campaign, NAMES, FEWER)
    run = aggregate(campaign, "mv-token")
    assert "such workers" not in figures(page(client, campaign))[2]
    facts = run.diagnostics | {
        "agreement": [
            ["Krippendorff's alpha", 0.74, 0.71, 0.77],
            ["alpha about such workers", 0.74, 0.69, 0.78],
        ]
    }
    type(run).objects.filter(pk=run.pk).update(diagnostics=facts | {"tasks": 200})
    assert figures(page(client, campaign))[2] == (
        "Agreement, α of words .74 .71–.77 between these workers, 95 % · such workers .69–.78"
    )
    type(run).objects.filter(pk=run.pk).update(diagnostics=facts | {"tasks": 199})
    assert figures(page(client, campaign))[2] == (
        "Agreement, α of words .74 .71–.77 between these workers, 95 %, rough: fewer than 200 "
        "tasks · such workers .69–.78"
    )


def test_suspicious_questions_stand_on_it_and_the_others_are_a_press_away(
    client, manager, campaign
):
    for number in range(7):
        task = make_task(campaign, kind=Demand.Kind.HIDDEN, external_id=f"q-{number}")
        GoldQuestion.objects.create(task=task, answer={"mentions": [], "entities": []})
    text = page(client, campaign)
    assert "7 hidden · 0 practice · 0 exam" in text
    assert len(set(re.findall(r"gold/questions/(q-\d)/", text))) == 5
    assert f'href="/manage/campaigns/{campaign.slug}/gold/">All gold questions' in text
    assert "No known answer is of a task drawn at random" in text
    assert "· 0 drawn at random" in text
    GoldQuestion.objects.update(drawn="random")
    assert "Nobody has answered a gold question yet." in page(client, campaign)


def test_single_answers_have_their_own_figure(client, manager, campaign):
    for right in (1, 2, 3):
        make_enrollment(campaign, submitted=9, gold_seen=4, gold_score_sum=right)
    assert figures(page(client, campaign))[1].startswith("Single answers on gold .50 .")


def test_who_may_not_see_gold_is_not_told_of_the_page(client, campaign):
    client.force_login(make_member(campaign.project, "viewer").user)
    page(client, campaign, status=404)
    client.force_login(make_member(campaign.project, "reviewer").user)
    assert "Import gold questions" not in page(client, campaign)


def test_number_of_queries_does_not_grow(client, manager, campaign, django_assert_num_queries):
    queries = 19  # session, user, campaign, role; the seven of the state; eight of the page
    for size in (1, 8):
        for number in range(size):
            task = make_task(campaign, kind=Demand.Kind.HIDDEN, external_id=f"q-{size}-{number}")
            GoldQuestion.objects.create(task=task, answer={"mentions": [], "entities": []})
            tagged_task(campaign, NAMES, FEWER, gold=NAMES)
        aggregate(campaign, "mv-token")
        with django_assert_num_queries(queries + SECTION):
            page(client, campaign)
