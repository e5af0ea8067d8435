"""The quick way of reading an event says what the serializer says."""

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from annotation.api.events import EventSerializer, _usual_event
from annotation.api.serializers import SubmitSerializer
from annotation.api.submissions import usual_submission

PAGE = {
    "number": 3, "at": "2026-11-21T10:00:00.123Z", "kind": "span-added", "data": {"start": 3},
}  # fmt: skip
odd = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.binary(max_size=2)
)
times = st.one_of(
    odd,
    st.datetimes().map(lambda moment: moment.isoformat() + "Z"),
    st.from_regex(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?(Z|\+02:00)?"),
)
events = st.one_of(
    odd,
    st.fixed_dictionaries(
        {},
        optional={
            "number": st.one_of(odd, st.integers(0, 2**31)),
            "at": times,
            "kind": st.one_of(odd, st.from_regex(r"[a-z][a-z0-9_-]*")),
            "data": st.one_of(odd, st.dictionaries(st.text(max_size=3), odd, max_size=3)),
            "more": odd,
        },
    ),
)


@given(events)
def test_both_ways_read_the_same(raw):
    if (quick := _usual_event(raw)) is None:
        return
    assert quick == EventSerializer().run_validation(raw)


def test_what_pages_send_goes_the_quick_way(settings):
    for zone in ("UTC", "Europe/Berlin"):
        settings.TIME_ZONE = zone
        with timezone.override(zone):
            quick = _usual_event(PAGE)
            assert quick == EventSerializer().run_validation(PAGE)
    assert _usual_event({name: PAGE[name] for name in ("number", "at", "kind")})["data"] == {}


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("number", True), ("number", -1), ("number", 2**31), ("at", "2026-11-21"), ("at", None),
        ("at", "2026-13-41T10:00:00Z"), ("kind", "Span"), ("kind", "a" * 41), ("kind", "a\n"),
        ("data", None), ("data", {"a": "\0"}), ("data", float("nan")), ("more", 1),
    ],
)  # fmt: skip
def test_anything_else_is_the_serializers(member, value):
    assert _usual_event(PAGE | {member: value}) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
SECONDS = st.integers(-2, 10**6) | st.floats(allow_nan=False) | st.booleans() | st.just("3")
submissions = st.fixed_dictionaries(
    {},
    optional={
        "answer": json_values,
        "seconds": SECONDS | st.none(),
        "events": st.lists(events, max_size=3) | st.none(),
        "more": st.just(1),
    },
)


@given(submissions | json_values)
def test_the_quick_way_of_a_submission_reads_what_the_serializer_reads(data):
    quick = usual_submission(data)
    if quick is not None:
        whole = SubmitSerializer(data=data)
        assert whole.is_valid(), whole.errors
        assert quick == dict(whole.validated_data)


def test_the_usual_submission_goes_the_quick_way():
    sent = {"answer": {"mentions": []}, "seconds": 3.5, "events": []}
    assert usual_submission(sent) == sent
    assert usual_submission({"answer": {}, "seconds": 10**9})["seconds"] == 24 * 3600
    for odd in ({}, [], {"answer": None}, sent | {"seconds": "3"}, sent | {"more": 1},
                sent | {"events": None}):  # fmt: skip
        assert usual_submission(odd) is None
