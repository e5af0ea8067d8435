"""Projects, documents, campaigns, tasks, workers and their responses: the base app."""
