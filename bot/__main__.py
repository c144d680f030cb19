"""Starts the command-line interface, `springboard`, which is in `bot.command_line`."""

import gc
from collections.abc import Callable


def command_line() -> Callable[..., None]:
    """Import the command line, and return it."""
    # Modules stay. To look for garbage among them while they are imported took a seventh of the start.
    gc.disable()
    from bot.command_line import main as imported  # noqa: PLC0415

    gc.enable()
    return imported


def main() -> None:
    """Run the command that the process was started with."""
    command_line()(prog_name="springboard")


if __name__ == "__main__":
    main()
