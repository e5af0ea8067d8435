from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotation.querysets.projects import MemberQuerySet, ProjectQuerySet


class Project(models.Model):
    """A corpus, its label schema and its people."""

    class Direction(models.TextChoices):
        LEFT_TO_RIGHT = "ltr"
        RIGHT_TO_LEFT = "rtl"
        BY_TEXT = "auto"

    class Tokeniser(models.TextChoices):
        WORDS = "words", "words and punctuation"
        WHITESPACE = "whitespace", "what stands between blanks"
        CHARACTERS = "characters", "single characters, as a reader counts them"

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField(max_length=200)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    # {"entity_types": [{"name", "key", "colour", "description"}], "relation_types": [...],
    #  "nested": bool}; read through interfaces.schema, written by actions.projects.set_schema.
    schema = models.JSONField(default=dict, blank=True)
    language = models.CharField(max_length=35, default="en")
    text_direction = models.CharField(
        max_length=4, choices=Direction.choices, default=Direction.BY_TEXT
    )
    tokeniser = models.CharField(max_length=12, choices=Tokeniser.choices, default=Tokeniser.WORDS)
    guidelines = models.TextField(blank=True)
    # Whether a stranger sees the project's name and progress on the start page.
    listed = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    # It has left the lists; whoever has its address still sees it.
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ProjectQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """A person's role in a project. Each role may do what the ones after it may."""

    class Role(models.TextChoices):
        MANAGER = "manager"
        REVIEWER = "reviewer"
        VIEWER = "viewer"

    project = models.ForeignKey(Project, models.CASCADE, related_name="members")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role.choices)

    objects = MemberQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="one_role_per_member"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role} of {self.project}"


class Label(models.Model):
    """A class number of a project: append-only, so that a new schema never re-numbers answers.

    `vocabulary` says what is numbered: "tag" (BIO tags), "link", "relation", "choice".
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="labels", db_index=False)
    vocabulary = models.CharField(max_length=24)
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=255)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "vocabulary", "name"], name="label_named_once"
            ),
            models.UniqueConstraint(
                fields=["project", "vocabulary", "number"], name="label_numbered_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.vocabulary} {self.number}: {self.name}"
