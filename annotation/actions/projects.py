"""Projects and their labels. (Class numbers for now; helper INTERFACES completes this file.)"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import transaction

from annotation.models import Label, Project


def label_numbers(project_id: int, names: Mapping[str, Iterable[str]]) -> dict[str, dict[str, int]]:
    """Vocabulary → name → number; names that are new are appended."""
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project_id)
        found: dict[str, dict[str, int]] = {vocabulary: {} for vocabulary in names}
        for label in Label.objects.filter(project=project_id, vocabulary__in=list(names)):
            found[label.vocabulary][label.name] = label.number
        new = []
        for vocabulary, wanted in names.items():
            for name in wanted:
                if name not in found[vocabulary]:
                    number = found[vocabulary][name] = len(found[vocabulary])
                    new.append(
                        Label(
                            project_id=project_id, vocabulary=vocabulary, number=number, name=name
                        )
                    )
        Label.objects.bulk_create(new)
    return found
