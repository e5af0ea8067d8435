"""Run the experiments on learning from annotators' tags, and print them in the paper's shape."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from aggregation.files.targets import check_target, same_file
from aggregation.management.parameters import read_parameters
from annotation.actions.progress import Progress
from annotation.formats.output import replaced
from experiments.crf.boxes import Box, boxes_svg
from experiments.crf.contenders import CONTENDERS
from experiments.crf.corpus import Corpus, read_corpus, synthetic_corpus
from experiments.crf.report import as_data, box_lines, crowd_boxes, lines_of
from experiments.crf.trials import EXPERIMENTS, TrialPlan, run_trials

REAL = tuple(name for name, experiment in EXPERIMENTS.items() if experiment.real)
DOCUMENTS = 200


class Command(BaseCommand):
    help = (
        "Learn from annotators' tags, with and without repeated labelling, and score what is "
        "inferred and how the trained field tags unseen texts. Annotators are simulated by noise "
        "on the weights of a field (noise, noise-single) or by flips, or are those of FILE (crowd, "
        "crowd-single). Without --data the texts are a synthetic corpus of noun-phrase chunks. It "
        "needs no database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help=f"One of {', '.join(EXPERIMENTS)}.")
        parser.add_argument(
            "--data",
            type=Path,
            metavar="FILE",
            help="JSON lines of documents (id, tokens, sent_starts, workers, gold); those with "
            "gold are halved into train and test.",
        )
        parser.add_argument(
            "--documents",
            type=int,
            default=DOCUMENTS,
            help=f"Of the synthetic corpus, both halves together ({DOCUMENTS}).",
        )
        parser.add_argument(
            "--repeats", type=int, default=3, help="3, for a first look; the paper has 30."
        )
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--methods", metavar="A,B,C", help=f"Of {', '.join(CONTENDERS)}.")
        parser.add_argument(
            "--param",
            action="append",
            default=[],
            metavar="METHOD.NAME=VALUE",
            help="A setting of one of them; can be given more than once.",
        )
        parser.add_argument(
            "--variances",
            metavar="V,V,…",
            help="Of the noise, one for each annotator (.005,.05,.05,.1,.1).",
        )
        parser.add_argument("--json", type=Path, metavar="FILE", help="For all figures.")
        parser.add_argument(
            "--plots", type=Path, metavar="FILE.svg", help="For the box plots of a real crowd."
        )

    def handle(
        self,
        *,
        name: str,
        data: Path | None,
        documents: int,
        repeats: int,
        seed: int,
        methods: str | None,
        param: list[str],
        variances: str | None,
        json: Path | None,
        plots: Path | None,
        **options: Any,
    ) -> None:
        _check(name, data, documents, repeats, seed, variances, plots)
        plan = _plan(name, repeats, seed, methods, param, variances)
        began = time.process_time()
        try:
            _check_targets(data, json, plots)
            corpus = (
                synthetic_corpus(documents, seed)
                if data is None
                else read_corpus(data, seed, labelled=plan.experiment.real)
            )
            self._run(plan, corpus, json, plots)
        except ValueError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or json or plots}: {error.strerror}.") from error
        self.stdout.write(f"{time.process_time() - began:.1f} s of CPU in all")

    def _run(
        self, plan: TrialPlan, corpus: Corpus, target: Path | None, plots: Path | None
    ) -> None:
        boxes = crowd_boxes(corpus) if plan.experiment.real else []
        n_fits = plan.n_runs * (len(plan.methods) - len(plan.absences(corpus)))
        with Progress(self.stderr, n_fits, "fits") as progress:
            found = run_trials(plan, corpus, progress.advance)
        for line in (*lines_of(plan, corpus, found), *box_lines(boxes)):
            self.stdout.write(line)
        if target is not None:
            _write_json(target, as_data(plan, corpus, found, boxes))
            self.stdout.write(f"wrote {target}")
        if plots is not None:
            _write_plots(plots, corpus.name, boxes)
            self.stdout.write(f"wrote {plots}")


def _write_json(target: Path, data: dict[str, Any]) -> None:
    with replaced(target) as file:
        json.dump(data, file, indent=1, ensure_ascii=False)
        file.write("\n")


def _write_plots(target: Path, name: str, boxes: list[Box]) -> None:
    with replaced(target) as file:
        file.write(boxes_svg(f"The crowd of {name}", boxes))


def _plan(
    name: str,
    repeats: int,
    seed: int,
    methods: str | None,
    param: list[str],
    variances: str | None,
) -> TrialPlan:
    given: dict[str, Any] = {}
    if methods is not None:
        given["methods"] = tuple(dict.fromkeys(name.strip() for name in methods.split(",")))
        for method in given["methods"]:
            _check_method(method)
    if variances is not None:
        given["variances"] = _variances(variances)
    settings: dict[str, dict[str, Any]] = {}
    for key, value in read_parameters(param).items():
        method, dot, setting = key.partition(".")
        _check_method(method)
        if not dot:
            raise CommandError(f"--param {key}={value} names no setting: METHOD.NAME=VALUE.")
        settings.setdefault(method, {})[setting] = value
    return TrialPlan(name, repeats=repeats, seed=seed, settings_of=settings, **given)


def _variances(values: str) -> tuple[float, ...]:
    try:
        found = tuple(float(value) for value in values.split(","))
    except ValueError:
        raise CommandError(
            f"--variances {values} are no numbers. Write them as .005,.05,.1."
        ) from None
    if not all(0 <= value < 1e6 for value in found):
        raise CommandError(f"--variances {values}: each must be from 0 to less than a million.")
    return found


def _check_method(name: str) -> None:
    if name not in CONTENDERS:
        raise CommandError(f"There is no method '{name}'. Use {', '.join(CONTENDERS)}.")


def _check(
    name: str,
    data: Path | None,
    documents: int,
    repeats: int,
    seed: int,
    variances: str | None,
    plots: Path | None,
) -> None:
    if name not in EXPERIMENTS:
        raise CommandError(f"There is no experiment '{name}'. Use {', '.join(EXPERIMENTS)}.")
    for option, value, least in (
        ("repeats", repeats, 1), ("seed", seed, 0), ("documents", documents, 2),
    ):  # fmt: skip
        if value < least:
            raise CommandError(f"--{option} must be {least} or more, but is {value}.")
    if data is not None and not data.is_file():
        raise CommandError(f"There is no file {data}. The data are not part of the project.")
    if name in REAL and data is None:
        raise CommandError(f"'{name}' is of a real crowd. Name its file with --data.")
    if name not in REAL and plots is not None:
        raise CommandError(f"--plots is of a real crowd. Use {' or '.join(REAL)}.")
    if variances is not None and not name.startswith("noise"):
        raise CommandError(f"--variances is of noise, but '{name}' has none. Leave it out.")


def _check_targets(data: Path | None, target: Path | None, plots: Path | None) -> None:
    """Raises ValueError before anything is computed."""
    for option, path in (("--json", target), ("--plots", plots)):
        if path is not None:
            check_target(option, path, str(data or "-"))
    if target is not None and plots is not None and same_file(target, plots):
        raise ValueError(f"--json and --plots are both {target}. Name two files.")
