"""What a quality that was named comes to: recorded crowds are asked until it is reached."""
