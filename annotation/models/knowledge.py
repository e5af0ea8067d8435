from django.db import models

LONGEST_FOLDED = 200  # characters of a name that are searched; four bytes each fit an index


class Entity(models.Model):
    """An entry of a project's knowledge base: what mentions can be linked to."""

    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="entities", db_index=False
    )
    key = models.CharField(max_length=200)  # the knowledge base's own id, which answers hold
    name = models.CharField(max_length=300)
    aliases = models.JSONField(default=list)
    description = models.CharField(max_length=1000, blank=True)
    url = models.CharField(max_length=1000, blank=True)
    type = models.CharField(max_length=100, blank=True)

    class Meta:
        verbose_name_plural = "entities"
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="entity_keyed_once_in_project"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.key})"


class EntityName(models.Model):
    """A name of an entity as the search compares it. Made from its entity, by its import alone.

    The indexes that serve the search stand in the migration, because the databases differ.
    """

    pk = models.CompositePrimaryKey("entity_id", "number")
    # Rows are made from the entity table alone, and by one function. A database constraint on
    # these two would check two million names again: a fifth of the time that an import takes.
    entity = models.ForeignKey(
        Entity, models.CASCADE, related_name="names", db_index=False, db_constraint=False
    )
    number = models.PositiveSmallIntegerField()  # 0: the name; n: the n-th alias
    project = models.ForeignKey(
        "annotation.Project", models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    folded = models.CharField(max_length=LONGEST_FOLDED)

    def __str__(self) -> str:
        return self.folded
