"""What each method does, in a sentence for people. Pages read it, so it knows no numerics."""

from typing import NamedTuple

METHOD_WORDS = {
    "majority": "The answer that most workers gave.",
    "weighted-majority": "A vote in which a worker counts by how often they seem to be right.",
    "wawa": "A plain vote, then one in which a worker counts by how often they agreed with it. For "
    "tables beside published ones.",
    "zbs": "As weighted-majority, with the rule that crowd-kit calls zero-based skill. For tables "
    "beside published ones.",
    "one-coin": "Weighs each worker by one number: how often they are right.",
    "dawid-skene": "Learns of each worker what they say where each answer is true.",
    "hierarchical-dawid-skene": "As Dawid–Skene, but where a worker's own answers are few it goes "
    "by what the whole crowd says, and answers count as the votes that they are worth.",
    "ibcc": "As Dawid–Skene, with a distribution in place of each number.",
    "mace": "Learns how often each worker guesses, and what they answer then. Where one answer is "
    "far commoner than the others, as O is among tags, its confidences mean little.",
    "glad": "Learns how able each worker is and how hard each task.",
    "mv-token": "For each word the tag that most workers gave.",
    "mv-seq": "For each sentence the whole answer that most workers gave.",
    "mv-seg": "First where most workers see a span, then of which type.",
    "hmm-crowd": "A model of the text, with two numbers for each worker: how often they are right "
    "inside spans, and outside.",
    "bsc-acc": "A model of tags that follow each other; each worker has one number.",
    "bsc-mace": "A model of tags that follow each other; a worker knows the tag or guesses.",
    "bsc-cv": "A model of tags that follow each other; each worker has a number for each tag.",
    "bsc-cm": "A model of tags that follow each other; each worker has a table of what they say.",
    "bsc-seq": "A model of tags that follow each other, and of how each worker begins, goes on "
    "with and ends spans.",
    "crf-ma": "Learns to tag the text from what workers say, and from each of them as much as they "
    "agree with what was learnt.",
    "crf-conc": "Learns to tag the text as if what each worker says were true.",
    "multi-crf": "Learns to tag the text from all tags that a word was given, whoever gave them.",
    "multi-crf-max": "As multi-crf, from the most probable tags alone.",
    "touchstone": "As bsc-seq, but what a word should be is learnt from the texts: how spans look, "
    "and where else the word stands.",
    "correlation-clustering": "Weighs each worker's “same” and “different” by how often they are "
    "right, and finds the piles that the weighted votes speak for most.",
}
# These stop at their limit by design: going on moves the bound, and hardly a label.
CAPPED = frozenset(
    {"ibcc", "hmm-crowd", "bsc-acc", "bsc-mace", "bsc-cv", "bsc-cm", "bsc-seq", "touchstone"}
)
# Those that learn a model of each worker from single labels: their workers' intervals can be made
# by refits (`actions.refits`).
REFITTED = frozenset(
    {"one-coin", "dawid-skene", "hierarchical-dawid-skene", "ibcc", "mace", "glad"}
)
# Words that workers have labelled in all, from which on Touchstone was better than HMM-Crowd on
# real news: a few dozen articles.
WORDS_IN_ALL = 30_000
# Above so many it is left to BSC-seq, which works in shards. Touchstone's memory and time grow with
# the text: at five answers this is some 400,000 words of it, which take 2 GB and minutes.
MOST_WORDS = 2_000_000
# The same where each text has one answer: strict F1 on 100 documents of real news, two draws of the
# one answer: CRF-MA 66.2, majority 62.7, Touchstone 59.0, HMM-Crowd 57.2, BSC-seq 40.6. With two
# answers Touchstone is better again, 76.9 against 73.4.
WORDS_SINGLE = 5_000
# Labelled words of a worker that its tables need.
WORDS_EACH_OF_TOUCHSTONE = 750
# Labelled words of a worker from which on BSC-seq was better than HMM-Crowd on real news.
WORDS_EACH = 2_500


class Default(NamedTuple):
    """`parameters` are those that differ from the method's own defaults."""

    method: str
    parameters: dict[str, float | str]
    why: str


def default_for_spans(
    labels_each: float, *, words: float = 0, adaptive: bool = False, single: bool = False
) -> Default:
    """What a campaign gets where no method is named. `labels_each` is how many labels a worker has
    given on average, `words` how many words all workers have labelled, `adaptive` whether answers
    are asked for by what the last run says of new ones, which not every method can, `single`
    whether each text has one answer."""
    learns_texts = not adaptive and words <= MOST_WORDS
    if learns_texts and single and words >= WORDS_SINGLE:
        why = (
            "each text has one answer, so workers can't be compared on it; what they say is learnt "
            "together with the texts"
        )
        return Default("crf-ma", {}, why)
    if learns_texts and words >= WORDS_IN_ALL and labels_each >= WORDS_EACH_OF_TOUCHSTONE:
        why = (
            f"workers have labelled {words:,.0f} words, enough to learn from the texts too what "
            "names look like"
        )
        return Default("touchstone", {}, why)
    if words > MOST_WORDS:
        why = (
            f"workers have labelled {words:,.0f} words, too many to learn from the texts too; it "
            "learns how each worker begins, ends and misses spans, and what many do wrong together"
        )
        return Default("bsc-seq", {"subtypes": 1, "kappa": 0.8, "epsilon": 0.02, "cap": 0.0}, why)
    if labels_each >= WORDS_EACH:
        return Default("bsc-seq", {}, "it learns how each worker begins, ends and misses spans")
    why = (
        f"workers have labelled {labels_each:,.0f} words each, too few to learn more of each "
        "than how often they are right"
    )
    return Default("hmm-crowd", {}, why)


def default_for_clusters() -> Default:
    why = "it joins the piles of overlapping tasks into one whole"
    return Default("correlation-clustering", {}, why)


def default_for_classes(*, gold: bool = False) -> Default:
    """`gold` is whether workers have answered hidden gold."""
    why = (
        "it learns each worker's own mistakes as far as there are answers enough, and takes the "
        "crowd's for the rest"
    )
    if not gold:
        return Default("hierarchical-dawid-skene", {}, why)
    begun = "; it begins with what workers have shown on hidden gold"
    return Default("hierarchical-dawid-skene", {"start": "gold"}, why + begun)


def default_for_disputed(known: int, method: int, vote: int) -> Default:
    """`method` and `vote`: how many of the `known` answers each has right."""
    why = (
        f"of {known:,} known answers to tasks where hierarchical Dawid–Skene and a vote differ, "
        f"the vote has {vote:,} right and the method {method:,}"
    )
    return Default("majority", {}, why)
