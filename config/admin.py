from django.contrib.admin import AdminSite
from django.http import HttpRequest


class TablesSite(AdminSite):
    """The raw tables hold every project: for superusers alone, whatever else an account may do."""

    site_header = site_title = "Touchstone"
    index_title = "Tables"

    def has_permission(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_superuser
