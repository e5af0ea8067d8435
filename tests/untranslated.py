"""Words for people that are not marked for translation, in scripts, templates and Python.

What is marked is what `config.catalogues` takes into a catalogue, and nothing else: a sentence in a
form that it does not read, such as one in single quotes, is found here. A script is read token by
token, so that each literal is known with what it is for: the property that it is given to, or the
call and the number of the argument. By that classes, selectors and keys are told from words.

What it can't see: a single small word where nothing says that it is shown (`const how = "late"`),
in Python wherever it stands; a word in capitals alone, as "OK", likewise; what `gettextNoop` marks;
a word that is put together from parts without a space.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser

from config import catalogues

PLACE = "\ufffc"  # what stands in a text for ${…} and {{ … }}
LETTERS = r"[^\W\d_]"
WORD = re.compile(rf"(?!\d+$){LETTERS}[^\W_]*(?:[-’'/][^\W_]+)*")
CAPITAL = re.compile(r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+(?:[-’'][a-zß-öø-ÿ]+)*(?:[.,:;!?…)”/\s]|$)")
CALLED_OUT = re.compile(rf"{LETTERS}{{2,}}[.!?…]+")
FIGURE = re.compile(rf"(?!.*{LETTERS}).*[\d{PLACE}]")  # "#3"
AROUND = " \t\n\u00a0.,;:!?…·()[]{}<>“”„«»‘’\"'*–—→←=+/|"

# --- What is told from words by its form --------------------------------------------------------

KEY = re.compile(  # and what it begins, as "Ctrl+Enter"
    r"(?:Ctrl|Shift|Alt|AltGraph|Meta|Control|Space|Enter|Esc|Escape|Del|Delete|Backspace|Tab|Home"
    r"|End|Arrow(?:Left|Right|Up|Down))(?:\+\w+)*"
)
DRAWING = re.compile(r"[MmLlHhVvCcSsQqTtAaZz\d\s.,-]*\d[MmLlHhVvCcSsQqTtAaZz\d\s.,-]*")
FEATURE = r"\((?:hover|pointer|(?:min-|max-)?width|prefers-[a-z-]+)(?:: | [<>]=? )[\w.-]+\)"
MEDIA = re.compile(rf"{FEATURE}(?: and {FEATURE})*")
# Of a selector each part is one: "button, a.is-here > [data-act=skip]".
TAGS = (
    "a", "button", "dialog", "figure", "input", "output", "p", "select", "summary", "textarea",
    "date-form", "edge-handles", "entity-list", "entry-search", "mark-menu", "reading-rail",
    "type-palette",
)  # fmt: skip
DETAIL = r"(?:[.#][\w-]+|\[[\w-]+(?:[~|^$*]?=[^\]]*)?\]|::?[a-z-]+(?:\([^()]*\))?)"
SIMPLE = rf"(?:(?:{'|'.join(TAGS)})(?![\w-]){DETAIL}*|{DETAIL}+)"
SELECTOR = re.compile(rf"{SIMPLE}(?:\s*[>+~,]\s*{SIMPLE}|\s+{DETAIL}+)*")
ABBREVIATED = re.compile(r"(?:(?:Ctrl|Alt|Esc|Del)\+?)+")  # on a key cap no words of a language
# "askToSkip, KeySettings": what a script exports, in Python.
HUMPED = r"[A-Za-z]*[a-z][A-Z]\w*"
NAMES = re.compile(rf"{HUMPED}(?:, {HUMPED})*")
# Of HTML within a script.
TAG = re.compile(r"</?[a-z][\w-]*(?:\s+[\w-]+(?:=(?:\"[^\"]*\"|'[^']*'))?)*\s*/?>")
SHOWN = re.compile(r"(?:aria-\w+|title|alt|placeholder)=[\"']([^\"']*)")

# --- What is told by where it stands ------------------------------------------------------------

# Names of properties and attributes, and of the parameters of the scripts' own functions. Where a
# text is for people, one word in small letters is found as well.
FOR_PEOPLE = {
    "textContent", "innerText", "innerHTML", "ariaLabel", "ariaDescription", "ariaRoleDescription",
    "ariaValueText", "ariaPlaceholder", "title", "placeholder", "alt", "children", "content",
    "does", "heading", "hint", "label", "message", "note", "sentence", "text", "words",
    "aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "aria-placeholder",
}  # fmt: skip
FOR_CLASSES = {"className", "class"}
FOR_KEYS = {"key", "keys"}
FOR_MACHINES = {*FOR_CLASSES, "id", "Authorization"}
TEXT_CALLS = {
    "append", "prepend", "before", "after", "replaceChildren", "replaceWith", "insertAdjacentText",
    "createTextNode", "announce", "alert", "confirm", "prompt",
}  # fmt: skip
MACHINE_CALLS = {
    "querySelector", "querySelectorAll", "closest", "matches", "matchMedia", "getElementById",
    "classList.add", "classList.remove", "classList.toggle", "classList.contains",
    "classList.replace", "createElement", "createElementNS", "addEventListener",
    "removeEventListener", "getAttribute", "hasAttribute", "removeAttribute", "toggleAttribute",
    "startsWith", "endsWith", "headers.get", "gettextNoop",
}  # fmt: skip
PAIRS = {"(": ")", "[": "]", "index": "]", "{": "}"}
KEYWORDS = {"if", "for", "while", "switch", "return", "typeof", "await", "of", "in", "case", "new",
            "else", "do", "yield", "throw", "void", "delete"}  # fmt: skip
COMPARE = {"===", "!==", "==", "!=", "in", "case"}


def is_in_words(text: str) -> bool:
    """Two words or more, of which one may be a figure or what a place is filled with; a part of
    such a sentence, with a space at its edge; one word with a capital, or a sign behind it."""
    pieces = [piece.strip(AROUND) for piece in text.split()]
    words = [piece for piece in pieces if WORD.fullmatch(piece)]
    others = [piece for piece in pieces if FIGURE.match(piece)]
    if any(len(word) > 1 for word in words):
        if len(words) + len(others) > 1 or text != text.strip():
            return True
    elif words and PLACE in others:
        return True  # "{n} s"
    text = text.strip().lstrip(AROUND)
    return bool(CAPITAL.match(text) or CALLED_OUT.fullmatch(text))


def is_for_machines(text: str) -> bool:
    """By its form. A key is not: "Delete" may as well be a word on a button."""
    return any(form.fullmatch(text) for form in (DRAWING, MEDIA, SELECTOR))


# --- Scripts ------------------------------------------------------------------------------------

TOKEN = re.compile(
    r"(?P<gap>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<name>[#@\w$]+)"
    r"|(?P<sign>=>|\.\.\.|\?\.|[=!]==?|&&=?|\|\|=?|\?\?=?|[-+*/<>]=|.)",
    re.DOTALL,
)
REGEX = re.compile(r"/(?!\*)(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
CHUNK = re.compile(r"((?:[^`\\$]|\\.|\$(?!\{))*)(`|\$\{)", re.DOTALL)
ESCAPE = re.compile(r"\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
NAME = re.compile(r"[#\w$]+")
PROPERTY = re.compile(r"\s*:")  # after its name
FUNCTION = re.compile(
    r"(?:function\*? (\w+)|(?:const|let) (\w+) = (?:async )?(?=\()|^  (?:async |static )*(#?\w+))"
    r"\(((?:[^()]|\([^()]*\))*)\)(?= \{| =>)",
    re.MULTILINE,
)
# A function → the numbers of its arguments that are classes, that are for people, that are keys.
Roles = dict[str, tuple[set[int], set[int], set[int]]]


@dataclass(slots=True)
class Frame:
    """What a bracket encloses, as far as it has been read."""

    opened: str  # the bracket, or "index"
    call: str = ""  # of what, with what stands before its point
    number: int = 0  # of the argument
    first: str = ""  # the text of the first argument
    name: str = ""  # of what the value that comes is given to
    questions: int = 0  # of ? : that are open


@dataclass(slots=True)
class Literal:
    at: int
    text: str
    use: str  # whom it is for, as far as that can be seen: "people", "machines", or ""


def parameter_roles(sources: Iterable[str]) -> Roles:
    """By their names in the declarations of functions: `function piece(tag, className, text)`. Of
    two functions of one name, those that are the same in both."""
    roles: Roles = {"Option": (set(), {0}, set()), "keyCap": (set(), {1}, {0})}
    names = (FOR_CLASSES, FOR_PEOPLE, FOR_KEYS)
    for source in sources:
        for found in FUNCTION.finditer(source):
            name = found[1] or found[2] or found[3]
            if name in KEYWORDS or name == "keyCap":
                continue
            plain = re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]|\([^()]*\)", "", found[4])
            own: tuple[set[int], ...] = (set(), set(), set())
            for number, one in enumerate(plain.split(",")):
                parameter = one.partition("=")[0].strip()
                short = parameter.removeprefix("...")
                numbers = range(number, 20) if short != parameter else [number]
                for role, called in zip(own, names, strict=True):
                    if short in called:
                        role.update(numbers)
            others = roles.get(name, own)
            roles[name] = (own[0] & others[0], own[1] & others[1], own[2] & others[2])
    return roles


def in_script(source: str, roles: Roles | None = None) -> Iterator[tuple[int, str]]:
    """(line, text) of each literal that looks like words for people and that no catalogue has."""
    roles = {**(roles or {}), **parameter_roles([source])}
    marked = [call.span() for call in catalogues.CALL.finditer(source)]
    number = 0
    for literal in _Reader(source, roles).literals():
        while number < len(marked) and marked[number][1] <= literal.at:
            number += 1
        is_marked = number < len(marked) and marked[number][0] <= literal.at
        if not is_marked and _is_found(literal):
            yield source.count("\n", 0, literal.at) + 1, literal.text.replace(PLACE, "…")


def _is_found(literal: Literal) -> bool:
    if literal.use == "machines":
        return False
    text = TAG.sub(lambda tag: f" {' '.join(SHOWN.findall(tag[0]))} ", literal.text)
    if literal.use == "people" and re.search(rf"(?<![\w-]){LETTERS}{{2,}}(?![\w-])", text):
        return not ABBREVIATED.fullmatch(text) and not DRAWING.fullmatch(text)
    return is_in_words(text) and not is_for_machines(text)


class _Reader:
    """Reads a script token by token, and knows at each in which brackets it stands."""

    def __init__(self, source: str, roles: Roles) -> None:
        self.source = source
        self.roles = roles
        self.found: list[Literal] = []
        self.frames = [Frame("{")]
        self.templates: list[Literal] = []  # that are open
        # The last tokens; a value that is no name is '"'.
        self.before = ["", "", ""]

    def literals(self) -> list[Literal]:
        """Strings and templates; a template has a place for each ${…}."""
        at = 0
        while at < len(self.source):
            sign = self.source[at]
            if sign == "`" or (sign == "}" and self.frames[-1].opened == "${"):
                at = self._template(at)
                continue
            if sign == "/" and self._begins_value() and (regex := REGEX.match(self.source, at)):
                self._pass('"')
                at = regex.end()
                continue
            token = TOKEN.match(self.source, at)
            assert token is not None
            at = token.end()
            if token.lastgroup == "string":
                self._string(token)
            elif token.lastgroup != "gap":
                self._sign(token[0])
        assert len(self.frames) == 1, f"{self.frames[-1].opened} is not closed."
        return self.found

    def _begins_value(self) -> bool:
        last = self.before[-1]
        return last in KEYWORDS or not (NAME.fullmatch(last) or last in (")", "]", "}", '"'))

    def _pass(self, token: str) -> None:
        self.before = [*self.before[1:], token]

    def _literal(self, at: int, text: str) -> Literal:
        use = "machines" if self.before[-1] in COMPARE else self._use(text)
        self.found.append(Literal(at, text, use))
        return self.found[-1]

    def _template(self, at: int) -> int:
        """From a ` or the end of a place to the next place, or to the end."""
        chunk = CHUNK.match(self.source, at + 1)
        assert chunk is not None, "A template has no end."
        if self.source[at] == "`":
            self.templates.append(self._literal(at, _plain(chunk[1])))
        else:
            self.frames.pop()
            self.templates[-1].text += PLACE + _plain(chunk[1])
        if chunk[2] == "`":
            self.templates.pop()
            self._pass('"')
        else:
            self.frames.append(Frame("${"))
            self._pass("${")
        return chunk.end()

    def _string(self, token: re.Match[str]) -> None:
        frame, text = self.frames[-1], _plain(token[0][1:-1])
        is_first = frame.opened == "{" and self.before[-1] in ("{", ",")
        if is_first and PROPERTY.match(self.source, token.end()):
            self._pass(text)
            return
        self._literal(token.start(), text)
        if frame.opened == "(" and frame.number == 0:
            frame.first = text
        self._pass('"')

    def _sign(self, text: str) -> None:
        frame, last = self.frames[-1], self.before[-1]
        if text in COMPARE and last == '"' and self.found:
            self.found[-1].use = "machines"
        if text in ("(", "[", "{"):
            self.frames.append(self._opened(text))
        elif text in (")", "]", "}"):
            self.frames.pop()
            assert PAIRS.get(frame.opened) == text, f"{text} closes {frame.opened}"
            assert self.frames, f"{text} closes nothing"
        elif text == ",":
            frame.number += 1
            frame.name, frame.questions = "", 0
        elif text == ";":
            frame.name, frame.questions = "", 0
        elif text in ("return", "case"):
            frame.name = ""
        elif text == "?":
            frame.questions += 1
        elif text == ":" and frame.questions:
            frame.questions -= 1
        elif text in ("=", "+=", "??=", "||=") or (text == ":" and frame.opened == "{"):
            frame.name = last.lstrip("#") or "?"
        self._pass(text)

    def _opened(self, bracket: str) -> Frame:
        before = [*self.before]
        if before[-1] == "?.":
            before = ["", *before[:-1]]
        last = before[-1]
        is_name = NAME.fullmatch(last) is not None and last not in KEYWORDS
        if bracket == "[":
            return Frame("index" if is_name or last in (")", "]") else "[")
        if bracket == "{" or not (is_name or last in (")", "]")):
            return Frame(bracket)
        is_of = before[-2] in (".", "?.") and NAME.fullmatch(before[-3])
        return Frame("(", f"{before[-3]}.{last}" if is_of else last)

    def _use(self, text: str) -> str:
        is_key = KEY.fullmatch(text) is not None
        for frame in reversed(self.frames):
            if frame.name:
                if frame.name in FOR_MACHINES or (is_key and frame.name in FOR_KEYS):
                    return "machines"
                return "people" if frame.name in FOR_PEOPLE else ""
            if frame.opened == "index" or (frame.opened == "[" and is_key):
                return "machines"
            if frame.call:
                return self._use_of_argument(frame, is_key)
            if frame.opened == "{":
                return ""
        return ""

    def _use_of_argument(self, frame: Frame, is_key: bool) -> str:
        name = frame.call.rpartition(".")[2]
        if frame.call in MACHINE_CALLS or name in MACHINE_CALLS:
            return "machines"
        if name == "setAttribute":
            return "people" if frame.number and frame.first in FOR_PEOPLE else "machines"
        classes, texts, keys = self.roles.get(name, (set(), set(), set()))
        if frame.number in classes or (is_key and (frame.number in keys or frame.first == "kbd")):
            return "machines"
        return "people" if name in TEXT_CALLS or frame.number in texts else ""


def _plain(raw: str) -> str:
    def character(found: re.Match[str]) -> str:
        code = re.sub(r"[^0-9a-fA-F]", "", found[0][2:])
        if found[0][1] in "ux" and code:
            return chr(int(code, 16))
        return {"n": "\n", "t": "\t"}.get(found[0][1], found[0][1])

    return re.sub(r"\{\w+\}", PLACE, ESCAPE.sub(character, raw))


# --- Templates ----------------------------------------------------------------------------------

COMMENT = re.compile(r"\{#.*?#\}|\{%\s*comment\b.*?%\}.*?\{%\s*endcomment\s*%\}", re.DOTALL)
DJANGO = re.compile(r"\{%(.*?)%\}|\{\{(.*?)\}\}", re.DOTALL)
EXTENDS = re.compile(r"\{%\s*extends\s+\"([^\"]+)\"\s*%\}")
BLOCK = r"\{%%\s*block\s+%s\s*%%\}((?:(?!\{%%\s*(?:end)?block\b).)*)\{%%\s*endblock[^%%]*%%\}"
SAYING = re.compile(r"\|\s*(?:default|default_if_none|yesno|pluralize):[\"']([^\"']*)[\"']")
IN_TAG = re.compile(r"\"([^\"]*)\"|'([^']*)'")
# What takes no words: names of libraries, files, addresses; comparisons.
NAMING = {"load", "extends", "static", "url", "if", "elif", "block"}
SHOWN_ATTRIBUTES = {
    "aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "aria-placeholder",
    "title", "alt", "placeholder", "label",
}  # fmt: skip


def in_template(source: str, parents: Mapping[str, str] | None = None) -> Iterator[tuple[int, str]]:
    """(line, text) of the words of a template that no catalogue has. What it extends is looked for
    in `parents`: there all counts but the blocks that the template fills."""
    parents = parents or {}
    for name in EXTENDS.findall(source):
        parent = parents[name]
        for block in re.findall(r"\{%\s*block\s+(\w+)", source):
            parent = re.sub(BLOCK % block, "", parent, flags=re.DOTALL)
        for _, text in in_template(parent, parents):
            yield 1, text
    source = COMMENT.sub(_lines, source)
    source = catalogues.TAG.sub(_lines, source)
    for tag in DJANGO.finditer(source):
        line = source.count("\n", 0, tag.start()) + 1
        said = [text for text in SAYING.findall(tag[0]) if re.search(LETTERS * 2, text)]
        if not re.match(rf"\s*(?:{'|'.join(NAMING)})\b", tag[1] or ""):
            texts = (one or other for one, other in IN_TAG.findall(SAYING.sub("", tag[0])))
            said += filter(is_in_words, texts)
        yield from ((line, text) for text in said)
    page = _Page()
    page.feed(DJANGO.sub(_lines, source))
    page.close()
    yield from page.found


def _lines(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, str]] = []
        self.within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.within.append(tag)
        given = {name: value or "" for name, value in attrs}
        shown = [given[name] for name in given if name in SHOWN_ATTRIBUTES]
        if tag == "input" and given.get("type") in ("submit", "button", "reset"):
            shown.append(given.get("value", ""))
        if tag == "meta" and given.get("name") == "description":
            shown.append(given.get("content", ""))
        shown += (
            given[name] for name in given if name.startswith("data-") and is_in_words(given[name])
        )
        for text in shown:
            self._note(text)

    def handle_endtag(self, tag: str) -> None:
        while tag in self.within and self.within.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        tag = self.within[-1] if self.within else ""
        if tag == "script":
            self.found += in_script(data)
        elif tag != "style" and not (tag == "kbd" and KEY.fullmatch(data.strip())):
            self._note(data)

    def _note(self, text: str) -> None:
        text = " ".join(text.split())
        if re.search(LETTERS * 2, text):
            self.found.append((self.getpos()[0], text))


# --- Python -------------------------------------------------------------------------------------


def in_python(source: str) -> Iterator[tuple[int, str]]:
    """(line, text) of each text of two words, or with a capital, that no catalogue has. Keys of
    dictionaries, what is compared, and docstrings are not for people; `help_text` is for those
    who write programs."""
    tree = ast.parse(source)
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            skipped.add(node.value)
        elif isinstance(node, ast.Call):
            skipped.update(_taken(node))
        elif isinstance(node, ast.keyword) and node.arg == "help_text":
            skipped.add(node.value)
        elif isinstance(node, ast.Dict):
            skipped.update(key for key in node.keys if key)
        elif isinstance(node, ast.Subscript):
            skipped.add(node.slice)
        elif isinstance(node, ast.Compare):
            skipped.update((node.left, *node.comparators))
        elif isinstance(node, ast.JoinedStr):
            skipped.update(each for each in node.values if isinstance(each, ast.Constant))
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                str(each.value) if isinstance(each, ast.Constant) else PLACE for each in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if is_in_words(re.sub(r"\{\w+\}", PLACE, text)) and not NAMES.fullmatch(text):
            yield node.lineno, text.replace(PLACE, "…")


def _taken(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call that are marked, as `catalogues.in_python` takes them."""
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    first = [one for one in call.args[:2] if isinstance(one, ast.Constant)]
    texts: list[ast.expr] = [one for one in first if isinstance(one.value, str)]
    if name in catalogues.MARKED_PLURAL and len(texts) == 2:
        return texts
    return texts[:1] if name in catalogues.MARKED else []
