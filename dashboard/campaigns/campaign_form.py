"""The forms of a new campaign: what each has, whatever it asks, and what entity campaigns add."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.conf import settings as site_settings

from annotation.actions.campaigns.editing import in_options
from annotation.actions.campaigns.tasks import GOLD_OPTIONS
from annotation.interfaces import traits
from annotation.interfaces.entity_options import SWITCHES, is_on
from annotation.models import Campaign
from annotation.text.markdown import LONGEST_TEXT
from dashboard.forms import MOST_BUDGET, AmountField, SlugField, free_slug, in_units

MOST_PAY = Decimal(1_000_000)
MOST_GOLD = 32_767
MOST_TRIES = 10
LONGEST_WARNING = 500
NEW = Campaign()  # has what a campaign has if nothing is said
# What the action calls the fields, where it is not what they are called here.
FIELDS = {"pay_mills": "pay", "budget_mills": "budget"}


def _number(
    label: str, least: int, most: int, initial: int, help_text: str = "", **options: Any
) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, initial=initial, help_text=help_text,
        error_messages={
            "required": f"Write a whole number from {least:,} to {most:,}.",
            "invalid": f"Write a whole number from {least:,} to {most:,}.",
            "min_value": f"Write a whole number from {least:,} to {most:,}.",
            "max_value": f"Write a whole number from {least:,} to {most:,}.",
        },
        **options,
    )  # fmt: skip


def _code(label: str, help_text: str = "") -> forms.CharField:
    return forms.CharField(
        required=False, max_length=60, label=label, help_text=help_text,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "size": 16}),
    )  # fmt: skip


def _target(label: str, help_text: str) -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        required=False,
        min_value=Decimal("0.01"), max_value=1, max_digits=4, decimal_places=3,
        help_text=help_text,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "size": 6}),
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value", "max_digits", "max_decimal_places"),
            "Write a share above 0 and up to 1, such as 0.9.",
        ),
    )  # fmt: skip


class CampaignForm(forms.Form):
    """What every campaign has, whatever it asks."""

    interface = ""  # of the campaigns that it makes
    template = "dashboard/campaigns/_own_fields.html"  # of what it has besides
    fields_of: ClassVar = FIELDS  # what the action calls a field → the field
    parts: ClassVar[dict[str, tuple[str, ...]]] = {}  # an option → the fields that it is made of

    name = forms.CharField(
        max_length=200,
        help_text="What workers read above their task.",
        error_messages={"required": "Give the campaign a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    slug = SlugField()
    instructions = forms.CharField(
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 12}),
    )
    consent = forms.CharField(
        required=False,
        max_length=LONGEST_TEXT,
        label="What workers agree to",
        help_text="Who asks, what for, what is kept, whom to write to. Markdown. Each worker "
        "agrees to it before the first task, and the time is kept. Left empty, nothing is asked.",
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
    )
    content_warning = forms.CharField(
        required=False,
        max_length=LONGEST_WARNING,
        help_text="One sentence that is read before the first text, such as “Some of these letters "
        "tell of violence.”",
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )
    summary = forms.CharField(
        required=False,
        max_length=500,
        label="What workers do, and what for",
        help_text="One or two sentences on their first page, such as “You read short reports and "
        "mark each ship and firm. Historians use the result.”",
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    requester = forms.CharField(
        required=False,
        max_length=200,
        label="Who asks",
        help_text="On their first page: an institution, and whom to write to.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )
    payment_terms = forms.CharField(
        required=False,
        max_length=200,
        label="When and how it is paid",
        help_text="On their first page, such as “Each Friday, by the platform”.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )
    code_completed = _code(
        "Code for completed work", "Left empty, each worker gets one of their own."
    )
    code_stopped = _code("Code for work that is stopped early")
    code_screened_out = _code("Code for a test that is not passed")
    language = forms.ChoiceField(
        required=False,
        choices=[("", "As the worker’s browser is set"), *site_settings.LANGUAGES],
        label="Language of the worker’s page",
        help_text="Buttons, messages and replies; instructions and texts stay as you wrote them. "
        "A worker can choose another language on the page.",
    )
    redundancy = _number(
        "Answers for each task", 1, 1_000, NEW.redundancy,
        "Each from another worker. Three is a good start.",
    )  # fmt: skip
    pay = AmountField(
        max_value=MOST_PAY,
        label="Pay for an answer",
        help_text="Workers see it before they begin.",
        error_messages={"required": "Write an amount, such as 0.05; 0 for unpaid work."},
    )
    currency = forms.RegexField(
        r"^[A-Za-z]{3}\Z",
        initial=NEW.currency,
        error_messages={
            "required": "Write the three letters of a currency, such as USD.",
            "invalid": "Write the three letters of a currency, such as USD.",
        },
        widget=forms.TextInput(attrs={"size": 4, "maxlength": 3, "spellcheck": "false"}),
    )
    budget = AmountField(
        max_value=MOST_BUDGET,
        required=False,
        help_text="The most that may be spent. Left empty, nothing limits it.",
    )
    gold_every = _number(
        "One task in so many is hidden gold", 0, MOST_GOLD, NEW.gold_every, "0 for none."
    )
    training_size = _number(
        "Practice tasks for each worker", 0, MOST_GOLD, NEW.training_size,
        "What was right is shown after each. 0 for none.",
    )  # fmt: skip
    exam_size = _number(
        "Exam tasks for each worker", 0, MOST_GOLD, NEW.exam_size,
        "Without feedback; they decide who qualifies. 0: the practice decides.",
    )  # fmt: skip
    pass_score = forms.DecimalField(
        label="Share that has to be right to pass",
        min_value=0, max_value=1, max_digits=4, decimal_places=3,
        initial=Decimal(str(NEW.pass_score)),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "size": 6}),
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value", "max_digits", "max_decimal_places"),
            "Write a share from 0 to 1, such as 0.7.",
        ),
    )  # fmt: skip
    tries = _number(
        "Tries that each worker has", 1, MOST_TRIES, NEW.tries,
        "Each with other tasks, as long as there are enough.",
    )  # fmt: skip
    target_quality = _target(
        "Quality wanted",
        "The share of all labels that are to be right at the end, such as 0.9; of spans their F1. "
        "A task whose confidence is so high is given out no more, and one that has all its answers "
        "and is below asks for one more. Left empty, every task gets as many.",
    )
    target_confidence = _target(
        "Confidence wanted",
        "The same rule, without a quality that is promised. Leave it empty where you name one.",
    )
    max_redundancy = _number(
        "Answers for each task at most", 1, 1_000, NEW.max_redundancy,
        "For a task that stays in doubt. Where tasks get one or two answers otherwise, a twentieth "
        "of those with choices or relations (30 at least), drawn at random, gets all of them: they "
        "tell what answers are worth together.", required=False,
    )  # fmt: skip
    lease_minutes = _number(
        "Minutes that a worker may keep a task", 1, 43_200, NEW.lease_minutes,
        "A draft that is saved begins them anew.",
    )  # fmt: skip
    skip_limit = _number("Tasks that a worker may skip", 0, MOST_GOLD, NEW.skip_limit)
    correction_seconds = _number(
        "Seconds in which an answer can be corrected", 0, 3_600, NEW.correction_seconds,
        "Workers can correct an answer once, until they hand in the next; with 60, for a minute "
        "in any case.", required=False,
    )  # fmt: skip
    spread = forms.ChoiceField(choices=Campaign.Spread.choices, label="Order of the work")
    doubts = forms.ChoiceField(
        choices=Campaign.Doubts.choices,
        initial=NEW.doubts,
        label="What workers mark as unsure",
        help_text="Leave it out of the consensus only where such answers are hardly better than "
        "guesses; labels follow with the next run.",
    )

    @property
    def own_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name not in CampaignForm.base_fields]

    @property
    def gold_of_documents(self) -> bool:
        return bool(self.interface) and traits(self.interface).gold_of_documents

    @staticmethod
    def field_of(path: str) -> str:
        """The field for a path of a refused option."""
        return path.rpartition(".")[2]

    def clean_currency(self) -> str:
        return self.cleaned_data["currency"].upper()

    def clean_pass_score(self) -> float:
        return float(self.cleaned_data["pass_score"])

    def clean_target_confidence(self) -> float | None:
        return self._as_float("target_confidence")

    def clean_target_quality(self) -> float | None:
        return self._as_float("target_quality")

    def _as_float(self, name: str) -> float | None:
        given = self.cleaned_data[name]
        return None if given is None else float(given)

    def clean(self) -> None:
        """Without a target the maximum plays no part: nobody is to be held up by it."""
        data = self.cleaned_data
        most, least = data.get("max_redundancy"), data.get("redundancy")
        if most is None or least is None or most >= least:
            return
        if data.get("target_confidence") is None and data.get("target_quality") is None:
            data["max_redundancy"] = None
        else:
            self.add_error("max_redundancy", f"Each task gets {least} answers. Write that or more.")

    def clean_instructions(self) -> str:
        return self._as_it_was("instructions")

    def clean_consent(self) -> str:
        return self._as_it_was("consent")

    def _as_it_was(self, name: str) -> str:
        """What was not touched stays the text that it is: a browser sends other line ends, and a
        file ends in one."""
        text = self.cleaned_data[name].replace("\r\n", "\n")
        before = self.initial.get(name, "")
        return before if before.replace("\r\n", "\n").strip() == text else text

    def chosen(self) -> dict[str, Any]:
        """What was chosen, by the names that the actions have for it."""
        names = {field: name for name, field in FIELDS.items()}
        chosen = {names.get(name, name): value for name, value in self.cleaned_data.items()}
        for name in ("max_redundancy", "correction_seconds"):  # left empty
            if chosen.get(name) is None:  # the action knows what is meant
                chosen.pop(name, None)
        return chosen

    def settings(self) -> dict[str, Any]:
        """The arguments of create_campaign."""
        data = self.chosen()
        options = {name: data.pop(name) for name in in_options(self.interface) & data.keys()}
        own = traits(self.interface)
        kept = {name: value for name, value in options.items() if value or name in own.switches}
        slug = data["slug"] or free_slug(data["name"], Campaign.objects.all(), "campaign")
        return data | {"slug": slug, "interface": self.interface, "options": kept}

    @staticmethod
    def initial_of(campaign: Campaign) -> dict[str, Any]:
        """What an existing campaign has, as the fields of this form show it."""
        same = (
            "name", "content_warning", "summary", "requester", "payment_terms", "code_completed",
            "code_stopped", "code_screened_out", "language", "redundancy", "currency", "gold_every",
            "training_size", "exam_size", "tries", "lease_minutes", "skip_limit", "spread",
            "pass_score", "target_quality", "target_confidence", "max_redundancy",
            "correction_seconds", "doubts",
        )  # fmt: skip
        return {name: getattr(campaign, name) for name in same} | {
            "instructions": campaign.instructions.text if campaign.instructions else "",
            "consent": campaign.consent.text if campaign.consent else "",
            "pay": in_units(campaign.pay_mills),
            "budget": in_units(campaign.budget_mills),
        }


class DocumentGoldForm(CampaignForm):
    """Of campaigns whose gold is set aside from documents."""

    hidden_gold = _number("Documents set aside as hidden gold", 0, MOST_GOLD, 0)
    training_gold = _number("Documents set aside to practise on", 0, MOST_GOLD, 0)
    exam_gold = _number(
        "Documents set aside for the exam", 0, MOST_GOLD, 0,
        "Never given as hidden gold. A task for each exam task of each try.",
    )  # fmt: skip

    @property
    def own_fields(self) -> list[forms.BoundField]:
        """These stand beside the other gold."""
        return [field for field in super().own_fields if field.name not in GOLD_OPTIONS.values()]

    @staticmethod
    def initial_of(campaign: Campaign) -> dict[str, Any]:
        return CampaignForm.initial_of(campaign) | {
            name: campaign.options.get(name, 0) for name in GOLD_OPTIONS.values()
        }


class EntityCampaignForm(DocumentGoldForm):
    interface = "entity"
    template = "dashboard/campaigns/_entity_fields.html"

    coreference = forms.BooleanField(
        required=False,
        label="Group the names that mean the same",
        help_text="“Ada Lovelace” and a later “she” become one entity.",
    )
    linking = forms.BooleanField(
        required=False,
        label="Link names to the knowledge base",
        help_text="Workers search the project's list of entities as they type.",
    )
    suggestions = forms.BooleanField(
        required=False,
        label="Show the predictions that came with the documents",
        help_text="Workers accept, change or dismiss them.",
    )

    @staticmethod
    def initial_of(campaign: Campaign) -> dict[str, Any]:
        options = campaign.options
        return DocumentGoldForm.initial_of(campaign) | {
            **{name: is_on(options, name) for name in SWITCHES},
            "suggestions": bool(options.get("suggestions")),
        }
