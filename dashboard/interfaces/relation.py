"""Relations between two names of a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotation.interfaces.claim_parts import asked_parts
from annotation.interfaces.relation_feedback import VERDICTS
from annotation.interfaces.schema import NONE, UNSURE
from dashboard.answer_words import NO_ANSWER_WORDS, counted
from dashboard.campaigns.building_forms import BuildForm, RelationCampaignForm
from dashboard.interfaces import Answer, Built, Pages
from dashboard.results.findings import relation_findings


def in_words(answer: Answer) -> str:
    relation: str | None = answer["relation"]
    wrong = [name for name, value in answer.items() if name.endswith("_ok") and value is False]
    if relation is None:
        return f"{counted(len(wrong), 'part')} denied" if wrong else "no part denied"
    told = NO_ANSWER_WORDS.get(relation, relation)
    return f"{told}, {counted(len(wrong), 'part')} denied" if wrong else told


PARTS = {
    "relation": "the relation",
    "subject_ok": "the subject is a name",
    "object_ok": "the object is a name",
    "subject_type_ok": "the subject’s type",
    "object_type_ok": "the object’s type",
    "subject_link_ok": "the subject’s link",
    "object_link_ok": "the object’s link",
}


def verdicts(payload: Mapping[str, Any]) -> list[Answer]:
    """All that is asked of the claim is true; all is but the relation."""
    claimed = payload.get("predicted")
    if not claimed:
        return []
    asked = asked_parts(payload)
    nothing: dict[str, Any] = dict.fromkeys(VERDICTS)
    plain: Answer = {"relation": None, "evidence": [], **nothing}
    true: Answer = {**plain, **{name: True for name in asked if name != "relation"}}
    if "relation" not in asked:
        return [true]
    return [{**true, "relation": claimed}, {**true, "relation": NONE}]


def verdict_in_words(answer: Answer, payload: Mapping[str, Any]) -> str:
    claimed = payload.get("predicted")
    if not claimed:
        return ""
    told: dict[bool | str, list[str]] = {}
    for name in asked_parts(payload):
        said = answer.get(name)
        if name == "relation" and said is not None:
            said = UNSURE if said == UNSURE else said == claimed
        if said is not None:
            told.setdefault(said, []).append(PARTS[name])
    if set(told) == {True}:
        return "all is true"
    kinds = ((False, "wrong"), (UNSURE, "can’t tell"))
    said_of = [f"{words}: {', '.join(told[value])}" for value, words in kinds if value in told]
    return "; ".join(said_of) or "nothing said"


PAGES = Pages(
    in_words=in_words,
    verdicts=verdicts,
    verdict_in_words=verdict_in_words,
    findings=relation_findings,
    tasks_title="Pairs",
    tasks="dashboard/campaigns/_relation_findings.html",
    built=Built(
        command="build_relation_tasks",
        form=RelationCampaignForm,
        build_form=BuildForm,
        title="Relations between the names",
        lead="dashboard/campaigns/_relation_lead.html",
        called="a relation campaign",
        short="relations",
        lacks=lambda schema: not schema.get("relation_types"),
        lacking="dashboard/campaigns/_relation_lacking.html",
        more="dashboard/campaigns/_relation_claims.html",
    ),
)
