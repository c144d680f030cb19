"""Keeps the sandbox quick in long games.

At every click, Preview renders the last fifty messages of each window anew, and sums up all others. Almost all of the time goes
into the same few texts, for each of which it sets up a Markdown parser. So what a text becomes is remembered while the sandbox
is open. It is the one place where the sandbox reaches into Preview; without it, everything works, only more slowly.
"""

import copy
import functools
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from simcord.preview import _markdown

CACHE_SIZE: Final = 20_000
_NAME: Final = "markdown_tokens"


@contextmanager
def cached_markdown() -> Iterator[None]:
    """Remember what texts become, in all parts of Preview, while the block lasts."""
    parse = _markdown.markdown_tokens

    @functools.lru_cache(maxsize=CACHE_SIZE)
    def known(text: Any, profile: str, context: str) -> list[dict[str, Any]]:
        return parse(text, profile, context=json.loads(context))

    def quick(value: Any, profile: str = "message", *, context: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        # What is around the text, such as people's names, is part of the question. Callers may change what they get.
        return copy.deepcopy(known(value, profile, json.dumps(context, sort_keys=True)))

    with ExitStack() as stack:
        for name, module in list(sys.modules.items()):
            if name.startswith("simcord.preview.") and getattr(module, _NAME, None) is parse:
                setattr(module, _NAME, quick)
                stack.callback(setattr, module, _NAME, parse)
        yield
