"""The path from files to an open campaign, a step a screen."""
