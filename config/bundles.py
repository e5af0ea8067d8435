"""One script and one style sheet for a page, joined from the files that they are written in.

A first visit may take eight requests, and a page of modules is three times as many files. There
is no build step to run: this is a finder of static files, so `collectstatic` hashes and compresses
what it joins, and a page in development gets it as it gets any other file.

What is joined is minified by tdewolff-minify, which parses both languages, so that texts and
regular expressions stay as they are. With DEBUG all stays as it was written, to be read in the
browser's tools.

Each registered interface has two, `work-<kind>.js` and `work-<kind>.css`: js/<kind>/page.js and
css/pages/<kind>.css, with all that these import; PARTS are what the worker's page loads when it is
first needed. Beside these stand `work-<kind>-<language>.js` and `<part>-<language>.js`, with the
sentences of a language in the place of the English ones: a page loads one language. The managers'
pages share `dashboard.js` and `dashboard.css`: js/dashboard/page.js and css/dashboard.css.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import FileSystemStorage

from annotation.interfaces import REGISTRY
from annotation.views.scripts import PARTS
from config import catalogues

FOLDER = "bundles"
SHARED = "dashboard"
# Of what a worker's page shows first of all, now and then, and of what was handed in.
STYLES = ("first", "beside", "past")
NAME = re.compile(r"([\w-]+)\.(js|css)")
# How a file says which others it needs: names, if any, and where.
IMPORTS = {
    ".js": re.compile(r'^import\s+(?:\{([^}]*)\}\s+from\s+)?"(\.{1,2}/[^"]+)";\n', re.M),
    ".css": re.compile(r'^@import ()"(\.{1,2}/[^"]+)";\n', re.M),
}
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.M)
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.M)
# The minifier moves this before what it is made from.
TAKEN_APART = re.compile(r"^\s*(?:const|let|var) \{[^;=]*\} = \{", re.M)
OTHER = re.compile(r"^(?:import|export)\b.*", re.M)
MEDIA_TYPES = {".js": "application/javascript", ".css": "text/css"}


def joined_script(entry: Path) -> str:
    """A module and all that it imports as one module, each once, after what it needs.

    Only named imports of neighbours and `export` before a declaration are understood, and a name at
    the top of a file must be the only one of all; anything else raises ImproperlyConfigured.
    """
    names: dict[str, Path] = {}
    return "".join(_without_imports(path, names) for path in _in_order(entry, {}))


def _in_order(path: Path, seen: dict[Path, bool]) -> Iterator[Path]:
    if path in seen:
        if not seen[path]:
            raise ImproperlyConfigured(f"{path} imports itself by a circle. Cut it.")
        return
    seen[path] = False
    for _, target in IMPORTS[path.suffix].findall(_read(path)):
        yield from _in_order((path.parent / target).resolve(), seen)
    seen[path] = True
    yield path


def _without_imports(path: Path, names: dict[str, Path]) -> str:
    source, imports = _read(path), IMPORTS[path.suffix]
    for wanted, target in imports.findall(source):
        for name in filter(None, (word.strip() for word in wanted.split(","))):
            home = (path.parent / target).resolve()
            if names.get(name) != home:
                raise ImproperlyConfigured(f"{path} imports '{name}', which {home} lacks.")
    for name in DECLARED.findall(source):
        if name in names:
            raise ImproperlyConfigured(
                f"'{name}' stands at the top of {path} and of {names[name]}. Rename one."
            )
        names[name] = path
    if taken := TAKEN_APART.search(source):
        raise ImproperlyConfigured(f"{path}: '{taken[0].strip()}' would be minified wrongly.")
    body = EXPORT.sub("", imports.sub("", source))
    if left := OTHER.search(body):
        raise ImproperlyConfigured(f"{path}: '{left[0]}' can't be joined into one file.")
    return f"// {path.name}\n{body}"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ImproperlyConfigured(f"{path} can't be read for a bundle: {error}.") from error


def enclosed(script: str, taken: str) -> str:
    """A joined script within a function, where a minifier shortens the names of its top as well;
    `taken` are the names that the page takes from it, with commas between."""
    if not taken:
        return f"(() => {{\n{script}}})();\n"
    return (
        f"const {{ {taken} }} = (() => {{\n{script}return {{ {taken} }};\n}})();\n"
        f"export {{ {taken} }};\n"
    )


def joined_styles(entry: Path) -> str:
    """A style sheet and all that it imports as one, each once, after what it needs."""
    imports = IMPORTS[".css"]
    return "".join(imports.sub("", _read(path)) for path in _in_order(entry, {}))


def minified(content: str, suffix: str) -> str:
    """The same in fewer bytes; as it is on the few machines for which there is no wheel."""
    try:
        import minify  # here, because web processes never need these 8 MB
    except ImportError:
        return content
    try:
        return minify.string(MEDIA_TYPES[suffix], content)
    except minify.MinifyError as error:
        raise ImproperlyConfigured(f"A bundle can't be minified: {error}") from error


class BundleStorage(FileSystemStorage):
    prefix = FOLDER  # where collectstatic puts what it finds here


class BundleFinder(BaseFinder):
    """Finds `bundles/…`, written anew under DATA_DIR where a file that goes into it has changed."""

    def __init__(self, *args: Any, **kwargs: Any):
        self.sources = Path(settings.STATICFILES_DIRS[0])
        self.folder = Path(settings.DATA_DIR) / FOLDER
        self.is_listing = False
        self.ready: dict[str, tuple[str, list[catalogues.Message]]] = {}
        self.storage = BundleStorage(location=self.folder)
        super().__init__(*args, **kwargs)

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        folder, _, name = path.partition("/")
        parts = NAME.fullmatch(name)
        if folder != FOLDER or parts is None or parts.groups() not in self._names():
            return []
        found = str(self._write(*parts.groups()))
        return [found] if find_all else found

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, BundleStorage]]:
        self.is_listing = True  # what is made for one language serves the others
        try:
            for name, suffix in self._names():
                yield self._write(name, suffix).name, self.storage
        finally:
            self.is_listing = False
            self.ready.clear()

    @staticmethod
    def _names() -> tuple[tuple[str, str], ...]:
        """Name and suffix of each."""
        work = [f"work-{kind}" for kind in REGISTRY]
        languages = catalogues.languages()
        own = [f"{name}-{one}" for name in (*work, *PARTS) for one in languages]
        scripts = ((name, "js") for name in (*work, SHARED, *PARTS, *own))
        return (*scripts, *((name, "css") for name in (*work, SHARED, *STYLES)))

    def _script(self, entry: str, taken: str, language: str) -> str:
        """Joined and minified once for all languages while all are listed; then come the sentences
        of one."""
        ready = self.ready.get(entry)
        if ready is None:
            content = enclosed(joined_script((self.sources / "js" / entry).resolve()), taken)
            content, messages = catalogues.with_places(content)
            if not settings.DEBUG:
                content = minified(content, ".js")
            ready = content, messages
            if self.is_listing:
                self.ready[entry] = ready
        catalogue = catalogues.catalogue_of(language) if language else None
        return catalogues.filled(*ready, catalogue)

    def _write(self, name: str, suffix: str) -> Path:
        part = next((one for one in PARTS if f"{name}-".startswith(f"{one}-")), "")
        kind, _, language = name.removeprefix(part or "work-").partition("-")
        if suffix == "js":
            entry, taken = PARTS.get(part, (f"{kind}/page.js", ""))
            content = self._script(entry, taken, language)
        else:
            sheet = "dashboard.css" if name == SHARED else f"pages/{kind}.css"
            content = joined_styles((self.sources / "css" / sheet).resolve())
            if not settings.DEBUG:
                content = minified(content, ".css")
        target = self.folder / f"{name}.{suffix}"
        if not target.exists() or target.read_text(encoding="utf-8") != content:
            self.folder.mkdir(parents=True, exist_ok=True)
            # Whole at any moment, whoever else writes it: a server in development has threads.
            draft = target.with_name(f"{target.name}.{os.getpid()}.{threading.get_ident()}")
            draft.write_text(content, encoding="utf-8")
            draft.replace(target)
        return target
