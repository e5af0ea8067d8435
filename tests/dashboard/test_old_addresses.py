"""Where pages stood before they had sections still leads to them."""

import pytest
from django.urls import resolve

from dashboard.urls import old_addresses
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db

MOVED = {
    "schema/": "labels/",
    "schema/relations/": "labels/relations/",
    "members/": "people/",
    "members/ada/": "people/ada/",
}


def test_old_addresses_lead_to_where_these_pages_are_now(client):
    client.force_login(make_member(make_project(slug="letters")).user)
    for old, new in MOVED.items():
        answer = client.get(f"/manage/projects/letters/{old}")
        assert (answer.status_code, answer.headers["Location"]) == (
            301, f"/manage/projects/letters/{new}",
        )  # fmt: skip
        assert client.get(answer.headers["Location"], follow=True).status_code == 200


def test_no_old_address_is_left_out_above():
    here = [resolve(f"/manage/projects/letters/{old}").route for old in MOVED]
    assert len(here) == len(set(here)) == len(old_addresses)
