"""The manager's pages that show answers, consensus and runs."""
