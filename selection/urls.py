"""Pages under /manage/ about who works and what is known of them; in the namespace `manage`."""

from django.urls import path

from selection.views import gold, selection, worker, workers

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path(f"{CAMPAIGN}workers/", workers.workers, name="workers"),
    path(f"{CAMPAIGN}workers/states/", workers.worker_states, name="worker-states"),
    path(f"{CAMPAIGN}workers/<uuid:key>/", worker.worker, name="worker"),
    path(f"{CAMPAIGN}workers/<uuid:key>/state/", worker.worker_state, name="worker-state"),
    path(
        f"{CAMPAIGN}workers/<uuid:key>/flags/<slug:kind>/", worker.worker_flag, name="worker-flag"
    ),
    path(
        f"{CAMPAIGN}workers/<uuid:key>/answers/<uuid:assignment>/",
        worker.worker_answer,
        name="worker-answer",
    ),
    path(f"{CAMPAIGN}selection/", selection.selection, name="selection"),
    path(f"{CAMPAIGN}selection/try/", selection.try_selection, name="try-selection"),
    path(f"{CAMPAIGN}selection/rules/", selection.selection_rules, name="selection-rules"),
    path(f"{CAMPAIGN}gold/", gold.gold, name="gold"),
    path(f"{CAMPAIGN}gold/check/", gold.check_gold, name="check-gold"),
    path(f"{CAMPAIGN}gold/questions/<path:task>/", gold.question, name="gold-question"),
]
