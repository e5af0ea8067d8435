"""The crowd's answers as files of labels, for whoever wants to try commands that read such files:
names word by word (JSON lines), and choices (CSV)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from annotation.formats.output import replaced
from annotation.formats.tables import csv_row
from annotation.interfaces import Material
from annotation.interfaces.answers import EntityAnswer
from annotation.interfaces.entity import tags_of
from annotation.models import Campaign
from annotation.queries import exports
from demonstration import choices, load

NAMES, CHOICES = "crowd.jsonl", "ferry.csv"


def write_labels(folder: Path) -> None:
    """What is not there yet. Nothing of a campaign that has been removed."""
    folder.mkdir(parents=True, exist_ok=True)
    for slug, name, write in (
        (load.CAMPAIGN, NAMES, _write_names),
        (choices.CAMPAIGN, CHOICES, _write_choices),
    ):
        campaign = Campaign.objects.filter(slug=slug).first()
        if campaign is not None and not (folder / name).exists():
            write(campaign, folder / name)


def _write_names(campaign: Campaign, path: Path) -> None:
    """A document a line: what `aggregate_file` and `replay` read."""
    lines: dict[str, dict[str, Any]] = {}
    for one in (*exports.gold(campaign), *exports.responses(campaign)):
        document = one.document
        if document is None:
            continue
        words, sentences = document.tokens, document.sentences
        tags = tags_of(
            cast(EntityAnswer, one.answer),
            Material(text=document.text, tokens=words, sentences=sentences),
        )
        line = lines.setdefault(
            document.external_id,
            {
                "id": document.external_id,
                "tokens": [document.text[start:end] for start, end in words],
                "sent_starts": [first for first, _ in sentences],
                "workers": {},
            },
        )
        if one.name == "gold":
            line["gold"] = tags
        else:
            line["workers"][one.facts["worker"]] = tags
    with replaced(path) as file:
        for _, line in sorted(lines.items()):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _write_choices(campaign: Campaign, path: Path) -> None:
    known = {text: choices.CHOICES[right] for text, right in choices.NOTES}
    texts = dict(campaign.tasks.values_list("external_id", "payload__text"))
    with replaced(path) as file:
        file.write(csv_row(["worker", "item", "label", "gold"]))
        for one in exports.responses(campaign):
            right = known[texts[one.task]]
            file.write(csv_row([one.facts["worker"], one.task, one.answer["choice"], right]))
