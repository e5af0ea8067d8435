"""What a labelling loop reckons with: how good its model is, what more labels bring and cost."""
