"""The search for words without a translation: what it finds, what it leaves, what it can't see."""

from __future__ import annotations

import pytest

from tests.untranslated import in_python, in_script, in_template, parameter_roles


def in_js(source: str) -> list[str]:
    return [text for _, text in in_script(source)]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('const said = "Nothing is chosen yet.";', "Nothing is chosen yet."),
        ("const said = 'Nothing is chosen yet.';", "Nothing is chosen yet."),
        ("const said = 'It isn\\'t \"here\".';", 'It isn\'t "here".'),
        ('const said = "Well-known names are here";', "Well-known names are here"),
        ('const said = "well-known names";', "well-known names"),
        ('say("not decided");', "not decided"),
        ('say("two words");', "two words"),
        ("say('two words');", "two words"),
        ("say(`two words`);", "two words"),
        ('say("Cancelled");', "Cancelled"),
        ('say("Well-known");', "Well-known"),
        ('say("Can’t tell");', "Can’t tell"),
        ('say("Für alle");', "Für alle"),
        ('say("Chosen: ");', "Chosen: "),
        ('say("3 cards");', "3 cards"),
        ('say(n + " cards");', " cards"),
        ("say(`${n} lines read`);", "… lines read"),
        ("say(`${n} lines`);", "… lines"),
        ("say(`${name} is in the way`);", "… is in the way"),
        ("say(`Step ${n}`);", "Step …"),
        ("say(`Chosen:${n}`);", "Chosen:…"),
        ("say(`${quoted(name)} chosen`);", "… chosen"),
        ("say(`${wordsOf(span)}, chosen`);", "…, chosen"),
        ("say(`${n} s`);", "… s"),
        ("say(`#${n} undone`);", "#… undone"),
        ("say(`${n}% done`);", "…% done"),
        ('say("Undo (Ctrl+Z)");', "Undo (Ctrl+Z)"),
        ('say("Yes/no");', "Yes/no"),
        ('say("loading…");', "loading…"),
        ('say("week2 is over");', "week2 is over"),
        ("say(`${isMany ? `${n} lines` : 1} left`);", "… left"),
        ("say(`${isMany ? `${n} lines` : 1} left`);", "… lines"),
        ('say(`a${n === 1 ? "one line" : ""}`);', "one line"),
        ("say(`first line\nand ${n}`);", "first line\nand …"),
        ('say("{number} cards are left");', "… cards are left"),
        ('const names = ["not decided", "x"];', "not decided"),
        ('const STATES = { later: "left for later" };', "left for later"),
        ('const STATES = { "later": "left for later" };', "left for later"),
        ('return isLate ? "handed in late" : "";', "handed in late"),
        ('const note = words ?? "no note";', "no note"),
        ('const half = 1 / 2; say("two words"); const other = 3 / 4;', "two words"),
        ('const isUrl = /https?:\\/\\/[^"/]+"/.test(x); say("two words");', "two words"),
        ('fetch("https://a.example"); say("two words");', "two words"),
        ('say("<b>Two</b> words");', "<b>Two</b> words"),
        ('say("<name> is here");', "<name> is here"),
        ("say('<b title=\"one word\"></b>');", '<b title="one word"></b>'),
        # Single small words, where it can be seen that they are shown.
        ('node.textContent = "remove";', "remove"),
        ("node.textContent = 'remove';", "remove"),
        ('node.ariaLabel = isLast ? "last" : "more";', "last"),
        ('node.ariaLabel = isLast ? "last" : "more";', "more"),
        ("node.title = `${n}: undo`;", "…: undo"),
        ('node.ariaRoleDescription = "text";', "text"),
        ('node.setAttribute("aria-label", "undo");', "undo"),
        ('node.setAttribute("title", isOn ? "on" : "off");', "off"),
        ('make("p", { placeholder: "none" });', "none"),
        ('make("p", { className: "a-b", textContent: "none" });', "none"),
        ('node.append(name, "none");', "none"),
        ("context.announce(`${name} gone`);", "… gone"),
        ('select.append(new Option("unknown", "u"));', "unknown"),
        ('const items = [{ action: "undo", text: "undo" }];', "undo"),
        ('function piece(tag, className, text = "") {}\npiece("p", "a b", "none");', "none"),
        ('function make(tag, ...children) {}\nmake("p", x, "none");', "none"),
        # A name of a key, where it is a word on a button.
        ('make("button", { textContent: "Delete" });', "Delete"),
        ('item({ label: "Home" });', "Home"),
        ('say("Delete");', "Delete"),
        ('makeButton("Enter");', "Enter"),
        # In classes' places and in words' own.
        ('isHere("two words").className = "a b";', "two words"),
        ('piece("Two words", "a b");', "Two words"),
        ('const classNames = "two words";', "two words"),
        # Marked in a form that no catalogue is made from.
        ("gettext('Two words');", "Two words"),
        ("gettext(`Two words`);", "Two words"),
        ('gettext(isOne ? "One word" : "Two words");', "One word"),
        ('gettext(isOne ? "One word" : "Two words");', "Two words"),
        ('gettext("Two " + words + " more");', " more"),
        ('gettext("{n} left", { n: "two words" });', "two words"),
        ('ngettext("{number} card", `{number} cards`, n);', "… cards"),
        ('pgettext("Two words");', "Two words"),
        ('words.gettext("Two words");', "Two words"),
    ],
)
def test_words_of_a_script_are_found(source, found):
    assert found in in_js(source)


@pytest.mark.parametrize(
    "source",
    [
        # Marked.
        'say(gettext("Two words"));',
        'say(gettext("All is " +\n  "well."));',
        'say(gettext("{name} is here", { name }));',
        'say(ngettext("{number} card", "{number} cards", n));',
        'node.textContent = gettext("undo");',
        'const sent = gettextNoop("I don\'t understand the text.");',
        "const sent = gettextNoop('Two words');",
        # No code at all.
        '// "This is a comment."',
        '/** "This is one, too." */ const x = 1; // and `this` isn\'t',
        'import { a, b } from "../worker/some-words.js";',
        'say(/* "two words" in `it */ 1, /* [and " more] */ 2);',
        'const isWords = /two words|"Three" words/.test(x);',
        # Classes.
        'node.className = "button button-quiet";',
        'node.className = isOn ? "sheet is-on" : "sheet";',
        'node.className = `queue-cell ${state} ${isHere ? "is here" : ""}`;',
        'make("p", { className: "soft queue-then" });',
        'node.classList.add("soft", "queue then");',
        'node.setAttribute("class", "icon icon-turns");',
        'function piece(tag, className, text = "") {}\npiece("p", "soft queue-then");',
        'const group = (className, head) => 1;\ngroup(isTwo ? "answers board" : "answers");',
        # Selectors, events, media queries.
        'node.querySelector("figure p");',
        'node.closest(".card a, .pile-head");',
        'const TYPED = "input, textarea, select";',
        'const ELSEWHERE = "a, button.is-on, mark-menu, [data-act=skip]";',
        'node.addEventListener("key down", act);',
        'const FINGER = "(hover: none) and (pointer: coarse)";',
        'matchMedia("(width < 40rem)");',
        # Keys.
        'const KEYS = [["submit", "Enter"], ["undo", "Shift+ArrowLeft"]];',
        'if (event.key === "Escape" || "Delete" === key) act();',
        'switch (key) { case "Home": act(); }',
        '["Enter", "Escape"].includes(key);',
        'item({ action: "compare", key: "Space" });',
        'keyCap("Enter");',
        'function button(act, text, key) {}\nbutton("undo", x, isOn ? "Del" : "");',
        'node.textContent = "Esc";',
        'make("kbd", { className: "key" }, "Enter");',
        # Drawings, names, values.
        'const PEN = "M4 16 1-3.5 8.5-8.5 2.5 2.5L7.5 15z";',
        "node.style.transform = `translate(${x}px, ${y}px)`;",
        "const id = `${kind}-${n}`;",
        "make('p', { id: `alone ${n}` });",
        "const line = `${a} ${b}, ${c}`;",
        'const pair = "“{one}” ({other})";',
        'const headers = { "Accept-Language": LANGUAGE };',
        "headers.Authorization = `Worker ${token}`;",
        'headers.get("Date");',
        'say("camelCase");',
        'say("all-small-with-hyphens");',
        'say("application/json");',
        'const states = { "not decided": 1 };',
        'const isLate = state === "handed in late";',
        'const n = ALL["two words"];',
        'const n = all?.["two words"] ?? of(x)["two words"];',
        'const SHOWN = ["a", `b-${n}`].map((one) => /[{(`"]/.test(one));',
    ],
)
def test_what_is_no_words_is_left(source):
    assert in_js(source) == []


@pytest.mark.parametrize("source", ['const state = "undecided";', 'say("edge");'])
def test_a_single_small_word_is_not_seen_where_nothing_says_that_it_is_shown(source):
    assert in_js(source) == []


@pytest.mark.parametrize("source", ["say(1", "say(1]", "say(1));", "say(`two words);"])
def test_a_script_that_it_does_not_understand_is_none_without_words(source):
    with pytest.raises(AssertionError):
        in_js(source)


def test_a_line_is_told_and_what_a_function_of_another_script_takes():
    script = '\n\npiece("p", "two classes", "none");'
    assert [*in_script(script)] == [(3, "two classes")]
    roles = parameter_roles(["export function piece(tag, className, text) {}"])
    assert [*in_script(script, roles)] == [(3, "none")]
    other = "class A {\n  piece(text, tag) {\n  }\n}"
    unclear = parameter_roles(["function piece(tag, className, text) {}", other])
    assert [*in_script(script, unclear)] == [(3, "two classes")]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>Two words</p>", "Two words"),
        ("<p>undo</p>", "undo"),
        ("two words before <b>{% translate 'x' %}</b>", "two words before"),
        ("{{ name }} is here", "is here"),
        ("<p>{{ number }} cards</p>", "cards"),
        ("<p>\n  Two\n  words</p>", "Two words"),
        ("<p>Two&nbsp;words</p>", "Two words"),
        ('<button aria-label="undo">×</button>', "undo"),
        ("<button title='undo'>×</button>", "undo"),
        ('<input placeholder="{{ a }} none">', "none"),
        ('<img alt="a picture">', "a picture"),
        ('<input type="submit" value="Send">', "Send"),
        ('<optgroup label="others"></optgroup>', "others"),
        ("{% if a %}<b>{% else %}<b>or else{% endif %}</b>", "or else"),
        ('{% firstof name "No name" %}', "No name"),
        ("{{ name|default:'none' }}", "none"),
        ('{{ isOn|yesno:"on,off" }}', "on,off"),
        ('{% include "a.html" with words="Two words" %}', "Two words"),
        ('<script>say("two words");</script>', "two words"),
        ("<kbd>undo</kbd>", "undo"),
        ('<form data-question="Leave the page?"></form>', "Leave the page?"),
        # Marked in a form that no catalogue is made from.
        ("{% translate 'Two words' %}", "Two words"),
        ('{% translate "Two words" as said %}', "Two words"),
        ("{% blocktranslate %}Two words{% endblocktranslate %}", "Two words"),
        ('{% extends "base.html" %}{% block main %}two words{% endblock %}', "two words"),
        ('{% extends "base.html" %}', "of the base"),
    ],
)
def test_words_of_a_template_are_found(source, found):
    parents = {"base.html": "<b>{% block skip %}of the base{% endblock %}</b>"}
    assert found in [text for _, text in in_template(source, parents)]


@pytest.mark.parametrize(
    "source",
    [
        '<p class="two words" data-part="a b">{% translate "Two words" %}</p>',
        '<p aria-label="{% translate "Two words" %}">{{ name }} · {{ other|default:"" }}</p>',
        "<!-- two words -->{# two words #}{% comment %}two words{% endcomment %}",
        "<style>p { color: red }</style><path d='M4 16 1-3.5'/>",
        "<p data-part='a-b'></p><kbd>Esc</kbd><input type='checkbox' value='two words'>",
        "{% load static i18n %}{% if state == 'two words' %}{% endif %}{% static 'a b.css' %}",
        '{% extends "base.html" %}{% block skip %}{% translate "Two words" %}{% endblock %}',
    ],
)
def test_what_is_no_words_of_a_template_is_left(source):
    parents = {"base.html": "<b>{% block skip %}of the base{% endblock %}</b>"}
    assert [*in_template(source, parents)] == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('say("two words")', "two words"),
        ('say("Undo")', "Undo"),
        ('say(f"{n} lines read")', "… lines read"),
        ('say("{n} lines")', "{n} lines"),
        ('STATES = {"late": "handed in late"}', "handed in late"),
        ('say(words or "no note")', "no note"),
        ('gettext("two " + words)', "two "),
        ('gettext(f"{n} words")', "… words"),
        ('gettext("One word" if one else "Two words")', "Two words"),
        ('ngettext("One word", f"{n} words", n)', "… words"),
        ('pgettext("a place", "Two words")', "Two words"),
    ],
)
def test_words_of_python_are_found(source, found):
    assert found in [text for _, text in in_python(source)]


@pytest.mark.parametrize(
    "source",
    [
        '"""A module of two words."""\ndef f():\n    """Docstring."""',
        'say(gettext("Two words"), ngettext("{number} card", "{number} cards", n))',
        'STATES = {"handed in late": gettext_noop("Two words")}\nSTATES["handed in late"]',
        'is_late = state == "handed in late"',
        'field = CharField(help_text="For programs alone.")',
        'PART = ("worker/later.js", "askToSkip, KeySettings")',
        'raise Refused("lease.gone", state=state)',
    ],
)
def test_what_is_no_words_of_python_is_left(source):
    assert [*in_python(source)] == []
