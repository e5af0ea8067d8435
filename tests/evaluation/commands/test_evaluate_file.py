"""The loop on files: plan, judge, score; with three made systems whose true scores are known."""

import csv
import json
from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from experiments.evaluation.shared_task import judge, make_task, write_task

SYSTEMS = ("falcon.jsonl", "heron.tsv", "owl.tac")


def said(name, *arguments):
    out = StringIO()
    call_command(name, *map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture(scope="module")
def task():
    return make_task(150)


@pytest.fixture
def folder(task, tmp_path):
    write_task(task, tmp_path)
    return tmp_path


def submissions(folder):
    return [folder / name for name in SYSTEMS]


def planned(folder, *arguments, width=0.05):
    return said(
        "plan_evaluation", *submissions(folder), "--half-width", width,
        "--out", folder / "plan.csv", *arguments,
    )  # fmt: skip


def rows_of(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def scored(folder, *arguments):
    return said(
        "evaluate_file", *submissions(folder), "--labels", folder / "plan.csv", "--out", folder,
        *arguments,
    )  # fmt: skip


# --- The loop -----------------------------------------------------------------------------------


def test_plan_judge_score(folder, task):
    told = planned(folder, "--corpus", folder / "corpus.jsonl")
    plan = rows_of(folder / "plan.csv")
    assert f"{len(plan):,} claims to judge: 3 answers each, ${0.15 * len(plan):,.2f}" in told
    judge(folder / "plan.csv", folder / "truth.csv")
    told = scored(
        folder, "--corpus", folder / "corpus.jsonl",
        "--exhaustive", folder / "exhaustive.jsonl", "--metric", "instance", "--metric", "relation",
        "--metric", "entity", "--metric", "stratified",
    )  # fmt: skip
    data = json.loads((folder / "scores.json").read_text())
    inside = []
    for system in data["systems"]:
        name, scores = system["name"], system["metrics"]["instance"]
        truth = {"precision": task.precision(name), "recall": task.recall(name)}
        truth["f1"] = task.f1(name)
        for score, value in truth.items():
            assert scores[score]["value"] == pytest.approx(value, abs=0.15)
            inside.append(scores[score]["low"] <= value <= scores[score]["high"])
        assert system["metrics"]["relation"]["recall"]["value"] == pytest.approx(
            truth["recall"], abs=0.2
        )
        for metric in ("entity", "stratified"):
            assert system["metrics"][metric]["recall"]["value"] is None
            assert "true fills an entity has" in system["metrics"][metric]["recall"]["why"]
    assert sum(inside) >= 5  # of nine, and three recalls stand or fall together
    assert [system["claims"] for system in data["systems"]] == [
        len(task.systems[name]) for name in ("falcon", "heron", "owl")
    ]
    assert "not estimable" in told
    assert "falcon – owl" in told
    page = (folder / "report.html").read_text()
    assert data["pool"]["version"] in page
    assert data["pool"]["version"] in told
    assert page.count("<svg") >= 5
    assert "<script" not in page
    assert {row["system"] for row in rows_of(folder / "scores.csv")} == {"falcon", "heron", "owl"}
    assert len(rows_of(folder / "differences.csv")) == 3 * 5
    ranks = np.array(
        [[float(row[str(k)]) for k in (1, 2, 3)] for row in rows_of(folder / "ranks.csv")]
    )
    assert ranks.sum(axis=1) == pytest.approx(np.ones(len(ranks)), abs=1e-5)


def test_a_plan_can_be_read_by_anybody(folder, task):
    planned(folder, "--corpus", folder / "corpus.jsonl")
    plan = rows_of(folder / "plan.csv")
    fact = {fact.key: fact for fact in task.facts}
    numbers = ("subject_start", "subject_end", "object_start", "object_end")
    for row in plan:
        a, b, c, d = (int(row[name]) for name in numbers)
        known = fact[row["document"], row["relation"], a, b, c, d]
        assert row["question"].startswith(known.names[0])
        assert known.names[1] in row["passage"]
        assert float(row["draw"]) < float(row["probability"]) <= 1
        assert row["metric"] == "instance"
        assert known in task.systems[row["system"]]
        assert row["correct"] == ""
    order = [float(row["draw"]) / float(row["probability"]) for row in plan]
    assert order == sorted(order)
    again = (folder / "plan.csv").read_bytes()
    planned(folder, "--corpus", folder / "corpus.jsonl")
    assert (folder / "plan.csv").read_bytes() == again


def test_judgments_are_used_again_when_a_system_comes(folder):
    few = ["plan_evaluation", *submissions(folder)[:2], "--half-width", 0.05]
    said(*few, "--out", folder / "first.csv")
    judge(folder / "first.csv", folder / "truth.csv")
    before = rows_of(folder / "first.csv")
    told = said(*few, "--labels", folder / "first.csv", "--out", folder / "same.csv")
    assert f"0 claims to judge, {len(before):,} judged before" in told
    told = planned(folder, "--labels", folder / "first.csv")
    after = rows_of(folder / "plan.csv")
    kept = {row["claim"]: row["correct"] for row in after if row["correct"]}
    assert kept == {row["claim"]: row["correct"] for row in before}
    new = len(after) - len(kept)
    assert 0 < new < 0.6 * len(rows_of(folder / "first.csv"))
    assert f"{new:,} claims to judge, {len(kept):,} judged before" in told
    assert judge(folder / "plan.csv", folder / "truth.csv") == new
    scored(folder)


def test_the_pool_has_another_version_with_any_other_claim(folder):
    planned(folder)
    judge(folder / "plan.csv", folder / "truth.csv")
    versions = []
    for _ in range(3):
        scored(folder)
        versions.append(json.loads((folder / "scores.json").read_text())["pool"]["version"])
        if len(versions) == 2:
            path = folder / "falcon.jsonl"
            path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    assert versions[0] == versions[1] != versions[2]


def test_half_of_a_plan_says_less_and_says_so(folder, task):
    planned(folder)
    judge(folder / "plan.csv", folder / "truth.csv")
    scored(folder)
    whole = json.loads((folder / "scores.json").read_text())
    lines = (folder / "plan.csv").read_text().splitlines()
    half = len(lines) // 2
    blank = [line.rpartition(",")[0] + "," for line in lines[half:]]
    (folder / "plan.csv").write_text("\n".join([*lines[:half], *blank]) + "\n")
    told = scored(folder)
    found = json.loads((folder / "scores.json").read_text())
    assert "planned claims are not judged" in told
    for one, other in zip(whole["systems"], found["systems"], strict=True):
        full, part = (s["metrics"]["instance"]["precision"] for s in (one, other))
        assert part["high"] - part["low"] > 1.2 * (full["high"] - full["low"])
        assert part["value"] == pytest.approx(task.precision(one["name"]), abs=0.15)


def test_intervals_of_several_looks_share_what_may_be_missed(folder):
    planned(folder)
    judge(folder / "plan.csv", folder / "truth.csv")

    def systems(*arguments):
        told = scored(folder, "--exhaustive", folder / "exhaustive.jsonl", *arguments)
        data = json.loads((folder / "scores.json").read_text())
        return told, data, [one["metrics"]["instance"] for one in data["systems"]]

    told, data, five = systems("--looks", "5")
    assert (data["level"], data["looks"]) == (0.9, 5)
    assert "90 % intervals" in told
    assert "The intervals of 5 looks, of which this is one, hold together" in told
    _, data, at_once = systems("--level", "0.98")
    assert data["looks"] == 1
    assert five == at_once
    _, _, one = systems()
    for wide, narrow in zip(five, one, strict=True):
        for score in ("precision", "recall", "f1"):
            assert wide[score]["low"] < narrow[score]["low"]
            assert wide[score]["high"] > narrow[score]["high"]


def test_a_system_that_was_not_planned_is_not_estimable(folder):
    said("plan_evaluation", folder / "owl.tac", "--half-width", 0.05, "--out", folder / "plan.csv")
    judge(folder / "plan.csv", folder / "truth.csv")
    told = scored(folder)
    falcon, _, owl = json.loads((folder / "scores.json").read_text())["systems"]
    assert falcon["metrics"]["instance"]["precision"]["value"] is None
    assert "had no chance to be judged" in falcon["metrics"]["instance"]["precision"]["why"]
    assert owl["metrics"]["instance"]["precision"]["value"] > 0.5
    assert "had no chance to be judged: plan again with it" in told


def test_without_exhaustive_documents_recall_is_not_estimable(folder):
    planned(folder)
    judge(folder / "plan.csv", folder / "truth.csv")
    told = scored(folder)
    assert "not estimable: no documents annotated in full are known" in told
    assert "nan" not in told.lower()
    assert "NaN" not in (folder / "scores.json").read_text()


def test_zero_correct_judgments_are_not_estimable_with_a_bound_in_words(folder):
    planned(folder)
    plan = folder / "plan.csv"
    plan.write_text("\n".join(
        line + ("" if i == 0 else "0") for i, line in enumerate(plan.read_text().splitlines())
    ) + "\n")  # fmt: skip
    told = scored(folder, "--exhaustive", folder / "exhaustive.jsonl")
    data = json.loads((folder / "scores.json").read_text())
    for system in data["systems"]:
        scores = system["metrics"]["instance"]
        for score in ("precision", "recall", "f1"):
            assert scores[score]["value"] is None
        assert "judged claims is correct: at most 0.0" in scores["precision"]["why"]
    assert "not estimable: no judged claim of the pool is correct" in told
    assert "nan" not in told.lower()


def test_a_system_that_submits_nothing_is_told_and_harms_nobody(folder):
    planned(folder)
    judge(folder / "plan.csv", folder / "truth.csv")
    (folder / "mute.jsonl").write_text("")
    told = said(
        "evaluate_file", *submissions(folder), folder / "mute.jsonl",
        "--labels", folder / "plan.csv", "--out", folder,
    )  # fmt: skip
    assert "empty-submission: 1" in told
    assert "not estimable: the system has no valid claim" in told
    issues = rows_of(folder / "issues.csv")
    assert [(row["system"], row["code"]) for row in issues] == [("mute", "empty-submission")]
    assert issues[0]["mend"]
    assert "<b>empty-submission</b>: 1. There is no valid" in (folder / "report.html").read_text()


def test_the_control_variate_and_probabilities_as_judgments(folder):
    planned(folder)
    judge(folder / "plan.csv", folder / "truth.csv")
    plan = folder / "plan.csv"
    plan.write_text(plan.read_text().replace(",1\n", ",0.9\n").replace(",0\n", ",0.1\n"))
    told = scored(folder, "--control-variate", "--team", "falcon=A", "--team", "heron=A")
    assert "control variate" in told
    assert "of the judged claims are right with a probability, as people err" in told


def test_documents_of_the_expansion_and_weights(folder):
    planned(folder)
    judge(folder / "plan.csv", folder / "truth.csv")
    path = folder / "exhaustive.jsonl"
    lines = path.read_text().splitlines()
    first = json.loads(lines[0]) | {"sample": "expansion"}
    second = json.loads(lines[1]) | {"weight": 2.5}
    path.write_text("\n".join([json.dumps(first), json.dumps(second), *lines[2:]]))
    told = scored(folder, "--exhaustive", path)
    assert "1 documents of the expansion are not part of any estimate" in told


def test_several_metrics_are_planned_from_their_mixture(folder):
    told = planned(folder, "--metric", "instance", "--metric", "stratified")
    assert "share for stratified" in told
    assert {row["metric"] for row in rows_of(folder / "plan.csv")} == {"instance+stratified"}


# --- What is refused ----------------------------------------------------------------------------

HEAD = "document,subject_start,subject_end,relation,object_start,object_end,probability,correct\n"
GOOD = "d1,0,12,per:place_of_birth,25,31,0.5,1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n", r"plan.csv, line 1: expected a column 'document', found a, b. plan_evaluation"),
        (HEAD, "plan.csv has no claims below its first line"),
        (HEAD + "d1,x,12,per:place_of_birth,25,31,0.5,1\n",
         r"line 2, subject_start: expected a whole number from 0, found 'x'. Mend the cell."),
        (HEAD + "d1,0,12,per:age,25,31,0.5,1\n", "line 2, relation: expected a relation"),
        (HEAD + "d1,0,12,per:place_of_birth,25,31,0,1\n", "line 2, probability: expected a number"),
        (HEAD + "d1,0,12,per:place_of_birth,25,31,,1\n", "line 2, probability: expected a number"),
        (HEAD + "d1,0,12,per:place_of_birth,25,31,0.5,yes\n", "line 2, correct: expected a number"),
        (HEAD + "d1,0,12,per:place_of_birth,25,31,0.5,2\n", "line 2, correct: expected a number"),
        (HEAD + "d1,0,12\n", "line 2: expected 8 cells, found 3"),
        (HEAD + GOOD + GOOD, "line 3: the claim stands in line 2 already"),
        (HEAD + '"d1,0', "line 2"),
        (HEAD + GOOD, "no claim of the submissions has been judged"),
    ],
)  # fmt: skip
def test_labels_that_can_not_be_are_told_with_line_and_field(folder, text, message):
    (folder / "plan.csv").write_text(text)
    with pytest.raises(CommandError, match=message):
        scored(folder)
    assert not (folder / "scores.json").exists()


CLAIM = '{"document": "d000", "relation": "per:age", "subject": {}, "object": {}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no document that was annotated in full"),
        ("{", r"exhaustive.jsonl, line 1: This is no JSON"),
        ('{"document": 3}', "line 1, document: expected a document's id, found 3"),
        ('{"document": "d000"}\n{"document": "d000"}', "line 2, document: 'd000' stands in line 1"),
        ('{"document": "d000", "weight": 0}', "line 1, weight: expected a number above 0"),
        ('{"document": "d000", "sample": "all"}', "line 1, sample: expected uniform or expansion"),
        ('{"document": "d000"}\n' + CLAIM, "line 2, subject.start: A value is missing"),
        ('{"document": "nowhere"}', "line 1, document: 'nowhere' is not in the corpus"),
    ],
)
def test_exhaustive_files_that_can_not_be_are_told_with_line_and_field(folder, text, message):
    planned(folder)
    judge(folder / "plan.csv", folder / "truth.csv")
    (folder / "exhaustive.jsonl").write_text(text)
    with pytest.raises(CommandError, match=message):
        scored(folder, "--exhaustive", folder / "exhaustive.jsonl",
               "--corpus", folder / "corpus.jsonl")  # fmt: skip


def test_claims_of_documents_that_were_not_annotated_in_full_are_refused(folder):
    planned(folder)
    judge(folder / "plan.csv", folder / "truth.csv")
    path = folder / "exhaustive.jsonl"
    lines = path.read_text().splitlines()
    named = json.loads(lines[-1])["document"]
    path.write_text("\n".join(line for line in lines if line != f'{{"document": "{named}"}}'))
    with pytest.raises(CommandError, match="is not among the documents that were annotated"):
        scored(folder, "--exhaustive", path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metric", "mention"], "--metric mention is not known. Known are instance, relation"),
        (["--level", "0.2"], "--level must be at least .5 and below 1, but is 0.2"),
        (["--looks", "0"], "--looks must be from 1 to 20, but is 0"),
        (["--team", "falcon"], "--team falcon names no team. Write it as SYSTEM=TEAM."),
        (["--team", "eagle=A"], "--team eagle: there is no submission 'eagle'."),
        (["--corpus", "/nowhere.jsonl"], "nowhere.jsonl can't be opened"),
        (["--relations", "/nowhere.csv"], "nowhere.csv can't be read"),
        (["--exhaustive", "/nowhere.jsonl"], "nowhere.jsonl can't be opened"),
        (["--out", "/nowhere"], "--out /nowhere is no folder. Make it first."),
    ],
)
def test_what_can_not_be_scored_is_told(folder, arguments, message):
    planned(folder)
    judge(folder / "plan.csv", folder / "truth.csv")
    with pytest.raises(CommandError, match=message):
        scored(folder, *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--half-width", "0.7"], "--half-width must lie between 0 and .5, but is 0.7"),
        (["--price", "-1"], "--price must be 0 or more, but is -1"),
        (["--seed", "-1"], "--seed must be 0 or more"),
        (["--labels", "/nowhere.csv"], "nowhere.csv can't be opened"),
    ],
)
def test_what_can_not_be_planned_is_told(folder, arguments, message):
    with pytest.raises(CommandError, match=message):
        planned(folder, *arguments)
    assert not (folder / "plan.csv").exists()


def test_labels_of_another_seed_are_refused(folder):
    planned(folder)
    judge(folder / "plan.csv", folder / "truth.csv")
    (folder / "plan.csv").rename(folder / "old.csv")
    with pytest.raises(CommandError, match="were not drawn with --seed 5"):
        planned(folder, "--labels", folder / "old.csv", "--seed", 5)


def test_two_files_of_one_name_and_files_without_claims_are_refused(folder):
    with pytest.raises(CommandError, match="Two submissions are called 'owl'"):
        said("plan_evaluation", folder / "owl.tac", folder / "owl.tac", "--half-width", 0.05,
             "--out", folder / "plan.csv")  # fmt: skip
    (folder / "mute.jsonl").write_text("")
    with pytest.raises(CommandError, match="No submission has a valid claim"):
        said("plan_evaluation", folder / "mute.jsonl", "--half-width", 0.05,
             "--out", folder / "plan.csv")  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no documents"),
        ('{"id": "d1"}', "line 1, text: Expected a text, or tokens that are words"),
        ('{"id": "d1", "text": "x"}\n{"id": "d1", "text": "y"}', "line 2, id: 'd1' stands in an"),
        ("[]", "line 1: This is no object"),
    ],
)
def test_a_corpus_that_can_not_be_is_told(folder, text, message):
    (folder / "corpus.jsonl").write_text(text)
    with pytest.raises(CommandError, match=message):
        planned(folder, "--corpus", folder / "corpus.jsonl")


def test_issues_are_written_while_planning(folder):
    path = folder / "falcon.jsonl"
    path.write_text(path.read_text() + "{\n")
    planned(folder, "--issues", folder / "issues.csv")
    (issue,) = rows_of(folder / "issues.csv")
    assert issue["code"] == "bad-json"
    assert int(issue["line"]) == len(path.read_text().splitlines())


@pytest.mark.parametrize("rule", ["head", "overlap"])
def test_the_loop_by_another_rule_of_matching(folder, rule):
    """The made systems cut no mention otherwise than the truth, so little changes."""
    planned(folder, "--match", rule)
    judge(folder / "plan.csv", folder / "truth.csv")
    scored(folder, "--match", rule, "--exhaustive", folder / "exhaustive.jsonl")
    loose = json.loads((folder / "scores.json").read_text())
    assert any("Two mentions are one" in note for note in loose["notes"])
    said(
        "plan_evaluation", *submissions(folder), "--half-width", 0.04, "--match", rule,
        "--labels", folder / "plan.csv", "--out", folder / "second.csv",
    )  # fmt: skip
    before = {row["claim"]: row["correct"] for row in rows_of(folder / "plan.csv")}
    after = {row["claim"]: row["correct"] for row in rows_of(folder / "second.csv")}
    assert {name: after[name] for name in before} == before  # nothing is asked again
    for system in loose["systems"]:
        assert 0 < system["metrics"]["instance"]["recall"]["value"] <= 1
