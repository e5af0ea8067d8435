import uuid

from django.db import models
from django.db.models.functions import Now

from annotation.querysets.documents import (
    DocumentQuerySet,
    ImportedAnswerQuerySet,
    ImportRunQuerySet,
)


class ImportRun(models.Model):
    """One import of one file. Its documents are visible once it is complete, all at once."""

    class State(models.TextChoices):
        RUNNING = "running"
        COMPLETE = "complete"
        FAILED = "failed"
        UNDONE = "undone"

    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="imports")
    file_name = models.CharField(max_length=255)
    format = models.CharField(max_length=12)
    state = models.CharField(max_length=8, choices=State.choices, default=State.RUNNING)
    started_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True, blank=True)
    added = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    rejected = models.PositiveIntegerField(default=0)
    split_tokens = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)

    objects = ImportRunQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.file_name} ({self.state})"


class Document(models.Model):
    """One text with tokens and sentences. Offsets are Unicode code points."""

    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="documents", db_index=False
    )
    external_id = models.CharField(max_length=200)
    title = models.CharField(max_length=500, blank=True)
    text = models.TextField()
    tokens = models.JSONField()  # [[start, end), ...] in code points of `text`
    sentences = models.JSONField()  # [[first token, last token), ...]
    attributes = models.JSONField(default=dict)
    metadata = models.JSONField(default=dict)
    import_run = models.ForeignKey(ImportRun, models.CASCADE, related_name="documents")
    line = models.PositiveIntegerField(default=0)  # where in the file, counted from 1
    digest = models.CharField(max_length=32)  # of everything that the file says of it

    objects = DocumentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "external_id"], name="document_named_once_in_project"
            ),
        ]

    def __str__(self) -> str:
        return self.title or self.external_id


class ImportedAnswer(models.Model):
    """An answer that came with a document: gold, or a system's prediction.

    It is no response and no gold question yet; publishing a campaign makes gold questions or
    suggestions of it where the campaign asks for them, and consensus is scored against gold.
    """

    class Source(models.TextChoices):
        GOLD = "gold"
        PREDICTION = "prediction"

    document = models.ForeignKey(
        Document, models.CASCADE, related_name="imported_answers", db_index=False
    )
    interface = models.CharField(max_length=30)
    source = models.CharField(max_length=10, choices=Source.choices)
    answer = models.JSONField()

    objects = ImportedAnswerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["document", "interface", "source"], name="one_imported_answer_per_source"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source} for {self.document}"
