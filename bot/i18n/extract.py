"""Finds the texts of slash commands that Discord shows before they are run, for `make texts`.

The descriptions of commands and options, and the names of choices, are plain strings in decorators, which discord.py passes to
`bot.i18n.translator`. They are not in calls of `say`, so Babel does not find them by itself.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any

from babel.messages.extract import extract_python

Found = tuple[int, str | None, Any, list[str]]
"""A text as Babel expects it: its line number, the called function (None for the string itself), the text, and its comments."""


def extract(
    file: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Found]:
    """Extract the texts in calls of `say` and the texts of commands. This is an extraction method for Babel."""
    yield from extract_python(file, keywords, comment_tags, options)  # type: ignore[arg-type, misc]  # Babel's types are inaccurate
    file.seek(0)
    for words in words_of_commands(ast.parse(file.read())):
        yield words.lineno, None, words.value, []


def words_of_commands(module: ast.Module) -> Iterator[ast.Constant]:
    """Yield the string literals in ``description=…``, ``describe(option=…)`` and ``Choice(name=…)``."""
    for call in ast.walk(module):
        if not isinstance(call, ast.Call):
            continue
        called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        for keyword in call.keywords:
            meant = keyword.arg == "description" or called == "describe" or (called == "Choice" and keyword.arg == "name")
            if meant and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str):
                yield keyword.value
