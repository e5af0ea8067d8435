"""Codes and their sentences: every code that is raised has one for its audience, and no other has.

Where interfaces, formats and actions say what is wrong, they raise a code; see
annotation.sentences.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from string import Formatter

import pytest

import aggregation.sentences
import evaluation.sentences
import selection.sentences
from annotation.sentences import CodedError, managers, workers
from annotation.sentences.rendering import Plural, Select, Sentence, forms_of

ROOT = Path(__file__).resolve().parents[1]
# What raises codes alone. Whoever moves a folder's sentences into a catalogue adds it here.
CODED = (
    "annotation/interfaces", "annotation/text", "annotation/formats", "annotation/actions",
    "annotation/queries", "annotation/api", "aggregation/actions", "aggregation/files",
    "aggregation/knowledge", "selection/actions", "selection/files", "evaluation/files",
    "evaluation/actions", "evaluation/formats",
)  # fmt: skip
# What may be raised with a sentence there: mistakes of a programmer, not of a user.
OF_PROGRAMMERS = ("KeyError", "RuntimeError", "TypeError", "AssertionError")
CATALOGUES = {
    "annotation": managers.SENTENCES,
    "aggregation": aggregation.sentences.SENTENCES,
    "selection": selection.sentences.SENTENCES,
    "evaluation": evaluation.sentences.SENTENCES,
}
OWNS = (aggregation.sentences.OWN, selection.sentences.OWN, evaluation.sentences.OWN)
ALL = {**managers.SENTENCES, **{code: one for own in OWNS for code, one in own.items()}}
CODE = re.compile(r"[a-z]\w*(\.[a-z]\w*)+")
# These take a code first, as the classes of coded errors do.
MAKERS = ("refuse", "Problem")
ENDS = (".", "?", "{why}", '"}}', "{sentence}")  # or a command to be copied, after a colon
# A few words that stand within other sentences, and sentences that are all parameters.
WITHIN = (
    "names.more", "names.and", "names.comma", "evidence.both",
    "files.refused", "knowledge.refused", "evaluation.refused", "file.line",
    "choices.picture",
)  # fmt: skip


def sources(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text())


def coded_errors() -> dict[str, bool]:
    """Name → whether its first argument is the code (or a line, and then the code)."""
    for folder in CODED:
        package = import_module(folder.replace("/", "."))
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)

    def below(kind: type[CodedError]) -> Iterator[type[CodedError]]:
        yield kind
        for inner in kind.__subclasses__():
            yield from below(inner)

    return {
        kind.__name__: "code" in kind.__init__.__code__.co_varnames for kind in below(CodedError)
    }


def raised(*folders: str) -> Iterator[tuple[str, str, set[str] | None]]:
    """(where, code, names of its parameters; None where they can't be seen) of each that is made.

    A call that makes a problem without a code in its place fails the test.
    """
    errors = coded_errors()
    for path, tree in sources(*folders):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = _name(node.func)
            first = node.args[1 if name == "RefusedAt" else 0]
            where = f"{path}:{node.lineno}"
            if name == "__init__":  # of a coded error that says its code itself
                if not isinstance(first, ast.Constant) or not CODE.fullmatch(str(first.value)):
                    continue
            elif name not in MAKERS and not errors.get(name):
                continue
            if isinstance(first, ast.Name) and first.id == "code":
                continue  # in one of MAKERS, or a coded error, which pass on what they are given
            assert isinstance(first, ast.Constant), f"{where}: no code, but {ast.unparse(first)}"
            told = f"{where}: {first.value!r} is no code. Put the sentence into a catalogue."
            assert CODE.fullmatch(str(first.value)), told
            names = {keyword.arg for keyword in node.keywords}
            yield where, str(first.value), None if None in names else {str(one) for one in names}


def _name(func: ast.expr) -> str:
    if isinstance(func, ast.Attribute):
        return func.attr
    return func.id if isinstance(func, ast.Name) else ""


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def needed(sentence: Sentence) -> set[str]:
    """The parameters of a sentence, those that choose its form among them."""
    names: set[str] = set().union(*map(placeholders, forms_of(sentence)))
    if isinstance(sentence, Plural):
        names.add(sentence.number)
    if isinstance(sentence, Select):
        names.add(sentence.by)
        names |= {one.number for one in sentence.forms.values() if isinstance(one, Plural)}
    return names


def test_each_code_that_is_raised_has_its_sentence_with_parameters_that_it_is_given():
    seen = 0
    for where, code, given in raised(*CODED):
        sentences = CATALOGUES[where.partition("/")[0]]
        assert code in sentences, f"{where}: '{code}' has no sentence."
        lacking = needed(sentences[code]) - (given or set())
        assert given is None or not lacking, f"{where}: '{code}' is not given {lacking}."
        seen += 1
    assert seen > 300


def test_each_sentence_is_raised_somewhere():
    codes = {code for _, code, _ in raised(*CODED)}
    elsewhere = sources("annotation/sentences", "dashboard/api")
    text = "\n".join(ast.unparse(tree) for _, tree in elsewhere)
    assert {code for code in ALL if code not in codes and f"('{code}'" not in text} == set()


def test_no_code_stands_in_two_modules():
    assert not managers.OWN.keys() & workers.SENTENCES.keys()
    for own in OWNS:
        assert not own.keys() & managers.SENTENCES.keys()
    assert sum(map(len, OWNS)) == len(set().union(*OWNS))
    apps = (aggregation.sentences, selection.sentences, evaluation.sentences)
    for package in (managers, workers, *apps):
        modules = [
            import_module(f"{package.__name__}.{path.stem}")
            for path in Path(package.__file__ or "").parent.glob("[a-z]*.py")
        ]
        codes = [code for module in modules for code in module.SENTENCES]
        assert len(codes) == len(set(codes)) >= 10


@pytest.mark.parametrize("code", ALL)
def test_a_sentence_is_whole(code):
    """Unless it is a word that stands within others."""
    for form in forms_of(ALL[code]):
        assert form == " ".join(form.split())
        if not code.startswith("word.") and code not in WITHIN:
            assert form[0].isupper() or form[0] in "'{[-"
            assert form.endswith(ENDS) or re.search(r"[a-z]: .*--\w+ ", form)


def test_no_sentence_stands_where_codes_are_raised():
    for path, tree in sources(*CODED):
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                if _name(node.exc.func) in OF_PROGRAMMERS:
                    continue
                for text in _texts(node.exc):
                    assert not re.search(r"\w \w.*\.", text), f"{path}:{node.lineno}: {text}"


def test_interfaces_hold_no_words():
    """What they say of an answer is a code: neither a sentence nor a part of one stands there."""
    found = {
        (path.rpartition("/")[2], text)
        for path, tree in sources("annotation/interfaces")
        for text in _texts(tree)
        if re.search(r"[a-z]{2,}[,:;.?]? [a-z]{2,}", text, re.IGNORECASE)
    }
    assert found == set()


def test_what_users_meet_is_raised_as_a_code():
    """No exception of these folders is made to carry a sentence."""
    errors = coded_errors()
    plain = {
        f"{path}: {node.name}"
        for path, tree in sources(*CODED)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and any(_name(base) in ("Exception", "ValueError") for base in node.bases)
        and node.name not in errors
    }
    assert plain == {
        "annotation/interfaces/__init__.py: AnswerError",  # carries several problems
        "evaluation/formats/claim_lines.py: _Bad",  # carries the code of an issue
        "annotation/formats/tables.py: BrokenTable",  # what the library says; its callers tell it
        "annotation/actions/campaigns/life.py: NotReady",  # carries several problems
        "aggregation/actions/refresh.py: _NewRun",  # no error: it begins a run
    }


def _texts(node: ast.AST) -> Iterator[str]:
    """Literals but for docstrings, an f-string with a gap for each value as one."""
    documents = {id(each.value) for each in ast.walk(node) if isinstance(each, ast.Expr)}
    for inner in ast.walk(node):
        if id(inner) in documents:
            continue
        if isinstance(inner, ast.JoinedStr):
            yield "".join(
                str(one.value) if isinstance(one, ast.Constant) else "x" for one in inner.values
            )
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value
