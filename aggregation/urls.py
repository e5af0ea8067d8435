"""Pages under /manage/ that show answers and consensus; in the namespace `manage`."""

from django.urls import path

from aggregation.views import campaigns, documents, runs

urlpatterns = [
    path("campaigns/<slug:slug>/", campaigns.campaign, name="campaign"),
    path("campaigns/<slug:slug>/state/", campaigns.campaign_state, name="campaign-state"),
    path("campaigns/<slug:slug>/budget/", campaigns.campaign_budget, name="campaign-budget"),
    path("campaigns/<slug:slug>/code/", campaigns.campaign_code, name="campaign-code"),
    path("campaigns/<slug:slug>/runs/<uuid:key>/", runs.run, name="run"),
    path("projects/<slug:slug>/documents/", documents.documents, name="documents"),
    path("projects/<slug:slug>/documents/<path:document>/", documents.document, name="document"),
]
