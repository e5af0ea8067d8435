"""Projects, their people, and the start page."""
