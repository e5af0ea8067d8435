import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.experiments.crf.typed import typed_file


def said(*arguments):
    out = StringIO()
    call_command("experiment_crf", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def file(tmp_path):
    return typed_file(tmp_path / "typed.jsonl")


def test_noise_on_the_synthetic_corpus_is_printed_and_written(tmp_path):
    target = tmp_path / "noise.json"
    told = said("noise", "--documents", "12", "--repeats", "2", "--methods",
                "mv-token,mv-seg,crf-conc,crf-ma,crf-gold", "--json", str(target))  # fmt: skip
    assert "STAND-IN for the chunking data" in " ".join(told.split())
    assert "train P" in told
    assert "– MVseg: with one type of span the paper takes it as MVtoken." in told
    assert "With 2 pairs a t-test has little power" in " ".join(told.split())
    rows = {line.split("  ")[0]: line for line in told.splitlines()}
    assert rows["MVtoken"].count("±") >= 1
    assert "0.005" in rows
    found = json.loads(target.read_text())
    assert found["runs"] == 2
    assert found["absent"] == {"mv-seg": "with one type of span the paper takes it as MVtoken"}
    assert found["methods"]["crf-gold"]["train_F1"] > 95
    assert found["methods"]["crf-ma"]["test_p"] is None
    assert len(found["annotators"]["true_f1"][1]) == 5


def test_one_repeat_has_neither_error_nor_test():
    told = said("noise-single", "--documents", "12", "--repeats", "1", "--methods",
                "mv-token,crf-conc", "--variances", "0,2")  # fmt: skip
    assert "±" not in told.partition("Strict spans")[0]
    assert "One run has no standard error and no t-test" in " ".join(told.split())
    assert "– MVtoken: no text is labelled twice." in told


def test_a_real_crowd_has_box_plots(file, tmp_path):
    before, plots = file.read_bytes(), tmp_path / "boxes.svg"
    told = said("crowd", "--data", str(file), "--methods", "mv-token,crf-gold",
                "--plots", str(plots))  # fmt: skip
    assert "± is the standard error over documents" in " ".join(told.split())
    assert "answers per article" in told
    assert "of the train half alone" in " ".join(told.split())
    assert plots.read_text().startswith("<svg")
    assert file.read_bytes() == before


def test_a_crowd_subsampled_has_no_votes(file):
    told = said("crowd-single", "--data", str(file), "--methods", "mv-token,crf-gold")
    assert "no text is labelled twice" in told
    assert "Means of 3 runs" in told


def test_flips_are_of_any_texts(file):
    told = said("flips", "--data", str(file), "--methods", "mv-token,mv-seg", "--repeats", "2")
    assert "flipped with p" in told
    assert "typed.jsonl" in told


def test_settings_of_a_method_are_used_and_told():
    told = said("flips", "--documents", "12", "--repeats", "1", "--methods", "mv-token,crf-ma",
                "--param", "crf-ma.e_step=printed", "--param", "crf-ma.max_iter=2")  # fmt: skip
    assert "CRF-MA: e_step = printed, max_iter = 2." in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["noises"], "There is no experiment 'noises'. Use noise, noise-single, flips, crowd"),
        (["noise", "--repeats", "0"], "--repeats must be 1 or more, but is 0"),
        (["noise", "--documents", "1"], "--documents must be 2 or more"),
        (["noise", "--data", "/nowhere.jsonl"], "There is no file /nowhere.jsonl"),
        (["crowd"], "'crowd' is of a real crowd. Name its file with --data"),
        (["noise", "--plots", "x.svg"], "--plots is of a real crowd"),
        (["flips", "--variances", "1"], "--variances is of noise, but 'flips' has none"),
        (["noise", "--variances", "a"], "--variances a are no numbers"),
        (["noise", "--variances=-1"], "each must be from 0"),
        (["noise", "--methods", "crf"], "There is no method 'crf'. Use mv-seq, mv-token"),
        (["flips", "--param", "crf-ma=1"], "--param crf-ma=1 names no setting"),
        (["flips", "--param", "crf-ma.x=1"], "CRF-MA has no setting 'x'. It has: e_step, start"),
        (["flips", "--param", "crf-ma.tol=y"], "CRF-MA: "),
        (["flips", "--param", "crf-gold.x=1"], "CRF-GOLD has no settings"),
        (["noise", "--json", "/nowhere/x.json"], "The folder /nowhere of --json is not there"),
        (["noise-single", "--documents", "4", "--methods", "crf-conc"], "2 documents to learn"),
    ],
)  # fmt: skip
def test_what_cannot_be_run_is_told(arguments, message):
    with pytest.raises(CommandError, match=message):
        said(*arguments)


def test_a_file_without_gold_is_told(tmp_path):
    path = typed_file(tmp_path / "none.jsonl", gold=False)
    with pytest.raises(CommandError, match="has gold for fewer than two documents"):
        said("noise", "--data", str(path))


def test_the_input_is_not_written_over(file):
    with pytest.raises(CommandError, match="is the input"):
        said("crowd", "--data", str(file), "--json", str(file))
    twice = str(file.with_name("out"))
    with pytest.raises(CommandError, match="--json and --plots are both"):
        said("crowd", "--data", str(file), "--json", twice, "--plots", twice)
