import gzip
import shutil
import subprocess
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.exceptions import ImproperlyConfigured

from annotation.interfaces import REGISTRY
from config import bundles


@pytest.fixture
def write(tmp_path):
    def write(name: str, source: str) -> Path:
        path = tmp_path / name
        path.write_text(source)
        return path

    return write


def test_modules_are_joined_once_each_after_what_they_need(write):
    write("base.js", "export const one = 1;\n")
    write("left.js", 'import { one } from "./base.js";\nexport function left() { return one; }\n')
    entry = write(
        "page.js",
        'import {\n  left,\n} from "./left.js";\nimport "./base.js";\n'
        'import { one } from "./base.js";\nleft(one);\n',
    )
    assert bundles.joined_script(entry) == (
        "// base.js\nconst one = 1;\n"
        "// left.js\nfunction left() { return one; }\n"
        "// page.js\nleft(one);\n"
    )


def test_comments_and_indentation_are_left_out_but_nothing_that_looks_like_one(write):
    entry = write(
        "page.js",
        "/** Two\n * lines. */\nconst a = 1; // it's why\n  // a line\n  const u = `https://x/*y`;\n"
        """const s = 'no // "comment';\nconst t = "\\" // none"; // one\n""",
    )
    assert bundles.joined_script(entry) == (
        "// page.js\nconst a = 1;\nconst u = `https://x/*y`;\n"
        """const s = 'no // "comment';\nconst t = "\\" // none";\n"""
    )


def test_what_goes_on_in_the_next_line_is_joined(write):
    entry = write(
        "page.js",
        'const a = [\n  1,\n  2,\n];\n\nf({\n  a, // why\n\n  b: `//`,\n});\n/[,"]/; // (\ng();\n',
    )
    assert bundles.joined_script(entry) == (
        '// page.js\nconst a = [1,2,];\nf({a,b: `//`,\n});\n/[,"]/; // (\ng();\n'
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('import { two } from "./base.js";\n', "imports 'two', which"),
        ('import { one as two } from "./base.js";\n', "imports 'one as two', which"),
        ('import * as base from "./base.js";\n', "can't be joined"),
        ("export default 1;\n", "can't be joined"),
        ('export { one } from "./base.js";\n', "can't be joined"),
        ('import "./base.js";\nconst one = 2;\n', "'one' stands at the top of"),
        ('import "./nowhere.js";\n', "can't be read for a bundle"),
        ('import "./page.js";\n', "imports itself by a circle"),
        ("const a = `b` + `\n  c`;\n", "a text has to end on its line"),
    ],
)
def test_what_can_not_be_joined_is_refused(write, source, message):
    write("base.js", "export const one = 1;\n")
    with pytest.raises(ImproperlyConfigured, match=message):
        bundles.joined_script(write("page.js", source))


def test_style_sheets_are_joined_once_each_after_what_they_need(write):
    write("tokens.css", "/* Why. */\n@layer a, b;\n")
    write("base.css", '@import "./tokens.css";\n@layer a { p { margin: 0; } }\n')
    entry = write(
        "page.css", '@import "./base.css";\n@import "./tokens.css";\n@layer b { p { top: 0; } }\n'
    )
    assert bundles.joined_styles(entry) == (
        "@layer a, b;\n@layer a { p { margin: 0; } }\n@layer b { p { top: 0; } }\n"
    )


@pytest.mark.parametrize("suffix", ["js", "css"])
@pytest.mark.parametrize("kind", REGISTRY)
def test_every_interface_has_its_bundles_with_all_their_sources(kind, suffix, tmp_path):
    found = finders.find(f"bundles/work-{kind}.{suffix}")
    assert found
    content = Path(found).read_text()
    assert content.count("\n") > 100
    if suffix == "js" and shutil.which("node"):  # what was left out was no code
        copy = tmp_path / "page.mjs"
        copy.write_text(content)
        subprocess.run(["node", "--check", copy], check=True, timeout=60)
    assert "import " not in content.partition("\n")[0]
    assert "@import" not in content


@pytest.mark.parametrize("kind", REGISTRY)
def test_a_first_visit_is_light(kind):
    """60 kB at most; the page, the first task, the icon and the headers take 5 of them."""
    files = [finders.find(f"bundles/work-{kind}.{suffix}") for suffix in ("js", "css")]
    assert sum(len(gzip.compress(Path(file).read_bytes())) for file in files) <= 55_000


def test_a_bundle_is_written_anew_when_a_source_has_changed(tmp_path, settings):
    settings.STATICFILES_DIRS, settings.DATA_DIR = [tmp_path / "static"], tmp_path / "data"
    source = tmp_path / "static" / "js" / "entity" / "page.js"
    source.parent.mkdir(parents=True)
    source.write_text("const a = 1;\n")
    finder = bundles.BundleFinder()
    assert "a = 1" in Path(finder.find("bundles/work-entity.js")).read_text()
    source.write_text("const a = 2;\n")
    assert "a = 2" in Path(finder.find("bundles/work-entity.js")).read_text()


@pytest.mark.parametrize("path", ["bundles/other.js", "work-entity.js", "bundles/../settings.py"])
def test_nothing_else_is_found_there(path):
    assert bundles.BundleFinder().find(path) == []
