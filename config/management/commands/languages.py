"""languages: brings the catalogues of the worker's pages up to date and compiles them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.catalogues import (
    LOCALE,
    Catalogue,
    compiled,
    languages,
    messages,
    read_source,
    source_of,
    source_text,
)  # fmt: skip

HEADER = """Language: {language}
MIME-Version: 1.0
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: 8bit
Plural-Forms: nplurals=2; plural=(n != 1);
"""


class Command(BaseCommand):
    help = (
        "Adds the sentences that are new to locale/<language>/LC_MESSAGES/django.po, takes out "
        "those that are gone, and compiles it. Run it after you changed a sentence of a worker's "
        "page, or a translation."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--add", metavar="LANGUAGE", help="Begin a language, such as pt-br.")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["add"]:
            self._begin(options["add"])
        wanted = messages()
        for language in sorted({*languages(), *filter(None, [options["add"]])}):
            path = source_of(language)
            catalogue = read_source(path)
            lacking = catalogue.lacking(wanted)
            kept = {one: forms for one, forms in catalogue.forms.items() if one in set(wanted)}
            catalogue = Catalogue(catalogue.header, kept)
            path.write_text(source_text(catalogue, wanted), encoding="utf-8")
            path.with_suffix(".mo").write_bytes(compiled(catalogue))
            still = f"{len(lacking)} to translate" if lacking else "complete"
            self.stdout.write(f"{language}: {len(wanted)} sentences, {still}.")

    def _begin(self, language: str) -> None:
        path = source_of(language)
        if path.exists():
            raise CommandError(f"{path.relative_to(LOCALE.parent)} is there already.")
        path.parent.mkdir(parents=True)
        empty = Catalogue(HEADER.format(language=language))
        path.write_text(source_text(empty, []), encoding="utf-8")
