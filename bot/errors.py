"""The error with which the bot does not start."""


class CannotRun(Exception):
    """The bot cannot start. The message tells the operator why, and what to do."""
