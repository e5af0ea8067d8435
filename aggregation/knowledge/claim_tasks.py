"""Tasks of a relation campaign from claims to verify: what of each claim nobody was asked yet."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from aggregation.knowledge.relation_tasks import Built, Task, check_campaigns, task_name
from aggregation.sentences import CATALOGUE
from annotation.actions import locks
from annotation.actions.bulk import batches
from annotation.actions.campaigns import create_tasks_on
from annotation.formats.claims import Claim, Name, read_claims
from annotation.formats.directions import Directions
from annotation.formats.records import Rejected
from annotation.interfaces.claim_parts import Part, PartName, asked_parts, parts_of
from annotation.models import Campaign, Document, Entity
from annotation.models import Task as TaskRow
from annotation.sentences import Problem

CLAIMS = 500  # read at once


def build_claims(
    into: Campaign,
    claims: str | os.PathLike[str] | Iterable[Claim | Rejected],
    *,
    advance: Callable[[int], None] = lambda number: None,
) -> Built:
    """Ask of every claim, or of every claim of a file, whether it holds, in `into`.

    A claim and its inverse are one. The base claim is asked once; that a name is one, its type and
    its link are parts of their own, and a claim that differs from others in a link alone asks about
    that link alone. What can't be asked stands in `rejected`; the rest is taken. Three queries for
    each five hundred claims, and those of the tasks. Raises ValueError, FormatError, or locks.Held.
    """
    check_campaigns(into, into)
    built = Built()
    found = read_claims(claims) if isinstance(claims, str | os.PathLike) else claims
    with locks.hold(f"campaign:{into.slug}"):
        built.made = create_tasks_on(into, _tasks(into, found, built, advance))
    return built


def base_name(document: str, payload: Mapping[str, Any]) -> str:
    """The external id of the task that asks the base claim, whose sides stand in `payload`."""
    sides = payload["subject"], payload["object"]
    return task_name(document, sides, f":{_digest((payload['predicted'],))}")


def _tasks(
    into: Campaign,
    claims: Iterable[Claim | Rejected],
    built: Built,
    advance: Callable[[int], None],
) -> Iterator[Task]:
    directions = Directions(into.project.schema["relation_types"])
    asked: dict[int, set[Part]] = {}  # by document
    for batch in batches(claims, CLAIMS):
        good = [one for one in batch if isinstance(one, Claim)]
        for one in batch:
            if isinstance(one, Rejected):
                built.reject(one)
        documents = {
            document.external_id: document
            for document in Document.objects.visible()
            .filter(project=into.project_id, external_id__in={c.document for c in good})
            .only("external_id", "tokens")
        }
        links = {name.link for c in good for name in (c.subject, c.object) if name.link}
        entries = {
            entry.key: entry
            for entry in Entity.objects.filter(project=into.project_id, key__in=links)
        }
        edges = {name: _edges(document) for name, document in documents.items()}
        _add_asked(into, [one.pk for one in documents.values()], asked)
        for claim in good:
            if problem := _problem(claim, directions, edges.get(claim.document)):
                built.reject(Rejected(claim.line, problem, claim.document))
                continue
            document = documents[claim.document]
            built.tasks += 1
            payload = _payload(canonical(claim, directions), entries)
            if task := _task(document, payload, asked[document.pk]):
                yield task
            else:
                built.known += 1
        advance(len(batch))
    built.documents = len(asked)


def _add_asked(into: Campaign, documents: list[int], asked: dict[int, set[Part]]) -> None:
    """What the campaign's tasks ask of these documents."""
    new = [document for document in documents if document not in asked]
    asked.update((document, set()) for document in new)
    tasks = TaskRow.objects.plain().filter(campaign=into, document__in=new)
    for document, payload in tasks.values_list("document", "payload").iterator(chunk_size=CLAIMS):
        if payload.get("predicted"):
            asked[document].update(asked_parts(payload).values())


def _task(document: Document, payload: dict[str, Any], asked: set[Part]) -> Task | None:
    """About the parts that are new, which are `asked` from now on; None where there is none."""
    new: dict[PartName, Part] = {
        name: part for name, part in parts_of(payload).items() if part not in asked
    }
    if not new:
        return None
    asked.update(new.values())
    name = base_name(document.external_id, payload)
    if "relation" not in new:
        more = _digest(new.values())
        sides = payload["subject"], payload["object"]
        name = task_name(document.external_id, sides, f":parts:{more}")
    return document.pk, name, payload | {"asks": list(new)}


def _digest(facts: Iterable[Any]) -> str:
    return hashlib.blake2b("\n".join(map(str, facts)).encode(), digest_size=8).hexdigest()


def _edges(document: Document) -> tuple[set[int], set[int]]:
    return {start for start, _ in document.tokens}, {end for _, end in document.tokens}


def _problem(
    claim: Claim, directions: Directions, edges: tuple[set[int], set[int]] | None
) -> Problem | None:
    """Why a claim can't be asked about."""
    if edges is None:
        return Problem("claim.no_document", "", CATALOGUE, document=claim.document)
    kinds = claim.subject.type, claim.object.type
    told = directions.told(claim.relation, *kinds)
    if told.code == "unsupported-relation":
        return Problem("claim.no_relation", "", CATALOGUE, relation=claim.relation)
    for side, name in (("subject", claim.subject), ("object", claim.object)):
        if name.start not in edges[0] or name.end not in edges[1] or name.start >= name.end:
            ends = {"start": name.start, "end": name.end}
            return Problem("claim.off_words", "", CATALOGUE, side=side, **ends)
    if (claim.subject.start, claim.subject.end) == (claim.object.start, claim.object.end):
        return Problem("claim.same_words", "", CATALOGUE)
    if told.code:
        sides = {"subject": kinds[0], "object": kinds[1]}
        return Problem("claim.types", "", CATALOGUE, relation=claim.relation, **sides)
    return None


def canonical(claim: Claim, directions: Directions) -> Claim:
    """Under the name that the schema puts first, and turned its way; of a symmetric relation the
    one whose subject stands first."""
    told = directions.told(claim.relation, claim.subject.type, claim.object.type)
    sides = (claim.object, claim.subject) if told.turned else (claim.subject, claim.object)
    if directions.symmetric[told.relation] and sides[0].start > sides[1].start:
        sides = sides[1], sides[0]
    name = directions.names[told.relation]
    return Claim(claim.line, claim.document, sides[0], name, sides[1], claim.provenance)


def _payload(claim: Claim, entries: Mapping[str, Entity]) -> dict[str, Any]:
    subject, object_ = _claimed(claim.subject, entries), _claimed(claim.object, entries)
    payload: dict[str, Any] = {"subject": subject, "object": object_, "predicted": claim.relation}
    if claim.provenance:
        payload["provenance"] = [list(span) for span in claim.provenance]
    return payload


def _claimed(name: Name, entries: Mapping[str, Entity]) -> dict[str, Any]:
    side: dict[str, Any] = {"start": name.start, "end": name.end, "type": name.type}
    if name.link is not None:
        entry = entries.get(name.link)
        side["link"] = {
            "key": name.link,
            "name": entry.name if entry else name.link,
            "description": entry.description if entry else "",
        }
    return side
