"""One script and one style sheet for a worker's page, joined from the files that it is written in.

A first visit may take eight requests, and a page of modules is three times as many files. There
is no build step to run: this is a finder of static files, so `collectstatic` hashes and compresses
what it joins, and a page in development gets it as it gets any other file.
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

FOLDER = "bundles"
# Bundle → its entry module, or its style sheets in the order of their layers.
SCRIPTS = {
    "work-entity.js": "js/entity/page.js",
    "work-choice.js": "js/choice/page.js",
    "work-linking.js": "js/linking/page.js",
    "work-relation.js": "js/relation/page.js",
}
STYLES = {
    "work-relation.css": [
        "css/tokens.css",
        "css/base.css",
        "css/components/button.css",
        "css/components/dialog.css",
        "css/components/key.css",
        "css/components/types.css",
        "css/components/token-text.css",
        "css/pages/work.css",
        "css/pages/relation.css",
    ],
    "work-choice.css": [
        "css/tokens.css",
        "css/base.css",
        "css/components/button.css",
        "css/components/dialog.css",
        "css/components/key.css",
        "css/pages/work.css",
        "css/pages/choice.css",
    ],
    "work-linking.css": [
        "css/tokens.css",
        "css/base.css",
        "css/components/button.css",
        "css/components/dialog.css",
        "css/components/key.css",
        "css/components/mark-menu.css",
        "css/pages/work.css",
        "css/pages/linking.css",
    ],
    "work-entity.css": [
        "css/tokens.css",
        "css/base.css",
        "css/components/button.css",
        "css/components/dialog.css",
        "css/components/key.css",
        "css/components/types.css",
        "css/components/token-text.css",
        "css/components/mark-menu.css",
        "css/components/entity-list.css",
        "css/pages/work.css",
        "css/pages/entity.css",
    ],
}

IMPORT = re.compile(r'^import\s+(?:\{([^}]*)\}\s+from\s+)?"(\.{1,2}/[^"]+)";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.M)
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.M)
# A comment that has its lines to itself. No file here has such a line inside a template string.
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*.*?\*/[ \t]*)\n", re.M | re.S)
OTHER = re.compile(r"^(?:import|export)\b.*", re.M)


def joined_script(entry: Path) -> str:
    """A module and all that it imports as one module, each once, after what it needs.

    Comments are left out: workers on slow lines would wait for a quarter of the file. Only named
    imports of neighbours and `export` before a declaration are understood, and a
    name at the top of a file must be the only one of all; anything else raises
    ImproperlyConfigured.
    """
    names: dict[str, Path] = {}
    return "".join(_without_imports(path, names) for path in _in_order(entry, {}))


def _in_order(path: Path, seen: dict[Path, bool]) -> Iterator[Path]:
    if path in seen:
        if not seen[path]:
            raise ImproperlyConfigured(f"{path} imports itself by a circle. Cut it.")
        return
    seen[path] = False
    for _, target in IMPORT.findall(_read(path)):
        yield from _in_order((path.parent / target).resolve(), seen)
    seen[path] = True
    yield path


def _without_imports(path: Path, names: dict[str, Path]) -> str:
    source = _read(path)
    for wanted, target in IMPORT.findall(source):
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
    body = EXPORT.sub("", IMPORT.sub("", source))
    if left := OTHER.search(body):
        raise ImproperlyConfigured(f"{path}: '{left[0]}' can't be joined into one file.")
    return f"// {path.name}\n{COMMENT.sub('', body)}"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ImproperlyConfigured(f"{path} can't be read for a bundle: {error}.") from error


def joined_styles(paths: list[Path]) -> str:
    return COMMENT.sub("", "".join(map(_read, paths)))


class BundleStorage(FileSystemStorage):
    prefix = FOLDER  # where collectstatic puts what it finds here


class BundleFinder(BaseFinder):
    """Finds `bundles/…`, written anew under DATA_DIR where a file that goes into it has changed."""

    def __init__(self, *args: Any, **kwargs: Any):
        self.sources = Path(settings.BASE_DIR) / "static"
        self.folder = Path(settings.DATA_DIR) / FOLDER
        self.storage = BundleStorage(location=self.folder)
        super().__init__(*args, **kwargs)

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        folder, _, name = path.partition("/")
        if folder != FOLDER or name not in {*SCRIPTS, *STYLES}:
            return []
        found = str(self._write(name))
        return [found] if find_all else found

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, BundleStorage]]:
        for name in (*SCRIPTS, *STYLES):
            self._write(name)
            yield name, self.storage

    def _write(self, name: str) -> Path:
        if name in SCRIPTS:
            content = joined_script((self.sources / SCRIPTS[name]).resolve())
        else:
            content = joined_styles([self.sources / path for path in STYLES[name]])
        target = self.folder / name
        if not target.exists() or target.read_text(encoding="utf-8") != content:
            self.folder.mkdir(parents=True, exist_ok=True)
            # Whole at any moment, whoever else writes it: a server in development has threads.
            draft = target.with_name(f"{name}.{os.getpid()}.{threading.get_ident()}")
            draft.write_text(content, encoding="utf-8")
            draft.replace(target)
        return target
