"""Cached texts equal those made anew."""

from typing import Any

from simcord.preview import _markdown, _queries

from bot.sandbox.markdown_cache import cached_markdown


def test_texts_that_are_remembered_are_those_that_would_be_made_anew() -> None:
    plain = _markdown.markdown_tokens
    asked: list[tuple[str, str, dict[str, Any] | None]] = [
        ("**Ann** plays `c2-c3`, <@5>. <t:1700000000:R>", "text_display", {"users": {"5": name}}) for name in ("Ben", "Cleo")
    ] + [("**Move**", "label", None), ("**Move**", "message", {"users": {}})]
    with cached_markdown():
        for text, profile, context in asked * 2:
            for module in (_markdown, _queries):
                made = module.markdown_tokens(text, profile, context=context)
                assert made == plain(text, profile, context=context)
                made.clear()  # what one caller does with it is nothing to the next
    assert all(module.markdown_tokens is plain for module in (_markdown, _queries))
