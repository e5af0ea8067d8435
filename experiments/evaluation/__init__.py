"""The published simulation of on-demand evaluation again, and what its intervals cover."""
