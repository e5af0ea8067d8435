"""The whole command `aggregate`, in a process of its own: its CPU and its peak memory (`VmHWM`).

    ./run bench aggregate [--documents 200000] [--method bsc-seq]

1,000,000 answers, unless told otherwise: documents of 25 tokens, 5 answers each by 2,000 workers;
words drawn from 15,000, .85 of them outside of spans. Making them takes longer than aggregating.
The target is 1.5 GB. On SQLite also for how long the writers' lock was held at most, in which no
worker can submit: 50 ms.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import throwaway

ROOT = Path(__file__).resolve().parent.parent

COMMAND = """
import time
import django
django.setup()
from django.core.management import call_command
from config.sqlite.base import DatabaseWrapper
began, held = [], [0.0]
wait, end = DatabaseWrapper._wait_for_turn, DatabaseWrapper._end_turn
def waited(self):
    wait(self)
    began.append(time.perf_counter())
def ended(self):
    end(self)
    if began:
        held.append(time.perf_counter() - began.pop())
DatabaseWrapper._wait_for_turn, DatabaseWrapper._end_turn = waited, ended
call_command("aggregate", campaign="bench", method={method!r})
print(max(held))
with open("/proc/self/status") as status:
    print(next(line for line in status if line.startswith("VmHWM")).split()[1])
print(time.process_time())
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--tokens", type=int, default=25, help="of a document")
    parser.add_argument("--redundancy", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2_000)
    parser.add_argument("--vocabulary", type=int, default=15_000)
    parser.add_argument("--outside", type=float, default=0.85, help="share of words in no span")
    parser.add_argument("--method", default="bsc-seq")
    options = throwaway.parsed(parser, documents=5, workers=6)
    vendor = throwaway.set_up()

    from bench_arrays import make_campaign
    from bench_refresh import give_words

    make_campaign(options)
    give_words(options)
    script = COMMAND.format(method=options.method)
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    *told, held, kibibytes, seconds = done.stdout.splitlines()
    print("\n".join(told))  # noqa: T201
    print(  # noqa: T201
        f"{vendor}, {options.documents * options.redundancy:,} answers: peak memory "
        f"{int(kibibytes) * 1024 / 1e9:.2f} GB, {float(seconds):.0f} s of CPU"
        + (f", lock held for {float(held) * 1000:.0f} ms at most" if float(held) else "")
    )


if __name__ == "__main__":
    main()
