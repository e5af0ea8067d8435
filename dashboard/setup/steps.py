"""Where a campaign's set-up stands: derived from its rows, so that one can leave and come back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Sum
from django.template.defaultfilters import pluralize

from annotation.interfaces import Product, traits
from annotation.models import (
    Campaign,
    Demand,
    Document,
    ImportedAnswer,
    ImportRun,
    Project,
    Task,
)
from dashboard.templatetags.figures import money

MOST_COUNTED = 1_000  # tasks: more are "more than 1,000"
ADVISED_GOLD = 20  # known answers that show a quality of .9 within .1 either way

TITLES = {
    "files": "Files",
    "labels": "Labels",
    "instructions": "Instructions",
    "gold": "Gold",
    "pay": "Answers and pay",
    "check": "Check and open",
}
LINK = "link"  # what comes after


@dataclass(frozen=True, slots=True)
class SetupFacts:
    """What the steps are told from."""

    documents: int
    tasks: int  # of the campaign, counted to MOST_COUNTED + 1
    hidden: int  # gold questions that it has, by kind
    practice: int
    exam: int
    known: int  # documents that came with a known answer

    @property
    def questions(self) -> int:
        return self.hidden + self.practice + self.exam

    @property
    def gold(self) -> int:
        return self.questions + self.known


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    number: int
    title: str
    is_done: bool
    says: str  # what there is of it
    is_here: bool


def setup_facts(campaign: Campaign) -> SetupFacts:
    """Four queries."""
    imports = ImportRun.objects.complete().filter(project=campaign.project_id)
    gold = Demand.objects.gold().ready().filter(campaign=campaign).order_by()
    kinds = dict(gold.values_list("kind").annotate(number=Count("pk")))
    tasks = Task.objects.filter(campaign=campaign)
    return SetupFacts(
        documents=imports.aggregate(total=Sum("added"))["total"] or 0,
        tasks=tasks[: MOST_COUNTED + 1].count(),
        hidden=kinds.get(Demand.Kind.HIDDEN, 0),
        practice=kinds.get(Demand.Kind.TRAINING, 0),
        exam=kinds.get(Demand.Kind.EXAM, 0),
        known=known_answers(campaign.project, campaign.interface),
    )


def known_answers(project: Project, interface: str) -> int:
    """Documents with a known answer for campaigns of an interface. One query."""
    # Looked up for each known answer: the other way each document of the project would be read.
    documents = Document.objects.visible().filter(project=project, pk=OuterRef("document"))
    return ImportedAnswer.objects.gold_for(interface).filter(Exists(documents)).count()


def steps(campaign: Campaign, facts: SetupFacts, here: str = "") -> list[Step]:
    """No query where the campaign came with its texts."""
    found = []
    for number, (name, title) in enumerate(TITLES.items(), start=1):
        is_done, says = _STATES[name](campaign, facts)
        found.append(Step(name, number, title, is_done, says, name == here))
    return found


def first_unfinished(campaign: Campaign, facts: SetupFacts) -> str:
    """Gold may be gone without: whoever has said what is paid has passed it by."""
    if campaign.state != Campaign.State.DRAFT:
        return LINK
    open_steps = [step.name for step in steps(campaign, facts) if not step.is_done]
    if "gold" in open_steps and "pay" not in open_steps:
        open_steps.remove("gold")
    return open_steps[0]


def _files(campaign: Campaign, facts: SetupFacts) -> tuple[bool, str]:
    own = traits(campaign.interface)
    parts = []
    if facts.documents:
        parts.append(f"{facts.documents:,} document{pluralize(facts.documents)}")
    if facts.tasks and not own.gold_of_documents:
        parts.append(_counted(facts.tasks, "task"))
    is_done = bool(facts.documents) if own.on_documents else bool(facts.tasks)
    return is_done or bool(own.own_tasks and facts.tasks), ", ".join(parts) or "none yet"


def _labels(campaign: Campaign, facts: SetupFacts) -> tuple[bool, str]:
    own, schema = traits(campaign.interface), campaign.project.schema
    if own.product is None:  # its answers are the campaign's own
        choices, scale = campaign.options.get("choices", ()), campaign.options.get("scale")
        if choices:
            return True, f"{len(choices)} answer{pluralize(len(choices))}"
        return bool(scale), "a scale" if scale else "none yet"
    number = len(schema.get("entity_types", ()))
    says = f"{number} type{pluralize(number)}" if number else "none yet"
    if own.product is Product.RELATIONS:
        relations = len(schema.get("relation_types", ()))
        return bool(relations), f"{says}, {relations} relation{pluralize(relations)}"
    return bool(number), says


def _instructions(campaign: Campaign, facts: SetupFacts) -> tuple[bool, str]:
    version = campaign.instructions
    if version is None:
        return False, "none yet"
    words = len(version.text.split())
    return True, f"{words:,} word{pluralize(words)}"


def _gold(campaign: Campaign, facts: SetupFacts) -> tuple[bool, str]:
    if facts.questions:
        return True, _counted(facts.questions, "question")
    if facts.known:
        asked = sum(campaign.options.get(f"{kind}_gold", 0) for kind in ("hidden", "training"))
        says = f"{facts.known:,} known answer{pluralize(facts.known)}"
        return bool(asked or campaign.gold_every), says
    return False, f"none; {ADVISED_GOLD} advised"


def _pay(campaign: Campaign, facts: SetupFacts) -> tuple[bool, str]:
    answers = f"{campaign.redundancy} answer{pluralize(campaign.redundancy)}"
    if campaign.pay_mills:
        return True, f"{answers}, {money(campaign.pay_mills)} {campaign.currency}"
    return campaign.budget_mills is not None, f"{answers}, unpaid"


def _check(campaign: Campaign, facts: SetupFacts) -> tuple[bool, str]:
    is_open = campaign.state != Campaign.State.DRAFT
    return is_open, campaign.state if is_open else "not open yet"


def _counted(number: int, noun: str) -> str:
    if number > MOST_COUNTED:
        return f"more than {MOST_COUNTED:,} {noun}s"
    return f"{number:,} {noun}{pluralize(number)}"


_STATES: dict[str, Callable[[Campaign, SetupFacts], tuple[bool, str]]] = {
    "files": _files,
    "labels": _labels,
    "instructions": _instructions,
    "gold": _gold,
    "pay": _pay,
    "check": _check,
}
