"""Import a knowledge base of a million entries, and search it as somebody types.

    ./run bench knowledge_base --entries 1000000
    DATABASE_URL=postgres://… ./run bench knowledge_base --entries 1000000

The targets, on PostgreSQL: the import in about a minute, and any search within 100 ms. Half of the
names are made of common words, so that "of", "univ" and "versity" each meet a large part of them.
A second project with a few entries stands beside: its searches must not pay for the first one's.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import time
from pathlib import Path

import http_cycle
import throwaway

COMMON = [
    "the", "of", "university", "saint", "john", "river", "de", "new", "county", "school",
    "national", "la", "van", "der", "station", "church", "district", "north", "south", "great",
    "museum", "lake", "mount", "international", "association",
]  # fmt: skip
BEGIN = ["b", "br", "c", "ch", "d", "f", "g", "gr", "h", "j", "k", "kl", "l", "m", "n", "p", "pr",
         "r", "s", "sch", "st", "t", "tr", "v", "w", "z", ""]  # fmt: skip
MIDDLE = ["a", "e", "i", "o", "u", "ai", "ei", "ou", "ie", "ü", "é"]
END = ["", "n", "r", "s", "t", "l", "ng", "rd", "ck", "m", "ston", "ville"]
HAN = "東京大学北海道中国人民山川田村上下"

KINDS = {
    "one letter": ["a", "t", "u", "z", "東"],
    "two letters": ["th", "un", "ri", "zz", "東京"],
    "common beginning": ["the", "univ", "river ", "university of"],
    "common inside": ["ton", "versity", "ational", "ville", "iver"],
    "several words": ["the university of", "saint john river", "museum lake mount"],
    "slip of the finger": [
        "universty",
        "natoinal chruch",
        "the universty of",
        "intrenational asso",
    ],
    "nothing like it": ["xqzwvk", "qqqqqqqq", "jjj vvv www"],
    "common words, long": [
        "the university of the church of saint john and of the river of the county "
    ],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=20, help="of every query")
    options = throwaway.parsed(parser, entries=500, rounds=2)
    vendor = throwaway.set_up()

    from annotation.actions.knowledge import import_knowledge_base
    from annotation.actions.projects import create_project

    chance = random.Random(0)
    large, small = (
        create_project(slug=slug, name=slug, schema={"entity_types": [{"name": "PER"}]})
        for slug in ("large", "small")
    )
    path = Path(os.environ["DATA_DIR"]) / "entries.jsonl"
    known = write_file(path, options.entries, chance)
    wall, here, used = time.perf_counter(), time.process_time(), cpu()
    tally = import_knowledge_base(large, path)
    wall, here = time.perf_counter() - wall, time.process_time() - here
    used = cpu() - used
    again = time.perf_counter()
    unchanged = import_knowledge_base(large, path).unchanged
    again = time.perf_counter() - again
    write_file(path, 1_000, random.Random(1))
    import_knowledge_base(small, path)
    tell(
        f"{vendor}: {tally.added:,} entries in {wall:.0f} s; CPU {used:.0f} s, {here:.0f} s of it "
        f"here and the rest in the database\n"
        f"the same file again, {unchanged:,} unchanged, in {again:.0f} s"
    )
    kinds = KINDS | {"whole name": known, "three letters of a name": [name[:3] for name in known]}
    for kind, queries in kinds.items():
        tell(f"{kind:24} {figures(large.pk, queries, options.rounds)}")
    tell(
        f"{'the small project':24} {figures(small.pk, ['the', 'ton', 'un', 'zz'], options.rounds)}"
    )


def tell(line: str) -> None:
    print(line, flush=True)  # noqa: T201


def write_file(path: Path, entries: int, chance: random.Random) -> list[str]:
    """JSON lines of entries with one alias on average; some of the names, to search for."""
    made = (
        "".join(
            chance.choice(BEGIN) + chance.choice(MIDDLE) + chance.choice(END)
            for _ in range(chance.choice([1, 2, 2, 3]))
        )
        for _ in range(60_000)
    )
    words = list(dict.fromkeys([*COMMON, *made]))
    weights = list(itertools.accumulate(1 / (rank + 5) for rank in range(len(words))))

    def name() -> str:
        count = chance.choice([1, 2, 2, 2, 3, 3, 4])
        return " ".join(chance.choices(words, cum_weights=weights, k=count)).title()

    known = []
    with path.open("w", encoding="utf-8") as file:
        for number in range(entries):
            own = name() if number % 50 else "".join(chance.choices(HAN, k=4))
            fields = {
                "key": f"Q{number}", "name": own, "aliases": [name() for _ in range(number % 3)],
                "description": f"A {chance.choice(words)} of the {chance.choice(words)}",
                "url": f"https://kb.example/Q{number}", "type": chance.choice(["PER", "LOC"]),
            }  # fmt: skip
            file.write(json.dumps(fields, ensure_ascii=False) + "\n")
            if number % (entries // 10 or 1) == 1:
                known.append(own)
    return known


def figures(project: int, queries: list[str], rounds: int) -> str:
    from annotation.queries.search import search_entities

    seconds, longest, used = [], ("", 0.0), cpu()
    for query in queries * rounds:
        started = time.perf_counter()
        search_entities(project, query)
        seconds.append(time.perf_counter() - started)
        longest = max(longest, (query, seconds[-1]), key=lambda pair: pair[1])
    used = (cpu() - used) / len(seconds)
    seconds.sort()
    return (
        f"p50 {seconds[len(seconds) // 2] * 1000:6.1f} ms   "
        f"p95 {seconds[int(len(seconds) * 0.95)] * 1000:6.1f} ms   "
        f"CPU {used * 1000:6.1f} ms   longest: {longest[0]!r}"
    )


def cpu() -> float:
    """Seconds of this process and of its database's: on a busy machine the clock says little."""
    from django.db import connection

    used = time.process_time()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            used += http_cycle.cpu(cursor.fetchone()[0])
    return used


if __name__ == "__main__":
    main()
