"""An interface is its module, its script and style sheet, and one line in REGISTRY."""

from __future__ import annotations

import importlib
import inspect

import pytest
from django.core.exceptions import ValidationError

from annotation.interfaces import REGISTRY, Categorical, Interface, task_name
from annotation.interfaces.wording import shortened
from annotation.models import Campaign
from tests.toy_interface import MODULE


def offered(protocol: type) -> list[str]:
    return [name for name in vars(protocol) if not name.startswith("_")]


@pytest.mark.parametrize(
    ("protocol", "number", "kinds"),
    [
        (Interface, 9, [*REGISTRY, "stars"]),
        (Categorical, 3, ["choice", "relation", "stars"]),
    ],
    ids=["Interface", "Categorical"],
)
def test_interfaces_offer_all_of_their_protocol(protocol, number, kinds):
    assert len(offered(protocol)) == number
    for kind in kinds:
        module = importlib.import_module(REGISTRY.get(kind, MODULE))
        assert isinstance(module.VERSION, int)
        for name in offered(protocol):
            expected = list(inspect.signature(getattr(protocol, name)).parameters)[1:]  # no self
            assert list(inspect.signature(getattr(module, name)).parameters) == expected, name


def test_an_interface_that_is_not_registered_is_refused():
    with pytest.raises(ValidationError, match="'stars' is not"):
        Campaign(interface="stars").clean_fields(exclude=["project"])


@pytest.mark.parametrize(
    ("kind", "payload", "name"),
    [
        ("relation", {"subject": {"name": "Ada"}, "object": {"name": "Bob"}}, "“Ada” and “Bob”"),
        ("relation", {"subject": {"start": 0, "end": 3}, "object": {"name": "Bob"}}, ""),
        ("linking", {"mentions": [{"name": "Ada"}, {"name": "A."}]}, "“Ada” and “A.”"),
        ("linking", {"mentions": [{"name": "Ada"}, {"name": "Ada"}]}, "“Ada”"),
        ("choice", {"text": "Grass is green."}, "Grass is green."),
        ("choice", {"pair": [{"title": "Q", "text": "Who?"}, "Ada."]}, "Who?"),
        ("choice", {"image": {"file": "x.png", "alt": "A street"}}, "A street"),
        ("choice", {}, ""),
        ("entity", {}, ""),
    ],
)  # fmt: skip
def test_a_task_has_a_name_that_people_read(kind, payload, name):
    assert str(task_name(kind, payload)) == name


def test_a_long_name_is_cut_between_words():
    name = "Theirs began on time although we all were late running at the very last bell."
    assert shortened(name) == "Theirs began on time although…at the very last bell."
    assert shortened("a" * 61) == f"{'a' * 30}…{'a' * 29}"
