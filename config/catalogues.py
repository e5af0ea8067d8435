"""The languages of the worker's pages: one file each, locale/<language>/LC_MESSAGES/django.po.

It holds the sentences of templates, Python and JavaScript. `manage.py languages` adds to it what
is new in the sources and compiles it into django.mo, which is what runs; no gettext program is
needed. A bundle of scripts is built with a language's sentences in the place of the English ones.
"""

from __future__ import annotations

import ast
import json
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import to_language, to_locale

BASE = Path(__file__).resolve().parents[1]
LOCALE = BASE / "locale"
# Where the sentences of workers stand.
PYTHON = ("annotation/sentences/workers", "annotation/text", "annotation/views")
TEMPLATES = ("templates/annotation",)
SCRIPTS = ("static/js/choice", "static/js/entity", "static/js/linking", "static/js/relation",
           "static/js/text", "static/js/worker")  # fmt: skip
MARKED = {"gettext", "gettext_noop", "gettext_lazy"}
MARKED_PLURAL = {"ngettext", "ngettext_noop"}
MAGIC = 0x950412DE  # of a compiled catalogue
TAG = re.compile(r"\{%\s*translate\s+\"([^\"]*)\"\s*%\}")
# A literal in JavaScript, over several lines where it is joined by +.
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
TEXT = rf"{LITERAL}(?:\s*\+\s*{LITERAL})*"
CALL = re.compile(rf"(?<![\w.])(n?)gettext\(\s*({TEXT})\s*(?:,\s*({TEXT})\s*)?(?=[,)])")
PLURAL_RULE = re.compile(r"nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*([^;]+)")
ENGLISH_RULE = "n !== 1"
RULE_LINE = f"const pluralForm = (n) => +({ENGLISH_RULE});"  # in worker/language.js
# What stands there, and in the place of a sentence, while a script is minified.
RULE_PLACE = '"§rule§"'
RULE_PLACED = f"const pluralForm = {RULE_PLACE};"
PLACE = re.compile(r'"§(p?)(\d+)§"')


@dataclass(frozen=True, slots=True, order=True)
class Message:
    """A sentence in English; one with plural forms has two."""

    one: str
    other: str = ""

    @property
    def key(self) -> str:
        """As a compiled catalogue has it."""
        return f"{self.one}\0{self.other}" if self.other else self.one


@dataclass(slots=True)
class Catalogue:
    """Message → its forms in one language, with the header of the file."""

    header: str
    forms: dict[Message, list[str]] = field(default_factory=dict)

    @property
    def number_of_forms(self) -> int:
        return int(self._rule[1])

    @property
    def plural(self) -> str:
        """The number of the form for `n`, as C and JavaScript write it."""
        return self._rule[2].strip()

    @property
    def _rule(self) -> re.Match[str]:
        rule = PLURAL_RULE.search(self.header)
        if rule is None:
            raise ImproperlyConfigured("The header of a catalogue has no Plural-Forms.")
        return rule

    def lacking(self, messages: Iterable[Message]) -> list[Message]:
        """Those without a translation, or with another number of forms than the language has."""
        wanted = self.number_of_forms
        return [
            message
            for message in messages
            if not all(self.forms.get(message, [""]))
            or len(self.forms[message]) != (wanted if message.other else 1)
        ]


def languages(folder: Path = LOCALE) -> list[str]:
    """Beside English: those that have a compiled catalogue."""
    found = (path.parents[1].name for path in folder.glob("*/LC_MESSAGES/django.mo"))
    return sorted(map(to_language, found))


def catalogue_of(language: str) -> Catalogue:
    """As its file is now, read once for all that ask meanwhile."""
    path = source_of(language)
    return _read_at(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _read_at(path: Path, changed: int) -> Catalogue:
    return read_source(path)


def source_of(language: str, folder: Path = LOCALE) -> Path:
    return folder / to_locale(language) / "LC_MESSAGES" / "django.po"


# --- What has to be translated ------------------------------------------------------------------


def messages() -> list[Message]:
    """Every sentence that stands in the sources, each once, in their order."""
    found: dict[Message, None] = {}
    for folder in PYTHON:
        for path in sorted((BASE / folder).rglob("*.py")):
            found |= dict.fromkeys(in_python(path.read_text(encoding="utf-8")))
    for folder in TEMPLATES:
        for path in sorted((BASE / folder).rglob("*.html")):
            found |= dict.fromkeys(in_template(path.read_text(encoding="utf-8")))
    for folder in SCRIPTS:
        for path in sorted((BASE / folder).rglob("*.js")):
            found |= dict.fromkeys(in_script(path.read_text(encoding="utf-8")))
    plural = {message.one for message in found if message.other}
    # gettext finds the first form of one with plural forms by itself.
    return [message for message in found if message.other or message.one not in plural]


def in_python(source: str) -> Iterator[Message]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        first = (each.value for each in node.args[:2] if isinstance(each, ast.Constant))
        texts = [value for value in first if isinstance(value, str)]
        if name in MARKED_PLURAL and len(texts) == 2:
            yield Message(*texts)
        elif name in MARKED and texts:
            yield Message(texts[0])


def in_template(source: str) -> Iterator[Message]:
    return (Message(text) for text in TAG.findall(source))


def in_script(source: str) -> Iterator[Message]:
    for call in CALL.finditer(source):
        yield _message(call)


def _message(call: re.Match[str]) -> Message:
    return Message(_joined(call[2]), _joined(call[3]) if call[1] else "")


def _joined(literals: str) -> str:
    return "".join(json.loads(each) for each in re.findall(LITERAL, literals))


# --- JavaScript in a language -------------------------------------------------------------------


def with_places(source: str) -> tuple[str, list[Message]]:
    """A script in which each sentence, and the rule for plurals, is a place to be `filled`: it is
    minified once, and not for each language."""
    messages: list[Message] = []

    def place(call: re.Match[str]) -> str:
        messages.append(_message(call))
        number = len(messages) - 1
        return f'pluralText("§p{number}§"' if call[1] else f'gettext("§{number}§"'

    return CALL.sub(place, source).replace(RULE_LINE, RULE_PLACED), messages


def filled(source: str, messages: Sequence[Message], catalogue: Catalogue | None) -> str:
    """With the sentences of a language, or in English; those that it lacks stay English. The places
    alone are looked for: a minifier may have made one call of two."""

    def sentence(place: re.Match[str]) -> str:
        message = messages[int(place[2])]
        forms: list[str] = []
        if catalogue:
            forms = catalogue.forms.get(message) or _plural_forms(message, catalogue)
        if not forms or not all(forms):
            forms = [message.one, message.other] if message.other else [message.one]
        return f"[{','.join(map(_literal, forms))}]" if place[1] else _literal(forms[0])

    rule = f"(n)=>+({catalogue.plural if catalogue else ENGLISH_RULE})"
    return PLACE.sub(sentence, source).replace(RULE_PLACE, rule)


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def translated_script(source: str, catalogue: Catalogue) -> str:
    """A script with the sentences of a language; those that it lacks stay English."""
    return filled(*with_places(source), catalogue)


def _plural_forms(message: Message, catalogue: Catalogue) -> list[str]:
    """Of a sentence that stands alone here, and elsewhere as the first of two forms."""
    if message.other:
        return []
    return next((forms[:1] for key, forms in catalogue.forms.items() if key.one == message.one), [])


# --- Files --------------------------------------------------------------------------------------


def read_source(path: Path) -> Catalogue:
    """A .po file as this module writes it: comments, msgid, msgid_plural, msgstr."""
    entries: list[dict[str, str]] = []
    name = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        head, _, rest = line.partition(" ")
        if not line.startswith('"'):
            name = head
            if name == "msgid":
                entries.append({})
        else:
            rest = line
        try:
            text = ast.literal_eval(rest)
        except (SyntaxError, ValueError) as error:
            raise ImproperlyConfigured(f"{path}, line {number}: {line} is no text.") from error
        entries[-1][name] = entries[-1].get(name, "") + text
    header, *others = entries
    catalogue = Catalogue(header["msgstr"])
    for entry in others:
        message = Message(entry["msgid"], entry.get("msgid_plural", ""))
        forms = [text for name, text in sorted(entry.items()) if name.startswith("msgstr")]
        catalogue.forms[message] = forms
    return catalogue


def source_text(catalogue: Catalogue, wanted: Iterable[Message]) -> str:
    """The .po file with `wanted` in their order; what is new has an empty translation."""
    parts = [f'msgid ""\nmsgstr ""\n{_header_lines(catalogue.header)}']
    for message in wanted:
        forms = catalogue.forms.get(message, [])
        lines = [f"msgid {_quoted(message.one)}"]
        if message.other:
            lines.append(f"msgid_plural {_quoted(message.other)}")
            forms = forms or [""] * catalogue.number_of_forms
            lines += [f"msgstr[{i}] {_quoted(text)}" for i, text in enumerate(forms)]
        else:
            lines.append(f"msgstr {_quoted(forms[0] if forms else '')}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _header_lines(header: str) -> str:
    return "\n".join(_quoted(f"{line}\n") for line in header.strip().split("\n"))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def compiled(catalogue: Catalogue) -> bytes:
    """The .mo file: pairs of texts, sorted, behind a table of where they stand."""
    pairs = {"": catalogue.header} | {
        message.key: "\0".join(forms)
        for message, forms in catalogue.forms.items()
        if forms and all(forms)
    }
    texts = [(key.encode(), pairs[key].encode()) for key in sorted(pairs, key=str.encode)]
    size, place = len(texts), 7 * 4
    at = place + 16 * size
    tables: list[bytes] = []
    for column in (0, 1):
        table = b""
        for pair in texts:
            table += struct.pack("<2I", len(pair[column]), at)
            at += len(pair[column]) + 1
        tables.append(table)
    head = struct.pack("<7I", MAGIC, 0, size, place, place + 8 * size, 0, 0)
    body = b"".join(pair[column] + b"\0" for column in (0, 1) for pair in texts)
    return head + b"".join(tables) + body
