"""The manager's pages that set a project up."""
