"""Token numbers on the wire, code points in the database, whatever script the text is in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.interfaces import Material
from annotation.interfaces import entity as interface
from tests.annotation.interfaces.materials import NESTED, answer, entity, make_material, mention

# Emoji beyond the basic plane and joined ones, combining marks, CJK, Arabic, Hebrew, Thai.
WORDS = ["😀", "👩‍🔬", "é", "Zoe\u0308", "漢字", "日", "عربي", "שָׁלוֹם", "ไทย", "Ada", ".", "🇩🇪"]
GAPS = ["", " ", "\n\n", "\u00a0", "\u200f ", "\u3000"]


@st.composite
def materials(draw) -> Material:
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12))
    text, tokens = draw(st.sampled_from(GAPS)), []
    for word in words:
        tokens.append([len(text), len(text) + len(word)])
        text += word + draw(st.sampled_from(GAPS))
    cut = draw(st.integers(0, len(words) - 1))
    sentences = [[0, cut], [cut, len(words)]] if cut else [[0, len(words)]]
    return Material(schema=NESTED, text=text, tokens=tokens, sentences=sentences)


@st.composite
def wire_answers(draw, material: Material) -> dict:
    """Right answers as a page sends them: nested mentions, entities, parts not looked at."""
    mentions: list[dict] = []
    spans: list[tuple[int, int]] = []

    def fill(start: int, end: int, depth: int) -> None:
        at = start
        while at < end and draw(st.booleans()):
            first = draw(st.integers(at, end - 1))
            last = draw(st.integers(first + 1, end))
            if (first, last) not in spans:
                spans.append((first, last))
                kind = draw(st.sampled_from(["PER", "LOC", "ORG"]))
                owner = draw(st.sampled_from([None, "e1", "e2"]))
                mentions.append(mention(f"m{len(mentions)}", first, last, kind, owner))
                if depth < 2:
                    fill(first, last, depth + 1)
            at = last

    count = len(material.tokens)
    seen = draw(st.integers(0, count))
    fill(0, seen, 0)
    mentions.sort(key=lambda each: (each["start"], -each["end"]))
    entities = []
    for owner in dict.fromkeys(each["entity"] for each in mentions if each["entity"]):
        own = [each["id"] for each in mentions if each["entity"] == owner]
        link = draw(st.sampled_from([None, "Q1", "知識"]))
        entities.append(entity(owner, draw(st.sampled_from(own)), link))
    unlabelled = ((seen, count),) if seen < count and draw(st.booleans()) else ()
    return answer(*mentions, entities=tuple(entities), unlabelled=unlabelled)


@given(st.data())
def test_what_a_page_sends_comes_back_to_it(data):
    material = data.draw(materials())
    sent = data.draw(wire_answers(material))

    stored = interface.read(sent, material)

    assert interface.wire(stored, material) == sent
    assert interface.check(stored, material) == stored


@given(st.data())
def test_stored_offsets_cut_out_the_words_that_were_marked(data):
    material = data.draw(materials())
    sent = data.draw(wire_answers(material))
    tokens = interface.page_data(material)["tokens"]
    gaps = interface.page_data(material)["gaps"]

    stored = interface.read(sent, material)

    for marked, kept in zip(sent["mentions"], stored["mentions"], strict=True):
        words = tokens[marked["start"] : marked["end"]]
        between = gaps[marked["start"] + 1 : marked["end"]]
        seen = words[0] + "".join(gap + word for gap, word in zip(between, words[1:], strict=True))
        assert material.text[kept["start"] : kept["end"]] == seen


def test_an_emoji_is_one_code_point():
    material = make_material("😀 Ada 👩‍🔬")

    stored = interface.read(answer(mention("m1", 1, 2), mention("m2", 2, 3)), material)

    assert [(each["start"], each["end"]) for each in stored["mentions"]] == [(2, 5), (6, 9)]


@pytest.mark.parametrize("tags", [["?", "I-PER", "B-LOC"], ["O", "O", "O"]])
def test_raw_tags_are_the_same_on_the_wire(tags):
    material = make_material("a b c")

    assert interface.wire(interface.read({"tags": tags}, material), material) == {"tags": tags}
