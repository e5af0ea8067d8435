"""Labelling loops on made-up documents: how often their forecasts and intervals hold."""
