"""Relations between two names of a sentence."""

from __future__ import annotations

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


PAGES = Pages(
    in_words=in_words,
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
