from annotation.admin import register_tables

register_tables("selection")
