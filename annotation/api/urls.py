from django.urls import path, re_path
from drf_spectacular.views import SpectacularAPIView

from annotation.api import projects, work
from annotation.views.documents import ApiDocumentsView

app_name = "api"
urlpatterns = [
    path("work/join/", work.JoinView.as_view(), name="join"),
    path("work/next/", work.NextView.as_view(), name="next"),
    path("work/consent/", work.ConsentView.as_view(), name="consent"),
    path("work/appeal/", work.AppealView.as_view(), name="appeal"),
    path("work/history/", work.HistoryView.as_view(), name="history"),
    path("work/phrase/", work.PhraseView.as_view(), name="phrase"),
    path("work/assignments/<uuid:key>/", work.HandedInView.as_view(), name="handed-in"),
    path("work/assignments/<uuid:key>/draft/", work.DraftView.as_view(), name="draft"),
    path("work/assignments/<uuid:key>/submit/", work.SubmitView.as_view(), name="submit"),
    path("work/assignments/<uuid:key>/return/", work.ReturnView.as_view(), name="return"),
    path("work/assignments/<uuid:key>/events/", work.EventsView.as_view(), name="events"),
    path("work/entities/", work.EntitiesView.as_view(), name="entities"),
    path("work/finish/", work.FinishView.as_view(), name="finish"),
    path("projects/", projects.ProjectsView.as_view(), name="projects"),
    path("campaigns/<slug:slug>/", projects.CampaignView.as_view(), name="campaign"),
    re_path(
        r"^campaigns/(?P<slug>[-a-zA-Z0-9_]+)/(?P<verb>open|pause|close)/$",
        projects.CampaignStateView.as_view(),
        name="campaign-state",
    ),
    path("schema/", SpectacularAPIView.as_view(permission_classes=[]), name="schema"),
    path("docs/", ApiDocumentsView.as_view(), name="docs"),
]
