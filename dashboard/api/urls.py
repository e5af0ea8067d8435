from django.urls import path, re_path
from drf_spectacular.views import SpectacularAPIView

from dashboard.api import submissions, systems, views
from dashboard.api.documents import ApiDocumentsView

urlpatterns = [
    path("projects/", views.ProjectsView.as_view(), name="projects"),
    path("campaigns/<slug:slug>/", views.CampaignView.as_view(), name="campaign"),
    re_path(
        r"^campaigns/(?P<slug>[-a-zA-Z0-9_]+)/(?P<verb>open|pause|close)/$",
        views.CampaignStateView.as_view(),
        name="campaign-state",
    ),
    path("evaluations/<uuid:key>/", systems.ScoresView.as_view(), name="scores"),
    path("submissions/", submissions.SubmissionsView.as_view(), name="submissions"),
    path("submissions/<uuid:key>/", submissions.SubmissionView.as_view(), name="submission"),
    path("schema/", SpectacularAPIView.as_view(permission_classes=[]), name="schema"),
    path("docs/", ApiDocumentsView.as_view(), name="docs"),
]
