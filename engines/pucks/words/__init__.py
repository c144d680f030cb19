"""The game in words: prompts, descriptions, reasons why something is not possible, and the pictures of the rules."""
