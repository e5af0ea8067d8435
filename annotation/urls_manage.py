"""Pages under /manage/ that set a project up; in the namespace `manage`."""

from django.urls import path

from annotation.views.manage import campaigns, imports, members, projects, schema

urlpatterns = [
    path("new-project/", projects.new_project, name="new-project"),
    path("projects/<slug:slug>/", projects.project, name="project"),
    path("projects/<slug:slug>/schema/", schema.schema, name="schema"),
    path("projects/<slug:slug>/members/", members.members, name="members"),
    path("projects/<slug:slug>/members/<str:username>/", members.change, name="change-member"),
    path("projects/<slug:slug>/import/", imports.choose, name="import"),
    path("projects/<slug:slug>/import/<uuid:key>/", imports.preview, name="import-preview"),
    path(
        "projects/<slug:slug>/import/<uuid:key>/rejected.jsonl",
        imports.rejected_of_upload,
        name="upload-rejected",
    ),
    path("projects/<slug:slug>/imports/<uuid:key>/undo/", imports.undo, name="undo-import"),
    path(
        "projects/<slug:slug>/imports/<uuid:key>/rejected.jsonl",
        imports.rejected_of_import,
        name="import-rejected",
    ),
    path("projects/<slug:slug>/campaigns/new/", campaigns.new_campaign, name="new-campaign"),
    path("campaigns/<slug:slug>/edit/", campaigns.edit, name="edit-campaign"),
]
