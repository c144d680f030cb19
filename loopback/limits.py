"""What Discord refuses or quietly spoils in a call, whatever is on its servers. The source is its documentation for developers.

House rules are checked too: a message says whom it may ping, a lock screen has something to show, and a picture has words.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from simcord.components import walk_components

from loopback.command_limits import breaches_of_commands, wrong_length

EPHEMERAL, SILENT, V2 = 1 << 6, 1 << 12, 1 << 15
ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, CONTAINER, LABEL = 9, 10, 11, 12, 13, 17, 18
SELECTS = (3, 5, 6, 7, 8)
LARGEST_FILE = 10 * 1024 * 1024
LOCK_SCREEN = 180
"""The most characters that the sentence for a lock screen may have, counting one mention as a long name."""
LONGEST_NAME = 33
_MENTION = re.compile(r"<@&?\d+>")
_MENTIONS = re.compile(r"( <@&?\d+>)+$")
_NOT_PLAIN = re.compile(r"\\|\*|`|~~|\|\||<a?:|<t:|<#|</|://")
"""Matches what a lock screen would show just as it is written: Markdown, backslashes, custom emojis, timestamps, links."""
_WRITTEN = re.compile(r"[*`\\<]|~~|\|\||^(-#|#+|-) |‹t:\d{5}|‹a?:\w+:\d{5}", re.MULTILINE)
"""Matches what must not occur in alt text, which is read aloud: Markdown, backslashes, mentions, emojis, timestamps."""


class Kind(StrEnum):
    """What a call does. Calls of the kinds in `ANSWERS` do not count towards the requests per second."""

    REPLY = "reply"
    DEFER = "defer"
    DEFER_UPDATE = "defer-update"
    UPDATE = "update"
    CHOICES = "choices"
    MODAL = "modal"
    FOLLOWUP = "followup"
    EDIT_REPLY = "edit-reply"
    DELETE_REPLY = "delete-reply"
    SEND = "send"
    EDIT = "edit"
    DELETE = "delete"
    THREAD = "thread"
    REGISTER = "register"
    OTHER = "other"


ANSWERS = frozenset(
    {Kind.REPLY, Kind.DEFER, Kind.DEFER_UPDATE, Kind.UPDATE, Kind.CHOICES, Kind.MODAL, Kind.FOLLOWUP, Kind.EDIT_REPLY}
)
_WITH_MESSAGE = frozenset({Kind.REPLY, Kind.UPDATE, Kind.FOLLOWUP, Kind.EDIT_REPLY, Kind.SEND, Kind.EDIT})
_EDITS = frozenset({Kind.UPDATE, Kind.EDIT_REPLY, Kind.EDIT})


@dataclass(frozen=True)
class Call:
    """A call made `at` a time (in seconds since 1970), with its kind, body and files (each by name and size in bytes)."""

    at: float
    kind: Kind
    method: str
    path: str
    body: Any
    files: tuple[tuple[str, int], ...] = ()

    @property
    def message(self) -> Mapping[str, Any]:
        """The message in the body, or an empty mapping if there is none."""
        if self.kind not in _WITH_MESSAGE or not isinstance(self.body, Mapping):
            return {}
        data = self.body.get("data") if self.path.startswith("/interactions/") else self.body
        return data if isinstance(data, Mapping) else {}


def breaches_of(call: Call) -> Iterator[str]:
    """Yield a sentence about each thing in a call that Discord would refuse, whatever is on its servers."""
    if call.kind is Kind.CHOICES:
        yield from _choices(call.body.get("data", {}).get("choices") or [])
    elif call.kind is Kind.MODAL:
        yield from _modal(call.body.get("data") or {})
    elif call.kind is Kind.REGISTER:
        yield from breaches_of_commands(call.body or [])
    elif call.kind is Kind.THREAD:
        yield from wrong_length(call.body.get("name"), "a thread's name", 100, least=1)
    elif call.kind in _WITH_MESSAGE:
        yield from _message(call)
    for name, size in call.files:
        if size > LARGEST_FILE:
            yield f"{name} has {size} bytes, more than {LARGEST_FILE}."
    if len(call.files) > 10:
        yield f"{len(call.files)} files in one message, more than 10."


def _message(call: Call) -> Iterator[str]:
    body, edits = call.message, call.kind in _EDITS
    yield from wrong_length(body.get("content"), "the content", 2000)
    if len(body.get("embeds") or []) > 10:
        yield "more than 10 embeds."
    yield from wrong_length(body.get("nonce"), "the nonce", 25)
    components = body.get("components") or []
    v2 = bool((body.get("flags") or 0) & V2) or any(
        item.get("type") in (TEXT, GALLERY, CONTAINER, SECTION) for item in components
    )
    yield from _components(components, v2=v2)
    if v2:
        if body.get("content") or body.get("embeds") or body.get("poll") or body.get("sticker_ids"):
            yield "content, embeds, a poll or stickers beside components V2."
        yield from _files(call, components)
    if edits and call.files and "attachments" not in body:
        yield "an edit brings files without saying which of the old ones stay."
    if call.kind is Kind.SEND and pings(body):
        yield from lock_screen(body)
    mentions = body.get("allowed_mentions")
    if not edits and mentions is None:
        yield "nothing says who may be pinged (allowed_mentions)."
    if mentions is not None:
        if {"everyone", "roles"} & set(mentions.get("parse") or []):
            yield "everyone or whole roles may be pinged."
        if len(mentions.get("users") or []) > 100:
            yield "more than 100 people to be pinged."


def _files(call: Call, components: Iterable[Any]) -> Iterator[str]:
    """Yield the faults in the files that components show."""
    brought = {name for name, _ in call.files}
    shown = {media["url"].removeprefix("attachment://") for media, _ in _media(components)
             if str(media.get("url")).startswith("attachment://")}  # fmt: skip
    for name in sorted(brought - shown):
        yield f"{name} is posted, but no component shows it."
    named = {one.get("filename") for one in call.message.get("attachments") or [] if one.get("id") is not None}
    for name in sorted(shown - brought - named):
        yield f"{name} is shown, but the call neither brings it nor names it as one that stays."


def pings(body: Mapping[str, Any]) -> bool:
    """Whether a new message makes a noise on somebody's phone."""
    mentions = body.get("allowed_mentions") or {}
    return bool(mentions.get("users") or mentions.get("roles")) and not (body.get("flags") or 0) & SILENT


def lock_screen(body: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults in what phones show of a new message, which is the content that it is first posted with."""
    content = str(body.get("content") or "")
    sentence = content.partition("\n")[0]
    if not content:
        yield "it pings somebody, and their phone shows nothing: a lock screen shows the content alone."
    if found := _NOT_PLAIN.search(sentence):
        yield f"a lock screen shows {found[0]!r} as it is: {sentence}"
    shown = _MENTIONS.sub(f" {'@':W<{LONGEST_NAME}}", sentence)
    if len(shown) > LOCK_SCREEN:
        yield f"{len(shown)} characters for a lock screen, more than {LOCK_SCREEN}: {sentence}"
    if _MENTION.search(_MENTIONS.sub("", sentence)):
        yield f"the mentions do not come last: {sentence}"


def _components(components: Iterable[Any], *, v2: bool) -> Iterator[str]:
    everything = list(walk_components(components))
    if len(everything) > 40:
        yield f"{len(everything)} components, more than 40."
    text = sum(len(item.get("content") or "") for item in everything if item.get("type") == TEXT)
    if text > 4000:
        yield f"{text} characters of text, more than 4000."
    if not v2 and len(list(components)) > 5:
        yield "more than 5 rows."
    ids = [item["custom_id"] for item in everything if item.get("custom_id") is not None]
    for custom_id in sorted({one for one in ids if ids.count(one) > 1}):
        yield f"custom_id {custom_id!r} occurs twice."
    for custom_id in ids:
        yield from wrong_length(custom_id, f"custom_id {custom_id[:20]!r}…", 100, least=1)
    for media, words in _media(components):
        yield from wrong_length(words, f"the words for {media.get('url')}", 1024)
        if not (words or "").strip():
            yield f"the picture {media.get('url')} has no words (alt text)."
        elif media.get("url") != words and (found := _WRITTEN.search(words or "")):
            yield f"the words for {media.get('url')} aren't plain, they have {found[0]!r}: {words}"
    for item in everything:
        yield from _component(item)


def _component(item: Mapping[str, Any]) -> Iterator[str]:
    kind, inside = item.get("type"), item.get("components") or []
    if kind == ROW:
        pickers = sum(1 for child in inside if child.get("type") in SELECTS)
        if not 1 <= len(inside) <= 5 or (pickers and len(inside) > 1):
            yield f"a row of {len(inside)} components with {pickers} selects; five buttons or one select fit."
    elif kind == BUTTON:
        label = item.get("label")
        yield from wrong_length(label, f"the button {label!r}", 80)
        if not label and not item.get("emoji"):
            yield "a button with neither label nor emoji."
        yield from wrong_length(item.get("url"), "a button's address", 512)
    elif kind in SELECTS:
        yield from _select(item)
    elif kind == TEXT and not (item.get("content") or ""):
        yield "an empty text."
    elif kind == SECTION and not 1 <= len(inside) <= 3:
        yield f"a section of {len(inside)} texts; 1 to 3 fit."
    elif kind == GALLERY and not 1 <= len(item.get("items") or []) <= 10:
        yield f"a gallery of {len(item.get('items') or [])} pictures; 1 to 10 fit."


def _select(item: Mapping[str, Any]) -> Iterator[str]:
    options = item.get("options") or []
    yield from wrong_length(item.get("placeholder"), "a select's placeholder", 150)
    if item.get("type") != STRING_SELECT:
        return
    if not 1 <= len(options) <= 25:
        yield f"a select of {len(options)} options; 1 to 25 fit."
    values = [option.get("value") for option in options]
    if len(set(values)) < len(values):
        yield f"a select offers a value twice: {values}."
    most, least = item.get("max_values", 1), item.get("min_values", 1)
    if not 0 <= least <= most <= max(len(options), 1):
        yield f"a select of {len(options)} options wants {least} to {most} of them."
    if sum(1 for option in options if option.get("default")) > most:
        yield "a select starts with more options than may be chosen."
    for option in options:
        yield from wrong_length(option.get("label"), f"the option {option.get('label')!r}", 100, least=1)
        yield from wrong_length(option.get("value"), f"the value {option.get('value')!r}", 100, least=1)
        yield from wrong_length(option.get("description"), f"the description of {option.get('label')!r}", 100)


def _modal(data: Mapping[str, Any]) -> Iterator[str]:
    yield from wrong_length(data.get("title"), "a modal's title", 45, least=1)
    yield from wrong_length(data.get("custom_id"), "a modal's custom_id", 100, least=1)
    components = data.get("components") or []
    if not 1 <= len(components) <= 5:
        yield f"a modal of {len(components)} parts; 1 to 5 fit."
    for item in walk_components(components):
        if item.get("type") == LABEL:
            yield from wrong_length(item.get("label"), f"the label {item.get('label')!r}", 45, least=1)
            yield from wrong_length(item.get("description"), f"the description of {item.get('label')!r}", 100)
        elif item.get("type") == TEXT_INPUT:
            yield from wrong_length(item.get("label"), f"the label {item.get('label')!r}", 45)
            yield from wrong_length(item.get("placeholder"), "a placeholder", 100)
            yield from wrong_length(item.get("value"), "a prefilled value", min(4000, item.get("max_length") or 4000))
        elif item.get("type") in SELECTS:
            yield from _select(item)


def _choices(choices: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if len(choices) > 25:
        yield f"{len(choices)} choices, more than 25."
    for choice in choices:
        yield from wrong_length(choice.get("name"), f"the choice {choice.get('name')!r}", 100, least=1)
        if isinstance(choice.get("value"), str):
            yield from wrong_length(choice["value"], f"the value {choice['value']!r}", 100, least=1)


def _media(components: Iterable[Any]) -> Iterator[tuple[Mapping[str, Any], str | None]]:
    """Yield every picture or file in a message, with its alt text or, for a file, its address."""
    for item in walk_components(components):
        if item.get("type") == GALLERY:
            for one in item.get("items") or []:
                yield one.get("media") or {}, one.get("description")
        elif item.get("type") == THUMBNAIL:
            yield item.get("media") or {}, item.get("description")
        elif item.get("type") == FILE:
            yield item.get("file") or {}, (item.get("file") or {}).get("url")
