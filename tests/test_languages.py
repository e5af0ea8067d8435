"""The languages of the worker's pages: complete, compiled from their sources, and used."""

from __future__ import annotations

import gettext
import re
import shutil
import subprocess
from pathlib import Path
from string import Formatter

import pytest
from django.conf import settings

from annotation.actions.tokens import campaign_link
from annotation.interfaces import REGISTRY
from annotation.sentences import Problem, workers
from annotation.views.scripts import PARTS
from config import catalogues
from config.bundles import BundleFinder
from config.catalogues import BASE, Catalogue, Message
from tests.factories import make_campaign

LANGUAGES = catalogues.languages()
WITHOUT_SENTENCES = {"keys"}  # a part that shows nothing
# What stands in scripts and is no sentence: keys, classes, selectors, media queries.
KEYS = re.compile(
    r"(Ctrl|Shift|Alt|AltGraph|Meta|Control|Space|Enter|Esc|Escape|Del|Delete|Backspace|Tab|Home|End|"
    r"Arrow\w+|Key|Date|GET|POST|PUT|viewBox|Worker|Accept-Language|Content-Type|Retry-After)"
    r"(\+\w+)*"
)


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


def test_what_is_compiled_is_read_by_gettext(language, catalogue):
    with catalogues.source_of(language).with_suffix(".mo").open("rb") as file:
        read = gettext.GNUTranslations(file)
    message, forms = next(each for each in catalogue.forms.items() if each[0].other)
    assert read.gettext("Stop here") == catalogue.forms[Message("Stop here")][0]
    assert {read.ngettext(message.one, message.other, n) for n in range(120)} == set(forms)


def test_no_sentence_of_a_script_stands_outside_the_catalogues():
    """Nor one of a template; a marked sentence is no English words within another's code."""
    found = []
    for folder in catalogues.SCRIPTS:
        for path in sorted((BASE / folder).rglob("*.js")):
            found += [f"{path.relative_to(BASE)}: {text}" for text in unmarked(path.read_text())]
    for folder in catalogues.TEMPLATES:
        for path in sorted((BASE / folder).rglob("*.html")):
            left = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|<script.*?</script>", "", path.read_text())
            texts = re.findall(
                r">([^<>{}]*)<|(?:aria-label|title|alt|placeholder)=\"([^\"]+)\"", left
            )
            words = [text.strip() for pair in texts for text in pair]
            found += [f"{path.name}: {text}" for text in words if re.search(r"[A-Za-z]{2,}", text)
                      and text not in ("Esc", "· Touchstone")]  # fmt: skip
    assert found == []


def test_the_search_for_sentences_finds_them():
    source = """
        const said = "Nothing is chosen yet.";
        const line = `${name} is in the way`;
        const short = make("p", {}, "Cancelled");
        // "This is a comment."
        const fine = gettext("All is " + "well.") + "queue-row is-here" + "Ctrl+Enter";
    """
    assert [*unmarked(source)] == ["Nothing is chosen yet.", " is in the way", "Cancelled"]
    call = 'ngettext(\n  "{number} card",\n  "{number} " + "cards", n)'
    assert [*catalogues.in_script(call)] == [Message("{number} card", "{number} cards")]
    german = Catalogue("Plural-Forms: nplurals=2; plural=(n != 1);\n", {
        Message("{number} card", "{number} cards"): ["{number} Karte", "{number} Karten"],
    })  # fmt: skip
    assert catalogues.translated_script(call, german) == (
        'pluralText(["{number} Karte","{number} Karten"], n)'
    )


def unmarked(source: str):
    """Texts of a script that look like words for people and are not marked for translation."""
    source = re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL)
    source = re.sub(r"(?m)(^|[\s;,{(])//.*$", r"\1", source)
    source = catalogues.CALL.sub("", re.sub(r"gettextNoop\(\s*\"[^\"]*\"", "", source))
    source = re.sub(r'import [^;]*;|className[:=] ?"[^"]*"', "", source)
    for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', source):
        plain = re.sub(r"\$\{[^}]*\}", "", text[0] or text[1])
        is_sentence = re.search(r"[a-z]{2,}[,;]? [a-z]+[^:]* [a-z]{2,}", plain) or (
            re.search(r"^[A-Z][a-z]+", plain) and not KEYS.fullmatch(plain.strip())
        )
        if is_sentence and not re.search(r"[a-z]-[a-z]|\(\w+: |^[a-z]+(, [\[\]a-z-]+)+$", plain):
            yield plain


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
