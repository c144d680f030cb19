"""Tools for developers, which compute the package data of `opponents`. They are not installed with the bot."""
