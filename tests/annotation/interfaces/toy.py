"""A fifth interface, as small as one can be: a word for each sentence of the document."""

from annotation.interfaces.judgments import pack
from annotation.interfaces.reading import Field

VERSION = 7


def read(raw, material):
    body = Field(raw)
    words = []
    if body.only("words"):
        items = body.at("words").items(most=len(material.sentences))
        words = [item.one_of(["good", "bad"]) for item in items]
        if len(items) != len(material.sentences):
            body.at("words").refuse(f"Send {len(material.sentences)} words, one for each sentence.")
    body.raise_errors()
    return {"words": words}


check = read


def wire(answer, material):
    return answer


def page_data(material):
    return {"sentences": len(material.sentences)}


def label_names(answer, material):
    return {"toy": list(dict.fromkeys(answer["words"]))}


def judge(answer, material, labels):
    return pack({"words": [labels["toy"][word] for word in answer["words"]]})


def score_gold(answer, gold, material, tolerance):
    return float(answer == gold)
