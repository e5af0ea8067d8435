"""Words for sentences that look like English: common ones, and invented ones with affixes.

An invented word tells its part of speech by its affix only in part, and many words have two: who
tags their chunks has to read what stands around them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


NOUNS = _split(
    "house road river garden village teacher child farmer window morning letter story market "
    "bridge doctor engine island winter table office field mountain paper station picture "
    "question kitchen ladder lantern harbour orchard basket blanket candle carpet castle cellar "
    "cottage desert drawer feather forest kettle library meadow needle painter pencil pocket "
    "pillow rabbit saddle sailor shepherd shoulder sparrow stable tailor temple theatre thunder "
    "tower tunnel uncle valley violin wagon weather willow winner writer bread butter sugar tax"
)
VERBS = _split(
    "follow carry remember discover deliver borrow gather polish repair measure describe imagine "
    "publish protect collect consider remove destroy admire ignore suggest improve mention "
    "forget believe allow decorate examine inspect invent observe prefer remain arrive appear"
)
BOTH = _split(  # nouns and verbs
    "plan walk watch paint hand land fish trade cook guide judge promise answer plant comfort "
    "record report study test train travel visit water whistle work hope help harvest hammer "
    "design cover change cause brush attack order permit"
)
ADJECTIVES = _split(
    "old quiet large narrow heavy bitter clever curious distant empty famous gentle hollow humble "
    "lazy little lonely modern nervous pale polite proud rough sharp simple slender solid steady "
    "strange sudden tender tiny useful wooden yellow young"
)
TWOFOLD = _split(  # adjectives and nouns
    "light cold green square local novel patient public giant sweet human secret native stone "
    "silver summer evening female total"
)
ADVERBS = _split(
    "often never soon again rarely always here there perhaps still already almost away together "
    "twice outside below above upstairs abroad"
)
DEGREES = ("very", "rather", "quite", "too", "so", "more", "most")
SINGULAR = _split("the the the a a this that every no another her his")
PLURAL = _split("the the these those many some few no her their three 12")
SUBJECTS = (("he", 1), ("she", 1), ("it", 1), ("they", 0), ("we", 0), ("you", 0), ("that", 1))
OBJECTS = ("him", "her", "it", "them", "us", "you", "this", "that", "themselves")
PREPOSITIONS = _split("of of of in in on at with by for from to into over under near before after")
TIMES = ("year", "week", "month", "summer", "evening", "day")
SPEECH = ("say", "know", "hope", "report", "suggest", "believe")

ONSETS = _split("b b bl br c c cl d d dr f fl g gr h j k l l m m n p pl pr r s s st t t tr v w")
NUCLEI = _split("a a a e e e i i o o o u u ai ea oo")
CODAS = ("", "", "", *_split("ck d ft g l ll m n nd nt p r rk rn sk ss st t"))
# Affixes of invented words. Some belong to two kinds, and the empty one to all.
NOUN_ENDS = ("", "", "er", "ment", "ness", "age", "ling", "al", "ant", "ate")
VERB_ENDS = ("", "", "er", "ize", "en", "ate", "age")
ADJECTIVE_ENDS = ("", "", "ish", "al", "ous", "y", "ant", "ate", "en")
PREFIXES = (*[""] * 28, "un", "re", "over", "mis")


class Lexicon:
    """The words of one corpus: the common ones, and `n_invented` more of each kind.

    Drawn by rank: the first words of a list are far more frequent than the last ones, so that
    many are met once.
    """

    def __init__(self, n_invented: int, rng: np.random.Generator):
        self._rng = rng
        nouns = self._invented(n_invented, NOUN_ENDS)
        verbs = self._invented(n_invented // 2, VERB_ENDS)
        both = self._invented(n_invented // 3, ("", "", "er", "ate", "age"))
        adjectives = self._invented(n_invented // 2, ADJECTIVE_ENDS)
        twofold = self._invented(n_invented // 4, ("", "al", "ant", "en"))
        self.nouns = _merged((NOUNS, BOTH, TWOFOLD), (nouns, both, twofold))
        self.verbs = _merged((VERBS, BOTH), (verbs, both))
        self.adjectives = _merged((ADJECTIVES, TWOFOLD), (adjectives, twofold))
        self.names = [word.capitalize() for word in self._invented(n_invented // 2, ("", "", "er"))]

    def _invented(self, n: int, ends: Sequence[str]) -> list[str]:
        """`n` different words."""
        words: dict[str, None] = {}
        while len(words) < n:
            stem = "".join(
                self._pick(part)
                for _ in range(1 + int(self._rng.integers(2)))
                for part in (ONSETS, NUCLEI, CODAS)
            )
            words[self._pick(PREFIXES) + stem + self._pick(ends)] = None
        return list(words)

    def _pick(self, options: Sequence[str]) -> str:
        return options[int(self._rng.integers(len(options)))]


def _merged(common: Sequence[Sequence[str]], invented: Sequence[Sequence[str]]) -> list[str]:
    """Two common words and an invented one by turns, then what is left of the invented."""
    known = [word for words in _turns(common) for word in words]
    rest = [word for words in _turns(invented) for word in words]
    turns = range(max(len(known), len(rest)))
    mixed = [word for i in turns for word in (*known[2 * i : 2 * i + 2], *rest[i : i + 1])]
    return list(dict.fromkeys(mixed))


def _turns(lists: Sequence[Sequence[str]]) -> list[list[str]]:
    longest = max(len(words) for words in lists)
    return [[words[i] for words in lists if i < len(words)] for i in range(longest)]


def plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in "aeou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "sh", "ch")) else "s")


def third_person(verb: str) -> str:
    """he walks; written as a plural is."""
    return plural(verb)


def past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    return verb[:-1] + "ied" if verb.endswith("y") and verb[-2] not in "aeou" else verb + "ed"


def progressive(verb: str) -> str:
    return (verb[:-1] if verb.endswith("e") else verb) + "ing"


def adverb(adjective: str) -> str:
    return (adjective[:-1] + "i" if adjective.endswith("y") else adjective) + "ly"
