"""What is done with texts: tokens, folded names, dictionaries, Markdown, what can be stored."""
