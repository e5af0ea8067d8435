"""Where people decide what workers do not agree on."""
