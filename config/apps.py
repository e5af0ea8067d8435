from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class TablesConfig(AdminConfig):
    default_site = "config.admin.TablesSite"


class CommandsConfig(AppConfig):
    """The root's own commands, which put the apps' work together."""

    name = "config"
