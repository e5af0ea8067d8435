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

Tell = Callable[[str], Any]

KNOWLEDGE, TABLE = "knowledge.jsonl", "knowledge.tsv"
FROM_ENTITIES = ("--campaign", chain.ENTITIES, "--into")
BUILD = {
    chain.RELATIONS: ("build_relation_tasks", *FROM_ENTITIES, chain.RELATIONS),
    chain.LINKS: (
        "build_linking_tasks", *FROM_ENTITIES, chain.LINKS, "--block-size", "12",
        *(part for kind in chain.LINKED for part in ("--type", kind)),
    ),
}  # fmt: skip


def run_chain(manager: Any, folder: Path, tell: Tell, now: datetime | None = None) -> None:
    """What is still lacking of the chain; a start that was broken off is made up for.

    The files of the demonstration, and the knowledge base in the end, are put into `folder`. The
    crowd's work lies in the days before `now`.
    """
    now = now or timezone.now()
    if not Project.objects.filter(slug=chain.PROJECT).exists():
        chain.set_up(manager, folder, now)
        tell(f"Project '{chain.PROJECT}': its files are in {folder}.")
    for slug in (chain.ENTITIES, chain.RELATIONS, chain.LINKS):
        campaign = Campaign.objects.select_related("project__owner").filter(slug=slug).first()
        if campaign is None:  # a manager took it away
            return
        if not chain.is_worked(campaign):
            if not chain.may_work(campaign):
                return
            if slug in BUILD and campaign.state == Campaign.State.DRAFT:
                _run(tell, *BUILD[slug])
            answers = chain.work(campaign, now)
            tell(f"\n{len(chain.CROWD)} simulated workers give '{slug}' {answers:,} answers.")
        if latest_run(campaign) is None:
            _aggregate(slug, folder, tell)
    if not (folder / KNOWLEDGE).exists():
        _export(folder, tell)


def _aggregate(slug: str, folder: Path, tell: Tell) -> None:
    """The gold of the entity campaign came with its documents, that of the others is a file."""
    _run(tell, "aggregate", "--campaign", slug)
    gold = folder / chain.GOLD
    if not gold.exists():
        chain.write_files(folder)
    known = [] if slug == chain.ENTITIES else ["--gold", str(gold)]
    _run(tell, "score_consensus", "--campaign", slug, *known)


def _export(folder: Path, tell: Tell) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    project = ("--project", chain.PROJECT)
    _run(tell, "export_knowledge_base", *project, "--out", str(folder / TABLE))
    _run(tell, "export_knowledge_base", *project, "--out", str(folder / KNOWLEDGE))
    _run(tell, "import_knowledge_base", str(folder / KNOWLEDGE), *project)


def _run(tell: Tell, *command: str) -> None:
    tell(f"\n$ ./run manage {' '.join(command)}")
    said = StringIO()
    call_command(*command, stdout=said, stderr=StringIO())
    tell(said.getvalue().rstrip())
