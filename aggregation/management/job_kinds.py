"""The jobs that infer, compare and write labels. What they load is loaded when they run."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.utils import timezone

from annotation.actions import locks, rollups
from annotation.actions.campaigns import tasks_built
from annotation.management.jobs.kinds import (
    Kind,
    by,
    called,
    command,
    file_of,
    options_of,
    sent_file,
    with_file,
)
from annotation.models import Campaign, Job
from annotation.queries.file_formats import FORMATS

# What a command says for those who have no page before them.
OPEN_IT, RUN = re.compile("Open it: "), re.compile(r"^run \S+: ")
RUN_AT_END, NAMED_RUN = re.compile(r"; run \S{36}$"), re.compile(r"\brun \S{36}")


def _build(name: str) -> Any:
    def run(job: Job) -> dict[str, Any]:
        into = job.campaign
        assert into is not None
        source = Campaign.objects.get(slug=job.parameters["campaign"], project=into.project_id)
        lines = called(name, f"--into={into.slug}", *options_of(job))
        tasks_built(into, source, user=job.asked_by)
        return {"lines": [RUN.sub("", line) for line in lines if not OPEN_IT.match(line)]}

    return run


def _build_claims(job: Job) -> dict[str, Any]:
    into = job.campaign
    assert into is not None
    file = f"--predictions={sent_file(job)}"
    lines = called("build_relation_tasks", file, f"--into={into.slug}")
    return {"lines": [line for line in lines if not OPEN_IT.match(line)]}


def _import_consensus(job: Job) -> dict[str, Any]:
    into = job.campaign
    assert into is not None
    return {"lines": called("import_consensus", into.slug, str(sent_file(job)), *by(job))}


def _knowledge_base(job: Job) -> dict[str, Any]:
    project = job.project
    assert project is not None
    suffix = job.parameters["suffix"]
    path = file_of(job, f"{project.slug}-{timezone.localdate():%Y-%m-%d}.{suffix}")
    campaigns = [f"--campaign={slug}" for slug in job.parameters["campaigns"]]
    return _written(path, "export_knowledge_base", f"--project={project.slug}", *campaigns)


def _annotations(job: Job) -> dict[str, Any]:
    campaign, what, format = job.campaign, job.parameters["what"], job.parameters["format"]
    assert campaign is not None
    least = job.parameters.get("at_least")  # a job of an older version has none
    called_so = f"{what}-from-{least}" if least else what
    suffix = FORMATS[format].suffix
    name = f"{campaign.slug}-{called_so}-{timezone.localdate():%Y-%m-%d}.{suffix}"
    path = file_of(job, name)
    return _written(
        path, "export_annotations", f"--campaign={campaign.slug}", f"--what={what}",
        f"--format={format}", *([f"--at-least={least}"] if least else []),
    )  # fmt: skip


def _written(path: Path, name: str, *arguments: str) -> dict[str, Any]:
    """By a command that says where it writes; who asked is told the file's name alone."""
    try:
        lines = called(name, *arguments, f"--out={path}")
    except CommandError as error:
        raise CommandError(str(error).replace(str(path), path.name)) from error.__cause__
    return with_file(path, [line.replace(str(path), path.name) for line in lines])


def _aggregate(job: Job) -> dict[str, Any]:
    assert job.campaign is not None
    lines = called("aggregate", *options_of(job, "campaign"))
    rollups.tally([job.campaign])  # else the page tells of fewer answers than the run has
    return {"lines": [NAMED_RUN.sub("the run", RUN_AT_END.sub("", line)) for line in lines]}


def _refit(job: Job) -> dict[str, Any]:
    lines = called("refit_workers", *options_of(job, "campaign"))
    return {"lines": [RUN_AT_END.sub("", line) for line in lines]}


def _compare(job: Job) -> dict[str, Any]:
    from aggregation.management.commands import aggregate as command

    assert job.campaign is not None
    try:
        found = command.compared(job.campaign, command.ALL, StringIO())
    except (ValueError, locks.Held) as error:
        raise CommandError(str(error)) from error
    told = ["The methods side by side, the one that is taken by itself first. Nothing was stored."]
    return {"lines": told, "table": command.cells_of(found.rows), "notes": command.notes_of(found)}


KINDS = [
    Kind("refresh_consensus", "Refresh the consensus", command("refresh_consensus")),
    Kind("aggregate", "Run aggregation", _aggregate),
    Kind("compare_methods", "Compare methods", _compare),
    Kind("refit_workers", "Measure accuracies", _refit),
    Kind("export_annotations", "Download labels", _annotations),
    Kind(
        "build_relation_tasks", "Create relation tasks", _build("build_relation_tasks"),
        resumes=True,
    ),
    Kind("import_consensus", "Import labels", _import_consensus),
    Kind("import_claims", "Import claims", _build_claims),
    Kind(
        "build_linking_tasks", "Create linking tasks", _build("build_linking_tasks"), resumes=True
    ),
    Kind(
        "export_knowledge_base", "Download knowledge base", _knowledge_base, for_reviewers=True
    ),
]  # fmt: skip
