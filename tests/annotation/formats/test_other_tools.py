"""Files as other tools document and write them: told apart, and read as documents with gold."""

from __future__ import annotations

import json
import zipfile

import pytest

from annotation.formats.reading import Reader
from annotation.formats.records import DocumentRecord, FormatError, Rejected, Rules
from annotation.interfaces.schema import check_schema

TYPES = [{"name": name} for name in ("PER", "ORG", "LOC", "GPE")]
RULES = Rules(schema=check_schema({"entity_types": TYPES}))

# brat's own example of text-bound annotations, with a relation and a note beside them.
ANN = "T1\tORG 0 4\tSony\nT2\tORG 14 27\tEricsson Corp\nR1\tJoint Arg1:T1 Arg2:T2\n#1\tNote T1\tx\n"
WEBANNO = """\
#FORMAT=WebAnno TSV 3.2
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue
#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value
#T_RL=de.tudarmstadt.ukp.dkpro.core.api.syntax.type.dependency.Dependency|DependencyType|BT_x


#Text=Ms. Haag plays Elianti .
1-1\t0-3\tMs.\tNNP\t*[1]\tPER[1]\tdep\t1-2
1-2\t4-8\tHaag\tNNP\t*[1]\tPER[1]\tdep\t1-3
1-3\t9-14\tplays\tVBZ\t_\t_\t_\t_
1-4\t15-22\tElianti\tNNP\t*\tORG|LOC\t_\t_
1-5\t23-24\t.\t.\t_\t_\t_\t_

#Text=😀 Bonn
2-1\t26-28\t😀\tSYM\t_\t_\t_\t_
2-2\t29-33\tBonn\tNNP\t*\tLOC\t_\t_
"""
CONLLU = """\
# newdoc id = d1
# sent_id = 1
# text = Don't ask Ada.
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\t_\t_\t0\troot\t_\t_
2\tn't\tnot\tPART\t_\t_\t1\tadv\t_\t_
3\task\task\tVERB\t_\t_\t1\tx\t_\t_
3.1\tasked\task\tVERB\t_\t_\t_\t_\t_\t_
4\tAda\tAda\tPROPN\t_\t_\t3\tobj\t_\tNER=B-PER|SpaceAfter=No
5\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_
"""
STUDIO = [
    {
        "id": 7,
        "data": {"text": "😀 Ada was here", "source": "mail"},
        "annotations": [
            {"was_cancelled": True, "result": []},
            {
                "result": [
                    {
                        "from_name": "label", "to_name": "text", "type": "labels",
                        "value": {"start": 3, "end": 6, "text": "Ada", "labels": ["PER"]},
                    }
                ]
            },
        ],
    }
]  # fmt: skip
PRODIGY = [
    {"text": "Uber paid Ada", "_input_hash": 1, "answer": "accept",
     "spans": [{"start": 0, "end": 4, "label": "ORG", "token_start": 0, "token_end": 0}],
     "tokens": [{"text": "Uber", "start": 0, "end": 4, "id": 0},
                {"text": "paid", "start": 5, "end": 9, "id": 1},
                {"text": "Ada", "start": 10, "end": 13, "id": 2}], "meta": {"source": "news"}},
    {"text": "Not this", "_input_hash": 2, "spans": [], "answer": "reject"},
]  # fmt: skip
SPACY = [["Who is Ada?", {"entities": [[7, 10, "PER"]]}], ["I like London.", {"entities": []}]]
SPACY_TRAINING = [
    {
        "id": 3,
        "paragraphs": [
            {
                "raw": "Ada went to New York.",
                "sentences": [
                    {
                        "tokens": [
                            {"orth": "Ada", "ner": "U-PER"}, {"orth": "went", "ner": "O"},
                            {"orth": "to", "ner": "O"}, {"orth": "New", "ner": "B-GPE"},
                            {"orth": "York", "ner": "L-GPE"}, {"orth": ".", "ner": "-"},
                        ]
                    }
                ],
            }
        ],
    }
]  # fmt: skip


def lines(rows) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


FILES = {
    "plain": ("a.txt", "Ada came.\nBob left.\n", "text", ""),
    "paragraphs": ("a.txt", "Ada came.\nShe left.\n\nBob left.\n", "text", ""),
    "csv": ("a.csv", 'id,text,stars\nr1,"Good, and cheap",4\nr2,Bad,1\n', "csv", ""),
    "semicolons": ("a.csv", "nr;review\n1;A long text of a guest\n2;Bad\n", "csv", ""),
    "tabs": ("a.tsv", "id\ttext\nr1\tAda was here\n", "csv", ""),
    "array": ("a.json", '[\n {"id": "a", "text": "Ada"},\n {"id": "b", "text": "x"}]', "json", ""),
    "no ids": ("a.jsonl", '{"text": "Ada"}\n{"text": "Bob"}\n', "jsonl", ""),
    "conll": ("a.txt2", "Ada B-PER\nwas O\n", "conll", ""),
    "conllu": ("a.conllu", CONLLU, "conllu", ""),
    "doccano": ("d.jsonl", lines([{"id": 1, "text": "Ada x", "label": [[0, 3, "PER"]]}]), "jsonl",
                "doccano"),
    "doccano 1.5": ("d.jsonl", lines([{"id": 1, "text": "Ada x", "entities": [
        {"id": 4, "label": "PER", "start_offset": 0, "end_offset": 3}], "relations": []}]),
        "jsonl", "doccano"),
    "prodigy": ("p.jsonl", lines(PRODIGY), "jsonl", "prodigy"),
    "studio": ("s.json", json.dumps(STUDIO), "json", "labelstudio"),
    "spacy": ("s.json", json.dumps(SPACY), "json", "spacy"),
    "spacy training": ("s.json", json.dumps(SPACY_TRAINING), "json", "spacy"),
    "webanno": ("w.tsv", WEBANNO, "webanno", ""),
}  # fmt: skip
FOUND = {
    "plain": [("a-1", "Ada came.", None), ("a-2", "Bob left.", None)],
    "paragraphs": [("a-1", "Ada came.\nShe left.", None), ("a-2", "Bob left.", None)],
    "csv": [("r1", "Good, and cheap", None), ("r2", "Bad", None)],
    "semicolons": [("a-1", "A long text of a guest", None), ("a-2", "Bad", None)],
    "tabs": [("r1", "Ada was here", None)],
    "array": [("a", "Ada", None), ("b", "x", None)],
    "no ids": [("a-1", "Ada", None), ("a-2", "Bob", None)],
    "conll": [("a-1", "Ada was", ["PER:Ada"])],
    "conllu": [("d1", "Don't ask Ada.", ["PER:Ada"])],
    "doccano": [("1", "Ada x", ["PER:Ada"])],
    "doccano 1.5": [("1", "Ada x", ["PER:Ada"])],
    "prodigy": [("p-1", "Uber paid Ada", ["ORG:Uber"]), ("p-2", "Not this", None)],
    "studio": [("7", "😀 Ada was here", ["PER:Ada"])],
    "spacy": [("s-1", "Who is Ada?", ["PER:Ada"]), ("s-2", "I like London.", [])],
    "spacy training": [("3", "Ada went to New York.", ["PER:Ada", "GPE:New York"])],
    "webanno": [("w", "Ms. Haag plays Elianti .  😀 Bonn", ["PER:Ms. Haag", "ORG:Elianti",
                                                            "LOC:Bonn"])],
}  # fmt: skip


def documents(path, name=None, rules=RULES, **options) -> list[DocumentRecord | Rejected]:
    with Reader(path, rules, name=name, **options) as reader:
        return list(reader)


def told(record: DocumentRecord) -> tuple[str, str, list[str] | None]:
    from annotation.interfaces import Material
    from annotation.interfaces.tags import spans_of

    if not record.answers:
        return record.external_id, record.text, None
    material = Material(text=record.text, tokens=record.tokens, sentences=record.sentences)
    spans = [
        f"{name}:{record.text[record.tokens[first][0] : record.tokens[last - 1][1]]}"
        for first, last, name in spans_of(record.answers[0].answer, material)
    ]
    return record.external_id, record.text, spans


@pytest.mark.parametrize("case", FILES)
def test_each_is_told_apart_and_read(case, tmp_path):
    name, text, format, dialect = FILES[case]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with Reader(path, RULES) as reader:
        assert (reader.format, reader.rules.dialect) == (format, dialect)
        assert [told(record) for record in reader] == FOUND[case]


def test_a_zip_of_brat(tmp_path):
    path = tmp_path / "brat.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("news/a.txt", "Sony formed a Ericsson Corp .\n")
        archive.writestr("news/a.ann", ANN)
        archive.writestr("b.txt", "Nothing.")
        archive.writestr("b.ann", "T1\tPER 0 3;5 7\tNot ng\n")
        archive.writestr("c.txt", "No notes.")
    found = documents(path)
    assert told(found[2]) == ("news/a", "Sony formed a Ericsson Corp .",
                              ["ORG:Sony", "ORG:Ericsson Corp"])  # fmt: skip
    assert found[0].external_id == "b"
    assert "several pieces" in found[0].reason
    assert told(found[1]) == ("c", "No notes.", None)


def test_columns_are_chosen(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("one,two,nr\nAda,A very long text,7\n")
    assert told(documents(path)[0]) == ("a-1", "A very long text", None)
    (record,) = documents(path, uses={"text": "one", "id": "nr", "title": "two"})
    assert (record.external_id, record.text, record.title) == ("7", "Ada", "A very long text")
    with pytest.raises(FormatError, match="no column 'three' for the text"):
        documents(path, uses={"text": "three"})


@pytest.mark.parametrize(
    ("name", "text", "line", "words"),
    [
        ("a.json", '[\n{"id": "a", "text": "Ada"},\n{"id": "b" "text"}]', 3, "no JSON"),
        ("a.json", '[{"id": "a", "text": "Ada"}\n{"id": "b"}]', 2, "a comma or the end"),
        ("a.json", '[{"id": "a", "text": "Ada"}', 1, "a comma or the end"),
        ("a.csv", 'id,text\na,"Ada\n', 2, "can't be read on"),
    ],
)  # fmt: skip
def test_a_file_that_breaks_off_names_its_line(name, text, line, words, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(FormatError, match=words) as refused:
        documents(path)
    assert f"line {line}" in str(refused.value)


@pytest.mark.parametrize(
    ("name", "text", "line", "words"),
    [
        ("a.csv", "id,text\na,Ada,x\nb,Bob\n", 2, "3 cells, but there are 2 columns"),
        ("a.conllu", "1\tAda\t_\n" + CONLLU, 1, "3 columns"),
        ("a.jsonl", lines([*PRODIGY, {"text": "x", "spans": 3}]), 3, "not as in the first"),
        ("d.jsonl", lines([{"id": 1, "text": "Ada", "label": [[0, 3, "DOG"]]}]), 1, "DOG"),
        ("w.tsv", WEBANNO.replace("1-3\t9-14", "1-3\tnine"), 10, "a token's line"),
    ],
)
def test_what_is_wrong_with_a_document_names_its_line(name, text, line, words, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    rejected = [one for one in documents(path) if isinstance(one, Rejected)]
    assert [one.line for one in rejected][:1] == [line]
    assert words in rejected[0].reason
