"""The languages of the worker's pages: complete, compiled from their sources, and used."""

from __future__ import annotations

import gettext
import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from string import Formatter

import pytest
from django.conf import settings

from annotation.actions.tokens import campaign_link
from annotation.interfaces import REGISTRY
from annotation.sentences import Problem, workers
from annotation.sentences.rendering import forms_of
from annotation.views.scripts import PARTS
from config import catalogues
from config.bundles import BundleFinder
from config.catalogues import BASE, Catalogue, Message
from tests import untranslated
from tests.factories import make_campaign

LANGUAGES = catalogues.languages()
WITHOUT_SENTENCES = {"keys", "entity-card"}  # parts that have no words of their own
CLASSES = "classes, in a variable"
PRODUCT = "the name of the program"
FOR_PROGRAMS = "for whoever writes programs: no page of ours shows it"
# What tests.untranslated takes for words, and why it is not translated.
ALLOWED = {
    ("static/js/linking/pieces.js", "button-quiet queue-decides"): CLASSES,
    ("templates/annotation/bad_link.html", "Touchstone"): PRODUCT,
    ("templates/annotation/bad_link.html", "· Touchstone"): PRODUCT,
    ("templates/annotation/join.html", "Touchstone"): PRODUCT,
    ("templates/annotation/join.html", "· Touchstone"): PRODUCT,
    ("templates/annotation/work.html", "· Touchstone"): PRODUCT,
    ("annotation/api/authentication.py", "Worker"): "begins the header that names a worker",
    ("annotation/api/authentication.py", "Authorization"): "a header",
    ("annotation/api/authentication.py",
     "`Worker <token>`, with the token that joining a campaign gives."): FOR_PROGRAMS,
    ("annotation/api/events.py",
     "Events that could be read; one whose number was there already is among them."): FOR_PROGRAMS,
    ("annotation/interfaces/doubts.py", "Given"): "a type",
    ("annotation/text/markdown.py", "noopener noreferrer"): "what a link's `rel` says",
    ("annotation/views/errors.py", "There is nothing at this address. Addresses end with a slash; "
     "… lists them."): FOR_PROGRAMS,
    ("annotation/views/pictures.py", "private, max-age=31536000, immutable"): "a header",
    ("annotation/views/scripts.py", "Rights"): "what a script exports",
    ("annotation/views/scripts.py", "Asides"): "what a script exports",
    ("annotation/views/scripts.py",
     "Jumps, OccurrenceOffer, Pen, ReadingActions, "
     "clashWords, lately, likeliest, likely, linkGone, sameName"):
         "what a script exports",
    ("annotation/views/scripts.py", "GhostNote, Ghosts, ghostMenu, ghostSaid"):
        "what a script exports",
}  # fmt: skip
# Beside catalogues.PYTHON: what reaches a worker's page from here comes as a code.
AS_CODES = ("annotation/api", "annotation/interfaces")
# The worker's pages; components are of all.
OWN_STYLES = {*REGISTRY, "beside", "first", "join", "past", "work"}


@pytest.fixture(scope="module")
def messages() -> list[Message]:
    return catalogues.messages()


@pytest.fixture(params=LANGUAGES)
def language(request) -> str:
    return request.param


@pytest.fixture
def catalogue(language) -> Catalogue:
    return catalogues.read_source(catalogues.source_of(language))


def test_german_spanish_french_and_arabic_are_here():
    assert {"ar", "de", "es", "fr"} <= set(LANGUAGES)
    assert [code for code, _ in settings.LANGUAGES] == ["en", *LANGUAGES]


def test_each_sentence_has_its_translation_in_all_forms(catalogue, messages):
    assert len(messages) > 700
    assert catalogue.lacking(messages) == []
    assert set(catalogue.forms) == set(messages), "Run ./run manage languages"


def test_a_catalogue_is_compiled_from_its_source(language, catalogue, messages):
    path = catalogues.source_of(language)
    assert path.read_text(encoding="utf-8") == catalogues.source_text(catalogue, messages)
    assert path.with_suffix(".mo").read_bytes() == catalogues.compiled(catalogue)


def test_a_translation_has_the_parameters_of_its_sentence(catalogue):
    """A form for one or two may leave the number out."""

    def parameters(text: str) -> set[tuple[str, str | None]]:
        return {(name, spec) for _, name, spec, _ in Formatter().parse(text) if name is not None}

    for message, forms in catalogue.forms.items():
        wanted = parameters(message.one) | parameters(message.other)
        number = {each for each in wanted if each[0] == "number" and message.other}
        for form in forms:
            assert wanted - number <= parameters(form) <= wanted, form


def test_an_apostrophe_is_written_in_one_way(messages):
    """The curly one: else "Can't tell" and “Can’t tell” are two sentences."""
    words = [words for each in messages for words in (each.one, each.other)]
    assert [each for each in words if re.search(r"\w'\w", each)] == []


def test_what_is_compiled_is_read_by_gettext(language, catalogue):
    with catalogues.source_of(language).with_suffix(".mo").open("rb") as file:
        read = gettext.GNUTranslations(file)
    message, forms = next(each for each in catalogue.forms.items() if each[0].other)
    assert read.gettext("Stop here") == catalogue.forms[Message("Stop here")][0]
    assert {read.ngettext(message.one, message.other, n) for n in range(120)} == set(forms)


def sources(folders: Iterable[str], ending: str) -> dict[str, str]:
    paths = [path for folder in folders for path in sorted((BASE / folder).rglob(f"*{ending}"))]
    return {str(path.relative_to(BASE)): path.read_text(encoding="utf-8") for path in paths}


@pytest.fixture(scope="module")
def scripts() -> dict[str, str]:
    """All but the managers'."""
    found = sources(["static/js"], ".js")
    return {name: text for name, text in found.items() if "/dashboard/" not in name}


def test_no_words_stand_outside_the_catalogues(scripts):
    """What is looked for, and what can't be seen, stands in tests.untranslated."""
    parents = {path.name: path.read_text() for path in (BASE / "templates").glob("*.html")}
    roles = untranslated.parameter_roles(scripts.values())
    found: dict[tuple[str, str], int] = {}
    for name, text in scripts.items():
        found |= {(name, words): line for line, words in untranslated.in_script(text, roles)}
    for name, text in sources(catalogues.TEMPLATES, ".html").items():
        found |= {(name, words): line for line, words in untranslated.in_template(text, parents)}
    for name, text in sources([*catalogues.PYTHON, *AS_CODES], ".py").items():
        found |= {(name, words): line for line, words in untranslated.in_python(text)}
    for name, text in sources(["static/css/components", "static/css/pages"], ".css").items():
        if "/components/" in name or Path(name).stem in OWN_STYLES:
            told = re.sub(r"attr\([^)]*\)|\\[0-9a-f]+", "", text)
            written = re.findall(r"content:.*[\"'](.*[a-z]{2}.*)[\"']", told)
            found |= {(name, words): 0 for words in written}
    new = [f"{name}:{line}: {words}" for (name, words), line in found.items()
           if (name, words) not in ALLOWED]  # fmt: skip
    assert not new, "\n".join(["Mark for translation (CONTRIBUTING.md, Languages):", *new])
    gone = ALLOWED.keys() - found.keys()
    assert not gone, f"Take out of ALLOWED what is not there any more: {sorted(gone)}"


def test_scripts_and_what_the_server_says_are_searched_for_messages(scripts, messages):
    folders = tuple(f"{folder}/" for folder in catalogues.SCRIPTS)
    assert [name for name in scripts if not name.startswith(folders)] == []
    said = {form for sentence in workers.SENTENCES.values() for form in forms_of(sentence)}
    assert said <= {form for message in messages for form in (message.one, message.other)}


def test_almost_every_sentence_would_be_found_without_its_mark(scripts):
    """All but single small words of which nothing says that they are shown."""
    roles = untranslated.parameter_roles(scripts.values())
    lost: list[str] = []
    for text in scripts.values():
        calls = [call for call in catalogues.CALL.finditer(text) if not _is_comment(call)]
        bare = catalogues.CALL.sub(lambda call: call[0].replace("gettext(", "(").lstrip("n"), text)
        found = {words for _, words in untranslated.in_script(bare, roles)}
        literals = [each for call in calls for each in re.findall(catalogues.LITERAL, call[0])]
        told = [re.sub(r"\{\w+\}", "…", json.loads(each)) for each in literals]
        lost += [words for words in told if words not in found]
    assert [words for words in lost if not re.fullmatch(r"[a-z]+|\W*", words)] == []
    assert len(lost) < 15


def _is_comment(call: re.Match[str]) -> bool:
    line = call.string[call.string.rfind("\n", 0, call.start()) + 1 : call.start()]
    return re.match(r"\s*(/?\*|//)", line) is not None


def test_a_marked_sentence_is_read_from_a_script():
    call = 'ngettext(\n  "{number} card",\n  "{number} " + "cards", n)'
    assert [*catalogues.in_script(call)] == [Message("{number} card", "{number} cards")]
    german = Catalogue("Plural-Forms: nplurals=2; plural=(n != 1);\n", {
        Message("{number} card", "{number} cards"): ["{number} Karte", "{number} Karten"],
    })  # fmt: skip
    assert catalogues.translated_script(call, german) == (
        'pluralText(["{number} Karte","{number} Karten"], n)'
    )


@pytest.mark.parametrize("name", [*(f"work-{kind}" for kind in REGISTRY), *PARTS])
def test_a_bundle_holds_one_language(name, messages, settings, tmp_path):
    settings.DATA_DIR = tmp_path  # what is written here no page of another test gets
    find = BundleFinder().find
    short = Path(find(f"bundles/{name}-ar.js")).read_text(encoding="utf-8")
    assert not catalogues.PLACE.search(short)
    assert catalogues.RULE_PLACE not in short
    settings.DEBUG = True  # as it was written: a minifier shortens the name `gettext`
    arabic = catalogues.read_source(catalogues.source_of("ar"))
    plain, script = (
        Path(find(f"bundles/{name}{suffix}.js")).read_text(encoding="utf-8")
        for suffix in ("", "-ar")
    )
    calls = {*catalogues.in_script(plain)}
    assert len(calls) > 40 or name in PARTS
    assert calls or name in WITHOUT_SENTENCES
    assert calls <= {*messages} | {Message(message.one) for message in messages}
    assert {*catalogues.in_script(script)} <= {Message(one) for [one, *_] in arabic.forms.values()}
    assert len(script) < 1.12 * len(plain)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_rule_for_plurals_is_the_same_in_python_and_in_the_script(language, catalogue):
    source = (BASE / "static/js/worker/language.js").read_text()
    assert catalogues.RULE_LINE in source
    script = catalogues.translated_script(source, catalogue).replace("export ", "")
    script += "console.log([...Array(200).keys()].map(pluralForm).join())"
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    )
    rule = gettext.c2py(catalogue.plural)
    assert [int(each) for each in done.stdout.split(",")] == [rule(n) for n in range(200)]


# --- In use -------------------------------------------------------------------------------------


def opened(client, campaign, query="", **headers):
    return client.get(f"/join/{campaign_link(campaign)}/{query}", headers=headers)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("own", "query", "accepted", "language"),
    [
        ("", "", "de-AT, en;q=0.5", "de"),
        ("", "", "xx, *", "en"),
        ("fr", "", "de", "fr"),
        ("fr", "?language=ar", "de", "ar"),
        ("fr", "?language=../etc", "de", "fr"),
        ("gone", "", "es", "es"),
    ],
)
def test_the_worker_comes_before_the_campaign_and_that_before_the_browser(
    client, own, query, accepted, language
):
    answer = opened(client, make_campaign(language=own), query, accept_language=accepted)
    page = answer.content.decode()
    assert f'<html lang="{language}"' in page
    assert (' dir="rtl"' in page.partition(">")[2].partition(">")[0]) == (language == "ar")
    suffix = "" if language == "en" else f"-{language}"
    assert f"bundles/work-entity{suffix}.js" in page
    assert f'"/static/bundles/rights{suffix}.js"' in page
    assert "Accept-Language" in answer["Vary"]
    assert f'<option value="{language}" lang="{language}" selected>' in page


@pytest.mark.django_db
def test_what_the_server_says_to_a_worker_follows_the_page(client):
    campaign = make_campaign(state="closed", language="de")
    assert "Diese Kampagne ist beendet." in opened(client, campaign).content.decode()
    asked = {"accept-language": "fr", "authorization": "Worker nobody"}
    told = client.post("/api/work/next/", headers=asked).json()["detail"]
    assert told.endswith("Ouvrez à nouveau votre lien pour continuer.")
    broken = client.get("/join/broken/", headers={"accept-language": "es"})
    assert "Este enlace no lleva a ningún sitio" in broken.content.decode()
    assert workers.sentence(Problem("request.token")).startswith("Send ")  # and nobody else


def test_figures_are_written_as_in_the_language():
    from django.utils import translation

    read = Problem("entity.unread", read=1234, number=5678)
    passed = Problem("qualification.passed", stage="exam", right=0.8125)
    with translation.override("de"):
        assert workers.sentence(read).startswith("Sie haben 1.234 von 5.678 Wörtern")
        assert "zu 81\u00a0% richtig" in workers.sentence(passed)
    with translation.override("ar"):
        alone = [workers.sentence(Problem("linking.alone", number=n)) for n in (1, 2, 3, 11)]
        assert len({re.sub(r"\d+", "", each) for each in alone}) == 4
