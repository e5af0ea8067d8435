"""Pages under /manage/ that show answers and consensus; in the namespace `manage`."""

from django.urls import path

from aggregation.views import appeals, building, campaigns, documents, knowledge, runs

urlpatterns = [
    path("campaigns/<slug:slug>/", campaigns.campaign, name="campaign"),
    path("campaigns/<slug:slug>/state/", campaigns.campaign_state, name="campaign-state"),
    path("campaigns/<slug:slug>/budget/", campaigns.campaign_budget, name="campaign-budget"),
    path("campaigns/<slug:slug>/code/", campaigns.campaign_code, name="campaign-code"),
    path("campaigns/<slug:slug>/runs/<uuid:key>/", runs.run, name="run"),
    path("campaigns/<slug:slug>/appeals/", appeals.appeals, name="appeals"),
    path("campaigns/<slug:slug>/appeals/<uuid:key>/", appeals.answer_appeal, name="answer-appeal"),
    path("campaigns/<slug:slug>/tasks/", building.campaign_tasks, name="campaign-tasks"),
    path(
        "campaigns/<slug:slug>/next/<slug:interface>/", building.next_campaign, name="next-campaign"
    ),
    path("projects/<slug:slug>/knowledge/", knowledge.knowledge, name="knowledge"),
    path(
        "projects/<slug:slug>/knowledge.<slug:form>",
        knowledge.knowledge_file,
        name="knowledge-file",
    ),
    path("projects/<slug:slug>/documents/", documents.documents, name="documents"),
    path("projects/<slug:slug>/documents/<path:document>/", documents.document, name="document"),
]
