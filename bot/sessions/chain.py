"""The hash chain of a game's log: each link is the SHA-256 of the link before it and of one entry.

A link is 64 hexadecimal digits. The text that it is made from is UTF-8; its lines are joined by line feeds, and none is at the
end. The first link commits to how the game began::

    springboard chain 1
    table: 12
    seed hash: 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd
    key hash: 7239dd65095917c40ed691a2cc416bc7b39a0ab761c668b0d2fbd2304611035c
    game: bouncers
    rules: 1
    variant: 8x8-16
    options: order=shuffled rated=no
    seats: 2

Options are sorted by name; without any, the line ends after the colon and the space. The key hash is the SHA-256 of the key of
the game's stream; the seed and key here are those of the example in `engines.chance.stream_key`. The SHA-256 of these lines is
the first link, ``76ad8aa972fd02e219197293d54a155778c7395afe58d527239c3a07f9b02528``.

Every other link commits to the link before it and to an entry. Its lines are the previous link, the entry's number, its kind,
its seat (from 0), its tokens (joined by spaces), and the interaction's id, or ``-`` if there is none. Here the link of the
first entry, if seat 0 plays ``b2 b3`` by the interaction 9004, is
``77c4ac1b42c2d975db0dfc3b8758c05f572cf62ef263b93251f023bf111eb69f``.

No user id is part of it, so somebody can be forgotten without a break in the chain; nor is the time, which nobody could check
later: whoever wants to know when something was played finds that in the interaction's id.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

from engines.chance import seed_hash
from storage.records import Entry, Table

FIRST_LINE: Final = "springboard chain 1"
"""The name and version of the text that the first link is made from."""

SHOWN: Final = 8
"""How many digits of the newest link stand under each board."""


def start_link(table: Table, seats: int) -> str | None:
    """The first link of a game, which has begun with so many seats; None for a game without a chain, of version 0.1.0."""
    if table.seed is None or table.stream_key is None:
        return None
    return first_link(table, seats, seed_hash(table.seed), seed_hash(table.stream_key))


def first_link(table: Table, seats: int, hash_of_seed: str, hash_of_key: str) -> str:
    """The first link for somebody who does not know seed and key, but their hashes, in hexadecimal."""
    header = {
        "table": table.id,
        "seed hash": hash_of_seed,
        "key hash": hash_of_key,
        "game": table.game,
        "rules": table.rules,
        "variant": table.variant,
        "options": options_text(table),
        "seats": seats,
    }
    return _digest((FIRST_LINE, *(f"{key}: {value}" for key, value in header.items())))


def options_text(table: Table) -> str:
    """The options of a table, sorted by name: ``order=shuffled rated=no``."""
    return " ".join(f"{name}={value}" for name, value in sorted(table.options.items()))


def next_link(before: str, entry: Entry) -> str:
    """The link of an entry that follows the link `before`. What the entry says of its own link is not looked at."""
    click = "-" if entry.interaction_id is None else str(entry.interaction_id)
    return _digest((before, str(entry.number), entry.kind.value, str(entry.seat), " ".join(entry.tokens), click))


def links(start: str, entries: Iterable[Entry]) -> Iterator[str]:
    """The link of each entry, computed anew from the first link."""
    for entry in entries:
        start = next_link(start, entry)
        yield start


def broken_at(start: str, entries: Iterable[Entry]) -> int | None:
    """The number of the first entry whose link is not the one that follows from all before it; None if all are right."""
    entries = tuple(entries)
    pairs = zip(entries, links(start, entries), strict=True)
    return next((entry.number for entry, link in pairs if entry.link != link), None)


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
