"""The hash chain of a game's log. Each link is the SHA-256 of the previous link and of one entry.

A link is written as 64 hexadecimal digits. The hashed text is in UTF-8. Its lines are joined by line feeds, with none at the
end. The first link commits to how the game began::

    springboard chain 2
    table: 12
    seed hash: 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd
    key hash: 7239dd65095917c40ed691a2cc416bc7b39a0ab761c668b0d2fbd2304611035c
    game: bouncers
    rules: 1
    variant: 8x8-16
    options: order=shuffled rated=no
    seats: 2

Options are sorted by name. If there are none, the line ends after the colon and the space. The key hash is the SHA-256 of the
key of the game's stream. The seed and the key here are the example in `engines.chance.stream_key`. The SHA-256 of these lines
is the first link, ``d1e4b8480710399a30aedbb63f7b17a766d31047b928143b10a66fb5334741ea``.

Every other link commits to an entry. Its lines are the previous link, the entry's number, its kind, its seat (from 0), its
tokens (joined by spaces), and the interaction's id, or ``-`` if there is none. If seat 0 plays ``b2 b3`` first, by the
interaction 9004, that link is ``a9a4a1a4027307806c7ff52caca952f14de816c52f2fc038d8e3d220cdf4b6dd``.

Chain 1, used by games that began earlier, differs only in the number in the first line, so no link of one chain is a link of
the other. In chain 1, the two links above are ``76ad8aa972fd02e219197293d54a155778c7395afe58d527239c3a07f9b02528`` and
``77c4ac1b42c2d975db0dfc3b8758c05f572cf62ef263b93251f023bf111eb69f``. People are shown 8 digits of a link of chain 1, and 16 of
chain 2. There are more because only Discord and the bot know an interaction's id, so an operator could try ids until the shown
digits come out again. docs/fair-dice.md says what each number of digits is worth.

Links hide nothing. The log that they are made from is public while the game goes on, and no token names anything hidden (see
`bot.features.verify.logbook`). No user id is part of a link, so a person can be forgotten without breaking the chain. Neither
is the time, which the interaction's id tells anyway.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final

from engines.chance import seed_hash
from storage.schema.records import Entry, Table

NEWEST_CHAIN: Final = 2
"""The version of the chain for games that start now. See `Table.chain`."""

SHOWN: Final = {1: 8, 2: 16}
"""How many digits of the newest link people are shown, by version of the chain."""

EPOCH_BITS: Final = 22
"""The number of bits in an interaction's id that follow its time in milliseconds."""

DISCORD_EPOCH: Final = 1_420_070_400_000
"""The moment from which the times in ids are counted, the beginning of 2015, in milliseconds since the epoch."""

TOLERANCE: Final = 60_000
"""The most milliseconds by which a press may be older than one carried out before it. Discord delivers some presses late."""


def start_link(table: Table, seats: int) -> str | None:
    """Return the first link of a game, or None if it has no chain (version 0.1.0). Raises ValueError for an unknown version."""
    if table.seed is None or table.stream_key is None:
        return None
    return first_link(table, seats, seed_hash(table.seed), seed_hash(table.stream_key))


def first_link(table: Table, seats: int, hash_of_seed: str, hash_of_key: str) -> str:
    """Return the first link. It takes the hashes of seed and key, in hexadecimal, for use where only these are known."""
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
    if table.chain not in SHOWN:
        raise ValueError(f"there is no version {table.chain} of the hash chain")
    return _digest((f"springboard chain {table.chain}", *(f"{key}: {value}" for key, value in header.items())))


def options_text(table: Table) -> str:
    """Return a table's options, sorted by name, such as ``order=shuffled rated=no``."""
    return " ".join(f"{name}={value}" for name, value in sorted(table.options.items()))


def next_link(before: str, entry: Entry) -> str:
    """Return the link of an entry that follows the link `before`. The entry's own link is ignored."""
    click = "-" if entry.interaction_id is None else str(entry.interaction_id)
    return _digest((before, str(entry.number), entry.kind.value, str(entry.seat), " ".join(entry.tokens), click))


def links(start: str, entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the link of each entry, computed from the first link."""
    for entry in entries:
        start = next_link(start, entry)
        yield start


def broken_at(start: str, entries: Iterable[Entry]) -> int | None:
    """Return the number of the first entry whose link does not follow from all before it, or None if all links are right."""
    entries = tuple(entries)
    pairs = zip(entries, links(start, entries), strict=True)
    return next((entry.number for entry, link in pairs if entry.link != link), None)


def shown_digits(link: str, chain: int) -> str:
    """Return the digits of a link that people are shown."""
    return link[: SHOWN[chain]]


def misdated_entries(entries: Iterable[Entry], mixed: Iterable[int], now: float) -> tuple[int, ...]:
    """Return the numbers of entries whose presses, judged by their ids, are out of order in time, or in the future.

    A press is out of order if it is over a minute older than an earlier entry's, or than the presses `mixed` into the dice.
    """
    found, latest = [], 1000.0 * now - DISCORD_EPOCH + TOLERANCE
    newest = max((pressed >> EPOCH_BITS for pressed in mixed), default=0)
    for entry in entries:
        if entry.interaction_id is not None:
            pressed = entry.interaction_id >> EPOCH_BITS
            if not newest - TOLERANCE <= pressed <= latest:
                found.append(entry.number)
            newest = max(newest, pressed)
    return tuple(found)


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
