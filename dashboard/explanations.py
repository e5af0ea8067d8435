"""What "What is this?" says beside a figure: how it is made, and how often it is right.

One catalogue, so that the same figure is explained in the same words on every page. Only what has
been shown is said: docs/methods/equations.md and journal.md hold the proofs and the figures.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Explanation:
    title: str  # a noun: what is explained
    text: str


EXPLANATIONS = {
    "gold-score": Explanation(
        "Gold score",
        "The mean score on hidden gold questions: tasks whose answer is known and that look like "
        "all others. A score is 1 for the known answer and 0 for a wrong one; of names and groups "
        "it is the F1 of the answer. The interval is Wilson’s at 95 %, which is rather too wide "
        "where scores lie between 0 and 1. Few gold answers, wide interval.",
    ),
    "gold-score-campaign": Explanation(
        "Gold score of all workers",
        "The mean score of all answers to hidden gold questions: how good a single answer is "
        "before aggregation. The 95 % interval counts workers, not answers, since the answers of "
        "one worker are alike. Fewer than three workers have no interval.",
    ),
    "consensus-spans": Explanation(
        "F1 of spans",
        "The labels of the run beside the known answers of gold documents, which the run was not "
        "told. A span counts when its words and its type are both right. The interval is over "
        "documents, by Student’s t on the logit; in simulations with 3 to 50 gold documents it "
        "held the truth in 94 % of cases or more.",
    ),
    "consensus-gold": Explanation(
        "Consensus against gold",
        "The labels of the run beside the known answers of gold tasks, which the run was not told. "
        "The interval of an accuracy is Wilson’s, at 95 %; that of piles comes from drawing tasks "
        "with gold anew (bootstrap), and is rough where they are few.",
    ),
    "paired-difference": Explanation(
        "Paired difference",
        "The score of one run less that of another on the same gold documents: what both get "
        "right or wrong alike plays no part, so it tells more than two intervals side by side. "
        "The 95 % interval is over documents, by Student’s t, with one more unit in which the two "
        "differ; in simulations with 3 to 100 of them it held the truth in 92 % of cases or more. "
        "Where it holds 0, either may be better.",
    ),
    "alpha": Explanation(
        "Krippendorff’s α",
        "Agreement between workers beyond chance: 1 where all say the same, 0 where they agree as "
        "often as chance would. The 95 % interval comes from drawing documents anew (bootstrap), "
        "and holds for these workers; the one about such workers draws workers, too, where there "
        "are twenty. Neither says anything of errors that all workers make alike.",
    ),
    "target-quality": Explanation(
        "Quality wanted",
        "Tasks are asked for more answers until their confidence is the quality that was named. "
        "Expected is what the confidences of all tasks come to, so far: the share right, or the F1 "
        "of spans. Its 95 % interval is that of the known answers of tasks drawn at random; "
        "without such answers nothing can be promised.",
    ),
    "calibration": Explanation(
        "Calibration",
        "Judgments on gold in ten bins by confidence. A dot on the dashed line is right as often "
        "as it claims; below it, the consensus is too sure. The error is the mean gap, in "
        "hundredths; by chance alone, perfect confidences would show one too. Dots are of gold "
        "that had no part in their calibration; the line is what would be claimed without. "
        "Intervals are Wilson’s: too narrow where judgments err together.",
    ),
    "loop-forecast": Explanation(
        "Forecast of the next round",
        "The model is trained again on random parts of what is labelled, as much smaller as the "
        "next round will make it larger, and measured on the same documents. How much the last "
        "step brought, and how far apart these models lie, makes the forecast and its 90 % "
        "interval. In simulated loops it held in about nine of ten rounds. Labels that came of "
        "taking a suggestion of a model are left out.",
    ),
    "reliability": Explanation(
        "Agreement with the consensus",
        "How often the worker agrees with the consensus of a run, in that method’s own model, with "
        "its 95 % interval. It is not their accuracy: the consensus may be wrong together with the "
        "worker, and on real names such intervals held the true accuracy in some 20 % of cases.",
    ),
    "worker-accuracy": Explanation(
        "Accuracy of workers",
        "The share of the worker’s judgments that are right, as far as the method is right about "
        "the truth, with its 95 % interval: the method was fitted again to tasks drawn anew, so "
        "what it does not know of the workers is in it. In simulated crowds it held the true "
        "accuracy in 19 of 20 cases. What all workers miss together it can’t know.",
    ),
    "hourly-pay": Explanation(
        "Pay an hour",
        "What the worker has earned, divided by the time that they were active on tasks. Time in "
        "which the page was idle or in the background does not count.",
    ),
    "selection": Explanation(
        "q, a worker’s worth",
        "What the worker adds to the group, from their scores on hidden gold: 1 for one who is "
        "always right, 0 for one who guesses. What sets chosen from half the gold are worth is "
        "estimated by the other half, for the answers that choose a group make it look too good.",
    ),
    "cost": Explanation(
        "Forecast of the cost",
        "What is earned, and the pay of each answer that is missing. Beside those, answers to gold "
        "and late ones are paid; they are taken to come as often as so far. The 95 % interval "
        "holds what chance does to that; a change of pay or redundancy is not foreseen.",
    ),
    "forecast": Explanation(
        "Forecast of the end",
        "The answers that are missing at last week’s pace. The true time lies in the interval in "
        "19 of 20 cases if answers go on coming as they did; a change of pay or of workers is not "
        "foreseen.",
    ),
    "board": Explanation(
        "How a system is scored",
        "Precision: the share of its claims that is right. Recall: the share of what is true that "
        "it finds. F1 joins both. People judged claims drawn by chance and annotated some "
        "documents in full; intervals say how far off a score may be. A place of 1–2: the two "
        "can’t be told apart. “Like 77 at random”: the judged claims tell as much as 77 "
        "drawn one by one from all that a system claims; few left to judge make it more.",
    ),
    "confidence": Explanation(
        "Confidence",
        "How probable a label is, by the method of the run. With gold enough, confidences are "
        "calibrated on it; a page that has no gold to check them says so: then they come from the "
        "workers alone, and are often too high; those of spans are brought down by what was right "
        "on news articles. Where no task has two answers, labels of choices are as they were given "
        "and it is not known. The calibration is under Quality.",
    ),
    "expected-errors": Explanation(
        "Expected to be wrong",
        "One less its confidence, added up over the labels of a task or of many. The 90 % interval "
        "holds what chance does to such a sum. It is as right as the confidences are: not checked "
        "against gold, they are often too high.",
    ),
    "accepted-task": Explanation(
        "An accepted task",
        "What workers have earned, divided by the tasks that a person has decided or in which the "
        "run expects little to be wrong. Practice, gold and late answers are in it, your own time "
        "is not.",
    ),
    "accepted-answers": Explanation(
        "Accepted judgments",
        "How many of a worker’s judgments the run expects to be right, and what one of them has "
        "cost. Judgments on which all workers err together count as right.",
    ),
    "pace": Explanation(
        "Pace",
        "Answers that count, in the hour or on the day in which they came; gold, practice and late "
        "ones are left out. The paler part is last week’s pace until the expected end.",
    ),
    "plan": Explanation(
        "Forecast of quality",
        "The campaign is played to its end: workers like those who came, who answer as they do, "
        "and the same aggregation. Gold tells how far all of them may be misled. The 90 % interval "
        "held what came out in 92 % of simulated forecasts and 88 % of recorded ones; where "
        "workers take two classes for each other, one in four was too high.",
    ),
    "flags": Explanation(
        "Flags",
        "What is unlikely of a worker who reads: much faster than the others, nearly always the "
        "same answer, or agreement by chance alone. They are looked for each night, from ten "
        "answers on. A flag changes nothing by itself.",
    ),
    "gold-expected": Explanation(
        "Expected score",
        "What the same workers score on the other gold questions. A question on which good "
        "workers do much worse than that may be wrong itself.",
    ),
}
