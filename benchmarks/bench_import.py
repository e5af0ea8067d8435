"""Import a generated file of JSON lines: tokens a second with the insert, and peak memory.

    ./run bench bench_import --megabytes 300
    ./run bench bench_import --megabytes 200 --short

The target is 300,000 tokens a second on SQLite, and memory that does not grow with the file: run
it with 30 and with 300 megabytes. With `--short` it is the documents that cost: 200 megabytes of
lines of 40 bytes are five million. Time is the CPU time of the process and of those that parse for
it; the wall clock is printed beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import time
from itertools import count
from pathlib import Path
from typing import TextIO

import throwaway

ALPHABETS = {
    "latin": "abcdefghijklmnopqrstuvwxyzéüß",
    "cyrillic": "абвгдежзийклмнопрстуфхцчшщыэюя",
    "han": "的一是不了人我在有他这中大来上国",
}
MIB = 1024 * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=30)
    parser.add_argument("--words", type=int, default=300, help="words of a document")
    parser.add_argument("--script", choices=ALPHABETS, default="latin")
    parser.add_argument("--gold", action="store_true", help="words and tags instead of a text")
    parser.add_argument("--short", action="store_true", help="lines of 40 bytes, of one sentence")
    options = throwaway.parsed(parser, megabytes=1)
    vendor = throwaway.set_up()

    from annotation.actions.documents import ImportTally, import_documents
    from annotation.actions.projects import create_project

    path = Path(os.environ["DATA_DIR"]) / "generated.jsonl"
    write_file(path, options)
    project = create_project(
        slug="bench", name="Benchmark", schema={"entity_types": [{"name": "PER"}]}
    )
    before, tally = peak(), ImportTally()
    wall, cpu = time.perf_counter(), cpu_seconds()
    run = import_documents(project, path, tally=tally)
    cpu, wall = cpu_seconds() - cpu, time.perf_counter() - wall
    print(  # noqa: T201
        f"{vendor}, {path.stat().st_size / MIB:.0f} MiB, {options.script}, "
        f"{'tags' if options.gold else 'text'}: {run.added:,} documents, {tally.tokens:,} tokens\n"
        f"import: {tally.tokens / cpu:,.0f} tokens a second of CPU, "
        f"{tally.tokens / wall:,.0f} by the wall clock\n"
        f"{cpu / run.added * 1e6:.1f} µs of CPU a document; {cpu:.1f} s of CPU in {wall:.1f} s\n"
        f"peak memory: {peak() / MIB:.0f} MiB, {before / MIB:.0f} MiB before",
        flush=True,
    )
    again = cpu_seconds()
    unchanged = import_documents(project, path).unchanged
    again = cpu_seconds() - again
    print(  # noqa: T201
        f"the same file again: {tally.tokens / again:,.0f} tokens a second of CPU, "
        f"{unchanged:,} unchanged"
    )


def write_file(path: Path, options: argparse.Namespace) -> None:
    chance = random.Random(0)
    alphabet = ALPHABETS[options.script]
    vocabulary = [
        "".join(chance.choices(alphabet, k=min(1 + int(chance.expovariate(0.25)), 15)))
        for _ in range(20_000)
    ]
    marks = [",", ",", ".", ". ", "’s", " (", ")", " 1,200.50"]
    with path.open("w", encoding="utf-8") as file:
        if options.short:
            write_short_lines(file, options.megabytes * MIB)
        number = 0
        while file.tell() < options.megabytes * MIB:
            number += 1
            words = chance.choices(vocabulary, k=options.words)
            if options.gold:
                tags = chance.choices(["O", "B-PER"], [9, 1], k=len(words))
                fields = {"id": f"d{number}", "tokens": words, "gold": tags}
            else:
                text = " ".join(
                    word + (chance.choice(marks) if chance.random() < 0.12 else "")
                    for word in words
                )
                fields = {"id": f"d{number}", "title": f"Document {number}", "text": text}
            file.write(json.dumps(fields, ensure_ascii=False) + "\n")


def write_short_lines(file: TextIO, size: int) -> None:
    for first in count(1, 10_000):
        if file.tell() >= size:
            return
        numbers = range(first, first + 10_000)
        file.writelines(f'{{"id": "d{number}", "text": "Ada was here."}}\n' for number in numbers)


def cpu_seconds() -> float:
    """Of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def peak() -> int:
    """Bytes that this process has had at most in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
