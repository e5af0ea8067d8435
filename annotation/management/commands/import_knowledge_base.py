import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks
from annotation.actions.knowledge import (
    KnowledgeImportFailed,
    KnowledgeTally,
    import_knowledge_base,
)
from annotation.actions.progress import Progress
from annotation.formats.knowledge import FORMATS
from annotation.management.people import add_by, user_of
from annotation.models import Project

TYPES = 10  # unknown to the schema, that are named


class Command(BaseCommand):
    help = (
        "Import entries of a knowledge base, which workers link mentions to, from JSON lines, TSV "
        "or CSV (.gz too). Entries that are there already are changed where they differ; a second "
        "import of the same file changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the file; - is the standard input")
        parser.add_argument("--project", required=True, metavar="SLUG")
        parser.add_argument("--format", choices=["auto", *FORMATS], default="auto")
        parser.add_argument(
            "--report",
            type=Path,
            metavar="FILE",
            help="where rejected lines are listed; DATA_DIR/imports/… if not given",
        )
        add_by(parser)

    def handle(
        self, *, file: str, project: str, format: str, report: Path | None, by: str | None,
        **options: Any,
    ) -> None:  # fmt: skip
        found = Project.objects.filter(slug=project).first()
        if found is None:
            raise CommandError(
                f"There is no project '{project}'. Create it first: manage.py create_project"
            )
        tally, started = KnowledgeTally(), time.perf_counter()
        try:
            with Progress(self.stderr, _size(file), "bytes read") as progress:
                import_knowledge_base(
                    found, file, format=format, report=report, progress=progress, tally=tally,
                    user=user_of(by),
                )  # fmt: skip
        except (KnowledgeImportFailed, locks.Held) as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError(
                f"Stopped. {tally.added + tally.changed:,} entries were stored; import the file "
                "again for the rest.",
                returncode=130,
            ) from None
        self._report(tally, time.perf_counter() - started)
        if tally.rejected and not tally.added + tally.changed + tally.unchanged:
            raise CommandError("Every entry was rejected; nothing was imported.")

    def _report(self, tally: KnowledgeTally, seconds: float) -> None:
        entries = "entry" if tally.added == 1 else "entries"
        self.stdout.write(
            f"{tally.file_name} ({tally.format}): {tally.added:,} {entries} added, "
            f"{tally.changed:,} changed, {tally.unchanged:,} unchanged, {tally.rejected:,} "
            f"rejected in {seconds:.1f} s."
        )
        if tally.unused:
            names = ", ".join(f"{name} ({n:,})" for name, n in tally.unused.most_common())
            self.stdout.write(f"Fields not used: {names}.")
        if tally.strange:
            self._report_types(tally)
        if not tally.rejected:
            return
        self.stdout.write(
            self.style.WARNING(f"{tally.rejected:,} rejected; all are listed in {tally.report}:")
        )
        for one in tally.reasons:
            self.stdout.write(f"  {one.place}: {one.reason}")
        if tally.rejected > len(tally.reasons):
            self.stdout.write(f"  … and {tally.rejected - len(tally.reasons):,} more")

    def _report_types(self, tally: KnowledgeTally) -> None:
        """The few that are most frequent: a file may have any number of them."""
        names = [f"{name} ({n:,})" for name, n in tally.strange.most_common(TYPES)]
        if len(tally.strange) > TYPES:
            names.append("…")
        lines = ", ".join(str(line) for line in tally.strange_lines)
        self.stdout.write(
            self.style.WARNING(
                f"{tally.strange.total():,} entries have a type that the project's schema does "
                f"not: {', '.join(names)}. The first stand in line {lines}. They are kept, and "
                "workers see the type as it stands."
            )
        )


def _size(file: str) -> int | None:
    try:
        return None if file == "-" else Path(file).stat().st_size
    except OSError:
        return None  # the import itself says what is wrong with the file
