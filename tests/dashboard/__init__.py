"""Queries that every page makes for what waits in its bar, for who may decide it."""

PROJECT_BAR = 1
CAMPAIGN_BAR = 2
SECTION = CAMPAIGN_BAR + 1  # a section of a campaign has its link for workers, too
