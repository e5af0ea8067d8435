"""Runs, the consensus of each task, what each worker is worth."""

import uuid

from django.db import models
from django.db.models.functions import Now

from aggregation.models.facts import RunFacts
from aggregation.querysets import AggregationRunManager, ConsensusQuerySet

IMPORTED = "imported"  # the method of a run whose labels come out of a file


class AggregationRun(models.Model):
    """One execution of one method on one campaign; a newer one never erases an older one."""

    class State(models.TextChoices):
        RUNNING = "running"
        COMPLETE = "complete"
        FAILED = "failed"
        PRUNED = "pruned"  # its results are deleted, and then itself where no row names it

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(
        "annotation.Campaign", models.CASCADE, related_name="aggregation_runs"
    )
    method = models.CharField(max_length=40)
    parameters = models.JSONField(default=dict)
    seed = models.BigIntegerField(default=0)
    code_version = models.CharField(max_length=40)
    input_digest = models.CharField(max_length=64)
    classes = models.JSONField(default=list)  # names, in the order of the probabilities' columns
    diagnostics = models.JSONField(default=dict)  # read and written as `facts`
    state = models.CharField(max_length=8, choices=State.choices, default=State.RUNNING)
    started_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)
    # Made again as it would have been then; null: of all answers that there were. It is never the
    # one that is served: what it was made from is newer.
    as_of = models.DateTimeField(null=True, blank=True)
    pinned_at = models.DateTimeField(null=True, blank=True)  # kept until somebody takes it back
    error = models.TextField(blank=True)

    # What was learnt, with which new answers are judged (aggregation.arrays.fits): .npz. Null where
    # the method learns nothing, or too much to keep. Queries leave it out.
    fitted = models.BinaryField(null=True)

    # On the row that `actions.aggregate` gives back: it names a run that stood already.
    is_repeated = False

    objects = AggregationRunManager()

    class Meta:
        base_manager_name = "objects"
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.method} on {self.campaign} ({self.state})"

    @property
    def facts(self) -> RunFacts:
        return RunFacts.from_json(self.diagnostics)

    @facts.setter
    def facts(self, facts: RunFacts) -> None:
        """What a later version has stored beside the fields that are known here stays."""
        self.diagnostics = {**self.diagnostics, **facts.to_json()}


class Consensus(models.Model):
    """The inferred answer of a task, with its probabilities."""

    run = models.ForeignKey(
        AggregationRun, models.CASCADE, related_name="consensus", db_index=False
    )
    task = models.ForeignKey("annotation.Task", models.CASCADE, related_name="consensus")
    answer = models.JSONField()  # the interface's canonical answer, in code points
    confidence = models.FloatField(null=True)  # mean posterior of what was chosen
    # Parts of the answer that are expected to be wrong or missed (arrays.expected_errors): names,
    # mentions in piles, or the label, from 0 to 1. Null in runs made before this was kept.
    expected_errors = models.FloatField(null=True)
    # float16, little-endian, (units of the task, classes of the run); NaN: nobody judged the unit.
    probabilities = models.BinaryField()
    # How sure the parts of the answer are, where there is more than one; see the writer of each
    # interface: arrays, piles, actions.coreference.
    confidences = models.JSONField(null=True)
    # Counted answers behind it; null in runs made before this was kept.
    answers = models.PositiveIntegerField(null=True)
    refreshed_at = models.DateTimeField(
        null=True
    )  # when answers that came after the run were added
    # What the run itself says, where a person's decision stands in its place (actions.decisions):
    # {"answer", "confidence", "expected_errors", "confidences"}. Probabilities stay the run's.
    inferred = models.JSONField(null=True)

    objects = ConsensusQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "consensus"
        constraints = [
            models.UniqueConstraint(fields=["run", "task"], name="one_consensus_per_run_and_task"),
        ]
        indexes = [  # the most uncertain first
            models.Index(fields=["run", "confidence", "task"], name="consensus_by_confidence"),
            # The same by what a decision would mend. The number of answers stands in the index so
            # that the disputed are counted without the rows.
            models.Index(
                fields=["run", "-expected_errors", "task", "answers"], name="consensus_by_errors"
            ),
        ]

    def __str__(self) -> str:
        return f"consensus of {self.task_id}"


class RunDifference(models.Model):
    """What another method's run, the latest of it then, differs by from this one."""

    run = models.ForeignKey(
        AggregationRun, models.CASCADE, related_name="differences", db_index=False
    )
    other = models.ForeignKey(AggregationRun, models.CASCADE, related_name="differences_to")
    tasks = models.PositiveIntegerField()  # with a consensus in both
    differing = models.PositiveIntegerField()  # of them, with another answer
    # Against gold that both have: the other's score less this one's, with its paired 95 % interval.
    documents = models.PositiveIntegerField(default=0)  # that these are over
    value = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "other"], name="one_difference_per_pair_of_runs")
        ]

    def __str__(self) -> str:
        return f"{self.other_id} to {self.run_id}: {self.differing} of {self.tasks} tasks"


class WorkerReliability(models.Model):
    """What a run says of a worker."""

    run = models.ForeignKey(
        AggregationRun, models.CASCADE, related_name="reliabilities", db_index=False
    )
    worker = models.ForeignKey("annotation.Worker", models.CASCADE, related_name="reliabilities")
    judged = models.PositiveIntegerField()  # units that they judged
    accuracy = models.FloatField(null=True)  # expected share of right judgments
    low = models.FloatField(null=True)  # the 95 % interval
    high = models.FloatField(null=True)
    parameters = models.JSONField(default=dict)  # e.g. {"confusion": [[...]]}, in the run's classes

    class Meta:
        verbose_name_plural = "worker reliabilities"
        constraints = [
            models.UniqueConstraint(
                fields=["run", "worker"], name="one_reliability_per_run_and_worker"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.worker_id}: {self.accuracy}"
