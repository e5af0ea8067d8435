"""From mentions to a knowledge base, with the demonstration's crowd: campaign after campaign.

What a manager would type is run as the command that they would type, and told with its outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.utils import timezone

from aggregation.queries import latest_run
from annotation.models import Campaign, Project
from demonstration import chain

Report = Callable[[str], Any]

KNOWLEDGE, TABLE = "knowledge.jsonl", "knowledge.tsv"
FROM_ENTITIES = ("--campaign", chain.ENTITIES, "--into")
BUILD = {
    chain.RELATIONS: ("build_relation_tasks", *FROM_ENTITIES, chain.RELATIONS),
    chain.LINKS: (
        "build_linking_tasks", *FROM_ENTITIES, chain.LINKS, "--block-size", "12",
        *(part for kind in chain.LINKED for part in ("--type", kind)),
    ),
}  # fmt: skip

CLOSED = (chain.ENTITIES,)  # all answers are in, and the next is made of them


def run_chain(manager: Any, folder: Path, report: Report, now: datetime | None = None) -> None:
    """What is still lacking of the chain; a start that was broken off is made up for.

    The files of the demonstration, and the knowledge base in the end, are put into `folder`. The
    crowd's work lies in the days before `now`.
    """
    now = now or timezone.now()
    if not Project.objects.filter(slug=chain.PROJECT).exists():
        chain.set_up(manager, folder, now)
        report(f"Project '{chain.PROJECT}': its files are in {folder}.")
    for slug in (chain.ENTITIES, chain.RELATIONS, chain.LINKS):
        campaign = Campaign.objects.select_related("project__owner").filter(slug=slug).first()
        if campaign is None:  # a manager took it away
            return
        if not chain.is_worked(campaign):
            if not chain.may_work(campaign):
                return
            if slug in BUILD and campaign.state == Campaign.State.DRAFT:
                _run(report, *BUILD[slug])
            answers = chain.work(campaign, now)
            report(f"\n{len(chain.CROWD)} simulated workers give '{slug}' {answers:,} answers.")
        if latest_run(campaign) is None:
            _aggregate(slug, folder, report)
        if slug in CLOSED and campaign.state != Campaign.State.CLOSED:
            _run(report, "campaign", slug, "close")
    if not (folder / KNOWLEDGE).exists():
        _export(folder, report)


def _aggregate(slug: str, folder: Path, report: Report) -> None:
    """The gold of the entity campaign came with its documents, that of the others is a file."""
    _run(report, "aggregate", "--campaign", slug)
    gold = folder / chain.GOLD
    if not gold.exists():
        chain.write_files(folder)
    known = [] if slug == chain.ENTITIES else ["--gold", str(gold)]
    _run(report, "score_consensus", "--campaign", slug, *known)


def _export(folder: Path, report: Report) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    project = ("--project", chain.PROJECT)
    _run(report, "export_knowledge_base", *project, "--out", str(folder / TABLE))
    _run(report, "export_knowledge_base", *project, "--out", str(folder / KNOWLEDGE))
    _run(report, "import_knowledge_base", str(folder / KNOWLEDGE), *project)


def _run(report: Report, *command: str) -> None:
    report(f"\n$ ./run manage {' '.join(command)}")
    output = StringIO()
    call_command(*command, stdout=output, stderr=StringIO())
    report(output.getvalue().rstrip())
