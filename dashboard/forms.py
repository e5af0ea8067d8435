"""The forms of a project and its people, and what all forms here share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from itertools import chain, count
from typing import Any

from django import forms
from django.conf import settings
from django.core.validators import RegexValidator
from django.db.models import QuerySet
from django.utils.text import slugify

from annotation.formats.reading import FORMATS as READ
from annotation.interfaces import AnswerError
from annotation.models import Member, Project

LONGEST_SLUG = 80
LONGEST_STEM = 70  # leaves room for a number
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\Z")
TYPE_PATH = re.compile(r"entity_types\[(\d+)\]")
MILLS = 1000
MOST_BUDGET = Decimal("1e12")  # units of a currency
FORMATS = {
    "jsonl": "JSON lines",
    "json": "JSON, one list of documents",
    "csv": "CSV, a document a row",
    "text": "plain text",
    "conll": "CoNLL, a token a line",
    "conllu": "CoNLL-U",
    "webanno": "WebAnno TSV 3",
    "brat": "brat, a zip of .txt and .ann files",
}
DIALECTS = {
    "doccano": "doccano", "prodigy": "Prodigy", "labelstudio": "Label Studio", "spacy": "spaCy",
}  # fmt: skip


class SlugField(forms.SlugField):
    """May be left empty: the server then makes one of the name."""

    def __init__(self) -> None:
        super().__init__(
            max_length=LONGEST_SLUG,
            required=False,
            label="Short name",
            help_text="Stands in addresses and commands: letters, digits, - and _. "
            "Left empty, it is made of the name.",
            error_messages={"invalid": "Use letters, digits, hyphens and underscores only."},
            widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
        )


class AmountField(forms.DecimalField):
    """Money, typed in units of a currency; its value is in mills (thousandths), as it is kept."""

    default_error_messages = {
        "required": "Write an amount, such as 0.05 or 12.",
        "invalid": "Write an amount, such as 0.05 or 12.",
        "min_value": "An amount is 0 or more.",
        "max_decimal_places": "Amounts go to a thousandth of a unit: no more than 3 places.",
    }

    def __init__(self, **options: Any):
        super().__init__(
            min_value=0,
            max_digits=16,
            decimal_places=3,
            widget=forms.TextInput(
                attrs={"inputmode": "decimal", "autocomplete": "off", "size": 10}
            ),
            **options,
        )

    def clean(self, value: Any) -> int | None:
        amount = super().clean(value)
        return None if amount is None else int(amount * MILLS)


def in_units(mills: int | None) -> str:
    """Mills as an AmountField takes them: "0.06", "30"; "" for none."""
    if mills is None:
        return ""
    whole, rest = divmod(mills, MILLS)
    return f"{whole}.{rest:03}".rstrip("0").rstrip(".")


def free_slug(name: str, others: QuerySet, stem: str) -> str:
    """A slug made of `name` that none of `others` has; of `stem` for a name without Latin."""
    stem = slugify(name)[:LONGEST_STEM].strip("-") or stem
    taken = set(others.filter(slug__startswith=stem).values_list("slug", flat=True))
    numbered = (f"{stem}-{number}" for number in count(2))
    return next(slug for slug in chain([stem], numbered) if slug not in taken)


def add_refusals(
    form: forms.Form, refused: Mapping[str, list[str]], fields: Mapping[str, str] | None = None
) -> None:
    """What an action refused, beside the form's fields; `fields` maps a model's names to them."""
    for name, problems in refused.items():
        field = (fields or {}).get(name, name)
        for problem in problems:
            form.add_error(field if field in form.fields else None, problem)


class ProjectForm(forms.Form):
    name = forms.CharField(
        max_length=200,
        help_text="What people read, such as “Letters of the harbour office”.",
        error_messages={"required": "Give the project a name."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    slug = SlugField()
    language = forms.CharField(
        max_length=35,
        initial="en",
        help_text="Of the documents: en, de, pt-BR, …",
        validators=[RegexValidator(LANGUAGE, "Write a language tag, such as en or pt-BR.")],
        error_messages={"required": "Write a language tag, such as en or pt-BR."},
        widget=forms.TextInput(attrs={"autocapitalize": "none", "size": 10}),
    )
    text_direction = forms.ChoiceField(
        choices=[
            ("auto", "as each text begins"),
            ("ltr", "from left to right"),
            ("rtl", "from right to left"),
        ],
        initial="auto",
        label="Texts run",
    )
    tokeniser = forms.ChoiceField(
        choices=Project.Tokeniser.choices,
        label="What workers can mark",
        help_text="The smallest unit. It stays as it is chosen here.",
    )
    types = forms.CharField(
        required=False,
        strip=False,
        label="Entity types",
        help_text="One a line, with or without a description: PER = A person. Colours and keys "
        "are chosen on the next page.",
        widget=forms.Textarea(
            attrs={"rows": 5, "spellcheck": "false", "placeholder": "PER = A person\nLOC = A place"}
        ),
    )
    listed = forms.BooleanField(
        required=False,
        label="Show name and progress to everyone on the start page",
        help_text="Without it only members see that the project exists. Documents and answers "
        "are for members in either case.",
    )

    def settings(self) -> dict[str, Any]:
        """The arguments of create_project."""
        data = self.cleaned_data
        chosen = {name: data[name] for name in data if name not in ("types", "slug")}
        return chosen | {
            "slug": data["slug"] or free_slug(data["name"], Project.objects.all(), "project"),
            "schema": {"entity_types": [fields for _, fields in self._types()]},
        }

    def add_type_errors(self, error: AnswerError) -> None:
        """In lines of the box, which is how types were typed here."""
        lines = [f"line {number}" for number, _ in self._types()]

        def line(match: re.Match[str]) -> str:
            return lines[int(match[1])]

        for problem in error.problems:
            at = TYPE_PATH.match(problem.path)
            where = f"{line(at).capitalize()}: " if at else ""
            self.add_error("types", where + TYPE_PATH.sub(line, str(problem)))

    def _types(self) -> list[tuple[int, dict[str, str]]]:
        """(number of the line, name and description)."""
        lines = enumerate(self.cleaned_data.get("types", "").splitlines(), start=1)
        parts = [(number, line.partition("=")) for number, line in lines if line.strip()]
        return [
            (number, {"name": name.strip(), "description": description.strip()})
            for number, (name, _, description) in parts
        ]


class UploadForm(forms.Form):
    file = forms.FileField(
        allow_empty_file=True,
        error_messages={
            "required": "Choose a file first.",
            "invalid": "The file did not arrive. Choose it again.",
        },
    )
    format = forms.ChoiceField(
        choices=[("auto", "what it looks like"), *((name, FORMATS[name]) for name in READ)],
        required=False,
        help_text="Plain text, CSV, JSON, CoNLL, and files of doccano, Prodigy, Label Studio, "
        "spaCy, brat and WebAnno are told apart by their names and by how they begin.",
    )


class RoleForm(forms.Form):
    role = forms.ChoiceField(choices=Member.Role.choices, initial=Member.Role.VIEWER)


class InvitationForm(RoleForm):
    note = forms.CharField(
        max_length=200,
        required=False,
        label="For whom",
        help_text="For your own list.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.IntegerField(min_value=1, max_value=90, initial=14, label="Days until it ends")
    email = forms.EmailField(
        required=False, label="Mail it to", help_text="The link is shown here in any case."
    )
    field_order = ["note", "role", "days", "email"]

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        if not settings.EMAIL_HOST:
            del self.fields["email"]


class MemberForm(RoleForm):
    username = forms.CharField(
        max_length=150,
        label="Account",
        error_messages={"required": "Write the name of an account."},
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    field_order = ["username", "role"]
