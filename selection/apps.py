from django.apps import AppConfig


class SelectionConfig(AppConfig):
    name = "selection"
    verbose_name = "Selection"

    def ready(self) -> None:
        from aggregation.queries.needs import ask_too
        from selection.queries.needs import needs

        ask_too(needs)
