"""Tasks of a campaign where the consensus and a plain vote differ."""

import csv
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from aggregation.actions.differing import differing
from aggregation.actions.runs import aggregate
from aggregation.models import AggregationRun, Consensus
from aggregation.queries import latest_run
from dashboard.results.downloads import DownloadForm
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers
from tests.factories import make_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def _answers():
    """Two workers who always agree, three who guess; in five tasks the three say another thing."""
    rows = []
    for i in range(12):
        says = ("yes", "no")[i % 2]
        other = ("no", "yes")[i % 2]
        rows.append([says, says, *(other if (i >> k) & 1 else says for k in range(3))])
    return rows + [["yes", "yes", "no", "no", "no"]] * 5


@pytest.fixture
def campaign(_answers):
    found, workers = choice_campaign(), make_workers(5)
    for row in _answers:
        choice_task(found, *row, workers=workers)
    return found


def told(name, *arguments):
    out = StringIO()
    call_command(name, *map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue()


def asked_for(campaign, path):
    told("export_annotations", "--campaign", campaign.slug, "--what", "differing", "--format",
         "csv", "--out", path)  # fmt: skip
    with path.open() as file:
        return list(csv.DictReader(file))


def chosen(campaign):
    rows = Consensus.objects.filter(run__key=latest_run(campaign).key).order_by("task")
    return [answer["choice"] for answer in rows.values_list("answer", flat=True)][-5:]


def test_they_are_named_and_their_answers_decide(campaign, tmp_path):
    aggregate(campaign, "one-coin")
    assert chosen(campaign) == ["yes"] * 5
    rows = asked_for(campaign, tmp_path / "differ.csv")
    assert list(rows[0]) == ["item", "document", "method", "vote", "gold", "drawn"]
    disputed = [row for row in rows if (row["method"], row["vote"]) == ("yes", "no")]
    assert len(disputed) >= 5
    assert {row["item"] for row in rows} <= {*campaign.tasks.values_list("external_id", flat=True)}

    known = tmp_path / "known.csv"
    for right, taken in (("method", "yes"), ("vote", "no")):
        known.write_text("item,gold\n" + "".join(f"{row['item']},{row[right]}\n" for row in rows))
        said = told("aggregate", "--campaign", campaign.slug, "--method", "one-coin", "--known",
                    known)  # fmt: skip
        assert f"of {len(rows)} known answers where the two differ one-coin has " in said
        assert ("The vote is taken" in said) == (right == "vote")
        assert chosen(campaign) == [taken] * 5
    assert latest_run(campaign).method == "majority"


def test_it_takes_a_fixed_number_of_queries(campaign, django_assert_max_num_queries):
    aggregate(campaign, "one-coin")
    run = latest_run(campaign)
    with django_assert_max_num_queries(6):
        found = differing(campaign, run)
    assert found == differing(campaign, run)  # the same whenever it is asked for


def test_what_can_not_be_compared_is_told(campaign, tmp_path):
    with pytest.raises(CommandError, match="has no complete run"):
        asked_for(campaign, tmp_path / "differ.csv")
    known = tmp_path / "known.csv"
    known.write_text("item,gold\nnowhere,yes\n")
    with pytest.raises(CommandError, match=r"'nowhere' is no task of 'campaign-\d+'"):
        told("aggregate", "--campaign", campaign.slug, "--known", known)
    assert AggregationRun.objects.complete().count() == 1  # what was asked for is there
    with pytest.raises(CommandError, match="Use --format csv"):
        told("export_annotations", "--campaign", campaign.slug, "--what", "differing")
    with pytest.raises(CommandError, match="can't be opened: No such file"):
        told("aggregate", "--campaign", campaign.slug, "--known", tmp_path / "none.csv")


def test_the_page_offers_it_for_choices_alone(campaign):
    names = [name for name, _ in DownloadForm(campaign).fields["what"].choices]
    assert names[-1] == "differing"
    assert DownloadForm(campaign, {"what": "differing", "format": "csv"}).is_valid()
    form = DownloadForm(campaign, {"what": "differing", "format": "jsonl"})
    assert "a table to be filled in" in str(form.errors)
    others = [name for name, _ in DownloadForm(make_campaign()).fields["what"].choices]
    assert "differing" not in others
