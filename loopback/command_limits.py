"""Discord's limits on commands, in every language. Discord refuses a whole registration because of a single breach.

discord.py checks commands as they are written, but checks neither their translations nor the lists of commands and options. The
source of these limits is Discord's developer documentation.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import discord

SLASH, PERSON_MENU, MESSAGE_MENU = 1, 2, 3
SUBCOMMAND, GROUP, STRING, INTEGER, CHANNEL, NUMBER = 1, 2, 3, 4, 7, 10
OPTION_TYPES: Final = range(1, 12)
AT_MOST: Final = {SLASH: 100, PERSON_MENU: 5, MESSAGE_MENU: 5}
"""The most global commands of each type. Discord takes 15 menus, but discord.py only 5."""
LARGEST: Final = 8000
"""The most characters that a command may have in all, where each text counts by its longest translation."""
OPTIONS_AT_MOST, LONGEST_NAME = 25, 32
LONGEST_TEXT: Final = 100
"""The most characters in a description, and in the name or value of a choice."""
LONGEST_INPUT: Final = 6000
LOCALES: Final = frozenset(locale.value for locale in discord.Locale)
_VALUES: Final[Mapping[int, tuple[type, ...]]] = {STRING: (str,), INTEGER: (int,), NUMBER: (int, float)}
"""The option types that can have choices or autocomplete, each with the Python types of its values."""
_ONLY_FOR: Final = {
    "choices": set(_VALUES), "autocomplete": set(_VALUES), "min_value": {INTEGER, NUMBER}, "max_value": {INTEGER, NUMBER},
    "min_length": {STRING}, "max_length": {STRING}, "channel_types": {CHANNEL},
}  # fmt: skip

Node = Mapping[str, Any]


def breaches_of_commands(commands: Sequence[Node]) -> Iterator[str]:
    """Yield a sentence about everything that Discord would refuse if these commands were registered together."""
    for kind, most in AT_MOST.items():
        found = [command for command in commands if _kind(command) == kind]
        if len(found) > most:
            yield f"{len(found)} commands of type {kind}, more than {most}."
        yield from _twice(found, f"the commands of type {kind}")
    for command in commands:
        yield from _command(command)


def size_of(node: Node) -> int:
    """Return the number of characters that count: those of names, descriptions and values, each in its longest language."""
    own = sum(max((len(text) for text in _translations(node, key)), default=0) for key in ("name", "description"))
    value = node.get("value")
    inner = [*(node.get("options") or []), *(node.get("choices") or [])]
    return own + (len(value) if isinstance(value, str) else 0) + sum(map(size_of, inner))


def _kind(command: Node) -> int:
    return int(command.get("type", SLASH))


def _command(command: Node) -> Iterator[str]:
    kind, size = _kind(command), size_of(command)
    path = f"/{command.get('name')}" if kind == SLASH else f"the menu {command.get('name')!r}"
    if kind not in AT_MOST:
        yield f"{path} is of type {kind}, which is not known."
    if size > LARGEST:
        yield f"{path} has {size} characters, more than {LARGEST}."
    for key, known in (("contexts", {0, 1, 2}), ("integration_types", {0, 1})):
        given = command.get(key)
        if given is not None and (not given or len(set(given)) < len(given) or not set(given) <= known):
            yield f"{path} has the {key} {given}."
    permissions = command.get("default_member_permissions")
    if permissions is not None and not str(permissions).isdecimal():
        yield f"{path} is for those with the permissions {permissions!r}."
    yield from _locales(command, path)
    if kind == SLASH:
        yield from _described(command, path)
        yield from _options(command.get("options") or [], path, depth=0)
        return
    for name in _translations(command, "name"):
        yield from wrong_length(name, path, LONGEST_NAME, least=1)
        if name != name.strip():
            yield f"{path} has a name with a space at its end."
    if any(_translations(command, "description")):
        yield f"{path} has a description."
    if command.get("options"):
        yield f"{path} has options."


def _options(options: Sequence[Node], path: str, depth: int) -> Iterator[str]:
    """Yield the faults in the options of a command (depth 0), a group or subcommand (1), or a subcommand in a group (2)."""
    if len(options) > OPTIONS_AT_MOST:
        yield f"{path} has {len(options)} options, more than {OPTIONS_AT_MOST}."
    yield from _twice(options, f"the options of {path}")
    below = [option for option in options if option.get("type") in (SUBCOMMAND, GROUP)]
    if below and len(below) < len(options):
        yield f"{path} has both subcommands and options."
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        yield f"{path} has an option that must be given after one that need not."
    for option in options:
        yield from _option(option, f"{path} {option.get('name')}", depth)


def _option(option: Node, path: str, depth: int) -> Iterator[str]:
    kind, inner = option.get("type"), option.get("options") or []
    yield from _locales(option, path)
    yield from _described(option, path)
    if kind not in OPTION_TYPES:
        yield f"{path} is of type {kind}, which is not known."
    if kind == GROUP and depth > 0:
        yield f"{path} is a group within a group."
    if kind == GROUP and not (inner and all(one.get("type") == SUBCOMMAND for one in inner)):
        yield f"{path} is a group of something else than subcommands."
    if kind == SUBCOMMAND and any(one.get("type") in (SUBCOMMAND, GROUP) for one in inner):
        yield f"{path} is a subcommand with subcommands."
    if kind not in (SUBCOMMAND, GROUP) and inner:
        yield f"{path} is an option with options."
    for key, kinds in _ONLY_FOR.items():
        if option.get(key) and kind not in kinds:
            yield f"{path} is of type {kind}, which has no {key}."
    yield from _ranges(option, path)
    if option.get("choices"):
        yield from _choices(option, path)
    yield from _options(inner, path, depth + 1)


def _ranges(option: Node, path: str) -> Iterator[str]:
    for key, lowest, highest in (("value", -(2**53), 2**53), ("length", 0, LONGEST_INPUT)):
        low, high = option.get(f"min_{key}", lowest), option.get(f"max_{key}", highest)
        if not lowest <= low <= high <= highest:
            yield f"{path} takes {low} to {high}."


def _choices(option: Node, path: str) -> Iterator[str]:
    choices = option["choices"]
    if option.get("autocomplete"):
        yield f"{path} has both choices and autocomplete."
    if len(choices) > OPTIONS_AT_MOST:
        yield f"{path} has {len(choices)} choices, more than {OPTIONS_AT_MOST}."
    yield from _twice(choices, f"the choices of {path}")
    values = Counter(str(choice.get("value")) for choice in choices)
    yield from (f"two choices of {path} stand for {value!r}." for value, count in values.items() if count > 1)
    for choice in choices:
        where, value = f"{path} {choice.get('name')!r}", choice.get("value")
        yield from _locales(choice, where)
        for name in _translations(choice, "name"):
            yield from wrong_length(name, f"the name of the choice {where}", LONGEST_TEXT, least=1)
        if not isinstance(value, _VALUES.get(option.get("type", 0), object)):
            yield f"{where} stands for {value!r}, which is of another type."
        if isinstance(value, str):
            yield from wrong_length(value, f"the value of {where}", LONGEST_TEXT, least=1)


def _described(node: Node, path: str) -> Iterator[str]:
    """Yield the faults in the names and descriptions of a slash command, group or option."""
    for name in _translations(node, "name"):
        if not is_slash_name(name):
            yield f"{path}: {name!r} is no name that Discord takes."
    for description in _translations(node, "description") or [""]:
        yield from wrong_length(description, f"the description of {path}", LONGEST_TEXT, least=1)


def _locales(node: Node, path: str) -> Iterator[str]:
    for key in ("name_localizations", "description_localizations"):
        if unknown := set(node.get(key) or {}) - LOCALES:
            yield f"{path} is translated into {', '.join(sorted(unknown))}, which Discord does not have."


def _twice(nodes: Sequence[Node], what: str) -> Iterator[str]:
    """Yield the names that occur twice in some language. A name without a translation counts in every language."""
    locales = {locale for node in nodes for locale in node.get("name_localizations") or {}}
    for locale in (None, *sorted(locales)):
        names = Counter((node.get("name_localizations") or {}).get(locale) or node.get("name") for node in nodes)
        yield from (f"{what} have {name!r} twice." for name, count in names.items() if count > 1)


def _translations(node: Node, key: str) -> list[str]:
    return [text for text in (node.get(key), *(node.get(f"{key}_localizations") or {}).values()) if text is not None]


def is_slash_name(name: str) -> bool:
    """Whether a slash command or option can have this name: 1 to 32 lower-case letters, digits, ``-``, ``_`` and ``'``.

    Combining marks are allowed in Devanagari and Thai only.
    """
    return 1 <= len(name) <= LONGEST_NAME and name == name.lower() and all(
        letter in "-_'"
        or unicodedata.category(letter)[0] in "LN"
        or unicodedata.name(letter, "").startswith(("DEVANAGARI ", "THAI "))
        for letter in name
    )  # fmt: skip


def wrong_length(text: Any, what: str, most: int, *, least: int = 0) -> Iterator[str]:
    """Yield a sentence if a text is too short or too long. A text that is optional (`least` is 0) may be None."""
    length = len(str(text)) if text is not None else 0
    if not least <= length <= most:
        yield f"{what} has {length} characters; {least} to {most} fit."


def nodes_of(nodes: Iterable[Node], above: str = "") -> Iterator[tuple[str, Node]]:
    """Yield every command, group, option and choice, each with its path."""
    for node in nodes:
        path = f"{above} {node['name']}".lstrip()
        yield path, node
        yield from nodes_of([*(node.get("options") or []), *(node.get("choices") or [])], path)
