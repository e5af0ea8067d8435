"""How a problem becomes a sentence, in English and in a worker's language."""

from __future__ import annotations

import pickle
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.translation import trans_real

from annotation.actions.assignments import claim_next
from annotation.interfaces import AnswerError
from annotation.models import Assignment, Campaign, Enrollment
from annotation.queries.work import next_page
from annotation.sentences import CodedError, Problem, workers
from annotation.sentences.rendering import (
    Writer,
    forms_of,
    gettext_noop,
    ngettext_noop,
    select,
)
from tests.factories import make_campaign, make_enrollment

SENTENCES = {
    "list.long": ngettext_noop("It has {number} word.", "It has {number:,} words."),
    "span.empty": select("what", part="The part is empty.", mention="Mention {start} is empty."),
    "want.list": gettext_noop("{found} Send a list of {names}."),
    "names.comma": gettext_noop("{names}, {next}"),
    "names.more": ngettext_noop("{names} and {number} other", "{names} and {number} others"),
}


def written(code: str, **params) -> str:
    return Writer(SENTENCES).write(Problem(code, **params))


def test_a_number_and_a_word_choose_the_form():
    assert written("list.long", number=1) == "It has 1 word."
    assert written("list.long", number=1200) == "It has 1,200 words."
    assert written("span.empty", what="part", start=3) == "The part is empty."
    assert written("span.empty", what="mention", start=3) == "Mention 3 is empty."


def test_a_problem_within_another_is_a_sentence_of_its_own():
    inner = Problem("list.long", number=2)
    told = written("want.list", found=inner, names=["a", "b\n"])
    assert told == "It has 2 words. Send a list of a, b\\n."


def test_a_problem_of_another_catalogue_within_another_says_itself():
    found = Problem("items.none", "", "selection.sentences")
    assert written("want.list", found=found, names=["a"]) == (
        "The file holds no items. Send a list of a."
    )


def test_a_list_is_cut_after_twenty_names():
    names = [str(number) for number in range(21)]
    assert written("want.list", found="No.", names=names).endswith("18, 19 and 1 other.")
    assert written("want.list", found="No.", names=[*names, "x"]).endswith("19 and 2 others.")


def test_where_a_sentence_is_missing_its_code_is_told():
    assert written("no.such", start=3) == "no.such (start=3)"
    assert written("no.such") == "no.such"
    assert written("list.long") == "list.long"
    assert written("list.long", number=None) == "list.long (number=None)"


class CannotStart(CodedError):
    def __init__(self, code: str, *, lines: list[str] | None = None, **params):
        super().__init__(code, **params)
        self.lines = lines


def test_an_error_holds_a_code_and_tells_a_sentence():
    error = CodedError("date.day", "entities[0].value", day=31, days=30)
    assert (error.code, error.path, error.params) == (
        "date.day", "entities[0].value", {"day": 31, "days": 30},
    )  # fmt: skip
    assert str(error) == "There is no day 31 in that month. Write 01 to 30, or XX."
    assert "31 in that month" not in repr(error)


def test_an_error_comes_back_from_another_process():
    for error in (
        CodedError("date.month", "a.b", month=13),
        AnswerError([Problem("pile.empty", "clusters[0]")]),
    ):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


WITHOUT_DJANGO = """
import sys
sys.modules["django"] = None
from annotation.interfaces import AnswerError, Material, interface
try:
    interface("choice").read({"choice": "C"}, Material(options={"choices": ["A", "B"]}))
except AnswerError as error:
    print(error)
"""


def test_who_reads_answers_in_a_shell_gets_a_sentence_without_django():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_DJANGO], capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert done.stdout == "choice: 'C' is not known. Use one of A, B.\n", done.stderr


def test_every_state_has_its_form():
    reasons = workers.SENTENCES["work.none"].forms
    closed = {f"campaign_{state}" for state in set(Campaign.State) - {Campaign.State.OPEN}}
    states = Enrollment.State
    assert reasons.keys() >= closed | {states.PAUSED, states.DONE, states.INVITED, states.BLOCKED}
    assert workers.SENTENCES["lease.gone"].forms.keys() >= {"unknown", *Assignment.State}


# --- Languages ----------------------------------------------------------------------------------

LATIN = {
    "": "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n",
    "This pile is empty. Remove it.": "Acervus vacuus est. Remove eum.",
    "{found} Send a list.": "{found} Mitte indicem.",
    "This is null.": "Nihil est.",
    "No test task was answered.": "Ad nihil responsum est.",
    "There is no month {month}. Write 01 to 12, or XX.": "Mensis {mensis} non est.",
    "{number} of {all} mentions is in no pile: {names}. Put it into a pile, alone where it is the "
    "only one, or among the unsure or undecided.\0"
    "{number} of {all} mentions are in no pile: {names}. Put each into a pile, alone where it is "
    "the only one, or among the unsure or undecided.": "Una ({names}).\0{number} ({names}).",
}


@pytest.fixture
def latin(tmp_path, settings, monkeypatch):
    """A language whose sentences are one file."""
    folder = tmp_path / "la" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "django.mo").write_bytes(compiled(LATIN))
    settings.USE_I18N, settings.LOCALE_PATHS = True, [tmp_path]
    settings.LANGUAGES = [("en", "English"), ("la", "Latin")]
    # A process decides once whether it translates, and keeps what it has read.
    monkeypatch.setattr(translation, "_trans", type(translation._trans)())
    monkeypatch.setattr(trans_real, "_translations", {})
    with translation.override("la"):
        yield


def compiled(sentences: dict[str, str]) -> bytes:
    """A .mo file."""
    pairs = sorted((key.encode(), value.encode()) for key, value in sentences.items())
    start = 28 + 16 * len(pairs)
    tables, texts = [b"", b""], b""
    for column in (0, 1):
        for pair in pairs:
            tables[column] += struct.pack("<II", len(pair[column]), start + len(texts))
            texts += pair[column] + b"\0"
    header = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, start)
    return header + b"".join(tables) + texts


def test_a_worker_reads_their_language_and_a_manager_english(latin):
    left = [Problem("pile.left", number=n, all=4, names=["x"]) for n in (1, 3)]
    assert list(map(workers.sentence, left)) == ["Una (x).", "3 (x)."]
    assert str(left[1]).startswith("3 of 4 mentions are in no pile: x.")
    nested = Problem("want.list", found=Problem("found.null"))
    assert workers.sentence(nested) == "Nihil est. Mitte indicem."


@pytest.mark.django_db
def test_a_reason_that_a_rule_kept_is_told_in_the_language_of_whoever_reads_it(latin):
    coded = Problem("qualification.unanswered", stage="exam").stored()
    worker = make_enrollment(make_campaign(), state="paused", coded_reason=coded)
    told = next_page(claim_next(worker.key))["message"]
    assert told == "You are paused in this campaign. Ad nihil responsum est."
    assert str(worker.reason) == "No test task was answered."


def test_what_has_no_translation_or_a_wrong_one_comes_in_english(latin):
    assert workers.sentence(Problem("date.year_0")).startswith("There is no year 0.")
    assert workers.sentence(Problem("date.month", month=13)).startswith("There is no month 13.")
    assert workers.sentence(Problem("types.empty")).startswith("The list is empty.")


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="xgettext is not installed")
def test_xgettext_finds_every_sentence_for_workers():
    folder = Path(workers.__file__ or "").parent
    done = subprocess.run(
        ["xgettext", "--language=Python", "--no-wrap", "--keyword=gettext_noop",
         "--keyword=ngettext_noop:1,2", "--output=-", *map(str, folder.glob("*.py"))],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    found = done.stdout.replace('"\n"', "")
    for sentence in workers.SENTENCES.values():
        for form in forms_of(sentence):
            assert f'"{form}"' in found
