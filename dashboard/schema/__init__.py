"""Entity types."""
