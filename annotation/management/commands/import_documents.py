import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import locks
from annotation.actions.documents import ImportFailed, ImportTally, import_documents
from annotation.actions.progress import Progress
from annotation.formats.reading import FORMATS
from annotation.models import ImportRun, Project


class Command(BaseCommand):
    help = (
        "Import documents from a file of JSON lines or CoNLL (.gz too). They become visible all "
        "at once at the end; a second import of the same file changes nothing."
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
        parser.add_argument(
            "--strict", action="store_true", help="import nothing if any line is rejected"
        )

    def handle(
        self,
        *,
        file: str,
        project: str,
        format: str,
        report: Path | None,
        strict: bool,
        **options: Any,
    ) -> None:
        found = Project.objects.filter(slug=project).first()
        if found is None:
            raise CommandError(
                f"There is no project '{project}'. Create it first: manage.py create_project"
            )
        tally = ImportTally()
        started = time.perf_counter()
        try:
            with Progress(self.stderr, _size(file), "bytes read") as progress:
                run = import_documents(
                    found,
                    file,
                    format=format,
                    report=report,
                    progress=progress,
                    strict=strict,
                    tally=tally,
                )
        except (ImportFailed, locks.Held) as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped. Nothing was imported.", returncode=130) from None
        self._report(run, tally, time.perf_counter() - started)
        if run.rejected and not run.added and not run.unchanged:
            raise CommandError("Every document was rejected; nothing was imported.")

    def _report(self, run: ImportRun, tally: ImportTally, seconds: float) -> None:
        rate = f" ({tally.tokens / seconds:,.0f} a second)" if tally.tokens else ""
        self.stdout.write(
            f"{run.file_name} ({run.format}): {run.added:,} documents added, {run.unchanged:,} "
            f"unchanged, {run.rejected:,} rejected; {tally.tokens:,} new tokens in "
            f"{seconds:.1f} s{rate}."
        )
        if run.split_tokens:
            self.stdout.write(
                f"{run.split_tokens:,} tokens were split, because a mention begins or ends inside."
            )
        if tally.unused:
            names = ", ".join(f"{name} ({n:,})" for name, n in tally.unused.most_common())
            self.stdout.write(f"Fields not used: {names}.")
        if run.rejected:
            self._report_rejected(run, tally)
        if run.added:
            self.stdout.write(f"To take it back: ./run manage undo_import {run.key}")

    def _report_rejected(self, run: ImportRun, tally: ImportTally) -> None:
        self.stdout.write(
            self.style.WARNING(f"{run.rejected:,} rejected; all are listed in {tally.report}:")
        )
        for one in tally.reasons:
            self.stdout.write(f"  {one.place}: {one.reason}")
        if run.rejected > len(tally.reasons):
            self.stdout.write(f"  … and {run.rejected - len(tally.reasons):,} more")


def _size(file: str) -> int | None:
    try:
        return None if file == "-" else Path(file).stat().st_size
    except OSError:
        return None  # the import itself says what is wrong with the file
