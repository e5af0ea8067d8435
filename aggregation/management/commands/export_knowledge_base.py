"""Write what a project's campaigns have found as a knowledge base."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.knowledge.export import knowledge
from aggregation.knowledge.files import HEADER, as_json, as_row
from aggregation.knowledge.sources import NothingToExport, sources_of
from aggregation.management.words import counted
from annotation.actions.progress import Progress
from annotation.formats.output import replaced, standard_output
from annotation.models import Project

FORMS = {".jsonl": "jsonl", ".tsv": "tsv"}
KINDS = ("entity", "mention", "link", "relation")


class Command(BaseCommand):
    help = (
        "Write entities, mentions, links and relations of a project with their confidence and "
        "where they come from, from the latest complete runs. import_knowledge_base reads the "
        "entities of the file again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument(
            "--out",
            default="-",
            metavar="FILE",
            help=".jsonl or .tsv, packed with .gz; standard output, as JSON lines, if not given",
        )
        parser.add_argument(
            "--campaign",
            action="append",
            default=[],
            metavar="SLUG",
            help="Can be given more than once. Without it of each interface the one whose run is "
            "the newest.",
        )

    def handle(self, *, project: str, out: str, campaign: list[str], **options: Any) -> None:
        found = Project.objects.filter(slug=project).first()
        if found is None:
            raise CommandError(f"There is no project '{project}'.")
        form = _form(out)
        try:
            sources = sources_of(found, campaign)
        except (NothingToExport, ValueError) as error:
            raise CommandError(str(error)) from error
        written: Counter[str] = Counter()
        opened = standard_output(self.stdout) if out == "-" else replaced(Path(out))
        try:
            with opened as file, Progress(self.stderr, None, "answers") as progress:
                if form == "tsv":
                    file.write(HEADER)
                for record in knowledge(found, sources, advance=progress.advance):
                    file.write(as_row(record) if form == "tsv" else as_json(record))
                    written[record["kind"]] += 1
        except OSError as error:
            raise CommandError(f"{out} can't be written: {error.strerror}.") from error
        if out != "-":
            told = ", ".join(_in_words(kind, written[kind]) for kind in KINDS)
            runs = ", ".join(f"{s.campaign.slug} ({s.run.method})" for s in sources)
            self.stdout.write(f"{told} were written to {out}, from {runs}.")


def _in_words(kind: str, number: int) -> str:
    return f"{number:,} entities" if kind == "entity" and number != 1 else counted(number, kind)


def _form(out: str) -> str:
    if out == "-":
        return "jsonl"
    suffix = Path(out.lower().removesuffix(".gz")).suffix
    if suffix not in FORMS:
        raise CommandError(f"'{out}' has to end in .jsonl or .tsv, or in one of them and .gz.")
    return FORMS[suffix]
