from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.exceptions import ImproperlyConfigured

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


def test_comments_are_left_out_but_nothing_that_looks_like_one(write):
    entry = write(
        "page.js",
        "/** Two\n * lines. */\nconst a = 1; // why\n  // a line\nconst u = `https://x/*y`;\n",
    )
    assert bundles.joined_script(entry) == (
        "// page.js\nconst a = 1; // why\nconst u = `https://x/*y`;\n"
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
    ],
)
def test_what_can_not_be_joined_is_refused(write, source, message):
    write("base.js", "export const one = 1;\n")
    with pytest.raises(ImproperlyConfigured, match=message):
        bundles.joined_script(write("page.js", source))


def test_every_bundle_is_found_and_holds_all_its_sources():
    for name in (*bundles.SCRIPTS, *bundles.STYLES):
        found = finders.find(f"bundles/{name}")
        assert found, name
        assert Path(found).read_text().count("\n") > 100


def test_a_bundle_is_written_anew_when_a_source_has_changed(tmp_path, settings):
    settings.BASE_DIR, settings.DATA_DIR = tmp_path, tmp_path / "data"
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
