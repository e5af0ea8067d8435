"""What the guards, the selection and the check of gold say, in words."""

from selection.queries.words import flag_in_words, gold_in_words, reason_in_words


def test_each_flag_tells_its_evidence():
    fast = flag_in_words("fast", {"share": 0.97, "usual": 0.5, "number": 1_200, "times": 1_165})
    assert fast == (
        "1,165 of 1,200 answers took less than a quarter of the time that is usual for texts of "
        "that length, and of what others took for the same tasks."
    )
    chance = {"share": -0.02, "usual": 0.61, "number": 30}
    assert flag_in_words("chance", chance) == (
        "Agreement with the others, beyond chance, is -0.02 over 30 answers; theirs with each "
        "other is 0.61. 0 is chance, 1 is always."
    )
    assert flag_in_words("fast", {}) == flag_in_words("same", {"share": 1.0, "number": 9}) == ""


def test_the_same_answer_is_told_with_its_unit_and_base():
    evidence = {"share": 0.97, "usual": 0.61, "number": 100, "times": 97, "others": 214}

    def said(kind, name=""):
        return flag_in_words("same", evidence | {"content": {"kind": kind, "name": name}})

    assert said("class", "no") == (
        "97 of 100 answers are “no”. Of 214 answers to the same tasks by others, who agree with "
        "each other, 61% are."
    )
    assert said("nothing").startswith("97 of 100 answers mark nothing. Of 214 answers")
    assert said("nothing").endswith("61% do.")
    assert "mark the whole text as PER" in said("everything", "PER")
    assert "leave each mention alone" in said("alone")
    assert "put all mentions into one pile" in said("pile")
    assert "are the same, by their place in the task" in said("pattern")
    assert "are 3.5." in said("value", "3.5")


def test_what_is_not_known_is_not_told():
    assert gold_in_words(0, None, 0.9) == ""
    assert gold_in_words(1, 0.0, 0.9).startswith("1 worker scored 0.00 here")
    assert reason_in_words("something_new") == "something new"
