from django.contrib import admin
from django.urls import include, path
from django.views.decorators.cache import cache_control
from django.views.generic import RedirectView, TemplateView

from aggregation import urls as aggregation_urls
from annotation import urls_manage
from annotation.views import pictures, start, work
from annotation.views.manage import accounts
from selection import urls as selection_urls

# Pages of several apps under one name: no app's urls include another's.
manage = [
    *urls_manage.urlpatterns,
    *aggregation_urls.urlpatterns,
    *selection_urls.urlpatterns,
]

handler404 = "annotation.views.errors.not_found"
urlpatterns = [
    path("", start.start, name="start"),
    path(
        "robots.txt",
        cache_control(public=True, max_age=86_400)(
            TemplateView.as_view(template_name="robots.txt", content_type="text/plain")
        ),
    ),
    path("join/<str:link>/", work.join, name="join"),
    path("pictures/<str:name>", pictures.picture, name="picture"),
    path("login/", accounts.log_in, name="login"),
    path("logout/", accounts.log_out, name="logout"),
    path("password/", accounts.password, name="password"),
    path("manage/", include((manage, "manage"))),
    path("api/", include("annotation.api.urls")),
    path("admin/login/", accounts.tables_log_in),
    path("admin/password_change/", RedirectView.as_view(pattern_name="password")),
    path("admin/", admin.site.urls),
]
