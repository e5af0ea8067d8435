"""Managers' Markdown: what comes through, and what never does."""

import pytest

from annotation.markdown import render


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# Names\n\nMark *every* one.", "<h3>Names</h3>\n<p>Mark <em>every</em> one.</p>\n"),
        ("###### Deep", "<h6>Deep</h6>\n"),
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
