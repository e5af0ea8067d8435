"""Whether the labels of a campaign are right, as far as gold and agreement tell."""
