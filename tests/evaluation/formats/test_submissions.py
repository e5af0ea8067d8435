"""The three formats, and each code of what can be wrong with them."""

import gzip
import json

import numpy as np
import pytest

from annotation.formats.directions import Directions
from annotation.formats.records import FormatError
from annotation.formats.relations import RELATION_TYPES, read_relation_types
from evaluation.formats.columns import string_value
from evaluation.formats.issues import CODES, ERROR, Report
from evaluation.formats.submissions import read_submission, system_name

DIRECTIONS = Directions(read_relation_types(RELATION_TYPES))
TEXT = "Ada Lovelace was born in London and married William King on 8 July 1835."
#       0            13      21  25     32  36      44      52      60
CORPUS = {"d1": TEXT, "d2": "Nobody is here."}
ADA, LONDON, WILLIAM = (0, 12), (25, 31), (44, 56)


def name(span, kind, **more):
    return {"start": span[0], "end": span[1], "type": kind, **more}


def claim(relation="per:place_of_birth", subject=None, object_=None, **more):
    return {
        "document": "d1", "relation": relation,
        "subject": subject or name(ADA, "PER"), "object": object_ or name(LONDON, "GPE"),
        "provenance": [[0, 31]], **more,
    }  # fmt: skip


@pytest.fixture
def read(tmp_path):
    """The submission and its report; lines are objects, texts, or bytes."""

    def reading(*lines, corpus=CORPUS, packed=False):
        path = tmp_path / ("system.jsonl.gz" if packed else "system.jsonl")
        content = b"\n".join(
            line if isinstance(line, bytes)
            else line.encode() if isinstance(line, str)
            else json.dumps(line).encode()
            for line in lines
        )  # fmt: skip
        path.write_bytes(gzip.compress(content) if packed else content)
        report = Report("system")
        return read_submission(path, DIRECTIONS, report, corpus=corpus), report

    return reading


MENTIONS = [
    "d1:0-12\tPER\tAda Lovelace\t*\t1.0",
    "d1:25-31\tGPE\tLondon\t*\t1.0",
    "d1:0-12\tcanonical_mention\td1:0-12\t*\t1.0",
    "d1:0-12\tlink\tAda_Lovelace\t*\t1.0",
]
TYPED = MENTIONS[:2]
BORN = "d1:0-12\tper:place_of_birth\td1:25-31\td1:0-31\t0.87"
TAC = [
    "My system",
    ":E1\ttype\tPER",
    ':E1\tmention\t"Ada Lovelace"\td1:0-11\t1.0',
    ':E1\tcanonical_mention\t"Ada Lovelace"\td1:0-11\t1.0',
    ":E2\ttype\tGPE",
    ':E2\tmention\t"London"\td1:25-30\t1.0',
    ":E1\tper:place_of_birth\t:E2\td1:0-30\t0.87",
]


# --- What is read -------------------------------------------------------------------------------


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("lines", [[claim()], [*MENTIONS, BORN], [BORN, *MENTIONS], TAC])
def test_the_three_formats_say_the_same_claim(read, lines, packed):
    found, report = read(*lines, packed=packed)
    assert found.key.tolist() == [0xAFB4DE32A1B2AFC9]  # as plans have it: it never changes
    assert found.spans.tolist() == [[0, 12, 25, 31]]
    assert DIRECTIONS.names[found.relation[0]] == "per:place_of_birth"
    assert found.documents[found.document[0]] == "d1"
    assert not report.counts


@pytest.mark.parametrize(
    ("relation", "subject", "object_"),
    [
        ("gpe:births_in_place", name(LONDON, "GPE"), name(ADA, "PER")),
        ("gpe:births_in_city", name(LONDON, "GPE"), name(ADA, "PER")),
        ("per:city_of_birth", name(ADA, "PER"), name(LONDON, "GPE")),
        ("per:country_of_birth", name(ADA, "PER"), name(LONDON, "GPE")),
    ],
)
def test_inverses_and_variants_are_one_claim(read, relation, subject, object_):
    found, report = read(claim(), claim(relation, subject, object_))
    assert len(found.key) == 1
    assert report.counts == {"duplicate": 1}


def test_a_symmetric_relation_is_one_claim_in_both_directions(read):
    pair = name(ADA, "PER"), name(WILLIAM, "PER")
    found, _ = read(claim("per:spouse", *pair), claim("per:spouse", *reversed(pair)))
    assert found.spans.tolist() == [[0, 12, 44, 56]]


@pytest.mark.parametrize(
    ("one", "types", "other", "turned"),
    [
        ("per:parents", ("PER", "PER"), "per:children", True),
        ("org:founded_by", ("ORG", "PER"), "per:organizations_founded", True),
        ("org:founded_by", ("ORG", "ORG"), "org:founded_by", False),
        # Holders of two kinds have one inverse between them: the types tell which is meant.
        ("org:shareholders", ("ORG", "PER"), "per:holds_shares_in", True),
        ("org:holds_shares_in", ("ORG", "ORG"), "org:shareholders", True),
        ("org:students", ("ORG", "PER"), "per:schools_attended", True),
        ("org:top_members_employees", ("ORG", "PER"), "per:employee_or_member_of", True),
    ],
)
def test_of_two_that_say_the_same_the_first_of_the_table_is_told(one, types, other, turned):
    found = DIRECTIONS.told(one, *types)
    assert not found.code
    names = DIRECTIONS.names
    first = min({one, other} & set(names), key=names.index)
    assert names[found.relation] == first
    assert found.turned is (turned and first == other)


def test_every_relation_and_its_inverse_meet():
    for kind in read_relation_types(RELATION_TYPES):
        for subject in kind["subject"]:
            for object_ in kind["object"]:
                found = DIRECTIONS.told(kind["name"], subject, object_)
                back = DIRECTIONS.told(kind["inverse"], object_, subject)
                if not kind["inverse"] or back.code == "types-not-allowed":
                    continue
                assert back.relation == found.relation, kind["name"]
                assert kind["symmetric"] or back.turned != found.turned, kind["name"]


def test_a_string_of_tac_is_its_first_provenance(read):
    lines = [
        *TAC[:4],
        ':E1\tper:date_of_birth\t"8 July 1835"\td1:60-70,d1:0-70\t0.5',
    ]
    found, report = read(*lines)
    assert not report.counts
    assert found.spans.tolist() == [[0, 12, 60, 71]]


def test_each_provenance_of_tac_is_a_claim_of_the_first_mentions_from_there(read):
    text = "Ada, London. Ada again, London."
    lines = [
        ":A\ttype\tPER", ":L\ttype\tGPE",
        *(f':A\tmention\t"Ada"\td1:{at}-{at + 2}\t1' for at in (0, 13)),
        *(f':L\tmention\t"London"\td1:{at}-{at + 5}\t1' for at in (5, 24)),
        ":A\tper:place_of_birth\t:L\td1:0-10;d1:13-29\t1",
    ]  # fmt: skip
    found, _ = read("The system", *lines, corpus={"d1": text})
    assert found.spans.tolist() == [[0, 3, 5, 11], [13, 16, 24, 30]]
    assert len(set(found.entity.tolist())) == 1  # one entity, one fill, two mentions
    assert len(set(found.fill.tolist())) == 1


def test_links_make_entities_and_places_do_where_there_is_none(read):
    linked = name(ADA, "PER", link="Q7259"), name(WILLIAM, "PER", link="Q7259")
    found, _ = read(claim(subject=linked[0]), claim(subject=linked[1]))
    assert len(set(found.entity.tolist())) == 1
    found, _ = read(claim(), claim(subject=name(WILLIAM, "PER")))
    assert len(set(found.entity.tolist())) == 2


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("8 July 1835", "1835-07-08", True),
        ("July 8th, 1835", "8 Jul. 1835", True),
        ("July 1835", "1835-7", True),
        ("July 1835", "1835", False),
        ("last July", "Last  July", True),
    ],
)
def test_dates_are_grouped_by_what_they_say(one, other, same):
    assert (string_value("DATE", one) == string_value("DATE", other)) is same


def test_a_document_of_a_long_name_is_no_reason_to_take_mentions_for_tac(read):
    document = "news/2014/" + "x" * 150
    found, _ = read(*(line.replace("d1:", f"{document}:") for line in [*TYPED, BORN]), corpus=None)
    assert found.documents == (document,)


@pytest.mark.parametrize(
    ("path", "system"),
    [("a/Falcon 2.jsonl.gz", "Falcon 2"), ("owl.tac", "owl"), (".jsonl", "system"), ("x.y", "x.y")],
)
def test_a_system_is_called_as_its_file(path, system):
    assert system_name(path) == system


# --- What is wrong ------------------------------------------------------------------------------

CASES = {
    "line-too-long": ([b'{"document": "' + b"x" * 70_000 + b'"}', claim()], 1, 1),
    "not-utf8": ([claim(), b"\xff\xfe{}"], 2, 1),
    "bad-json": ([claim(), "{"], 2, 1),
    "wrong-columns": ([*TYPED, BORN, "d1:0-12\tPER"], 4, 1),
    "wrong-value": ([claim(), claim(object_=name((31, 25), "GPE"))], 2, 1),
    "mention-without-provenance": ([*TYPED, BORN, "Ada\tPER\tAda\t*\t1.0"], 4, 1),
    "self-relation": ([claim(), claim("per:spouse", object_=name(ADA, "PER"))], 2, 1),
    "types-not-allowed": ([claim(), claim(object_=name(LONDON, "PER"))], 2, 1),
    "unsupported-relation": ([claim(), claim("per:age")], 2, 1),
    "undefined-mention": ([*TYPED, BORN, "d1:44-56\tper:place_of_birth\td1:25-31\td1:0-56"], 4, 1),
    "other-document": ([*TYPED, BORN, "d1:0-12\tper:place_of_birth\td2:0-6\td1:0-31"], 4, 1),
    "reserved-id": ([claim(subject=name(ADA, "PER", link="NIL0012"))], 1, 1),
    "outside-corpus": ([claim(), claim() | {"document": "d9"}], 2, 1),
    "outside-text": ([claim(), claim(object_=name((25, 99), "GPE"))], 2, 1),
    "span-differs": ([MENTIONS[0], "d1:25-31\tGPE\tParis\t*\t1.0", BORN], 2, 1),
    "inconsistent-type": ([*TYPED, "d1:0-12\tORG\tAda Lovelace\t*\t1.0", BORN], 3, 1),
    "inconsistent-canonical-mention": (
        [*MENTIONS, "d1:0-12\tcanonical_mention\td1:25-31\t*\t1.0", BORN], 5, 1,
    ),
    "inconsistent-link": ([*MENTIONS, "d1:0-12\tlink\tSomebody_else\t*\t1.0", BORN], 5, 1),
    "inconsistent-relation": ([claim(), claim(confidence=0.5)], 2, 1),
    "duplicate": ([claim(), claim()], 2, 1),
    "missing-provenance": ([claim(provenance=None)], 1, 1),
    "empty-submission": (["", "  "], 0, 0),
}  # fmt: skip


def test_every_code_has_its_case():
    assert set(CASES) == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_it_is_told_by_line_and_code_and_the_rest_is_read(read, code):
    lines, line, claims = CASES[code]
    found, report = read(*lines)
    assert report.counts == {code: 1}
    issue = report.kept[code][0]
    assert (issue.line, issue.code) == (line, code)
    assert len(found.key) == claims
    known = CODES[code]
    assert report.total(known.severity) == 1
    for sentence in (known.what, known.done, known.mend):
        assert sentence[0].isupper()
        assert sentence.endswith(".")


TAC_CASES = {
    "wrong-columns": "E9\ttype\tPER",
    "wrong-value": ":E1\tper:place_of_birth\t:E2\td1:0-30\thigh",
    "mention-without-provenance": ':E1\tmention\t"Ada"\t\t1.0',
    "self-relation": ":E1\tper:spouse\t:E1\td1:0-30\t1",
    "types-not-allowed": ":E9\ttype\tVEHICLE",
    "unsupported-relation": ":E1\tper:age\t:E2\td1:0-30\t1",
    "undefined-mention": ":E1\tper:place_of_birth\t:E2\td1:44-50\t1",
    "other-document": ':E1\tper:title\t"King"\td2:0-5,d1:0-11\t1',
    "reserved-id": ':E1\tlink\t"NIL"',
    "outside-corpus": ':E1\tmention\t"Ada"\td9:0-2\t1',
    "outside-text": ':E1\tmention\t"Ada"\td1:0-200\t1',
    "span-differs": ':E1\tmention\t"Bob"\td1:3-6\t1',
    "inconsistent-type": ":E1\ttype\tORG",
    "inconsistent-canonical-mention": ':E1\tcanonical_mention\t"London"\td1:25-30\t1',
    "inconsistent-relation": ":E1\tper:place_of_birth\t:E2\td1:0-30\t0.1",
    "duplicate": ":E1\ttype\tPER",
    "missing-provenance": ":E1\tper:place_of_birth\t:E2\t\t1",
}


@pytest.mark.parametrize("code", TAC_CASES)
def test_tac_lines_are_told_by_the_same_codes(read, code):
    found, report = read(*TAC, TAC_CASES[code])
    assert report.counts[code] == 1, report.counts
    assert report.kept[code][0].line == len(TAC) + 1
    assert len(found.key) == 1


@pytest.mark.parametrize(
    ("field", "value", "path"),
    [
        ("document", None, "document"),
        ("document", "x" * 300, "document"),
        ("relation", 3, "relation"),
        ("subject", [], "subject"),
        ("subject", name((-1, 3), "PER"), "subject.start"),
        ("subject", name((0, True), "PER"), "subject.end"),
        ("subject", name(ADA, None), "subject.type"),
        ("subject", name(ADA, "PER", link=7), "subject.link"),
        ("provenance", [[1]], "provenance"),
        ("provenance", [[9, 3]], "provenance"),
        ("provenance", "all", "provenance"),
        ("confidence", "high", "confidence"),
    ],
)
def test_a_wrong_value_names_its_field(read, field, value, path):
    _, report = read(claim(), claim() | {field: value})
    assert [issue.field for issue in report.kept["wrong-value"]] == [path]


@pytest.mark.parametrize("line", ["[1, 2]", '"text"', "null", "{" * 3000, '{"a": NaN'])
def test_what_is_no_object_does_no_harm(read, line):
    found, report = read(claim(), line)
    assert report.counts["bad-json"] == 1
    assert len(found.key) == 1


def test_other_mentions_than_columns_and_weights(read):
    _, report = read(
        *TYPED,
        "d1:0-12\tPER\tAda Lovelace\t*\theavy",
        "d1:12-3\tPER\tAda\t*\t1",
        "d1:0-12\tlikes\td1:25-31\t*\t1",
        "d1:0-12\tFAC\tTower\t*\t1",
    )
    assert report.counts == {
        "wrong-value": 2, "unsupported-relation": 1, "types-not-allowed": 1, "empty-submission": 1
    }  # fmt: skip


# --- Files that are odd as a whole --------------------------------------------------------------


def test_truncated_gzip_ends_the_reading_with_its_sentence(tmp_path):
    path = tmp_path / "system.jsonl.gz"
    lines = "".join(json.dumps(claim(confidence=i / 1e6)) + "\n" for i in range(2000))
    path.write_bytes(gzip.compress(lines.encode())[:-400])
    with pytest.raises(FormatError, match=r"system.jsonl.gz, after line \d+: the packed data end"):
        read_submission(path, DIRECTIONS, Report("system"))


def test_lines_of_10_megabytes_are_told_and_not_held(read):
    long = b'{"document": "' + b"x" * 10_000_000 + b'"}'
    found, report = read(long, claim(), long)
    assert report.counts == {"line-too-long": 2}
    assert len(found.key) == 1


def test_everything_and_everything_twice(read):
    once = [
        claim(subject=name((a, b), "PER"))
        for a in range(24) for b in range(a + 1, 25)
    ]  # fmt: skip
    found, report = read(*once)
    assert (len(found.key), report.counts) == (300, {})
    twice, report = read(*once, *once)
    assert np.array_equal(twice.key, found.key)
    assert report.counts == {"duplicate": 300}
    assert len(report.kept["duplicate"]) == 5


def test_without_a_corpus_documents_and_texts_are_not_looked_at(read):
    found, report = read(claim(object_=name((25, 999), "GPE")) | {"document": "d9"}, corpus=None)
    assert len(found.key) == 1
    assert not report.counts


def test_each_issue_is_told_as_it_is_found_and_few_are_kept():
    told = []
    report = Report("system", told.append)
    for line in range(100):
        report.add("bad-json", line, "", "x" * 1000)
    assert len(told) == 100
    assert len(report.kept["bad-json"]) == 5
    assert len(told[0].found) < 50
    assert report.total(ERROR) == 100
