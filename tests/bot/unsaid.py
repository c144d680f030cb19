"""What a text lacks."""


def unsaid(text: str, *words: str) -> list[str]:
    """The words that are not in a text, so that a failing assertion names them."""
    return [each for each in words if each not in text]
