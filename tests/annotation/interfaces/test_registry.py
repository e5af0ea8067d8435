"""An interface is its module and one line in REGISTRY."""

from __future__ import annotations

import importlib
import inspect

import pytest

from annotation.actions.projects import label_numbers
from annotation.interfaces import REGISTRY, AnswerError, Interface, interface
from annotation.interfaces.judgments import unpack
from annotation.models import Campaign
from tests.annotation.interfaces.materials import make_material
from tests.factories import make_project

OFFERED = [name for name in vars(Interface) if not name.startswith("_")]


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setitem(REGISTRY, "toy", "tests.annotation.interfaces.toy")
    return interface("toy")


def test_every_kind_of_campaign_has_its_interface():
    assert set(REGISTRY) == set(Campaign.Interface.values)


@pytest.mark.parametrize("kind", [*REGISTRY, "toy"])
def test_an_interface_offers_all_of_the_protocol(kind):
    module = importlib.import_module(REGISTRY.get(kind, "tests.annotation.interfaces.toy"))

    assert isinstance(module.VERSION, int)
    assert len(OFFERED) == 7
    for name in OFFERED:
        expected = list(inspect.signature(getattr(Interface, name)).parameters)[1:]  # no self
        assert list(inspect.signature(getattr(module, name)).parameters) == expected, name


@pytest.mark.django_db
def test_a_fifth_interface_needs_one_line(toy):
    material, project = make_material(), make_project()

    answer = toy.read({"words": ["good", "bad"]}, material)
    numbers = label_numbers(project.pk, toy.label_names(answer, material))
    judged = unpack(toy.judge(answer, material, numbers))

    assert numbers == {"toy": {"good": 0, "bad": 1}}
    assert judged == {"words": [0, 1]}
    assert toy.read(toy.wire(answer, material), material) == answer
    assert toy.page_data(material) == {"sentences": 2}
    assert toy.score_gold(answer, {"words": ["good", "good"]}, material, 0) == 0.0


def test_a_fifth_interface_refuses_with_the_path_of_the_field(toy):
    with pytest.raises(AnswerError) as refusal:
        toy.read({"words": ["good", "ugly"]}, make_material())

    assert refusal.value.errors == [
        ("words[1]", "'ugly' is not known. Use one of good, bad."),
    ]
