"""Tools for developers, which are not installed with the bot: they compute the package data of `opponents`."""
