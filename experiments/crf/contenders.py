"""The methods that the experiments compare: what each makes of the answers of a crowd, and the
field that then tags unseen texts.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aggregation.algorithms import BSCseq, CrowdSequences, DawidSkene, MVseg, MVseq, MVtoken
from aggregation.algorithms.sequences.crf.features import Features
from aggregation.algorithms.sequences.crf.model import LinearChainCRF
from aggregation.algorithms.sequences.crf.objective import Targets
from aggregation.algorithms.sequences.crf.tagger import Tagger
from aggregation.algorithms.sequences.crf_baselines import CRFConc, MultiCRF, MultiCRFMax, crf_gold
from aggregation.algorithms.sequences.crf_ma import CRFMA
from aggregation.algorithms.sequences.touchstone import Touchstone
from aggregation.algorithms.sequences.touchstone.model import FEATURES
from experiments.crf.corpus import Half

Ints = NDArray[np.int64]

COMPARED = "crf-ma"  # with which the others are
GOLD_FIELD = "crf-gold"


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """The texts to learn from with their true tags, what the crowd said, and the field of the
    true tags. Only the two CRF-GOLD may look at the truth."""

    half: Half
    crowd: CrowdSequences
    gold: Tagger
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class ContenderFit:
    """The tags of the texts to learn from, shape (n_tokens,), and what tags others; what is to be
    said of it, such as that another method stood in."""

    tags: Ints
    tagger: Tagger
    note: str = ""


@dataclass(frozen=True, slots=True)
class Contender:
    """`repeated`: it needs texts that several annotators labelled. `complete`: it needs all of them
    to label all texts. `typed`: it is another one's equal where there is one type of span. `method`
    is what has settings, None where nothing has.
    """

    title: str
    fit: Callable[[Case, Any], ContenderFit]
    method: Callable[..., Any] | None = None
    repeated: bool = False
    complete: bool = False
    typed: bool = False

    def absence(self, *, repeated: bool, complete: bool, n_types: int) -> str:
        """Why it doesn't apply; empty where it does."""
        if self.repeated and not repeated:
            return "no text is labelled twice"
        if self.complete and not complete:
            return "eq. 15 holds only where everybody labels everything"
        if self.typed and n_types < 2:
            return "with one type of span the paper takes it as MVtoken"
        return ""

    def made(self, settings: Mapping[str, Any], seed: int) -> Any:
        """The method with its settings. Raises ValueError where it does not take them."""
        if self.method is None:
            if settings:
                raise ValueError(f"{self.title} has no settings. Leave out --param.")
            return None
        known = [*inspect.signature(self.method).parameters]
        seeded = {"seed": seed} if "seed" in known else {}
        for name in settings:
            if name not in known or name == "seed":
                takes = ", ".join(name for name in known if name != "seed") or "none"
                raise ValueError(f"{self.title} has no setting '{name}'. It has: {takes}.")
        try:
            return self.method(**seeded, **settings)
        except TypeError as error:
            raise ValueError(
                f"{self.title}: a setting has a value of another kind than it needs ({error})."
            ) from error


def gold_tagger(half: Half, tags: tuple[str, ...]) -> Tagger:
    return crf_gold(half.text, half.gold, tags)


def _voted(case: Case, method: Any) -> ContenderFit:
    """The tags that were inferred without a field, and one trained on them as if they were true."""
    tags = method.fit(case.crowd).predict()
    return ContenderFit(tags, crf_gold(case.half.text, tags, case.crowd.tags))


def _inferred(case: Case, method: Any) -> ContenderFit:
    """As `_voted`, of a method that takes each token for itself."""
    tags = method.fit(case.crowd.token_labels()).predict()
    return ContenderFit(tags, crf_gold(case.half.text, tags, case.crowd.tags))


def _learnt(case: Case, method: Any) -> ContenderFit:
    """Of a method that trains a field itself."""
    fitted = method.fit(case.crowd)
    return ContenderFit(fitted.predict(), fitted.tagger_, fitted.diagnostics_.note)


def _gold(case: Case, method: None) -> ContenderFit:
    return ContenderFit(case.gold.tag(case.half.text), case.gold)


def _rich_gold(case: Case, method: None) -> ContenderFit:
    """The truth, learnt from with the features and the prior of touchstone."""
    half, tags = case.half, case.crowd.tags
    field = LinearChainCRF(sigma2=Touchstone().sigma2, legal=1)
    targets = Targets.of_tags(half.gold, half.text.starts, len(tags))
    tagger = Tagger(Features(**FEATURES), field).fit(half.text, targets, tags)
    return ContenderFit(tagger.tag(half.text), tagger)


CONTENDERS = {
    "mv-seq": Contender("MVseq", _voted, MVseq, repeated=True),
    "mv-token": Contender("MVtoken", _voted, MVtoken, repeated=True),
    "mv-seg": Contender("MVseg", _voted, MVseg, repeated=True, typed=True),
    "dawid-skene": Contender(
        "Dawid–Skene",
        _inferred,
        partial(DawidSkene, diagonal=0.1, off_diagonal=0.1, max_iter=20),
        repeated=True,
    ),
    "crf-conc": Contender("CRF-CONC", _learnt, CRFConc),
    "multi-crf": Contender("MultiCRF", _learnt, MultiCRF, repeated=True),
    "multi-crf-max": Contender("MultiCRF-MAX", _learnt, MultiCRFMax, repeated=True),
    COMPARED: Contender("CRF-MA", _learnt, CRFMA),
    "crf-ma-printed": Contender(
        "CRF-MA, eq. 15", _learnt, partial(CRFMA, e_step="printed"), complete=True
    ),
    "bsc-seq": Contender("BSC-seq → CRF", _voted, BSCseq),
    "touchstone": Contender("touchstone", _learnt, Touchstone),
    GOLD_FIELD: Contender("CRF-GOLD", _gold),
    "crf-gold-rich": Contender("CRF-GOLD, rich", _rich_gold),
}
