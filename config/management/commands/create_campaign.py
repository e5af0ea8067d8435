from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.actions import campaigns
from annotation.actions.campaigns.tasks import GOLD_OPTIONS
from annotation.interfaces import REGISTRY, AnswerError, traits
from annotation.management.amounts import mills
from annotation.management.commands.members import who_sees
from annotation.models import Campaign, Project
from selection.actions.rules import keep_each_night

ASKED = {"choices", "scale", "question"}


class Command(BaseCommand):
    help = "Set up a campaign as a draft. Open it with: ./run manage campaign SLUG open"

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("slug", help="the name that commands and links use: letters, digits, - and _")
        add("--project", required=True, help="the project's slug")
        add("--name", help="what workers read; the slug if not given")
        add("--interface", choices=list(REGISTRY), default="entity")
        add("--assignment", choices=Campaign.AssignmentMode.values, default="open")
        add("--spread", choices=Campaign.Spread.values, default="complete")
        add("--redundancy", type=int, default=3, help="answers wanted for each task (3)")
        add(
            "--target-quality", type=float,
            help="the share of labels that are to be right (F1 of spans): answers are added until "
            "a task's calibrated confidence is so high",
        )  # fmt: skip
        add(
            "--target-confidence", type=float,
            help="the confidence wanted, which promises nothing; --target-quality does",
        )  # fmt: skip
        add("--max-redundancy", type=int, help="up to so many for each task (10)")
        add("--open-to", choices=Campaign.OpenTo.values, default="qualified", help="who gets tasks")
        add("--keep-workers", type=int, metavar="K", help="each night keep the K best at most")
        add("--pay", type=float, default=0, help="for one answer, in the currency's unit")
        add("--budget", type=float, help="the most that may be spent; no limit if not given")
        add("--currency", default="USD")
        add("--lease-minutes", type=int, default=30)
        add("--skip-limit", type=int, default=10)
        add("--gold-every", type=int, default=0, help="one task in N is hidden gold; 0: none")
        add("--hidden-gold", type=int, default=0, help="documents with gold to set aside for it")
        add("--training-size", type=int, default=0, help="practice tasks for each worker")
        add("--training-gold", type=int, default=0, help="documents with gold to practise on")
        add("--exam-size", type=int, default=0, help="exam tasks for each worker; 0: no exam")
        add("--exam-gold", type=int, default=0, help="documents with gold to draw them from")
        add("--pass-score", type=float, default=0.7, help="share right in them to qualify (0.7)")
        add("--tries", type=int, default=2, help="how often each worker may try them (2)")
        add(
            "--doubts", choices=Campaign.Doubts.values, default=Campaign.Doubts.COUNTED,
            help="whether what workers mark as unsure counts in the consensus (counted)",
        )  # fmt: skip
        add("--choices", help="for a choice campaign: A,B,C; or A|B|C where a name has a comma")
        add("--scale", metavar="MIN:MAX[:STEP]", help="for a choice campaign: values, as 1:5:0.5")
        add("--question", help="for a choice campaign: what workers are asked")
        add("--coreference", action="store_true", help="entity: workers group mentions")
        add(
            "--no-linking", action="store_true",
            help="entity: workers don't search the knowledge base",
        )  # fmt: skip
        add("--suggestions", action="store_true", help="show the file's predictions to workers")
        add("--instructions", type=Path, metavar="FILE", help="Markdown")
        add("--consent", type=Path, metavar="FILE", help="what workers agree to first; Markdown")
        add("--content-warning", default="", help="one sentence before the first text")
        add(
            "--language", default="", choices=["", *dict(settings.LANGUAGES)],
            help="of the worker's page; left out, as the worker's browser is set",
        )  # fmt: skip

    def handle(self, *, slug: str, project: str, **options: Any) -> None:
        owner = Project.objects.filter(slug=project).first()
        if owner is None:
            raise CommandError(
                f"There is no project '{project}'. Make it first: "
                f"./run manage create_project {project} …"
            )
        if Campaign.objects.filter(slug=slug).exists():
            raise CommandError(f"There is a campaign '{slug}' already. Choose another name.")
        keep = options["keep_workers"]
        if keep is not None and keep < 1:
            raise CommandError(f"--keep-workers is {keep}. Keep at least 1 worker.")
        try:
            campaign = campaigns.create_campaign(
                owner,
                slug=slug,
                name=options["name"] or slug,
                interface=options["interface"],
                instructions=self._text(options["instructions"], "--instructions"),
                consent=self._text(options["consent"], "--consent"),
                content_warning=options["content_warning"],
                language=options["language"],
                assignment=options["assignment"],
                spread=options["spread"],
                redundancy=options["redundancy"],
                target_quality=options["target_quality"],
                target_confidence=options["target_confidence"],
                open_to=options["open_to"],
                pay_mills=mills(options["pay"], "--pay") or 0,
                budget_mills=mills(options["budget"], "--budget"),
                currency=options["currency"],
                lease_minutes=options["lease_minutes"],
                skip_limit=options["skip_limit"],
                gold_every=options["gold_every"],
                training_size=options["training_size"],
                exam_size=options["exam_size"],
                tries=options["tries"],
                pass_score=options["pass_score"],
                doubts=options["doubts"],
                options=self._options(options),
                **self._most(options["max_redundancy"]),
            )
        except ValidationError as error:
            problems = "; ".join(
                f"{field}: {' '.join(messages)}" for field, messages in error.message_dict.items()
            )
            raise CommandError(f"The campaign can't be set up. {problems}") from error
        except AnswerError as error:
            raise CommandError(f"The campaign can't be set up. {error}") from error
        if keep is not None:
            keep_each_night(campaign, keep)
        self.stdout.write(
            f"Campaign '{campaign.slug}' is a draft. "
            f"Look at it: ./run manage campaign {slug} check\n"
            f"Open it: ./run manage campaign {slug} open"
        )
        self.stdout.write(who_sees(owner))

    def _most(self, answers: int | None) -> dict[str, int]:
        return {} if answers is None else {"max_redundancy": answers}

    def _text(self, path: Path | None, option: str) -> str:
        if path is None:
            return ""
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{option} can't be read: {error}") from error

    def _options(self, options: dict[str, Any]) -> dict[str, Any]:
        for name in GOLD_OPTIONS.values():
            if options[name] < 0:
                option = name.replace("_", "-")
                raise CommandError(f"--{option} is {options[name]}. Give 0 or more.")
        chosen: dict[str, Any] = {
            name: options[name] for name in GOLD_OPTIONS.values() if options[name]
        }
        if "coreference" in traits(options["interface"]).switches:
            chosen["coreference"] = options["coreference"]
        chosen |= {"linking": False} if options["no_linking"] else {}
        if options["suggestions"]:
            chosen["suggestions"] = True
        if options["choices"]:
            separator = "|" if "|" in options["choices"] else ","
            names = (name.strip() for name in options["choices"].split(separator))
            chosen["choices"] = [name for name in names if name]
        if options["scale"]:
            chosen["scale"] = scale(options["scale"])
        if options["question"]:
            chosen["question"] = options["question"]
        own = traits(options["interface"])
        if chosen.keys() & ASKED - own.options - own.answered.keys():
            raise CommandError(
                "--choices, --scale and --question are for --interface choice. Add it, or leave "
                "them out."
            )
        return chosen


def scale(text: str) -> dict[str, float]:
    """1:5, or 1:5:0.5; what the numbers have to be, the interface says."""
    try:
        values = [float(part) if "." in part else int(part) for part in text.split(":")]
    except ValueError:
        values = []
    if len(values) not in (2, 3):
        raise CommandError(f"--scale is '{text}'. Write MIN:MAX or MIN:MAX:STEP, such as 1:5:0.5.")
    return dict(zip(("min", "max", "step"), values, strict=False))
