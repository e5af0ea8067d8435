"""From mentions to a knowledge base."""
