"""A name that is read from the right doesn't turn round what stands beside it."""

from html.parser import HTMLParser

import pytest

from aggregation.actions.runs import aggregate
from annotation.models import Enrollment
from tests.aggregation.crowds import choice_campaign, choice_task, make_workers
from tests.factories import make_member, make_worker

pytestmark = pytest.mark.django_db

NAME = "مريم حداد"
WITHOUT_END = {"input", "img", "br", "meta", "link", "hr", "col", "wbr", "source"}
NO_MARKUP = {"title", "option", "script"}  # the browser shows no element within these


class Names(HTMLParser):
    """Where the name stands in a page: among them, the elements that don't set it apart."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.around: list[tuple[str, bool]] = []
        self.found, self.loose = 0, []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag not in WITHOUT_END:
            self.around.append((tag, tag == "bdi" or dict(attrs).get("dir") == "auto"))

    def handle_endtag(self, tag):
        while self.around and self.around.pop()[0] != tag:
            pass

    def handle_data(self, text):
        if NAME in text and not NO_MARKUP & {tag for tag, _ in self.around}:
            self.found += 1
            if not any(apart for _, apart in self.around):
                self.loose.append([tag for tag, _ in self.around])


def test_an_arabic_workers_name_is_set_apart_wherever_it_stands(client):
    campaign, workers = choice_campaign(), [*make_workers(2), make_worker(external_id=NAME)]
    for _ in range(3):
        choice_task(campaign, "yes", "yes", "no", workers=workers)
    aggregate(campaign, "dawid-skene")
    client.force_login(make_member(campaign.project).user)
    own = f"/manage/campaigns/{campaign.slug}/"
    key = Enrollment.objects.get(worker=workers[-1]).key
    for address in (
        f"{own}workers/", f"{own}workers/{key}/", f"{own}results/", f"/manage/go/?q={NAME}",
    ):  # fmt: skip
        answer = client.get(address)
        assert answer.status_code == 200, address
        names = Names(answer.content.decode())
        assert names.found, address
        assert not names.loose, address
