"""The proof in a log of version 2 or 3: what was mixed into the dice, the hash chain and, after the game, every draw.

The headers are the SHA-256 of the key, and the contributions in the order in which they were mixed in. Each contribution is
written as in `engines.chance.contribution`, or as ``removed`` if the person who made it has asked to be forgotten::

    key hash: 7239dd65095917c40ed691a2cc416bc7b39a0ab761c668b0d2fbd2304611035c
    contribution 1: 1001:9001:lucky seven
    contribution 2: removed

The section *links* is the hash chain of `bot.core.table.chain`. It has the first link, then each entry with its number, kind,
seat, interaction (or ``-``), link and tokens::

    links:
    0. d1e4b8480710399a30aedbb63f7b17a766d31047b928143b10a66fb5334741ea
    1. play 0 9004 a9a4a1a4027307806c7ff52caca952f14de816c52f2fc038d8e3d220cdf4b6dd b2 b3

The section *draws* is only in the log of a finished game. It has all draws in the order of the stream, each as ``n:result``
with a result from 0 to n - 1. The draws of the start are listed under 0, and the others under the number of their entry. What
was taken back is left out, since the stream goes back with it::

    draws:
    0. 4:1 3:0 2:1
    1. 6:2 6:0 6:5

A file with the links of a running game (`links_file`), which people can keep, has only the links, each after the number of its
entry::

    Springboard links of table 12

    0. d1e4b8480710399a30aedbb63f7b17a766d31047b928143b10a66fb5334741ea
    1. a9a4a1a4027307806c7ff52caca952f14de816c52f2fc038d8e3d220cdf4b6dd
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.core.table.chain import broken_at, first_link
from bot.core.table.history import BrokenLog, History, rebuild
from engines.chance import Chance, Recorded, contribution, seed_hash, stream_key
from storage.schema.records import Contribution, Entry, EntryKind, Table

LINKS: Final = "links:"
DRAWS: Final = "draws:"
SECTIONS: Final = frozenset({LINKS, DRAWS})
"""The lines with which the sections begin."""

REMOVED: Final = "removed"

QUOTED: Final = 80
"""How many characters of a line are quoted in a message about it."""

_START: Final = re.compile(r"0\. (?P<link>[0-9a-f]{64})")
_LINK: Final = re.compile(
    r"(?P<number>[1-9][0-9]{0,8})\. (?P<kind>[a-z]+) (?P<seat>[0-9]) (?P<click>-|[0-9]{1,20}) (?P<link>-|[0-9a-f]{64})"
    r"(?P<tokens>( \S+)*)"
)
_PRESS: Final = re.compile("[0-9]{1,20}:(?P<id>[0-9]{1,20}):")
_DRAWS: Final = re.compile(r"(?P<number>[0-9]{1,9})\.(?P<draws>( [1-9][0-9]{0,8}:[0-9]{1,9})+)")
_KEPT: Final = re.compile(r"(?P<number>[0-9]{1,9})\. (?:[a-z]+ [0-9] (?:-|[0-9]+) )?(?P<link>[0-9a-f]{64})(?: .*)?")
"""A line in a file of links, or in the *links* section of a log."""

_CONTRIBUTION: Final = re.compile(r"contribution [0-9]+")

Drawn = tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
"""For each entry that drew something, its number (0 for the start) and its draws, each as an upper bound and the result."""


def headers(key: bytes, contributions: Iterable[Contribution]) -> Iterator[tuple[str, str]]:
    """Yield the headers about the dice, without the key, which stays secret until the end."""
    yield "key hash", seed_hash(key)
    for number, one in enumerate(contributions, 1):
        mixed = REMOVED if one.removed else contribution(one.user_id, one.interaction_id, one.word)
        yield f"contribution {number}", mixed


def sections(history: History, table: Table, *, over: bool) -> Iterator[str]:
    """Yield the sections. A finished game is replayed to obtain its draws."""
    entries = [logged.entry for logged in history.log]
    yield "\n".join((LINKS, f"0. {history.start}", *map(_link_line, entries)))
    if over:
        replayed = rebuild(history.game, table, history.seats, entries, recorded=True)
        lines = (f"{number}. " + " ".join(f"{n}:{result}" for n, result in draws) for number, draws in recorded_draws(replayed))
        yield "\n".join((DRAWS, *lines))


def links_file(table: Table, history: History) -> str:
    """Return the text of a file with all links of a game so far, each after its number, without actions or anything secret."""
    links = (history.start or "", *(logged.link or "" for logged in history.log))
    numbered = "\n".join(f"{number}. {link}" for number, link in enumerate(links))
    return f"Springboard links of table {table.id}\n\n{numbered}\n"


def _link_line(entry: Entry) -> str:
    click = "-" if entry.interaction_id is None else str(entry.interaction_id)
    return " ".join((f"{entry.number}.", entry.kind.value, str(entry.seat), click, entry.link or "-", *entry.tokens))


def recorded_draws(history: History) -> Drawn:
    """Return the draws for the entries in force, from a game rebuilt with its draws recorded."""
    steps = [(0, history.first), *((logged.entry.number, logged.state) for logged in history.in_force)]
    found, last = [], None
    for number, state in steps:
        stream: Chance = state.chance
        assert isinstance(stream, Recorded), "the draws were recorded"
        if draws := stream.since(last):
            found.append((number, tuple((draw.below, draw.result) for draw in draws)))
        last = stream.last
    return tuple(found)


@dataclass(frozen=True, slots=True)
class LogProof:
    """The proof read from a log. Hashes are in hexadecimal, removed contributions are None, and entries have no users."""

    seed_hash: str
    key_hash: str
    contributions: tuple[str | None, ...]
    start: str
    entries: tuple[Entry, ...]
    draws: Drawn | None

    @property
    def links(self) -> tuple[str, ...]:
        """All links: the first link, followed by those of the entries."""
        return (self.start, *(entry.link or "" for entry in self.entries))

    @property
    def presses(self) -> tuple[int, ...]:
        """The ids of the presses mixed into the key, as far as they are known."""
        found = (_PRESS.match(one) for one in self.contributions if one is not None)
        return tuple(int(one["id"]) for one in found if one is not None)

    def faults(self, table: Table, seats: int) -> Iterator[str]:
        """Yield faults of the hashes, key and chain. `table` is as the log describes it, perhaps without seed and key."""
        if (table.seed is None) != (table.stream_key is None):
            yield "of seed and key only one is there"
        elif table.seed is not None and table.stream_key is not None:
            yield from self._wrong_key(table.seed, table.stream_key)
        if self.start != first_link(table, seats, self.seed_hash, self.key_hash):
            yield "the first link does not follow from how the game began"
        elif (number := broken_at(self.start, self.entries)) is not None:
            yield f"the hash chain breaks at action {number}"

    def _wrong_key(self, seed: bytes, key: bytes) -> Iterator[str]:
        if seed_hash(key) != self.key_hash:
            yield "the key is not the one whose hash was shown"
        mixed = [one for one in self.contributions if one is not None]
        if len(mixed) == len(self.contributions) and stream_key(seed, mixed) != key:
            yield "the key does not follow from the seed and the contributions"

    def misdrawn(self, history: History) -> Iterator[str]:
        """Yield where the draws differ from those of the game, which has been replayed with its draws recorded."""
        if self.draws is None:
            yield "the draws are missing"
            return
        told, found = dict(self.draws), dict(recorded_draws(history))
        for number in sorted(told.keys() | found.keys()):
            if told.get(number) != found.get(number):
                yield f"the draws under {number} are not those of the game"


def read(head: Mapping[str, str], links: Sequence[str], draws: Sequence[str] | None) -> LogProof:
    """Return the proof in a log of version 2 or later, from its headers and the lines of its sections. Raises BrokenLog."""
    if "seed hash" not in head or "key hash" not in head:
        raise BrokenLog("the hash of the seed or the key is missing")
    start = _START.fullmatch(links[0]) if links else None
    if start is None:
        raise BrokenLog("the first link cannot be read")
    entries = tuple(_entry(line, number) for number, line in enumerate(links[1:], 1))
    return LogProof(
        seed_hash=head["seed hash"], key_hash=head["key hash"], contributions=tuple(_contributions(head)),
        start=start["link"], entries=entries, draws=None if draws is None else tuple(_draws(draws)),
    )  # fmt: skip


def _contributions(head: Mapping[str, str]) -> Iterator[str | None]:
    """Yield the contributions. Raises BrokenLog unless their headers are numbered from 1 in order."""
    names = [name for name in head if _CONTRIBUTION.fullmatch(name)]
    if names != [f"contribution {number}" for number in range(1, len(names) + 1)]:
        raise BrokenLog("the contributions are not numbered from 1 on")
    yield from (None if head[name] == REMOVED else head[name] for name in names)


def _entry(line: str, number: int) -> Entry:
    found = _LINK.fullmatch(line)
    if found is None or int(found["number"]) != number or found["kind"] not in set(EntryKind):
        raise BrokenLog(f"link {number} cannot be read: {quote(line)}")
    return Entry(
        table_id=0, number=number, kind=EntryKind(found["kind"]), seat=int(found["seat"]), user_id=None, at=0.0,
        tokens=tuple(found["tokens"].split()), interaction_id=None if found["click"] == "-" else int(found["click"]),
        link=None if found["link"] == "-" else found["link"],
    )  # fmt: skip


def _draws(lines: Iterable[str]) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    last = -1
    for line in lines:
        found = _DRAWS.fullmatch(line)
        if found is None or int(found["number"]) <= last:
            raise BrokenLog(f"these draws cannot be read: {quote(line)}")
        last = int(found["number"])
        pairs = (word.split(":") for word in found["draws"].split())
        yield last, tuple((int(n), int(result)) for n, result in pairs)


def kept_links(text: str) -> dict[int, str]:
    """Return the numbered links in a file kept during the game: a file of links, or a log. Raises BrokenLog if it has none."""
    found = [line for line in map(_KEPT.fullmatch, text.splitlines()) if line is not None]
    if not found:
        raise BrokenLog("there are no links in the file that was kept")
    return {int(line["number"]): line["link"] for line in found}


def quote(line: str) -> str:
    """Return part of a log for a message about it, in quotation marks, printable, and shortened if it is long."""
    return repr(line if len(line) <= QUOTED else f"{line[:QUOTED]}…")
