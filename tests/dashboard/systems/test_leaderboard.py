import csv
import io
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from dashboard.charts import Point
from dashboard.systems.board_chart import _names
from evaluation.queries.errors import errors_of
from tests.evaluation.files import TEXT
from tests.evaluation.made import (
    make_evaluated_project,
    make_period,
    make_submission,
    make_submitter,
    make_system,
    make_team,
)
from tests.evaluation.scored import ONE, OTHERS, make_judged, make_snapshot
from tests.factories import make_document, make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def period():
    project = make_evaluated_project()
    document = make_document(project, TEXT, external_id="d1", sentences=[[0, 15]])
    return make_period(project, [document])


@pytest.fixture
def manager(period, client):
    client.force_login(make_member(period.project).user)
    return client


def board(period, name="leaderboard"):
    return reverse(f"manage:{name}", args=[period.project.slug, period.key])


def system(submission):
    period = submission.period
    return reverse("manage:system-scores", args=[period.project.slug, period.key, submission.key])


def words(reply):
    return " ".join(reply.content.decode().split())


def test_a_board_says_who_is_first_how_sure_that_is_and_what_is_not_estimable(period, manager):
    make_snapshot(period, ONE, *OTHERS)
    page = words(manager.get(board(period)))
    places = [page.index(f"<bdi>{name}<") for name in ("falcon", "heron", "owl")]
    assert places == sorted(places)
    assert '<b>.69</b> <span class="pm">.64–.74</span>' in page
    assert "is first beyond doubt (90 %)" in page
    assert page.count("not estimable") == 2  # recall and F1 of owl; never 0, never NaN
    assert "Not estimable for owl: none of its judged claims is correct." in page
    assert "118 of the 500 claims in pool 1 judged" in page
    assert "Judging claims has cost 17.70 USD so far." in page
    assert 'data-l="Claims judged">80 of 200<span class="sub">like 96 at random<' in page
    assert "These are the first scores." in page


def test_systems_that_cannot_be_told_apart_share_their_places(period, manager):
    make_snapshot(period, ONE, ("heron", 0.9, 0.5, 0.66))
    page = words(manager.get(board(period)))
    assert page.count('<td class="num rank">1–2</td>') == 2
    assert (
        "is first with a chance of .50, but can’t be told apart from <bdi>heron</bdi> yet: "
        "judging about 1,240 more claims (186.00 USD) would do it." in page
    )
    told = manager.get(f"/api/evaluations/{period.key}/").json()["metrics"][0]["ties"]
    assert told == [{"first": "falcon", "second": "heron", "labels": 1240, "cost_mills": 186000}]


def test_all_are_compared_with_the_one_that_is_chosen(period, manager):
    _, rows = make_snapshot(period, ONE, *OTHERS)
    page = words(manager.get(board(period), {"against": str(rows[1].key)}))
    assert "Difference to heron" in page
    assert '+.090 <span class="pm">+.040 to +.140</span>' in page
    assert "Difference to" not in words(manager.get(board(period), {"against": "nobody"}))


def test_it_says_which_old_score_moved_and_why(period, manager):
    _, rows = make_snapshot(period, ONE, *OTHERS)
    changes = [{"code": "system.added", "system": "kite"}, {"code": "labels", "number": 12}]
    now = [("falcon", 0.8, 0.5, 0.62), *OTHERS]
    now_made, _ = make_snapshot(period, *now, changes=changes, submissions=rows)
    now_made.pool_version, now_made.documents_mills = "d4e5f6", 9_000
    now_made.save()
    page = words(manager.get(board(period)))
    assert "claims in pool 2 judged" in page
    assert "annotating documents 9.00: 26.70 USD in all." in page
    assert "F1 .69 → <b>.62</b>" in page
    assert "kite was added" in page
    assert "12 claims more are judged." in page


def test_before_the_first_scores_it_says_so(period, manager):
    assert "Nothing is scored yet." in words(manager.get(board(period)))


def with_levels(row):
    """Of the claims that are right half are put right with their types, and none has a link."""
    half = {"value": 0.5, "low": 0.41, "high": 0.59}
    more = {"recall": half | {"value": 0.3}, "f1": half | {"value": 0.345}}
    told = {"types": {"judged": 40, "of_correct": half, "precision": half, **more}}
    row.scores.update(stricter=told)
    return more


def test_a_system_page_shows_what_is_wrong_by_relation_kind_and_in_sentences(period, manager):
    _, rows = make_snapshot(period, ONE, *OTHERS)
    document = period.documents.get()
    with_levels(rows[0])
    make_judged(rows[0], document, 1, relation=0.02)
    make_judged(rows[0], document, 2, relation=0.95, subject_ok=0.9, object_link_ok=0.1)
    make_judged(rows[0], document, 3, relation=0.9, subject_ok=0.2)
    make_judged(rows[0], document, 4, relation=0.97, inclusion=1.0)
    rows[0].report = {"relations": {"per:place_of_birth": 4, "per:title": 196}}
    rows[0].save()
    true = {"relation": "per:place_of_birth", "true": 6.2, "value": 0.5, "low": 0.3, "high": 0.7}
    rows[0].scores.update(relations=[true])
    page = words(manager.get(system(rows[0])))
    assert "answer, almost certainly wrong" not in page
    assert "3 answers, wrong with a chance of .98" in page
    assert "2 of 4 judged claims are wrong" in page  # a wrong link alone leaves the claim right
    for kind in ("wrong relation", "wrong link", "mention cut wrong"):
        assert f"<b>{kind}</b>" in page
    assert "<mark>Ada Lovelace<i>PER</i></mark> was born in <mark>London<i>GPE</i></mark>" in page
    assert "PER → GPE" in page
    for value in (".50", ".30", ".34"):  # precision, recall and F1 with the types right
        assert f'if types must be right too: {value} <span class="pm">.41–.59</span>' in page
    assert "if links must be" not in page
    assert "a claim that was less likely to be drawn stands for more" in page
    assert re.findall(r'data-l="True ones">(\d+)<', page) == ["6", "0"]
    assert page.count("not estimable</span>") == 1  # of the relation that no document has
    assert "none judged" in page
    assert re.findall(r'data-l="Claims">(\d+)<', page) == ["4", "196"]  # judged or not: 200 in all
    # (2 × (.02 + .9 + .2) + .97) / 7, by Wilson's interval for 7² / 6 judgments
    assert '.46 <span class="pm">.22–.72</span>' in page


def test_csv_has_all_of_it_and_no_zero_for_what_is_not_known(period, manager):
    _, systems = make_snapshot(period, ONE, *OTHERS)
    with_levels(systems[0])
    body = b"".join(manager.get(board(period, "leaderboard-file")).streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(body)))
    assert [row["system"] for row in rows] == ["falcon", "heron", "owl"]
    assert (rows[0]["f1"], rows[2]["f1"], rows[2]["recall_low"]) == ("0.69", "", "")
    assert rows[2]["not_estimable"] == "none of its judged claims is correct"
    assert (rows[0]["f1_with_types"], rows[0]["recall_with_types_low"]) == ("0.345", "0.41")
    assert (rows[0]["precision_with_types_high"], rows[0]["f1_with_links"]) == ("0.59", "")
    assert (rows[0]["cost"], rows[0]["snapshot"]) == ("5.900", "1")


def test_a_program_reads_the_same(period, manager):
    _, rows = make_snapshot(period, ONE, *OTHERS)
    more = with_levels(rows[0])
    told = manager.get(f"/api/evaluations/{period.key}/").json()
    assert (told["period"], told["snapshot"], told["level"]) == (period.name, 1, 0.9)
    [metric] = told["metrics"]
    assert (metric["metric"], metric["ordered_by"]) == ("instance", "F1")
    first, _, last = metric["systems"]
    assert first["f1"] == {"value": 0.69, "low": pytest.approx(0.64), "high": 0.74, "why": ""}
    assert (first["places"], first["cost_mills"]) == ([1, 1], 5900)
    assert last["recall"] == {
        "value": None, "low": None, "high": None, "why": "none of its judged claims is correct",
    }  # fmt: skip
    assert last["places"] is None
    assert (first["recall_with_types"], first["f1_with_types"]) == (more["recall"], more["f1"])
    assert (first["judged_with_types"], first["judged_with_links"]) == (40, 0)
    assert first["recall_with_links"] is last["f1_with_types"] is None


def test_periods_lead_to_their_boards(period, manager):
    make_snapshot(period, ONE)
    page = words(manager.get(reverse("manage:evaluation", args=[period.project.slug])))
    assert board(period) in page


@pytest.mark.parametrize("name", ["leaderboard", "leaderboard-file"])
def test_queries_do_not_grow_with_systems_claims_or_snapshots(period, manager, name):
    _, rows = make_snapshot(period, ONE, *OTHERS)
    make_snapshot(period, ONE, *OTHERS, submissions=rows)
    make_judged(rows[0], period.documents.get(), 1)

    def queries(*addresses):
        with CaptureQueriesContext(connection) as told:
            for address in addresses:
                reply = manager.get(address)
                assert reply.status_code == 200
                b"".join(reply.streaming_content if reply.streaming else [reply.content])
        return len(told)

    before = queries(board(period, name), system(rows[0]))
    larger = make_period(period.project, [period.documents.get()])
    many = [(f"system {i}", 0.5, 0.5, 0.5 + i / 100) for i in range(12)]
    _, rows = make_snapshot(larger, *many)
    for _ in range(3):
        make_snapshot(larger, *many, submissions=rows)
    for number in range(10):
        make_judged(rows[0], period.documents.get(), number)
    assert queries(board(larger, name), system(rows[0])) == before


def test_who_sees_a_board_and_a_system(period, client):
    _, rows = make_snapshot(period, ONE, *OTHERS)
    make_judged(rows[0], period.documents.get(), 1)
    stranger = client.get(board(period))
    assert (stranger.status_code, "/login/" in stranger["Location"]) == (302, True)
    submitter = make_submitter(rows[0].system.team)
    client.force_login(submitter)
    page = words(client.get(board(period)))
    assert system(rows[0]) in page
    assert system(rows[1]) not in page
    assert "Campaigns" not in page  # nothing else of the project
    mine = words(client.get(system(rows[0])))
    assert "Sentences are shown once the labels are released." in mine
    assert "was born in" not in mine
    assert client.get(system(rows[1])).status_code == 404
    client.force_login(make_submitter(make_team(make_evaluated_project())))
    assert client.get(board(period)).status_code == 404
    client.logout()
    period.is_public = True
    period.save()
    assert client.get(board(period)).status_code == 200
    assert client.get(system(rows[0])).status_code in (302, 404)


def test_no_name_of_a_chart_lies_on_another_system_s_point():
    points = [
        Point(64, 22, "Lantern"), Point(78, 28, "Dragnet"), Point(30, 3, "Almanac"),
    ]  # fmt: skip
    labels = list(_names([point.title for point in points], points))
    for label in labels:
        width = 2.0 * len(label.text)
        left = label.x - 3 - width if label.anchor == "end" else label.x + 3
        top = label.y + (-9 if label.dy.startswith("-") else 2)
        for point in points:
            inside = left <= point.x <= left + width and top <= point.y <= top + 7
            assert not inside, (label.text, point.title)
    assert len({(one.x, one.anchor, one.dy) for one in labels}) == 3


def test_one_judged_claim_of_several_tells_little_however_likely_it_was_to_be_drawn(period):
    row = make_submission(period, make_system(make_team(period.project)), claims=4)
    row.report = {"relations": {"per:place_of_birth": 4}}
    make_judged(row, period.documents.get(), 1, relation=1.0, inclusion=0.95)
    [born] = errors_of(row, 0.9).relations
    assert (born.judged, born.value) == (1, 1.0)
    assert born.low < 0.4  # it was .88, as of twenty judgments
