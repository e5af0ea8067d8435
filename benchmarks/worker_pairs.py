"""Tasks of `worker_pages` on a pair of names: a relation to be chosen, and one to be verified."""

from __future__ import annotations

import random
from itertools import islice, pairwise
from typing import Any

import worker_experts as experts


def relation(number: int) -> experts.Kind:
    """Pairs of names that follow each other; which relation holds is drawn by lot."""
    from annotation.formats.relations import RELATION_TYPES, read_relation_types
    from annotation.interfaces import relation as module
    from annotation.interfaces.schema import check_schema
    from annotation.models import Document, ImportedAnswer, Task
    from annotation.models.materials import MATERIAL_COLUMNS, material_of

    types = read_relation_types(RELATION_TYPES)
    names = {"LOC", *(name for one in types for name in (*one["subject"], *one["object"]))}
    schema = check_schema(
        {"entity_types": [{"name": name} for name in sorted(names)], "relation_types": types}
    )
    small = experts.make_project("relation", schema, 100)
    pairs: dict[str, tuple[int, str, dict[str, Any]]] = {}
    for document in Document.objects.filter(project=small).order_by("pk"):
        gold = ImportedAnswer.objects.filter(document=document, source="gold").first()
        mentions = gold.answer["mentions"] if gold else []
        for one, other in pairwise(mentions):
            sides = [side(one, document.text), side(other, document.text)]
            payload = dict(zip(("subject", "object"), sides, strict=True))
            pairs.setdefault(asked(payload), (document.pk, f"{document.pk}-{one['id']}", payload))
    chosen = dict(islice(pairs.items(), number))
    links = {
        use: experts.make_campaign(small, "relation", use, chosen.values()) for use in experts.USES
    }
    large = experts.make_large_project("relation-large", schema)
    text = Document.objects.get(project=large)
    sides = [
        {"start": text.tokens[n][0], "end": text.tokens[n + 1][1], "type": kind, "name": kind}
        for n, kind in ((experts.WORDS // 2, "PER"), (experts.WORDS // 2 + 4, "GPE"))
    ]
    payload = dict(zip(("subject", "object"), sides, strict=True))
    links["large"] = experts.make_campaign(large, "relation", "large", [(text.pk, "pair", payload)])

    draw, known, places = random.Random(1), {}, {}
    for row in Task.objects.filter(campaign__slug="relation-keys").values(*MATERIAL_COLUMNS):
        offered = module.page_data(material_of(row))["relations"]
        place = draw.randrange(len(offered))
        seen = asked(row["payload"])
        known[seen], places[seen] = offered[place]["name"], (place, offered[place]["key"])

    def on_page(page: Any) -> tuple[int, str]:
        page.wait_for_timeout(experts.UNREAD)
        heading = page.locator("[data-task] h3").first.inner_text()
        return places[" ".join(heading.split())]

    def by_pointing(press: experts.Press, page: Any) -> experts.Done:
        place, _ = on_page(page)
        press(page, page.get_by_role("radio").nth(place))
        press(page, page.locator(experts.SUBMIT))
        return experts.Done(2, 1)

    def by_keys(page: Any) -> experts.Done:
        _, key = on_page(page)
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        return experts.Done(2, 1)

    return experts.Kind(
        links, known,
        ready="[role=radio]",
        units="pairs",
        large=f"{experts.WORDS:,} words",
        ways={
            "choose": (["1"], []),
            "choose another": (["n"], []),
            "undo": (["Control+z"], []),
            "move": (["ArrowRight"], []),
            "select": (["Shift+ArrowRight"], []),
            "evidence": (["e"], []),
        },
        experts=experts.pointing(by_pointing) | {"keys": by_keys},
        prepare=lambda page: page.locator("token-text").focus(),
        said=lambda answer: answer["relation"],
        seen=lambda task: asked(task.payload),
    )  # fmt: skip


def verify(number: int) -> experts.Kind:
    """Claims of two names and their types, each name with a link. Of three in four all is true, of
    the others the relation does not hold."""
    from annotation.formats.relations import RELATION_TYPES, read_relation_types
    from annotation.interfaces.schema import check_schema, relations_between
    from annotation.models import Document, ImportedAnswer

    types = read_relation_types(RELATION_TYPES)
    kinds = {"LOC", *(name for one in types for name in (*one["subject"], *one["object"]))}
    schema = check_schema(
        {"entity_types": [{"name": name} for name in sorted(kinds)], "relation_types": types}
    )
    small, large = (
        experts.make_project("verify", schema, 100),
        experts.make_large_project("verify-large", schema),
    )
    found: dict[str, tuple[int, str, dict[str, Any]]] = {}  # by what the page says
    for document in Document.objects.filter(project=small).order_by("pk"):
        gold = ImportedAnswer.objects.filter(document=document, source="gold").first()
        for one, other in pairwise(gold.answer["mentions"] if gold else []):
            subject, object_ = side(one, document.text), side(other, document.text)
            held = relations_between(schema, subject["type"], object_["type"])
            if held and len(found) < number:
                linked = [
                    mention | {"link": {"key": f"Q{i}", "name": mention["name"], "description": ""}}
                    for i, mention in enumerate((subject, object_))
                ]
                sides = dict(zip(("subject", "object"), linked, strict=True))
                payload = {**sides, "predicted": held[0]["name"]}
                words = task_words(payload, schema)
                found.setdefault(words, (document.pk, f"{document.pk}-{one['id']}", payload))
    links = {
        use: experts.make_campaign(small, "relation", f"verify-{use}", found.values())
        for use in experts.USES
    }
    text = Document.objects.get(project=large)
    ends = [
        {"start": text.tokens[n][0], "end": text.tokens[n + 1][1], "type": kind, "name": kind}
        for n, kind in ((experts.WORDS // 2, "PER"), (experts.WORDS // 2 + 4, "GPE"))
    ]
    payload = {"subject": ends[0], "object": ends[1], "predicted": "per:place_of_birth"}
    links["large"] = experts.make_campaign(
        large, "relation", "verify-large", [(text.pk, "claim", payload)]
    )
    known = {
        words: claim["predicted"] if place % 4 else "none"
        for place, (words, (_, _, claim)) in enumerate(found.items())
    }

    def holds(page: Any) -> bool:
        page.wait_for_timeout(experts.UNREAD)
        said = page.locator("[data-task] .claim .question-ask > [dir]").first.inner_text()
        return known[" ".join(said.split())] != "none"

    def by_pointing(press: experts.Press, page: Any) -> experts.Done:
        if holds(page):
            press(page, page.get_by_role("radio", name="Yes, all of it"))
        else:  # a press on the words of a row turns it over
            press(page, page.locator(".claim-words").first)
        press(page, page.locator(experts.SUBMIT))
        return experts.Done(2, 1)

    def by_keys(page: Any) -> experts.Done:
        key = "y" if holds(page) else "1"
        for each in (key, "Enter"):
            page.keyboard.press(each)
        return experts.Done(2, 1)

    return experts.Kind(
        links, known,
        ready="[role=radio]",
        units="claims",
        large=f"{experts.WORDS:,} words",
        ways={"all true": (["y"], []), "not all": (["n"], []), "move": (["ArrowRight"], [])},
        experts=experts.pointing(by_pointing) | {"keys": by_keys},
        prepare=lambda page: page.locator("token-text").focus(),
        said=lambda answer: answer["relation"],
        seen=lambda task: task_words(task.payload, schema),
    )  # fmt: skip


def task_words(payload: dict[str, Any], schema: dict[str, Any]) -> str:
    """What the page says of a claim."""
    [kind] = [one for one in schema["relation_types"] if one["name"] == payload["predicted"]]
    said = kind["sentence"].replace("{subject}", payload["subject"]["name"])
    return said.replace("{object}", payload["object"]["name"])


def side(mention: dict[str, Any], text: str) -> dict[str, Any]:
    start, end = mention["start"], mention["end"]
    kind = "GPE" if mention["type"] == "LOC" else mention["type"]
    name = " ".join(text[start:end].split())
    return {"start": start, "end": end, "type": kind, "name": name}


def asked(payload: dict[str, Any]) -> str:
    return f"How is {payload['subject']['name']} related to {payload['object']['name']}?"
