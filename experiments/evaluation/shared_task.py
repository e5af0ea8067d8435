"""A shared task whose every truth is known: made documents, three made systems, one in each format,
and a judge that never errs. To try the commands on, and for a worked example.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from annotation.formats.jsonl import write as json_line
from annotation.formats.output import replaced
from annotation.formats.tables import csv_row, csv_rows
from evaluation.files.labels import COLUMNS

FIRST = (
    "Ada", "Bruno", "Carla", "Dario", "Elena", "Frida", "Goran", "Hana", "Ivo", "Jana",
    "Karim", "Lena", "Milo", "Nora", "Otto", "Pia",
)  # fmt: skip
LAST = (
    "Adler", "Brook", "Costa", "Duarte", "Engel", "Fisk", "Grau", "Holm", "Imbert", "Jansen",
    "Kovac", "Lund", "Moreau", "Novak",
)  # fmt: skip
TOWNS = (
    "Arden", "Belmora", "Cresk", "Dunwall", "Elstow", "Farrow", "Greyholt", "Harrow", "Iskar",
    "Juniper",
)  # fmt: skip
FIRMS = (
    "Sound Ferry Company", "Northlight Press", "Harbour Bank", "Meridian Works", "Old Mill Trust",
)  # fmt: skip
SAYS = {
    "per:place_of_birth": ("{} was born in {}", "GPE"),
    "per:place_of_residence": ("{} lives in {}", "GPE"),
    "per:employee_or_member_of": ("{} works for {}", "ORG"),
    "per:organizations_founded": ("{} founded {}", "ORG"),
    "per:spouse": ("{} is married to {}", "PER"),
}
DENIES = {
    "per:place_of_birth": "{} was not born in {}",
    "per:place_of_residence": "{} never lived in {}",
    "per:employee_or_member_of": "{} was turned down by {}",
    "per:organizations_founded": "{} sued {}",
    "per:spouse": "{} once met {}",
}
INVERSE = {
    "per:place_of_birth": "gpe:births_in_place",
    "per:organizations_founded": "org:founded_by",
}
# Of a true claim, and of a wrong one: the lower, the seldomer it is made.
SKILLS = (("falcon", 0.7, -0.7), ("heron", 0.3, -0.4), ("owl", -0.5, -1.6))
ANNOTATED = 60  # documents in full


@dataclass(frozen=True, slots=True)
class Fact:
    document: str
    relation: str
    spans: tuple[int, int, int, int]
    names: tuple[str, str]
    kind: str  # of the object
    true: bool
    sentence: tuple[int, int]

    @property
    def key(self) -> tuple[str, str, int, int, int, int]:
        return (self.document, self.relation, *self.spans)


@dataclass(frozen=True, slots=True)
class SharedTask:
    texts: dict[str, str]
    facts: tuple[Fact, ...]
    systems: dict[str, tuple[Fact, ...]]
    annotated: tuple[str, ...]

    def precision(self, name: str) -> float:
        return float(np.mean([fact.true for fact in self.systems[name]]))

    def recall(self, name: str) -> float:
        return sum(fact.true for fact in self.systems[name]) / self.true

    @property
    def true(self) -> int:
        return sum(fact.true for fact in self.facts)

    def f1(self, name: str) -> float:
        p, r = self.precision(name), self.recall(name)
        return 2 * p * r / (p + r)


def make_task(documents: int = 400, seed: int = 0) -> SharedTask:
    rng = np.random.default_rng(seed)
    texts: dict[str, str] = {}
    facts: list[Fact] = []
    for number in range(documents):
        name = f"d{number:03}"
        texts[name] = _text(name, int(rng.poisson(rng.gamma(2.0, 4.0))) + 1, rng, facts)
    ease = {name: rng.normal() for name in texts}
    shared = rng.normal(size=len(facts))
    systems: dict[str, tuple[Fact, ...]] = {}
    for system, right, wrong in SKILLS:
        own = 0.6 * shared + 0.6 * rng.normal(size=len(facts))
        systems[system] = tuple(
            fact for fact, noise in zip(facts, own, strict=True)
            if (0.5 * ease[fact.document] + noise + right if fact.true else noise + wrong) > 0
        )  # fmt: skip
    annotated = tuple(sorted(rng.choice(sorted(texts), ANNOTATED, replace=False).tolist()))
    return SharedTask(texts, tuple(facts), systems, annotated)


def _text(name: str, sentences: int, rng: np.random.Generator, facts: list[Fact]) -> str:
    text = ""
    for _ in range(sentences):
        relation = list(SAYS)[int(rng.integers(len(SAYS)))]
        true = bool(rng.random() < 0.6)
        pattern, kind = SAYS[relation]
        subject = f"{FIRST[rng.integers(len(FIRST))]} {LAST[rng.integers(len(LAST))]}"
        others: Sequence[str] = TOWNS if kind == "GPE" else FIRMS
        object_ = others[int(rng.integers(len(others)))]
        if kind == "PER":
            object_ = f"{FIRST[rng.integers(len(FIRST))]} {LAST[rng.integers(len(LAST))]}"
        said = (pattern if true else DENIES[relation]).format(subject, object_) + "."
        begin = len(text)
        end = begin + len(said) - 1
        spans = (begin, begin + len(subject), end - len(object_), end)
        facts.append(Fact(name, relation, spans, (subject, object_), kind, true, (begin, end + 1)))
        text += said + " "
    return text.rstrip()


# --- Files --------------------------------------------------------------------------------------


def write_task(task: SharedTask, folder: Path) -> list[Path]:
    contents = {
        "corpus.jsonl": (json_line({"id": k, "text": text}) for k, text in task.texts.items()),
        "falcon.jsonl": map(_claim, task.systems["falcon"]),
        "heron.tsv": _mention_lines(task.systems["heron"]),
        "owl.tac": _tac_lines(task.systems["owl"]),
        "exhaustive.jsonl": _exhaustive(task),
        "truth.csv": _truth(task),
    }
    paths = []
    for name, lines in contents.items():
        paths.append(folder / name)
        with replaced(paths[-1]) as file:
            file.writelines(lines)
    return paths


def _claim(fact: Fact) -> str:
    a, b, c, d = fact.spans
    return json_line({
        "document": fact.document, "relation": fact.relation,
        "subject": {"start": a, "end": b, "type": "PER"},
        "object": {"start": c, "end": d, "type": fact.kind},
        "provenance": [list(fact.sentence)], "confidence": 0.5,
    })  # fmt: skip


def _mention_lines(facts: Sequence[Fact]) -> Iterator[str]:
    """Some relations by their inverse names."""
    for fact in facts:
        a, b, c, d = fact.spans
        subject, object_ = f"{fact.document}:{a}-{b}", f"{fact.document}:{c}-{d}"
        for place, kind, name in (
            (subject, "PER", fact.names[0]), (object_, fact.kind, fact.names[1])
        ):  # fmt: skip
            yield f"{place}\t{kind}\t{name}\t*\t1.0\n"
            yield f"{place}\tcanonical_mention\t{place}\t*\t1.0\n"
        first, last = fact.sentence
        relation = INVERSE.get(fact.relation, fact.relation)
        if relation != fact.relation:
            subject, object_ = object_, subject
        yield f"{subject}\t{relation}\t{object_}\t{fact.document}:{first}-{last}\t0.5\n"


def _tac_lines(facts: Sequence[Fact]) -> Iterator[str]:
    """Ends inclusive; each mention is an entity of its own."""
    yield "owl\n"
    for number, fact in enumerate(facts):
        spans = (fact.spans[:2], fact.spans[2:])
        for side, (start, end), kind, name in zip(
            "SO", spans, ("PER", fact.kind), fact.names, strict=True
        ):
            place = f"{fact.document}:{start}-{end - 1}"
            yield f":{side}{number}\ttype\t{kind}\n"
            yield f':{side}{number}\tmention\t"{name}"\t{place}\t1.0\n'
            yield f':{side}{number}\tcanonical_mention\t"{name}"\t{place}\t1.0\n'
        first, last = fact.sentence
        yield (f":S{number}\t{fact.relation}\t:O{number}\t{fact.document}:{first}-{last - 1}"
               "\t0.5\n")  # fmt: skip


def _exhaustive(task: SharedTask) -> Iterator[str]:
    for name in task.annotated:
        yield json_line({"document": name})
    inside = set(task.annotated)
    yield from (_claim(fact) for fact in task.facts if fact.true and fact.document in inside)


def _truth(task: SharedTask) -> Iterator[str]:
    """What the judge knows: all that any sentence says or denies."""
    yield csv_row(
        ("document", "subject_start", "subject_end", "relation", "object_start", "object_end",
         "correct")
    )  # fmt: skip
    for fact in task.facts:
        a, b, c, d = fact.spans
        yield csv_row((fact.document, a, b, fact.relation, c, d, int(fact.true)))


def judge(plan: Path, truth: Path) -> int:
    """Fill the plan's column `correct`; how many cells there were to fill."""
    known = {tuple(row[:6]): row[6] for _, row in csv_rows(truth.read_text().splitlines())}
    rows = [row for _, row in csv_rows(plan.read_text().splitlines(keepends=True))]
    place = {name: i for i, name in enumerate(rows[0])}
    key = [place[name] for name in COLUMNS[1:7]]
    filled = 0
    for row in rows[1:]:
        if not row[place["correct"]]:
            row[place["correct"]] = known.get(tuple(row[i] for i in key), "0")
            filled += 1
    with replaced(plan) as file:
        file.writelines(csv_row(row) for row in rows)
    return filled
