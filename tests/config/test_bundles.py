import re
import shutil
import subprocess
import sys
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


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('import { two } from "./base.js";\n', "imports 'two', which"),
        ('import { one as two } from "./base.js";\n', "imports 'one as two', which"),
        ('import * as base from "./base.js";\n', "can't be joined"),
        ("export default 1;\n", "can't be joined"),
        ("{\n  const { a, ...others } = { ...globalThis };\n}\n", "would be minified wrongly"),
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


def test_style_sheets_are_joined_once_each_after_what_they_need(write):
    write("tokens.css", "@layer a, b;\n")
    write("base.css", '@import "./tokens.css";\n@layer a { p { margin: 0; } }\n')
    entry = write(
        "page.css", '@import "./base.css";\n@import "./tokens.css";\n@layer b { p { top: 0; } }\n'
    )
    assert bundles.joined_styles(entry) == (
        "@layer a, b;\n@layer a { p { margin: 0; } }\n@layer b { p { top: 0; } }\n"
    )


TRICKY = r"""
/** @param {string} text  a comment with `ticks` and "quotes" */
class Count {
  static #made = 0;
  #many; // why
  constructor(many) { this.#many = many; Count.#made++; }
  static made() { return Count.#made; }
  get many() { return this.#many ?? 0; }
}
function told({ text, many = [1, 2] }, ...others) {
  const slashes = text.replace(/[/"'`]\/*\s*/g, "//").split(/(?<=,)/u);
  const inner = `a  ${many.map((each) => `<${each /* not here */}>  // ${"}"}`).join(`\n  `)} b`;
  const long = `first
    second \${none}  `;
  label: for (const each of others) { if (each) continue label; }
  return [slashes, inner, long, text?.length / 2 / 1, +many.at?.(-1), new Count(3).many];
}
const each = told({ text: `say "it's" / *'/  x',  y` }, 0, 1);
console.log(JSON.stringify([each, Count.made(), typeof told, 1_000n > 2 ? "yes" : 'no "no"']));
"""


def printed(node: str, script: str) -> str:
    done = subprocess.run(
        [node, "--input-type=module", "--eval", script],
        capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    return done.stdout


def test_a_minified_script_does_what_it_did():
    node = shutil.which("node") or pytest.skip("There is no Node.js.")
    short = bundles.minified(TRICKY, ".js")
    assert len(short) < 0.75 * len(TRICKY)
    assert "/**" not in short
    assert printed(node, short) == printed(node, TRICKY) != ""


def test_minified_styles_keep_layers_nesting_and_texts():
    styles = """
    @layer reset, page; /* Why. */
    @layer page {
      .a { color: light-dark(#123, red); &:hover, .b > & { margin: calc(1px + var(--c)) 0; } }
      .q::before { content: "/* no comment */  " / ""; }
      @container (inline-size > 30rem) { .a:has(> b) { inset: 0; } }
    }
    """

    def squeezed(text: str) -> str:
        return re.sub(r"\s", "", text.replace("/* Why. */", "")).replace(";}", "}")

    short = bundles.minified(styles, ".css")
    assert squeezed(short) == squeezed(styles)
    assert '"/* no comment */  "' in short
    assert "Why" not in short
    assert len(short) < 0.8 * len(styles)


def test_a_script_with_an_error_is_refused_with_its_place():
    with pytest.raises(ImproperlyConfigured, match=r"can't be minified: .* on line 2"):
        bundles.minified("const a = 1;\nconst = 2;\n", ".js")


def test_without_the_library_a_bundle_stays_as_it_was_written(monkeypatch):
    monkeypatch.setitem(sys.modules, "minify", None)
    assert bundles.minified(TRICKY, ".js") == TRICKY


@pytest.mark.parametrize("suffix", ["js", "css"])
@pytest.mark.parametrize("name", [*(f"work-{kind}" for kind in REGISTRY), "dashboard"])
def test_every_bundle_holds_all_its_sources(name, suffix, tmp_path):
    found = finders.find(f"bundles/{name}.{suffix}")
    assert found
    content = Path(found).read_text()
    assert content.count("}") > 30
    assert "/*" not in re.sub(r'"[^"]*"', "", content)
    assert "import" not in content[:10]
    if suffix == "js" and shutil.which("node"):
        copy = tmp_path / "page.mjs"
        copy.write_text(content)
        subprocess.run(["node", "--check", copy], check=True, timeout=300)


def test_while_somebody_develops_a_bundle_can_be_read(settings):
    settings.DEBUG = True
    script = Path(finders.find("bundles/work-choice.js")).read_text()
    assert "// task.js\n" in script
    settings.DEBUG = False
    assert "// task.js\n" not in Path(finders.find("bundles/work-choice.js")).read_text()


def test_a_bundle_is_written_anew_when_a_source_has_changed(tmp_path, settings):
    settings.STATICFILES_DIRS, settings.DATA_DIR = [tmp_path / "static"], tmp_path / "data"
    source = tmp_path / "static" / "js" / "entity" / "page.js"
    source.parent.mkdir(parents=True)
    source.write_text("globalThis.a = 1;\n")
    finder = bundles.BundleFinder()
    assert "a=1" in Path(finder.find("bundles/work-entity.js")).read_text()
    source.write_text("globalThis.a = 2;\n")
    assert "a=2" in Path(finder.find("bundles/work-entity.js")).read_text()


@pytest.mark.parametrize("path", ["bundles/other.js", "work-entity.js", "bundles/../settings.py"])
def test_nothing_else_is_found_there(path):
    assert bundles.BundleFinder().find(path) == []
