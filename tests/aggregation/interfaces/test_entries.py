"""An entry of the aggregation side is its module and one line in REGISTRY."""

from __future__ import annotations

import pytest

from aggregation.interfaces import REGISTRY, Words, module_of, words_of
from aggregation.interfaces.entries import Entry, UnitEntry, entry, unit_entry
from aggregation.methods.registry import methods_for
from annotation import interfaces


def offered(protocol: type) -> list[str]:
    return [name for name in vars(protocol) if not name.startswith("_")]


def test_each_interface_has_an_entry():
    assert REGISTRY.keys() == interfaces.REGISTRY.keys()


@pytest.mark.parametrize("kind", [*REGISTRY, "stars"])
def test_an_entry_offers_all_of_its_protocol(stars, kind):
    module = module_of(kind)
    assert isinstance(module.WORDS, Words)
    names = offered(Entry) + (offered(UnitEntry) if module.WORDS.comparable else [])
    assert [name for name in names if not callable(getattr(module, name, None))] == []
    assert (len(offered(Entry)), len(offered(UnitEntry))) == (4, 4)


@pytest.mark.parametrize("kind", [*REGISTRY, "stars"])
def test_what_can_be_compared_has_several_methods(stars, kind):
    assert words_of(kind).comparable == (len(methods_for(kind)) > 1)


def test_where_there_is_no_entry_nothing_can_be_aggregated():
    assert words_of("pictures") == Words()
    with pytest.raises(ValueError, match="There is no method for pictures campaigns yet"):
        entry("pictures")


def test_piles_are_no_labels_of_units():
    with pytest.raises(ValueError, match="linking campaigns are no labels of units"):
        unit_entry("linking")
