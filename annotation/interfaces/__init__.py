"""What differs between the interfaces. One module each; no views, no SQL.

An interface is its module, which offers the functions of `Interface` below, js/<kind>/page.js and
css/pages/<kind>.css with what these import (config.bundles), and one line in REGISTRY.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, cast

from annotation.interfaces.answers import Answer
from annotation.sentences import Problem


@dataclass(frozen=True, slots=True)
class Material:
    """What an interface needs to know of a task: plain data, no rows.

    Offsets are code points of `text`; `tokens` are [start, end), `sentences` are
    [first token, last token).
    """

    schema: dict[str, Any] = field(default_factory=dict)  # the project's
    options: dict[str, Any] = field(default_factory=dict)  # the campaign's
    payload: dict[str, Any] = field(default_factory=dict)  # the task's
    text: str = ""
    tokens: list[list[int]] = field(default_factory=list)
    sentences: list[list[int]] = field(default_factory=list)
    text_direction: str = "auto"
    language: str = ""
    title: str = ""  # of the document
    alias_key: str = ""  # under which names in the payload are hidden from workers; "": they show


class AnswerError(ValueError):
    """An answer that can't be taken. Each of its problems names the path of a field."""

    def __init__(self, problems: list[Problem]):
        self.problems = problems
        super().__init__(problems)

    def __str__(self) -> str:
        return "; ".join(f"{problem.path}: {problem}" for problem in self.problems)


Labels = Mapping[str, Mapping[str, int]]  # vocabulary → name → class number


class Product(StrEnum):
    """What the consensus of a campaign can be to others that are made from it."""

    MENTIONS = "mentions"  # typed spans of documents, as `tags` and `mentions` read them
    RELATIONS = "relations"  # of two mentions of a document
    CLUSTERS = "clusters"  # of mentions over documents


@dataclass(frozen=True, slots=True)
class Traits:
    """What other code asks of an interface in the place of its name."""

    on_documents: bool = False  # opening a campaign makes a task of each document
    own_tasks: bool = False  # tasks can come from a file of their own (import_choices)
    together: bool = False  # tasks of one document are given out one after the other
    suggestions: bool = False  # its page shows what a system has found
    product: Product | None = None
    options: frozenset[str] = frozenset()  # of its campaigns, besides the next two
    switches: frozenset[str] = frozenset()  # options that are kept where they are off, too
    # Option → the member of an answer that its values are offered for.
    answered: Mapping[str, str] = field(default_factory=dict)
    linked: str = ""  # the member of an answer whose items have a `link`, null or an entry's key
    all_or_nothing: bool = False  # against gold an answer counts in full or not at all

    @property
    def gold_of_documents(self) -> bool:
        """Whether gold is set aside from documents that came with a known answer."""
        return self.on_documents and not self.own_tasks


class Interface(Protocol):
    """What each module of this package offers, as plain functions.

    Some offer more. `check_options(raw)`: the campaign's options, checked; raises AnswerError.
    `problems(schema, options)`: what is missing before a campaign can open.
    `task_name(payload)`: what a task is called in lists; without it, as its document is.
    `shows_text(payload)`: whether its page shows the document's text; without it, it does.
    `told(answer, material)`: what was asked and answered, in a line; of the material it reads
    schema, payload and text alone. In the place of `task_name` where a worker looks back.
    `example(answer, material)`: an `examples.Example` of the task and its answer, or None.
    `decided(answer, material)` and `pays_in_full(material)`: see `pay_due`. Of the material they
    read options and payload alone.
    `overlaid(answer, decision, material)`: where a person may decide parts; see there.
    `doubted_units(answer, material)`: where parts can be doubted by themselves; see there.
    And `Categorical`.
    """

    VERSION: int  # of the answer's schema; stored beside each response
    TRAITS: Traits

    def read(self, raw: Any, material: Material) -> Answer:
        """The canonical answer of what a page sent (token numbers). Raises AnswerError."""

    def check(self, raw: Any, material: Material) -> Answer:
        """The canonical answer of an import (code points). Raises AnswerError."""

    def wire(self, answer: Answer, material: Material) -> Answer:
        """The reverse of `read`: a canonical answer in the page's token numbers."""

    def for_page(self, answer: Answer, material: Material) -> Answer:
        """An answer to be looked at: as `wire`, in the one form that pages draw."""

    def page_data(self, material: Material) -> dict[str, Any]:
        """What the page needs, as JSON; nothing in it tells a gold question from another task."""

    def label_names(self, answer: Answer, material: Material) -> dict[str, list[str]]:
        """Vocabulary → names that `judge` will look up for this answer."""

    def judge(self, answer: Answer, material: Material, labels: Labels) -> bytes:
        """What the answer says of each unit, packed by `judgments.pack`."""

    def score_gold(self, answer: Answer, gold: Answer, material: Material, tolerance: int) -> float:
        """Agreement with the known answer, from 0 to 1."""

    # Perhaps gold_parts(answer, gold, material): scores of further parts, name → 0 to 1, which
    # `score_gold` leaves out.

    def feedback(
        self, answer: Answer, gold: Answer, material: Material, tolerance: int
    ) -> list[dict[str, Any]]:
        """What was right and wrong, for practice: findings with `kind`, `problem` (a code, whose
        sentence the worker reads) and where on the page. Without any that is wrong where
        `score_gold` is 1."""


class Categorical(Protocol):
    """What a module offers besides where an answer is one class, so that the categorical methods
    can aggregate it. `judge` then packs a vector of one number, of the vocabulary of the
    interface's name, and that is the vector's name too."""

    def classes(self, schema: dict[str, Any], options: dict[str, Any]) -> list[str]:
        """Those on offer, in their order; "unsure" comes last without being named."""

    def class_of(self, answer: Answer) -> str:
        """It is "unsure" where the worker can't tell."""

    def answer_of(self, name: str) -> Answer:
        """The answer that says no more than this class, or "unsure"."""


REGISTRY = {
    "entity": "annotation.interfaces.entity",
    "relation": "annotation.interfaces.relation",
    "linking": "annotation.interfaces.linking",
    "choice": "annotation.interfaces.choice",
}


def interface(kind: str) -> Interface:
    return cast(Interface, importlib.import_module(REGISTRY[kind]))


def categorical(kind: str) -> Categorical | None:
    """None where an answer is more than one class."""
    module = importlib.import_module(REGISTRY[kind])
    return cast(Categorical, module) if hasattr(module, "class_of") else None


def check_options(kind: str, options: dict[str, Any]) -> dict[str, Any]:
    """A campaign's options as they are stored. Raises AnswerError naming the field."""
    check: Callable[[Any], dict[str, Any]] | None = getattr(interface(kind), "check_options", None)
    return check(options) if check else options


def traits(kind: str) -> Traits:
    return interface(kind).TRAITS


def kinds(wanted: Callable[[Traits], bool]) -> list[str]:
    """The names of the interfaces whose traits are `wanted`, for a filter of campaigns."""
    return [kind for kind in REGISTRY if wanted(traits(kind))]


def kinds_of(*products: Product) -> list[str]:
    return kinds(lambda found: found.product in products)


def task_name(kind: str, payload: dict[str, Any]) -> Problem | str:
    """What a task is called in lists; "" where its document's title says it, or its id."""
    named: Callable[[dict[str, Any]], Problem | str] | None = getattr(
        interface(kind), "task_name", None
    )
    return named(payload) if named else ""


def shows_text(kind: str, payload: dict[str, Any]) -> bool:
    """Whether who does a task reads its document's text."""
    shows: Callable[[dict[str, Any]], bool] | None = getattr(interface(kind), "shows_text", None)
    return shows(payload) if shows else True


def tells_parts(kind: str) -> bool:
    """Whether a task has so many parts that one wants to know before one begins."""
    return hasattr(interface(kind), "parts_of")


def parts_of(kind: str, payload: dict[str, Any]) -> int:
    """So many parts; 0 where they are not told."""
    counted: Callable[[dict[str, Any]], int] | None = getattr(interface(kind), "parts_of", None)
    return counted(payload) if counted else 0


def tells_answers(kind: str) -> bool:
    return hasattr(interface(kind), "told")


def told(kind: str, answer: Answer, material: Material) -> Problem | str:
    """What was asked and answered, in a line; "" where only the task's name is told."""
    said: Callable[[Answer, Material], Problem | str] | None = getattr(
        interface(kind), "told", None
    )
    return said(answer, material) if said else ""


def example(kind: str, answer: Answer, material: Material) -> Any:
    """The `examples.Example` of a task with its known answer; None where there is none to show."""
    made: Callable[[Answer, Material], Any] | None = getattr(interface(kind), "example", None)
    found = made(answer, material) if made else None
    return found if found and found.shows_something else None


def pay_due(kind: str, answer: Answer, material: Material, mills: int) -> int:
    """What an answer brings of the `mills` promised for the task: the share of its units that were
    decided, rounded up to a mill. All of it where the interface asks for no parts to be decided,
    or the campaign pays in full."""
    module: Any = interface(kind)
    if not tells_decided(kind) or module.pays_in_full(material):
        return mills
    part, whole = module.decided(answer, material)
    return -(-mills * part // whole)


def tells_decided(kind: str) -> bool:
    return hasattr(interface(kind), "decided")


def decided(kind: str, answer: Answer, material: Material) -> dict[str, Any] | None:
    """Of how many of its units an answer decides so many, and whether it is paid in full all the
    same; None where it decides all of them, or none are asked for."""
    module: Any = interface(kind)
    if not tells_decided(kind):
        return None
    part, whole = module.decided(answer, material)
    in_full = module.pays_in_full(material)
    return {"number": part, "of": whole, "in_full": in_full} if part < whole else None


def overlaid(kind: str, answer: Answer, decision: Answer, material: Material) -> Answer:
    """What was inferred, with what a person has decided in its place: all of it, unless the
    interface knows of parts."""
    lay: Callable[..., Answer] | None = getattr(interface(kind), "overlaid", None)
    return lay(answer, decision, material) if lay else decision


def doubted_units(kind: str, answer: Answer, material: Material) -> Mapping[str, list[int]]:
    """Vector of `judge` → the places in it that the doubted parts of an answer have filled. Nothing
    where only the whole of an answer can be doubted."""
    found: Callable[[Answer, Material], Mapping[str, list[int]]] | None = getattr(
        interface(kind), "doubted_units", None
    )
    return found(answer, material) if found else {}


def links(kind: str, answer: Answer) -> dict[str, str]:
    """Path → key of each link in an answer that the interface has read, in either form."""
    member = traits(kind).linked
    return {
        f"{member}[{i}].link": item["link"]
        for i, item in enumerate(answer.get(member) or ())
        if item.get("link") is not None
    }


def problems(kind: str, schema: dict[str, Any], options: dict[str, Any]) -> list[Problem]:
    """What is missing before a campaign can open."""
    found: Callable[..., Iterable[Problem]] | None = getattr(interface(kind), "problems", None)
    return list(found(schema, options)) if found else []
