"""The rules of the house that no single app can hold: what may be imported where, and when."""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command, get_commands, load_command_class

from tests.documents import BEGINS, NO_COMMANDS, NOT_HERE, blocks, pages

ROOT = Path(__file__).resolve().parents[1]
APPS = ("annotation", "aggregation", "selection", "evaluation", "dashboard")

WITHOUT_DJANGO = """
import importlib, pkgutil, sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"django", "rest_framework"}:
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())
for app in sys.argv[1:]:
    package = importlib.import_module(f"{app}.algorithms")
    print(package.__name__)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
        print(module.name)
"""

AT_THE_WEB = """
import gc, json, sys
import config.wsgi
assert "dashboard.urls" in sys.modules and gc.get_freeze_count(), "processes would not share pages"
from django.template.loader import get_template
get_template("dashboard/projects/start.html")
from aggregation.interfaces import REGISTRY, words_of
[words_of(kind) for kind in REGISTRY]
print(json.dumps(sorted(name for name in sys.modules if "." not in name)))
"""


def python(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A process of its own, with the tests' environment and `variables`."""
    # A browser's test may have set this for its own process before; the check refuses it.
    inherited = {k: v for k, v in os.environ.items() if k != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=inherited | {"DJANGO_SETTINGS_MODULE": "config.settings"} | variables,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_algorithms_import_where_django_is_not_installed():
    apps = [app for app in APPS if (ROOT / app / "algorithms").is_dir()]
    done = python("-W", "error", "-c", WITHOUT_DJANGO, *apps)
    assert done.returncode == 0, done.stderr
    wanted = {
        "aggregation.algorithms",
        "evaluation.algorithms.recall",
        "selection.algorithms.items.pickers",
        "selection.algorithms.learners.entity_tagger",
    }
    assert wanted <= {*done.stdout.split()}


def test_web_process_starts_without_numerics_and_without_the_drivers_of_tests():
    done = python("-c", AT_THE_WEB)
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout))
    unwanted = {"numpy", "scipy", "httpx", "minify", "psycopg", "pytest", "hypothesis"}
    assert loaded & unwanted == set()


def test_production_settings_pass_the_deployment_check():
    done = python(
        "manage.py", "check", "--deploy", "--fail-level", "WARNING",
        HTTPS="1", ALLOWED_HOSTS="touchstone.example", SECRET_KEY="0Aa-" * 20 + "qwertzuiop",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_server_of_django_starts():
    """It needs an option that only commands with checks have."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = python("manage.py", "runserver", "--noreload", str(taken.getsockname()[1]))
    assert done.stderr == "Error: That port is already in use.\n"


def test_commands_that_compute_begin_without_what_takes_long_to_import():
    names = ("aggregate", "aggregate_file", "forecast", "select_workers", "tune")
    commands = [f"import {get_commands()[name]}.management.commands.{name}" for name in names]
    script = ["import django, json, sys", "django.setup()", *commands]
    done = python("-c", "\n".join([*script, "print(json.dumps(list(sys.modules)))"]))
    assert done.returncode == 0, done.stderr
    slow = {"scipy.stats", "scipy.optimize", "scipy.spatial", "dashboard.urls"}
    assert slow & set(json.loads(done.stdout)) == set()


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_wrong_setting_ends_a_command_with_its_sentence():
    done = python("manage.py", "check", HTTPS="perhaps")
    assert done.returncode != 0
    assert "HTTPS is 'perhaps'. Set it to 1 or 0." in done.stderr


def commands_in_documents() -> list[tuple[str, str]]:
    """(file, what follows `manage` or `manage.py`) of every command line that a reader may copy."""
    files = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("templates/**/*.html")]
    return [
        (file.name, found[1])
        for file in files
        for found in re.finditer(
            r"(?:\./run manage|manage\.py) ([a-z][^\n`<]*)",
            file.read_text().replace("\\\n", " "),
        )
    ]


def test_commands_in_the_documents_exist_with_their_options():
    lines = commands_in_documents()
    assert len(lines) > 30
    for file, line in lines:
        name, *words = line.split("#")[0].split()
        assert name in get_commands() or name == "help", (file, line)
        if name == "help":
            continue
        parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
        for option in (word.rstrip(".,") for word in words if word.startswith("--")):
            assert option in parser._option_string_actions, (file, line, option)


def anchors_of(page: Path) -> set[str]:
    """The names by which headings are linked to, as GitHub makes them."""
    prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    titles = (title.replace("`", "").lower() for title in re.findall(r"^#+ (.+)$", prose, re.M))
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def test_documents_link_to_places_that_are_there():
    for page in (ROOT / "README.md", *ROOT.glob("docs/**/*.md")):
        for link, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text()):
            target = page.parent / link if link else page
            assert target.exists(), (page.name, link)
            if anchor:
                assert anchor in anchors_of(target), (page.name, link, anchor)


# What these words mean in SQL stands in querysets alone: a hand-written filter is another meaning
# as soon as one of them changes.
WORDS_IN_SQL = {
    "handed_in(): submitted or late": r"state__in=(\[|\()[^)\]]*State\.LATE",
    "gold_for(): gold that came with a document": r"source=ImportedAnswer\.Source\.GOLD",
    "plain(): no gold question": r"(?<!Q\()\bkind=Demand\.Kind\.PLAIN",
    "gold(): of gold questions": r"\bkind__gt=0",
    "gold_for(), predicted_for()": r"source=\"(gold|prediction)\"",
    "standing(): not retired": r"GoldQuestion\.objects\.filter\([^()]*retired_at",
    "standing(): not dismissed": r"\.filter\([^()]*dismissed_at=None",
    "standing(): not taken back": r"\.filter\([^()]*overturned_at=None",
    "expired()": r"\.filter\([^()]*state=Assignment\.State\.EXPIRED",
    "complete(): an import": r"\.filter\([^()]*(?<!_)state=ImportRun\.State\.COMPLETE",
    "open(): a campaign that gives out tasks": r"\.filter\([^()]*state=Campaign\.State\.OPEN",
    "published(): no draft": r"\.exclude\(state=Campaign\.State\.DRAFT\)",
    "with_answers(): submitted in time": r"\.filter\([^()]*(?<!_)submitted__gt=0",
    "submitted()": r"\.filter\([^()]*(?<!_)state=Assignment\.State\.SUBMITTED",
}


@pytest.mark.parametrize("word", WORDS_IN_SQL)
def test_what_counts_is_written_once(word):
    pattern = re.compile(WORDS_IN_SQL[word])
    found = [
        str(path.relative_to(ROOT))
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        if not {"migrations", "querysets", "querysets.py"} & {*path.parts}
        and pattern.search(path.read_text())
    ]
    assert found == [], f"Ask a queryset instead: {word}"


# Who has an interface in hand asks its traits, its entry or its pages, never its name.
OF_ONE_INTERFACE = ("annotation/interfaces", "aggregation/interfaces", "dashboard/interfaces")
RECORDS = {  # of a knowledge base, whose kinds are "entity" and "relation"
    "aggregation/knowledge/files.py",
    "aggregation/management/commands/export_knowledge_base.py",
}
ASKS_FOR_NAME = re.compile(
    r"""(?:==|!=|\bin)\s*[(\[{]?\s*["'](?:entity|relation|linking|choice)["']"""
    r"""|["'](?:entity|relation|linking|choice)["']\s*(?:==|!=)|\bInterface\.[A-Z]"""
)


def test_nobody_asks_which_interface_it_has_in_hand():
    files = [
        path
        for app in (*APPS, "config", "demonstration", "templates")
        for kind in ("*.py", "*.html")
        for path in (ROOT / app).rglob(kind)
    ]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in files
        if str(path.relative_to(ROOT)) not in RECORDS
        and not str(path.relative_to(ROOT)).startswith(OF_ONE_INTERFACE)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if ASKS_FOR_NAME.search(line)
    ]
    assert found == []
    assert len(files) > 300


def test_one_module_checks_settings_of_algorithms():
    by_hand = re.compile(
        r"""raise ValueError\(\s*f?["'](?:\{name\}|\w+) must (?:be|lie) [^"']*but is"""
    )
    modules = [path for app in APPS for path in (ROOT / app / "algorithms").rglob("*.py")]
    found = {str(path.relative_to(ROOT)) for path in modules if by_hand.search(path.read_text())}
    one_for_each_worker = "aggregation/algorithms/sequences/crf_ma.py"
    assert found == {"aggregation/algorithms/settings.py", one_for_each_worker}


def test_answers_have_types():
    """`annotation.interfaces.answers` names their members, so that mypy knows a wrong one."""
    untyped = re.compile(r"\b(?:answer|gold)s?: (?:list\[)?(?:dict|Mapping)\[str, Any\]")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if untyped.search(line)
    ]
    assert found == []


def test_every_block_says_what_it_holds():
    found = [block for page in pages() for block in blocks(page)]
    for block in found:
        if block.kind == "console":
            assert block.why in NOT_HERE, block.place
        else:
            assert block.kind in {*NO_COMMANDS, "sh"}, block.place
    kinds = [block.kind for block in found]
    assert kinds.count("sh") > 4 * kinds.count("console")


def test_every_command_begins_with_run_or_names_its_interpreter():
    for block in (block for page in pages() for block in blocks(page)):
        if block.kind == "sh":
            for command in block.commands():
                known = command.startswith(BEGINS) or re.match(r"\w+(=|\(\))", command)
                assert known, (block.place, command)
        elif block.kind in NO_COMMANDS - {"text"}:
            assert "./run" not in block.text, block.place


PROSE = ("*.py", "*.js", "*.html", "*.md", "*.css")
SAMPLE_TEXTS = {
    "experiments/crf/lexicon.py",  # words of made sentences
    "CHANGELOG.md",
}


HE = r"(?<![a-zA-Z])(he|his|him|himself)(?![a-zA-Z])"  # also within a name_of_several_words


def test_a_worker_is_they():
    """In code, pages, errors and docs, and in the names of tests; texts to be annotated say what
    they say."""
    folders = (*APPS, "config", "experiments", "benchmarks", "docs", "static", "templates")
    files = [path for folder in folders for kind in PROSE for path in (ROOT / folder).rglob(kind)]
    files += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "run", "manage.py")]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in files
        if str(path.relative_to(ROOT)) not in SAMPLE_TEXTS
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(HE, line, re.I)
    ]
    found += [
        name
        for path in (ROOT / "tests").rglob("*.py")
        for name in re.findall(r"^def (\w+)", path.read_text(), re.M)
        if re.search(HE, name)
    ]
    assert found == []
