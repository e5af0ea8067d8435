"""What the first answers of a campaign say of how good its labels will be."""
