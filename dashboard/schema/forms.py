"""The schema's entity types as rows of a form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms

from annotation.interfaces import AnswerError
from annotation.interfaces.schema import COLOURS, LONGEST_NAME, MOST_ENTITY_TYPES
from dashboard.forms import TYPE_PATH

MEMBER_PATH = re.compile(r"entity_types\[(\d+)\](?:\.(\w+))?\Z")
RELATION_PATH = re.compile(r"relation_types\[(\d+)\]")
LONGEST_DESCRIPTION = 500
SPARE_ROWS = 2  # empty ones below the types
MORE_ROWS = 5  # that the button adds


class TypeForm(forms.Form):
    """One entity type. `was` is its name in the saved schema; empty for a new one."""

    was = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(
        max_length=LONGEST_NAME,
        error_messages={"required": "Give the type a name, or remove the row."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "size": 12}),
    )
    key = forms.CharField(
        required=False,
        max_length=1,
        error_messages={"max_length": "A key is one letter."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "size": 2}),
    )
    colour = forms.TypedChoiceField(
        choices=[(number, str(number)) for number in range(1, COLOURS + 1)],
        coerce=int,
        empty_value=None,
        required=False,
        widget=forms.RadioSelect,
    )
    description = forms.CharField(
        required=False,
        max_length=LONGEST_DESCRIPTION,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    date = forms.BooleanField(required=False, label="asks for a date")
    unlinked = forms.BooleanField(required=False, label="never linked")

    def has_changed(self) -> bool:
        """A place in the order alone makes no type of an empty row."""
        return bool(set(self.changed_data) - {"ORDER", "was"})

    def entity_type(self) -> dict[str, Any]:
        data = self.cleaned_data
        return {
            "name": data["name"],
            "key": data["key"],
            "colour": data["colour"],
            "description": data["description"],
            "value": "date" if data["date"] else None,
            "link": not data["unlinked"],
        }


class _Types(forms.BaseFormSet):
    """The types that are not removed, in their order."""

    def kept(self) -> list[TypeForm]:
        return list(self.ordered_forms)

    def names(self) -> dict[str, str]:
        """Name in the saved schema → name now, of the types that stay."""
        forms = (form.cleaned_data for form in self.kept())
        return {data["was"]: data["name"] for data in forms if data["was"]}

    def add_errors(self, error: AnswerError, relations: list[Mapping[str, Any]]) -> list[str]:
        """Puts what the schema's check refused beside its rows; the problems that have none."""
        kept, rest = self.kept(), []
        for problem in error.problems:
            told = TYPE_PATH.sub(lambda found: _form_name(kept[int(found[1])]), str(problem))
            if at := MEMBER_PATH.fullmatch(problem.path):
                form = kept[int(at[1])]
                form.add_error(at[2] if at[2] in form.fields else None, told)
            elif at := RELATION_PATH.match(problem.path):
                name = relations[int(at[1])]["name"]
                rest.append(f"The relation '{name}' can't stand as it is. {told}")
            else:
                rest.append(told)
        return rest


def _form_name(form: TypeForm) -> str:
    return f"the type '{form.cleaned_data['name']}'"


TypesForm = forms.formset_factory(
    TypeForm,
    formset=_Types,
    extra=SPARE_ROWS,
    can_order=True,
    can_delete=True,
    max_num=MOST_ENTITY_TYPES,
    absolute_max=MOST_ENTITY_TYPES + MORE_ROWS,
    validate_max=True,
)


def initial_rows(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "was": one["name"],
            "name": one["name"],
            "key": one.get("key", ""),
            "colour": one.get("colour"),
            "description": one.get("description", ""),
            "date": one.get("value") == "date",
            "unlinked": one.get("link") is False,
        }
        for one in schema.get("entity_types", ())
    ]


def renamed_relations(
    relations: list[dict[str, Any]], names: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The relations with their types as `names` (old → new) calls them, without those gone."""
    return [
        relation
        | {
            side: [names[name] for name in relation[side] if name in names]
            for side in ("subject", "object")
        }
        for relation in relations
    ]
