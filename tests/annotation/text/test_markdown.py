"""Managers' Markdown: what comes through, and what never does."""

import pytest
from django.utils import translation
from django.utils.translation import gettext

from annotation.text.markdown import first_sentence, render, steps


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# Names\n\nMark *every* one.", "<h3>Names</h3>\n<p>Mark <em>every</em> one.</p>\n"),
        ("###### Deep", "<h3>Deep</h3>\n"),
        ("# One\n###### Six", "<h3>One</h3>\n<h6>Six</h6>\n"),
        ("Setext\n======", "<h3>Setext</h3>\n"),
        ("3. three\n4. four", '<ol start="3">\n<li>three</li>\n<li>four</li>\n</ol>\n'),
        ("~~no~~ `x<y`", "<p><s>no</s> <code>x&lt;y</code></p>\n"),
        ("Mark <b>every</b> name.", "<p>Mark &lt;b&gt;every&lt;/b&gt; name.</p>\n"),
        ("![A dog](https://elsewhere.example/dog.png)", "<p>A dog</p>\n"),
        ("![*<i>*](x.png)", "<p>*&lt;i&gt;*</p>\n"),
    ],
)
def test_it_works(text, html):
    assert render(text) == html


def test_a_table_comes_through_without_its_style():
    html = render("|a|b|\n|:-|-:|\n|1|2|")
    assert "<table>" in html
    assert "<th>a</th>" in html
    assert "style" not in html


def test_links_open_beside_the_page_and_tell_nothing_of_it():
    html = render('[rules](https://example.org/rules "All") <mailto:ann@example.org>')
    assert html.count('target="_blank"') == 2
    assert html.count('rel="noopener noreferrer"') == 2
    assert 'href="https://example.org/rules"' in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "[x](vbscript:msgbox)",
        "![x](javascript:alert(1))",
        '[x](https://a.example/ "\\" onclick=\\"alert(1)")',
        "[x]: javascript:alert(1)\n\n[x]",
        "<a href='javascript:alert(1)'>x</a>",
        "<style>*{display:none}</style>",
        "<h1>Two first headings</h1>",
        "<svg/onload=alert(1)>",
        "<iframe src=https://elsewhere.example>",
    ],
)
def test_nothing_that_runs_or_loads_comes_through(text):
    html = render(text).lower()
    for bad in ("<script", "<img", "<style", "<svg", "<iframe", "<h1", "href=\"javascript",
                "href=\"data", "href=\"vbscript", " onclick=\"", " onerror=\""):  # fmt: skip
        assert bad not in html


def test_an_empty_text_is_nothing():
    assert render("") == ""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("# Names\n\nMark *every* name.\nEven `short` ones.", "Mark every name."),
        ("> Right: **Ada**\n\nIs it 3.5 or more? Then say so.", "Is it 3.5 or more?"),
        ("No sign at the end", "No sign at the end"),
        ("w" * 400, "w" * 300),
        ("# A title alone", ""),
    ],
)
def test_the_first_sentence_is_that_of_the_first_paragraph(text, sentence):
    assert first_sentence(text) == sentence


# --- Examples ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quote", "kind", "rest"),
    [
        ("> Right: *Ada* met Bob", "right", "<em>Ada</em> met Bob"),
        ("> WRONG:Ada met", "wrong", "Ada met"),
        ("> **Wrong:** Ada met", "wrong", "Ada met"),
        ("> ✓ Ada", "right", "Ada"),
        ("> ✗: Ada", "wrong", "Ada"),
        ("> ❌ Wrong: Ada", "wrong", "Ada"),
        ("> ✔️ **London**", "right", "<strong>London</strong>"),
    ],
)
def test_a_quote_that_begins_with_right_or_wrong_is_an_example(quote, kind, rest):
    assert render(quote) == (
        f'<blockquote class="example-{kind}">\n'
        f"<p><strong>{kind.title()}</strong> {rest}</p>\n</blockquote>\n"
    )


def test_an_example_says_its_word_in_the_language_of_the_page():
    text = "> Right: Ada\n\n✗ Bob\n\n> ✗ Eve"
    for language, right, wrong in (("de", "Richtig", "Falsch"), ("en", "Right", "Wrong")):
        with translation.override(language):
            for html in (render(text), *steps(text)):
                assert f"<strong>{right}</strong> Ada" in html
                assert f"<strong>{wrong}</strong> Eve" in html
            assert first_sentence("Right: Ada met Bob.") == f"{right} Ada met Bob."


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Richtig:", "Falsch:"),
        ("**Correcto:**", "**Incorrecto:**"),
        ("JUSTE :", "Faux\u202f:"),
        ("✅ صحيح:", "❌ خطأ:"),
    ],
)
def test_an_example_begins_with_the_word_of_any_language(right, wrong):
    """Whichever the page has: instructions are in the language of the texts."""
    assert render(f"> {right} Ada\n> {wrong} Bob") == render("> Right: Ada\n> Wrong: Bob")


def test_the_words_that_a_page_shows_are_known(settings):
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            shown = gettext("Right"), gettext("Wrong")
            text = "{}: Ada\n\n{}: Bob".format(*shown)
            assert render(text) == render("Right: Ada\n\nWrong: Bob"), language


def test_a_paragraph_that_says_the_word_is_an_example_as_a_quote_is():
    """Campaigns of before, and the demonstration's, have no ">"."""
    quotes = "> **Right:** *Ada* met\n\nThen\n\n> Wrong: met"
    assert render(quotes.replace("> ", "")) == render(quotes)
    assert render("Right: a\n**Wrong:** b") == render("> Right: a\n\n> Wrong: b")
    assert render("- x\n\n  Right: y").count("blockquote") == 0


def test_examples_in_successive_lines_are_two():
    html = render("Names:\n> Right: Ada\n> Wrong: Mrs\n> Ada")
    assert html.count("<blockquote") == 2
    assert "<strong>Wrong</strong> Mrs\nAda</p>" in html


@pytest.mark.parametrize(
    "text", ["> Rightly so", "> It is right: so", "> Justement: so", "✓ Ada", "- ✓ Ada"]
)
def test_what_only_looks_like_an_example_stays_as_it_is(text):
    assert "example" not in render(text)
    assert "<strong>" not in render(text)


def test_nobody_else_gives_a_class():
    html = render('<blockquote class="example-right">y</blockquote>')
    assert html == '<p>&lt;blockquote class="example-right"&gt;y&lt;/blockquote&gt;</p>\n'


# --- Steps ---------------------------------------------------------------------------------------

A, B, DEEP = "<h3>A</h3>\n", "<h3>B</h3>\n", "<h4>deep</h4>\n"
INTRO = "<p>Intro.</p>\n"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        ("Intro.", (INTRO,)),
        ("# A", (A,)),
        ("# A\n# B", (A, B)),
        ("Intro.\n# A\n## deep\n# B", (INTRO, A + DEEP, B)),
        ("## A\n## B", (A, B)),
        ("Intro.\n\n## A", (INTRO, A)),
        ("A\n===\n\nIntro.\n\n## deep\n## deep", (A + INTRO, DEEP, DEEP)),
        ("# A\n## deep\n## deep", (A + DEEP, DEEP)),
        ("> # quoted\n\nIntro.", ("<blockquote>\n<h3>quoted</h3>\n</blockquote>\n" + INTRO,)),
    ],
)
def test_a_text_is_cut_at_its_headings(text, parts):
    assert steps(text) == parts


def test_steps_together_are_the_whole_text():
    text = "# T\n[x]\n## A\n> Right: [x]\n## B\n1. a\n   # in a list\n## C\n[x]: https://a.example/"
    assert "".join(steps(text)) == render(text)
    assert len(steps(text)) == 4


def test_steps_are_as_clean_as_the_whole():
    for step in steps("# A\n<script>alert(1)</script>\n# B\n[x](javascript:alert(1))"):
        assert "<script" not in step
        assert "href" not in step
