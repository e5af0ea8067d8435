"""How often forecasts of a campaign's quality hold."""
