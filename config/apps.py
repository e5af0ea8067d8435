from django.contrib.admin.apps import AdminConfig


class TablesConfig(AdminConfig):
    default_site = "config.admin.Tables"
