"""A cache of parsed Markdown, which keeps the sandbox fast in long games.

At every click, Preview renders the last fifty messages of each window again and summarises all others. It sets up a Markdown
parser for each text, although the texts are few and always the same. So the results are cached while the sandbox is open. Only
here does the sandbox reach into the internals of Preview. Without this module, everything works, only more slowly.
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
    """Cache parsed texts, in all modules of Preview, while the block lasts."""
    parse = _markdown.markdown_tokens

    @functools.lru_cache(maxsize=CACHE_SIZE)
    def parse_once(text: Any, profile: str, context: str) -> list[dict[str, Any]]:
        return parse(text, profile, context=json.loads(context))

    def cached_tokens(
        value: Any, profile: str = "message", *, context: Mapping[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        # The context of the text, such as people's names, is part of the key. Callers may change the copy that they get.
        return copy.deepcopy(parse_once(value, profile, json.dumps(context, sort_keys=True)))

    with ExitStack() as stack:
        for name, module in list(sys.modules.items()):
            if name.startswith("simcord.preview.") and getattr(module, _NAME, None) is parse:
                setattr(module, _NAME, cached_tokens)
                stack.callback(setattr, module, _NAME, parse)
        yield
