import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


def test_text_is_stripped_and_an_empty_one_is_the_default(monkeypatch):
    monkeypatch.setenv("NAME", "  a word ")
    assert env.text("NAME") == "a word"
    monkeypatch.setenv("NAME", "   ")
    assert env.text("NAME", "default") == "default"
    monkeypatch.delenv("NAME")
    assert env.text("NAME", "default") == "default"


@pytest.mark.parametrize("value", ["1", "true", "YES", " on "])
def test_flag_is_set_by_any_of_four_words(monkeypatch, value):
    monkeypatch.setenv("NAME", value)
    assert env.flag("NAME") is True


@pytest.mark.parametrize("value", ["0", "False", "no", "off"])
def test_flag_is_unset_by_any_of_four_words(monkeypatch, value):
    monkeypatch.setenv("NAME", value)
    assert env.flag("NAME", default=True) is False


def test_flag_that_is_not_set_has_its_default(monkeypatch):
    monkeypatch.delenv("NAME", raising=False)
    assert env.flag("NAME", default=True) is True
    monkeypatch.setenv("NAME", "")
    assert env.flag("NAME") is False


def test_flag_of_another_word_is_told(monkeypatch):
    monkeypatch.setenv("NAME", "maybe")
    with pytest.raises(ImproperlyConfigured, match=r"^NAME is 'maybe'\. Set it to 1 or 0\.$"):
        env.flag("NAME")


def test_number_is_read_within_its_bounds(monkeypatch):
    monkeypatch.setenv("NAME", "7")
    assert env.number("NAME", 3, at_least=1, at_most=7) == 7
    monkeypatch.setenv("NAME", "")
    assert env.number("NAME", 3, at_least=1, at_most=7) == 3


@pytest.mark.parametrize("value", ["8", "0", "-1"])
def test_number_out_of_bounds_is_told_with_both_bounds(monkeypatch, value):
    monkeypatch.setenv("NAME", value)
    with pytest.raises(ImproperlyConfigured, match=f"NAME is {value}.*from 1 to 7"):
        env.number("NAME", 3, at_least=1, at_most=7)


@pytest.mark.parametrize("value", ["1.5", "ten", "1e3"])
def test_number_that_is_no_whole_number_is_told(monkeypatch, value):
    monkeypatch.setenv("NAME", value)
    with pytest.raises(ImproperlyConfigured, match=f"NAME is '{value}'.*whole number"):
        env.number("NAME", 3, at_least=1, at_most=7)


def test_words_are_split_at_commas_and_empty_ones_dropped(monkeypatch):
    monkeypatch.setenv("NAME", " a.example, ,b.example,")
    assert env.words("NAME") == ["a.example", "b.example"]


def test_choice_outside_the_list_is_told_with_the_list(monkeypatch):
    monkeypatch.setenv("NAME", "LOUD")
    with pytest.raises(ImproperlyConfigured, match=r"NAME is 'LOUD'.*DEBUG, INFO"):
        env.one_of("NAME", ["DEBUG", "INFO"], "INFO")
    monkeypatch.setenv("NAME", "DEBUG")
    assert env.one_of("NAME", ["DEBUG", "INFO"], "INFO") == "DEBUG"


def test_parsed_turns_any_error_into_one_sentence_with_the_hint(monkeypatch):
    monkeypatch.setenv("NAME", "x")
    with pytest.raises(ImproperlyConfigured, match=r"NAME can't be read .*Write a number\."):
        env.parsed("NAME", "1", int, "Write a number.")
    monkeypatch.setenv("NAME", "12")
    assert env.parsed("NAME", "1", int, "Write a number.") == 12
