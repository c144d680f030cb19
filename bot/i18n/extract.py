"""How `make texts` finds what Discord shows of a slash command before it runs.

Descriptions of commands and options, and the names of choices, stand in decorators as plain words, for discord.py hands them to
`bot.i18n.translator` by itself. So they are no calls of `say`, and Babel has to be told where they are.
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any

from babel.messages.extract import extract_python

Found = tuple[int, str | None, Any, list[str]]
"""As Babel wants it: the line, the function that was called (None: the words themselves), the words, comments."""


def extract(
    file: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str], options: Mapping[str, Any]
) -> Iterator[Found]:
    """An extraction method of Babel: what `say` names, and the words of commands."""
    yield from extract_python(file, keywords, comment_tags, options)  # type: ignore[arg-type, misc]  # whose types are askew
    file.seek(0)
    for words in words_of_commands(ast.parse(file.read())):
        yield words.lineno, None, words.value, []


def words_of_commands(module: ast.Module) -> Iterator[ast.Constant]:
    """The literals in ``description=…``, ``describe(option=…)`` and ``Choice(name=…)``."""
    for call in ast.walk(module):
        if not isinstance(call, ast.Call):
            continue
        called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        for keyword in call.keywords:
            meant = keyword.arg == "description" or called == "describe" or (called == "Choice" and keyword.arg == "name")
            if meant and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str):
                yield keyword.value
