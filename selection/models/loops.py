"""Labelling loops: what is labelled next, what it cost, and how good the model is by then."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now


class LabellingLoop(models.Model):
    """Pick documents, have them labelled, train, evaluate, stop or go on.

    Its components stand here by their names: `start` and `picker` among the pickers of
    `selection.methods`, the campaign that labels, `learner`, `evaluation`, and what stops it.
    """

    class State(models.TextChoices):
        RUNNING = "running"
        PAUSED = "paused"
        STOPPED = "stopped", "stopped by a person"
        FINISHED = "finished"

    class Evaluation(models.TextChoices):
        GOLD = "gold", "documents with known answers"
        SAMPLE = "sample", "a random sample that the loop has labelled"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="labelling_loops"
    )
    name = models.CharField(max_length=200)
    state = models.CharField(max_length=8, choices=State.choices, default=State.RUNNING)
    ended_by = models.CharField(max_length=12, blank=True)  # the stopping condition
    ended_at = models.DateTimeField(null=True, blank=True)
    problem = models.TextField(blank=True)  # why it can't go on, for people; "" where it can
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    seed = models.BigIntegerField(default=0)

    start = models.CharField(max_length=24)
    start_size = models.PositiveIntegerField()  # documents of the first round
    picker = models.CharField(max_length=24)
    parameters = models.JSONField(default=dict)  # of the picker
    batch_size = models.PositiveIntegerField()  # documents of each further round
    campaign = models.ForeignKey(  # that labels what is picked now
        "annotation.Campaign", models.PROTECT, related_name="+"
    )
    learner = models.CharField(max_length=24)
    evaluation = models.CharField(max_length=6, choices=Evaluation.choices)
    metric = models.CharField(max_length=12)
    sample_size = models.PositiveIntegerField(default=0)  # drawn at random for the evaluation
    # Whether its model suggests to the workers what it finds in what it has picked.
    suggests = models.BooleanField(default=False)

    budget = models.OneToOneField(
        "annotation.SharedBudget", models.PROTECT, related_name="labelling_loop"
    )
    # What stops it besides the budget; null: not asked for.
    deadline = models.DateTimeField(null=True, blank=True)
    goal = models.FloatField(null=True, blank=True)  # of the metric
    least_gain = models.FloatField(null=True, blank=True)  # of the metric, by one more round
    most_changed = models.FloatField(null=True, blank=True)  # share of decisions

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(start_size__gte=1, batch_size__gte=1), name="loop_picks_something"
            ),
            models.CheckConstraint(
                condition=(Q(goal=None) | Q(goal__gt=0, goal__lte=1))
                & (Q(least_gain=None) | Q(least_gain__gte=0, least_gain__lte=1))
                & (Q(most_changed=None) | Q(most_changed__gte=0, most_changed__lte=1)),
                name="loop_stops_by_shares",
            ),
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(state__in=["running", "paused"]),
                name="campaign_labels_for_one_loop",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.name

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.STOPPED, self.State.FINISHED)


class LoopRound(models.Model):
    """One time round: what was picked, what it cost, the model that was trained with it."""

    class Step(models.TextChoices):
        PICKED = "picked", "picked, and not published yet"
        LABELLING = "labelling"
        DONE = "done"

    loop = models.ForeignKey(LabellingLoop, models.CASCADE, related_name="rounds", db_index=False)
    number = models.PositiveIntegerField()  # from 1
    step = models.CharField(max_length=9, choices=Step.choices, default=Step.PICKED)
    picker = models.CharField(max_length=24)
    campaign = models.ForeignKey("annotation.Campaign", models.PROTECT, related_name="+")
    code_version = models.CharField(max_length=40)
    picked_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)
    picked = models.PositiveIntegerField()  # documents, without those of the random sample
    expected_mills = models.PositiveBigIntegerField()  # of all that it has labelled
    # How many answers a document is expected to want (algorithms.loops.costs).
    cost_model = models.JSONField(default=dict)
    workers = models.PositiveIntegerField(null=True)  # the selected ones, where selection is on

    # When it is done.
    spent_mills = models.PositiveBigIntegerField(null=True)  # by the loop, up to its end
    out_of_money = models.BooleanField(default=False)  # not all that was picked got its answers
    run = models.ForeignKey(
        "aggregation.AggregationRun", models.SET_NULL, null=True, related_name="+"
    )  # whose consensus it was trained on
    labelled = models.PositiveIntegerField(null=True)  # documents that it was trained on
    learner = models.CharField(max_length=24, blank=True)  # the one that was trained
    # Of each learner that was tried, by cross-validation: macro-averaged F1, or why it was not.
    cross_validation = models.JSONField(default=dict)
    measured = models.PositiveIntegerField(null=True)  # documents
    metric = models.FloatField(null=True)
    low = models.FloatField(null=True)  # the 95 % interval
    high = models.FloatField(null=True)
    always_low = models.FloatField(null=True)  # of the interval that holds in all rounds at once
    always_high = models.FloatField(null=True)
    decisions = models.BinaryField(null=True)  # on the documents that are watched, compressed
    watched = models.PositiveIntegerField(null=True)  # decisions that were compared
    changed = models.PositiveIntegerField(null=True)  # that are others than in the round before

    # Of the next round, made when this one was done; all of the interval is of 90 %.
    next_picked = models.PositiveIntegerField(null=True)
    next_mills = models.PositiveBigIntegerField(null=True)
    next_metric = models.FloatField(null=True)
    next_low = models.FloatField(null=True)
    next_high = models.FloatField(null=True)
    next_error = models.FloatField(null=True)  # the standard error that the interval was made with
    forecast_held = models.BooleanField(null=True)  # whether the next round's metric lay inside

    class Meta:
        ordering = ["loop", "number"]
        constraints = [
            models.UniqueConstraint(fields=["loop", "number"], name="loop_round_numbered_once"),
            models.UniqueConstraint(
                fields=["loop"], condition=~Q(step="done"), name="loop_has_one_round_at_work"
            ),
            models.CheckConstraint(
                condition=Q(changed=None) | Q(changed__lte=F("watched")),
                name="loop_changed_of_watched",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.loop}, round {self.number}"


class LoopItem(models.Model):
    """A document that a loop has picked, and why."""

    class Use(models.TextChoices):
        TRAINING = "training"
        SAMPLE = "sample", "random, for the evaluation: never trained on"

    loop = models.ForeignKey(LabellingLoop, models.CASCADE, related_name="items", db_index=False)
    round = models.ForeignKey(LoopRound, models.CASCADE, related_name="items")
    # Null: it was deleted before it had a task.
    document = models.ForeignKey(
        "annotation.Document", models.SET_NULL, null=True, related_name="+"
    )
    external_id = models.CharField(max_length=200)  # the document's, and its task's
    task = models.ForeignKey("annotation.Task", models.SET_NULL, null=True, related_name="+")
    use = models.CharField(max_length=8, choices=Use.choices)
    rank = models.PositiveIntegerField()  # in its round, the best first
    gain = models.FloatField(null=True)  # the picker's own score
    uncertainty = models.FloatField(null=True)  # errors that the model expected in it
    new_values = models.PositiveIntegerField(null=True)  # attribute values, or words, nobody had
    expected_mills = models.PositiveBigIntegerField()
    spent_mills = models.PositiveBigIntegerField(null=True)  # when its round was done
    answers = models.PositiveIntegerField(null=True)  # when its round was done

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["loop", "external_id"], name="document_picked_once_in_loop"
            ),
            models.UniqueConstraint(
                fields=["round", "use", "rank"], name="item_ranked_once_in_round"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.external_id} of {self.round}"
