import uuid
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.management.words import counted
from aggregation.queries import RunSummary, latest_run, run_by_key
from aggregation.queries.exports import WORKER_COLUMNS, consensus, workers
from annotation.actions.progress import Progress
from annotation.formats import jsonl, tables
from annotation.formats.output import replaced, replaced_bytes, standard_output
from annotation.interfaces import categorical
from annotation.models import Campaign
from annotation.queries.exports import Exported, gold, responses
from annotation.queries.file_formats import FORMATS, FileFormat
from annotation.queries.gold_sample import gold_sample, written

CALLED = {  # one of what is written
    "responses": "response",
    "consensus": "consensus answer",
    "sure": "consensus answer that is sure",
    "gold": "known answer",
    "workers": "worker",
    "differing": "task",
    "gold-sample": "task",
}


class Command(BaseCommand):
    help = (
        "Write a campaign's responses, consensus or gold to a file, each with its document, or "
        "what is known of its workers. The JSON lines of answers can be imported again. 'sure' is "
        "the consensus of tasks of which less than half a name is expected to be wrong (of a "
        "label, less than a quarter). "
        "'differing' are at most 30 tasks of choices where the consensus is not among the vote's "
        "most frequent answers, and 'gold-sample' 20 tasks drawn at random, without known answers: "
        "fill in gold, and give the file to import_gold."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--what", required=True, choices=list(CALLED))
        parser.add_argument("--format", choices=list(FORMATS), default="jsonl")
        parser.add_argument(
            "--out", default="-", metavar="FILE", help=".gz is packed; standard output if not given"
        )
        parser.add_argument(
            "--run", metavar="KEY", help="with consensus: the latest complete run if not given"
        )

        parser.add_argument(
            "--at-least", type=float, metavar="CONFIDENCE",
            help="with consensus: leave out tasks of a smaller confidence, from 0 to 1",
        )  # fmt: skip

    def handle(
        self, *, campaign: str, what: str, format: str, out: str, run: str | None,
        at_least: float | None = None, **options: Any,
    ) -> None:  # fmt: skip
        found = Campaign.objects.select_related("project").filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign '{campaign}'.")
        file_format = FORMATS[format]
        if what == "workers" and format not in ("csv", "jsonl"):
            raise CommandError(
                f"{file_format.name} holds {file_format.of or 'answers'}, and no workers. Use "
                "--format csv or jsonl."
            )
        if not file_format.holds(found.interface):
            holds = "entities" if file_format.of == "names" else "choices between classes"
            raise CommandError(
                f"{file_format.name} holds {holds}, and '{campaign}' is a {found.interface} "
                "campaign. Use --format jsonl."
            )
        if file_format.files is not None and out == "-":
            raise CommandError(f"{file_format.name} is an archive. Name a file with --out.")
        if what == "differing" and format != "csv":
            raise CommandError(
                "Where method and vote differ is a table to be filled in. Use --format csv."
            )
        if what == "gold-sample" and format != _format_of_sample(found):
            raise CommandError(
                f"Tasks to be answered are written as {_format_of_sample(found)}. Use --format "
                f"{_format_of_sample(found)}."
            )
        if run is not None and what not in ("consensus", "sure"):
            raise CommandError("--run goes with --what consensus or sure only. Leave it out.")
        if at_least is not None and what not in ("consensus", "sure"):
            raise CommandError("--at-least goes with --what consensus or sure only. Leave it out.")
        if at_least is not None and not 0 <= at_least <= 1:
            raise CommandError(f"--at-least is a confidence from 0 to 1, not {at_least:g}.")
        if file_format.files is not None:
            self._write_archive(found, what, file_format, out, run, at_least)
            return
        header, texts = self._texts(found, what, format, run, at_least)
        opened = standard_output(self.stdout) if out == "-" else replaced(Path(out))
        try:
            with opened as file, Progress(self.stderr, None, what) as progress:
                if header:
                    file.write(header)
                between = ""
                for text in texts:
                    if text:
                        file.write(between + text)
                        between = file_format.between
                    progress.advance()
                if file_format.footer:
                    file.write(file_format.footer)
        except OSError as error:
            raise CommandError(f"{out} can't be written: {error.strerror}.") from error
        if out != "-":
            self._tell(found, what, progress.done, out)

    def _write_archive(
        self,
        campaign: Campaign,
        what: str,
        format: FileFormat,
        out: str,
        run: str | None,
        at_least: float | None,
    ) -> None:
        """A zip whose files have no times: the same answers make the same bytes."""
        assert format.files is not None
        answers = self._exported(campaign, what, run, at_least)
        try:
            with (
                replaced_bytes(Path(out)) as file,
                zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
                Progress(self.stderr, None, what) as progress,
            ):
                for answer in answers:
                    for name, content in format.files(answer):
                        archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
                    progress.advance()
        except OSError as error:
            raise CommandError(f"{out} can't be written: {error.strerror}.") from error
        self._tell(campaign, what, progress.done, out)

    def _tell(self, campaign: Campaign, what: str, number: int, out: str) -> None:
        self.stdout.write(
            f"{counted(number, CALLED[what])} of '{campaign.slug}' "
            f"{'was' if number == 1 else 'were'} written to {out}."
        )

    def _texts(
        self, campaign: Campaign, what: str, format: str, key: str | None, at_least: float | None
    ) -> tuple[str, Iterator[str]]:
        """What comes first, and a text for each answer or worker."""
        if what == "differing":
            from aggregation.actions.differing import differing

            try:
                found = differing(campaign, _run(campaign, key))
            except ValueError as error:
                raise CommandError(str(error)) from error
            return tables.csv_row(("item", "document", "method", "vote", "gold", "drawn")), (
                tables.csv_row((one.task, one.document, one.method, one.vote, "", "differing"))
                for one in found
            )
        if what == "gold-sample":
            lines = written(campaign, gold_sample(campaign))
            return next(lines) if format == "csv" else "", lines
        if what != "workers":
            file = FORMATS[format]
            answers = self._exported(campaign, what, key, at_least)
            return file.header_of(what), file.texts(answers)
        rows = workers(campaign, latest_run(campaign))
        if format == "csv":
            return tables.csv_row(WORKER_COLUMNS), (tables.csv_row(row.values()) for row in rows)
        return "", map(jsonl.write, rows)

    def _exported(
        self, campaign: Campaign, what: str, key: str | None, at_least: float | None
    ) -> Iterator[Exported]:
        if what == "responses":
            return responses(campaign)
        if what == "gold":
            return gold(campaign)
        run = _run(campaign, key)
        if what == "sure" and run.facts.expected_errors is None:
            raise CommandError(
                "The run was made before it was kept what is expected to be wrong. Aggregate again."
            )
        return consensus(campaign, run, sure=what == "sure", at_least=at_least)


def _format_of_sample(campaign: Campaign) -> str:
    return "jsonl" if categorical(campaign.interface) is None else "csv"


def _run(campaign: Campaign, key: str | None) -> RunSummary:
    if key is None:
        run = latest_run(campaign)
    else:
        try:
            run = run_by_key(campaign, uuid.UUID(key))
        except ValueError:
            run = None
    if run is None or run.state != "complete":
        named = f"no complete run '{key}'" if key else "no complete run"
        raise CommandError(
            f"Campaign '{campaign.slug}' has {named}. Make one first: "
            f"aggregate --campaign {campaign.slug} --method METHOD"
        )
    return run
