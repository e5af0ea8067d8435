"""Where an entry that nothing describes was seen."""

from __future__ import annotations

import pytest

from annotation.models import Entity
from annotation.queries.entry_places import Seen, seen_in_text
from tests.factories import make_document, make_project

pytestmark = pytest.mark.django_db


def test_an_entry_is_told_by_its_sentence(django_assert_num_queries):
    project, rain = make_project(), "Rain fell. " * 30
    start = len(rain)
    text = f"{rain}Ada of Kent, as all called her, sang. {rain}"
    make_document(project, text, external_id="kent", title="Fairs of Kent")
    make_document(project, "Ada wrote " + "to her mother " * 90, external_id="plain", title="plain")
    make_document(make_project(), "Ada slept.", external_id="elsewhere")

    def entry(key, name="Ada", **fields):
        return Entity(project=project, key=key, name=name, **fields)

    kent = entry(f"kent:{start}-{start + 3}", "Ada King", aliases=["ADA"])
    others = [
        entry("plain:4-9"),  # another word stands there
        entry("plain:0-3", description="A letter"),
        entry("gone:0-3"), entry("elsewhere:0-3"), entry("kent:9-3"), entry("Q42"),
    ]  # fmt: skip
    with django_assert_num_queries(1):
        seen = seen_in_text(project.pk, [kent, *others])
    assert seen == {kent.key: Seen("Ada of Kent, as all called her, sang.", "Fairs of Kent")}
    # Of a long sentence a part; and no title that is the id again.
    (letter,) = seen_in_text(project.pk, [entry("plain:0-3")]).values()
    assert (letter.sentence[:15], letter.sentence[-2:], letter.document) == (
        "Ada wrote to he", " …", "",
    )  # fmt: skip
    assert len(letter.sentence) < 170
    with django_assert_num_queries(0):
        assert seen_in_text(project.pk, others[-1:]) == {}
