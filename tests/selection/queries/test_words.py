"""What the guards, the selection and the check of gold say, in words."""

from selection.queries.words import flag_in_words, gold_in_words, reason_in_words


def test_each_flag_tells_its_evidence():
    evidence = {"share": 0.97, "usual": 0.41, "number": 1_200}
    assert flag_in_words("fast", evidence).startswith("97% of 1,200 answers took less than")
    assert flag_in_words("same", evidence) == (
        "97% of 1,200 answers are the same; others give it in 41%."
    )
    assert flag_in_words("same", evidence | {"usual": None}) == "97% of 1,200 answers are the same."
    assert "is -0.02 over 30 judgments" in flag_in_words("chance", {"share": -0.02, "number": 30})
    assert flag_in_words("fast", {}) == ""


def test_what_is_not_known_is_not_told():
    assert gold_in_words(0, None, 0.9) == ""
    assert gold_in_words(1, 0.0, 0.9).startswith("1 worker scored 0.00 here")
    assert reason_in_words("something_new") == "something new"
