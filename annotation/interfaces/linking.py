"""Linking: which mentions of different documents are the same entity, as piles of cards.

The answer, the same on the wire; piles in the order of their first mention, and mentions in the
order of the payload:

    {"clusters": [{"link": "Q42" | null, "mentions": ["d1:m3", "d7:m1"]}], "unsure": ["d9:m2"],
     "undecided": ["d3:m1"]}

Every mention of the task's payload stands exactly once. A pile says that its mentions are the same
and that all in other piles are different; a pile of one says that it is different from all. Of an
`unsure` mention the worker says that nobody could tell; of an `undecided` one nothing is said at
all. Answers of version 1 have no `undecided`: there each mention was decided. The payload holds
{"mentions": [{"id", "name", "sentence", "before", "after", "document_title", "type"}]}; `before`
and `after` are of the sentences beside, and may be missing.

Judgments, for every mention in the order of the payload: `piles`, the number of its pile counted
from 0, MISSING where the worker was unsure, UNDECIDED where nothing was said; and `links`, the
link of its pile, MISSING for both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotation.interfaces import Labels, Material, Product, Traits
from annotation.interfaces.answers import Doubt, LinkingAnswer, Pile
from annotation.interfaces.coverage import worth
from annotation.interfaces.doubts import doubted_in, read_doubts, with_doubts
from annotation.interfaces.examples import Example, Piece
from annotation.interfaces.judgments import MISSING, UNDECIDED, pack
from annotation.interfaces.linking_feedback import PileFeedback
from annotation.interfaces.reading import Field, check_flags
from annotation.interfaces.values import link_label, read_link
from annotation.interfaces.wording import named, quoted, shortened
from annotation.sentences import Problem, shown
from annotation.text.aliases import SHORT, alias

VERSION = 2  # 1 had no `undecided`
FULL_PAY = "full_pay"  # an option: what is handed in with undecided cards is paid in full too
TRAITS = Traits(product=Product.CLUSTERS, linked="clusters", options=frozenset({FULL_PAY}))
CARD_MEMBERS = ("id", "name", "sentence", "document_title", "type")
# Characters of all cards' sentences with what stands beside them, so that a first visit is light;
# and of what stands on one side of a sentence, where fewer say nothing.
MOST_TEXT, LEAST_BESIDE = 6_600, 20


def check_options(raw: Any) -> dict[str, Any]:
    """The campaign's options, of which this interface reads `full_pay`. Raises AnswerError."""
    return check_flags(raw, [FULL_PAY])


def read(raw: Any, material: Material) -> LinkingAnswer:
    """Cards go by their aliases; by their ids too, for who knows those. No refusal names an id."""
    return _read(raw, {alias(name, material.alias_key): name for name in _mention_ids(material)})


def check(raw: Any, material: Material) -> LinkingAnswer:
    return _read(raw, {name: name for name in _mention_ids(material)})


def _read(raw: Any, ids: Mapping[str, str]) -> LinkingAnswer:
    """`ids`: what cards are called in `raw`, and where it is refused → their ids."""
    body = Field(raw)
    order = {name: i for i, name in enumerate(dict.fromkeys(ids.values()))}
    taken: dict[str, str] = {}
    clusters: list[Pile] = []
    unsure: list[str] = []
    undecided: list[str] = []
    doubts: dict[str, list[Doubt]] = {}
    if body.only("clusters", "unsure", "undecided", "doubts"):
        for item in body.at("clusters").items(most=len(order)):
            if item.only("link", "mentions"):
                link = item.optional("link", read_link)
                pile = _pile(item.at("mentions"), ids, order, taken)
                clusters.append({"link": link, "mentions": pile})
        if field := body.maybe("unsure"):
            unsure = _mentions(field, ids, order, taken)
        if field := body.maybe("undecided"):
            undecided = _mentions(field, ids, order, taken)
        # A pile is doubted at one of its cards.
        doubts = read_doubts(body, ids)
        left = [called for called, name in ids.items() if name not in taken]
        if left and not body.problems:
            body.at("clusters").refuse("pile.left", number=len(left), all=len(order), names=left)
    body.raise_errors()
    clusters.sort(key=lambda cluster: order[cluster["mentions"][0]])
    found: LinkingAnswer = {"clusters": clusters, "unsure": unsure, "undecided": undecided}
    return with_doubts(found, doubts)


def _mention_ids(material: Material) -> list[str]:
    return [mention["id"] for mention in material.payload.get("mentions", ())]


def _pile(
    field: Field, ids: Mapping[str, str], order: dict[str, int], taken: dict[str, str]
) -> list[str]:
    if field.value == []:
        field.refuse("pile.empty")
    return _mentions(field, ids, order, taken)


def _mentions(
    field: Field, ids: Mapping[str, str], order: dict[str, int], taken: dict[str, str]
) -> list[str]:
    """The mentions of a pile in the payload's order; `taken` maps those seen to their paths."""
    names = []
    for item in field.items(most=len(order)):
        is_id = isinstance(item.value, str) and item.value in order
        given = item.value if is_id else item.one_of(ids)
        if given is None:
            continue
        name = ids.get(given, given)
        if name in taken:
            item.refuse("pile.double", mention=shown(given), where=taken[name])
        else:
            taken[name] = item.path
            names.append(name)
    return sorted(names, key=order.__getitem__)


# --- The page -----------------------------------------------------------------------------------


def wire(answer: LinkingAnswer, material: Material) -> LinkingAnswer:
    """With the cards' aliases in the place of their ids."""

    def hidden(names: Iterable[str]) -> list[str]:
        return [alias(name, material.alias_key) for name in names]

    sent: LinkingAnswer = {
        "clusters": [
            {"link": pile["link"], "mentions": hidden(pile["mentions"])}
            for pile in answer["clusters"]
        ],
        "unsure": hidden(answer["unsure"]),
    }
    if "undecided" in answer:
        sent["undecided"] = hidden(answer["undecided"])
    if doubts := answer.get("doubts"):
        sent["doubts"] = [
            {**doubt, "at": doubt["at"] and alias(doubt["at"], material.alias_key)}
            for doubt in doubts
        ]
    return sent


def for_page(answer: LinkingAnswer, material: Material) -> LinkingAnswer:
    return wire(answer, material)


def page_data(material: Material) -> dict[str, Any]:
    """`types` are those of the cards that the schema knows, with their colours and what
    the schema says of them; and of the others, which an entry of the knowledge base may have,
    those of which it says something."""
    mentions = material.payload.get("mentions", ())
    left = MOST_TEXT - sum(len(mention.get("sentence", "")) for mention in mentions)
    room = left // (2 * max(1, len(mentions)))
    shown_types = {mention.get("type") for mention in mentions}
    numbered = _numbered(mentions)
    return {
        "mentions": [
            {member: mention[member] for member in CARD_MEMBERS if member in mention}
            | _beside(mention, room)
            | {"id": alias(mention["id"], material.alias_key)}
            | (_title(mention, material) or numbered.get(mention["id"], {}))
            for mention in mentions
        ],
        "types": [
            {"name": kind["name"], "colour": kind.get("colour", 1)}
            | ({"description": kind["description"]} if kind.get("description") else {})
            for kind in material.schema.get("entity_types", ())
            if kind["name"] in shown_types or kind.get("description")
        ],
        "full_pay": pays_in_full(material),
        "direction": material.text_direction,
        "language": material.language,
    }


def _beside(card: Mapping[str, Any], most: int) -> dict[str, str]:
    """What stands before and after the card's sentence, cut at words to `most` characters each."""
    if most < LEAST_BESIDE:
        return {}
    found = {side: card[side] for side in ("before", "after") if card.get(side)}
    if len(before := found.get("before", "")) > most:
        cut = before[-most:]
        found["before"] = "… " + (cut.partition(" ")[2] or cut)
    if len(after := found.get("after", "")) > most:
        cut = after[:most]
        found["after"] = (cut.rpartition(" ")[0] or cut) + " …"
    return found


def _numbered(cards: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """Card → its title with a number, where other documents have the same one: that two names
    stand in one document is evidence, and that two documents are called alike is none."""
    documents: dict[str, dict[str, int]] = {}  # title → documents that have it → their numbers
    for card in cards:
        of_title = documents.setdefault(card.get("document_title", ""), {})
        of_title.setdefault(_document(card), len(of_title) + 1)
    return {
        card["id"]: {"document_title": f"{title} ({documents[title][_document(card)]})"}
        for card in cards
        if (title := card.get("document_title", "")) and len(documents[title]) > 1
    }


def _document(card: Mapping[str, Any]) -> str:
    return str(card["id"]).rpartition(":")[0]


def _title(card: Mapping[str, Any], material: Material) -> dict[str, str]:
    """Where the document has no title, its id stands in the title's place; of that workers see a
    code, which the page and the feedback call a document."""
    title = card.get("document_title", "")
    if not material.alias_key or not title or not card["id"].startswith(f"{title}:"):
        return {}
    code = alias(title, material.alias_key)[:SHORT]
    return {"document_title": "", "document_code": code}


def example(answer: LinkingAnswer, material: Material) -> Example | None:
    """Two cards of a pile, and a third that lies elsewhere, as many as there are."""
    cards = {card["id"]: card for card in material.payload.get("mentions", ())}
    pile = next((each["mentions"] for each in answer["clusters"] if len(each["mentions"]) > 1), [])
    if not pile:
        return None
    other = [card for card in cards if card not in pile][:1]
    pieces = []
    for number, card in enumerate([*pile[:2], *other]):
        before, name, after = cards[card].get("sentence", "").partition(cards[card]["name"])
        look = "type-1" if number < 2 else "type-6"
        sign = "=" if number < 2 else "≠"
        shown_name = Piece(name or cards[card]["name"], sign, look)
        pieces += [Piece(before), shown_name, Piece(f"{after}\n")]
    return Example(tuple(piece for piece in pieces if piece.text), ())


def parts_of(payload: dict[str, Any]) -> int:
    """Its cards."""
    return len(payload.get("mentions", ()))


def task_name(payload: dict[str, Any]) -> Problem | str:
    """ "“Ada”, “A. Lovelace”, “Ada Byron” and 2 more"."""
    names = dict.fromkeys(shortened(mention["name"]) for mention in payload.get("mentions", ()))
    return named([quoted(name) for name in names]) if names else ""


# --- Judging ------------------------------------------------------------------------------------


def label_names(answer: LinkingAnswer, material: Material) -> dict[str, list[str]]:
    links = (link_label(cluster["link"]) for cluster in answer["clusters"])
    return {"link": list(dict.fromkeys(links))}


def judge(answer: LinkingAnswer, material: Material, labels: Labels) -> bytes:
    pile_of = dict.fromkeys(undecided_in(answer), UNDECIDED) | _pile_numbers(answer)
    piles = [pile_of.get(name, MISSING) for name in _mention_ids(material)]
    link_of = [labels["link"][link_label(cluster["link"])] for cluster in answer["clusters"]]
    links = [link_of[pile] if pile >= 0 else MISSING for pile in piles]
    return pack({"piles": piles, "links": links})


def doubted_units(answer: LinkingAnswer, material: Material) -> dict[str, list[int]]:
    """The cards of the piles that the worker was unsure of, each doubted at one of its cards."""
    doubted = doubted_in(answer)
    names = {name for name in doubted if name is not None}
    for pile in answer["clusters"]:
        if not doubted.isdisjoint(pile["mentions"]):
            names.update(pile["mentions"])
    cards = [place for place, name in enumerate(_mention_ids(material)) if name in names]
    return {"piles": cards, "links": cards}


def score_gold(
    answer: LinkingAnswer, gold: LinkingAnswer, material: Material, tolerance: int
) -> float:
    """F1 of the pairs that share a pile, over the mentions that the worker decided; 1 where
    neither has such a pair.

    Mentions that the gold is unsure of are not counted; one that the answer is unsure of makes
    no pair. An answer that is unsure of all that the gold knows is no agreement: 0. Undecided
    mentions are left out; see `_worth` for what is left of the score where they are many.
    """
    given, known = _pile_numbers(answer), _pile_numbers(gold)
    asked = _without_undecided(known, answer)
    judged = given.keys() & asked.keys()
    if asked and not judged:
        return 0.0
    both = _pairs((given[name], asked[name]) for name in judged)
    total = _pairs(given[name] for name in judged) + _pairs(asked.values())
    return _worth(answer, gold) * (2 * both / total if total else 1.0)


def _worth(answer: LinkingAnswer, gold: LinkingAnswer) -> float:
    """By the part of the gold's mentions that was decided, and by that of its pairs: mentions
    alone could be decided so that none of them has its fellow among them."""
    known = _pile_numbers(gold)
    asked = _without_undecided(known, answer)
    pairs = worth(_pairs(asked.values()), _pairs(known.values()))
    return min(worth(len(asked), len(known)), pairs)


def _without_undecided(piles: dict[str, int], answer: LinkingAnswer) -> dict[str, int]:
    open_ = set(undecided_in(answer))
    return {name: pile for name, pile in piles.items() if name not in open_}


def decided(answer: LinkingAnswer, material: Material) -> tuple[int, int]:
    total = len(_mention_ids(material))
    return total - len(undecided_in(answer)), total


def pays_in_full(material: Material) -> bool:
    return bool(material.options.get(FULL_PAY)) or len(_mention_ids(material)) < 2


def undecided_in(answer: LinkingAnswer) -> Sequence[str]:
    """Of a canonical answer of whichever version."""
    return answer.get("undecided", ())


def _pile_numbers(answer: LinkingAnswer) -> dict[str, int]:
    return {
        name: number
        for number, cluster in enumerate(answer["clusters"])
        for name in cluster["mentions"]
    }


def _pairs(piles: Iterable[Any]) -> int:
    """How many pairs of mentions share a pile, from the pile of each mention."""
    return sum(size * (size - 1) // 2 for size in Counter(piles).values())


def feedback(
    answer: LinkingAnswer, gold: LinkingAnswer, material: Material, tolerance: int
) -> list[dict[str, Any]]:
    """What PileFeedback says. "apart", "together", "unsure" and "undecided" cost something."""
    cards = {
        card["id"]: card | _title(card, material) for card in material.payload.get("mentions", ())
    }
    findings = PileFeedback(answer, gold, cards, is_enough=_worth(answer, gold) == 1.0).findings()
    for each in findings:
        each["mentions"] = [alias(name, material.alias_key) for name in each["mentions"]]
    return findings
