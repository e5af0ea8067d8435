from django.contrib import admin
from django.urls import include, path

from annotation.views import start

urlpatterns = [
    path("", start.start, name="start"),
    path("join/<str:link>/", start.join, name="join"),
    path("api/", include("annotation.api.urls")),
    path("admin/", admin.site.urls),
]
