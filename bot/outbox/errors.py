"""What the jobs of the outbox raise, apart from the errors of Discord."""

from engines.text import Text


class GivenUp(Exception):
    """A job is not done, and will not be tried again.

    Attributes:
        text: why, for the person whose click it followed; None: there is nothing to say.
    """

    def __init__(self, text: Text | None) -> None:
        super().__init__(text)
        self.text = text
