"""Starts the command-line interface, `springboard`, which is in `bot.command_line`."""

import gc

# Modules stay. To look for garbage among them took a seventh of the start while they were imported, and a tenth once they were.
gc.disable()
from bot.command_line import main  # noqa: E402

gc.freeze()
gc.enable()

__all__ = ["main"]

if __name__ == "__main__":
    main(prog_name="springboard")
