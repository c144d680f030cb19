"""The log of a game as text in the notation of the rules pages, which people can keep, pass on, and have read back.

    Springboard log 3
    table: 12
    game: bouncers
    rules: 1
    variant: 8x8-16
    options: order=shuffled
    red: Ann
    blue: Ben
    seed hash: 630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd
    key hash: 7239dd65095917c40ed691a2cc416bc7b39a0ab761c668b0d2fbd2304611035c
    contribution 1: 1001:9001:lucky seven
    contribution 2: removed
    seed: 0001…
    key: 4f31…
    winners: red
    ended: rules
    reason: Blue left the game.

    1. red b2-b3
    2. blue g7-g6
    3. blue takes back 2
    4. blue c7-c6 ; by the bot
    5. blue resigns

    links:
    0. d1e4…
    1. play 0 9004 a9a4… b2 b3
    …

    draws:
    0. 2:1
    …

The sections *links* and *draws*, with which anybody can check the log, are described in `bot.features.verify.logproof`. A log
of version 2 differs in its first line, and in the version of its hash chain, which is 1. Games that began under version 0.1.0
have logs of version 1. These end before *links*, have neither a key nor contributions, and leave out `rules` if the game has
the first version of its rules. The log is a file format, and therefore the same in every language. `write_log` writes it, and
`read_log` reads all versions and replays the game.

While a game is going on, its log contains only what everybody knows. Actions are public, and in no game does a token name
anything hidden. In Puck Bumpers, tokens name only cards that are played or discarded, which lie face up; in Bounce Bunny
Bounce, they name only where a card lies. The results of actions are not part of the log. The seed, the key and the draws, from
which everything can be computed, are included once the game is over.
"""

import re
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.core.table.chain import misdated_entries, options_text
from bot.core.table.history import BrokenLog, History, HistoryEntry, begin, rebuild
from bot.core.table.snapshot import FORMER_PLAYER, Snapshot
from bot.features.verify import logproof
from bot.features.verify.logproof import quote
from engines import EARLIER, GAMES, UnknownRules, rules_of
from engines.chance import SEED_BYTES, seed_hash
from engines.game import Game, Words, part_of
from engines.text import SEAT_COLOURS
from storage.schema.records import Contribution, Ending, Entry, EntryKind, Result, Status, Table

FIRST_LINE: Final = "Springboard log 1"
"""The first line of a log of version 1, written for games that began under version 0.1.0."""

CHAINS: Final = {FIRST_LINE: None, "Springboard log 2": 1, "Springboard log 3": 2}
"""The first line of each version of the log, with the version of its hash chain. Logs with a chain carry their own proof."""

LONGEST: Final = 5000
"""The most actions in a log that is read, ten times a long game's. Each action is played once, or twice by `read_log`."""

COLOURS: Final = tuple(colour.lower() for colour in SEAT_COLOURS)
BY_THE_BOT: Final = "by the bot"
NOBODY: Final = "nobody"
TAKES_BACK: Final = "takes back"

LEAVING: Final = {"resigned": "resigns", "time": "runs out of time", "removed": "is removed"}
"""How the log says that a seat has left the game, for each token of the entry."""

_LINE: Final = re.compile(r"(?P<number>[1-9][0-9]{0,8})\. (?P<colour>[a-z]+) (?P<words>[^;]+?)(?: ; (?P<remark>.*))?")
_TAKEN_BACK: Final = re.compile(rf"{TAKES_BACK} ([1-9][0-9]{{0,8}})")
_NUMBER: Final = re.compile("[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class Log:
    """A log that has been read.

    Attributes:
        table: the table as the log describes it: number, game, variant, options, seed, key and outcome.
        hash: the SHA-256 of the seed, in hexadecimal.
        lines: the numbered lines, without their numbers.
        history: the replayed game, or None if the log has no seed because the game was not over.
        links: all links of the hash chain. Empty for a log of version 1.
        misdated: the entries whose presses are not in chronological order (see `chain.misdated_entries`).
        removed: how many contributions to the dice are missing because their authors asked to be forgotten.
    """

    table: Table
    names: tuple[str, ...]
    hash: str
    lines: tuple[str, ...]
    history: History | None
    links: tuple[str, ...] = ()
    misdated: tuple[int, ...] = ()
    removed: int = 0

    @property
    def link(self) -> str | None:
        """The newest link of the hash chain, or None in a log of version 1."""
        return self.links[-1] if self.links else None


# --- writing --------------------------------------------------------------------------------------------------------------


def write_log(snapshot: Snapshot, contributions: Sequence[Contribution] = ()) -> str:
    """Return the log of a game. For a finished game, this takes as long as a replay. Raises WrongStage before the start."""
    history, table = snapshot.playing, snapshot.table
    chain = None if table.stream_key is None else table.chain
    first = next(line for line, version in CHAINS.items() if version == chain)
    head = "\n".join(f"{key}: {value}" for key, value in _headers(snapshot, contributions))
    lines = "\n".join(f"{logged.entry.number}. {_line(history, logged)}" for logged in history.log)
    proof = () if table.stream_key is None else logproof.sections(history, table, over=table.is_over)
    return "\n\n".join((f"{first}\n{head}", *([lines] if lines else []), *proof)) + "\n"


def _headers(snapshot: Snapshot, contributions: Sequence[Contribution]) -> Iterator[tuple[str, str]]:
    table = snapshot.table
    assert table.seed is not None
    yield "table", str(table.id)
    yield "game", table.game
    if table.rules != 1 or table.stream_key is not None:
        yield "rules", str(table.rules)
    yield "variant", table.variant
    if table.options:
        yield "options", options_text(table)
    for colour, player in zip(COLOURS, snapshot.players, strict=False):
        name = player.name if player.user_id > 0 else FORMER_PLAYER  # written verbatim, even if it is invisible
        level = "" if player.computer is None else f" (computer, {player.computer})"
        yield colour, " ".join(name.split()) + level
    yield "seed hash", seed_hash(table.seed)
    if table.stream_key is not None:
        yield from logproof.headers(table.stream_key, contributions)
    if not table.is_over:
        return
    yield "seed", table.seed.hex()
    if table.stream_key is not None:
        yield "key", table.stream_key.hex()
    ended = table.outcome
    if ended is not None:
        yield "winners", ", ".join(COLOURS[seat] for seat in ended.winners) or NOBODY
        yield "ended", ended.how
        yield "reason", " ".join(ended.reason.split())


def _line(history: History, logged: HistoryEntry) -> str:
    entry = logged.entry
    who = COLOURS[entry.seat]
    if entry.kind is EntryKind.UNDO:
        return f"{who} {TAKES_BACK} {_taken_back(history, entry.number)}"
    if entry.kind is EntryKind.WITHDRAW:
        cause = entry.tokens[0] if entry.tokens else "resigned"
        return f"{who} {LEAVING[cause]}"
    return f"{who} {logged.notation}" + (f" ; {BY_THE_BOT}" if entry.user_id is None else "")


def _taken_back(history: History, number: int) -> int:
    """Return the number of the entry that this undo takes back, which is the last entry in force before it."""
    return history.log[number - 2].standing + 1


# --- reading --------------------------------------------------------------------------------------------------------------


def read_log(text: str, games: Mapping[str, Game[Any, Any]] = GAMES, earlier: Collection[Game[Any, Any]] = EARLIER) -> Log:
    """Read what `write_log` wrote and, if the seed is included, replay the game.

    A log contains neither users nor times. In the history, a player's user id is their seat number counted from 1, the bot's
    own actions have no user, and all times are 0. Raises BrokenLog if the text is not a log, contradicts itself, or breaks the
    rules.
    """
    log, faults = read_and_check(text, games, earlier)
    if faults:
        raise BrokenLog(faults[0])
    if log.history is None or not log.links:
        return log
    entries = [logged.entry for logged in log.history.log]
    return replace(log, history=rebuild(log.history.game, log.table, len(log.names), entries))  # without the recorded draws


def read_and_check(
    text: str, games: Mapping[str, Game[Any, Any]] = GAMES, earlier: Collection[Game[Any, Any]] = EARLIER
) -> tuple[Log, tuple[str, ...]]:
    """Read a log, and return it with its faults, one sentence each.

    A fault is anything wrong with its seed, key, chain or draws, or with how they fit together. The game is replayed only if
    the seed, the key and the chain have no faults. Raises BrokenLog if the text is not a log, or if the rules reject a line.
    """
    parts = _parts(text)
    head = parts.head
    if head.get("game", "") not in games:
        raise BrokenLog(f"there is no game {quote(head.get('game', ''))}")
    try:
        game = rules_of(head["game"], _number(head.get("rules", "1")), games, earlier)
    except (UnknownRules, ValueError) as error:
        raise BrokenLog(f"its rules are not known: {error.args[0]}") from error
    names = tuple(head[colour] for colour in COLOURS if colour in head)
    try:
        told, options = head["seed hash"], dict(word.split("=", 1) for word in head.get("options", "").split())
        table = Table(
            id=_number(head["table"]), guild_id=0, channel_id=0, game=game.id, rules=game.rules, variant=head["variant"],
            options=options, wanted=len(names), opened_by=1, status=Status.FINISHED if "seed" in head else Status.PLAYING,
            seed=bytes.fromhex(head["seed"]) if "seed" in head else None, version=len(parts.lines), outcome=_outcome(head),
            stream_key=bytes.fromhex(head["key"]) if "key" in head else None, chain=parts.chain or 1, created_at=0.0,
        )  # fmt: skip
    except (KeyError, ValueError) as error:
        raise BrokenLog(f"the head of the log cannot be read: {error}") from error
    lines = tuple(_parsed_line(line, number) for number, line in enumerate(parts.lines, 1))
    if table.seed is not None and (len(table.seed) != SEED_BYTES or seed_hash(table.seed) != told):
        raise BrokenLog("the seed is not the one whose hash was shown")
    plain = tuple(line.partition(". ")[2] for line in parts.lines)
    if parts.links is None:
        history = None if table.seed is None else _replay(game, table, len(names), lines)
        return Log(table, names, told, plain, history), ()
    proof = logproof.read(head, parts.links, parts.draws)
    faults = list(proof.faults(table, len(names)))
    history = None
    if not faults and table.seed is not None and table.stream_key is not None:
        history = rebuild(game, table, len(names), [_with_user(entry, table, lines) for entry in proof.entries], recorded=True)
        faults += [*_misquotes(history, plain), *proof.misdrawn(history)]
    log = Log(
        table, names, told, plain, history, proof.links,
        misdated_entries(proof.entries, proof.presses, time.time()), proof.contributions.count(None),
    )  # fmt: skip
    return log, tuple(faults)


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of a log: its headers, numbered lines and sections. In a log of version 1, only `head` and `lines` are set."""

    chain: int | None
    head: Mapping[str, str]
    lines: list[str]
    links: list[str] | None = None
    draws: list[str] | None = None


def _parts(text: str) -> _Parts:
    first, *lines = [line.strip() for line in text.strip().splitlines()] or [""]
    if first not in CHAINS:
        raise BrokenLog(f"the first line is none of these: {', '.join(map(repr, CHAINS))}")
    chain = CHAINS[first]
    gap = lines.index("") if "" in lines else len(lines)
    head: dict[str, str] = {}
    for key, _, value in (line.partition(":") for line in lines[:gap]):
        if key in head:
            raise BrokenLog(f"there are two headers {quote(key)}")
        head[key] = value.strip()
    sections: dict[str, list[str]] = {"": []}
    name = ""
    for line in filter(None, lines[gap:]):
        if chain is not None and line in logproof.SECTIONS:
            if line in sections:
                raise BrokenLog(f"there are two sections {quote(line)}")
            name = line
            sections[name] = []
        else:
            sections[name].append(line)
    if max(len(sections[name]) for name in sections) > LONGEST + 1:
        raise BrokenLog(f"it has more actions than any game has: {LONGEST} are read")
    if chain is None:
        return _Parts(None, head, sections[""])
    if logproof.LINKS not in sections:
        raise BrokenLog("the links are missing")
    return _Parts(chain, head, sections[""], sections[logproof.LINKS], sections.get(logproof.DRAWS))


def _number(text: str) -> int:
    """Return the number in a header, which is at least 1. Raises ValueError with a message that quotes the header."""
    if _NUMBER.fullmatch(text) is None:
        raise ValueError(f"{quote(text)} is no number from 1")
    return int(text)


def _with_user(entry: Entry, table: Table, lines: Sequence[re.Match[str]]) -> Entry:
    """Return an entry of the hash chain, with the user that its numbered line indicates."""
    by_the_bot = entry.number <= len(lines) and lines[entry.number - 1]["remark"] == BY_THE_BOT
    return replace(entry, table_id=table.id, user_id=None if by_the_bot else entry.seat + 1)


def _misquotes(history: History, lines: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each numbered line that does not match its action in the hash chain."""
    if len(lines) != history.version:
        yield f"the log has {len(lines)} lines, but its hash chain has {history.version} actions"
    for logged, line in zip(history.log, lines, strict=False):
        if _line(history, logged) != line:
            yield f"line {logged.entry.number} is {quote(line)}, but in the hash chain it is {_line(history, logged)!r}"


def _outcome(head: Mapping[str, str]) -> Result | None:
    if "winners" not in head:
        return None
    winners = () if head["winners"] == NOBODY else tuple(COLOURS.index(colour) for colour in head["winners"].split(", "))
    return Result(winners=winners, how=Ending(head["ended"]), reason=head["reason"])


def _parsed_line(line: str, number: int) -> re.Match[str]:
    found = _LINE.fullmatch(line)
    if found is None or int(found["number"]) != number or found["colour"] not in COLOURS:
        raise BrokenLog(f"line {number} cannot be read: {quote(line)}")
    return found


def _replay(game: Game[Any, Any], table: Table, seats: int, lines: tuple[re.Match[str], ...]) -> History:
    try:
        history = begin(game, table, seats)
        for number, line in enumerate(lines, 1):
            history = history.with_entry(_entry(history, table, number, line))
            if (back := _TAKEN_BACK.fullmatch(line["words"])) and _taken_back(history, number) != int(back[1]):
                raise BrokenLog(f"line {number} takes back what is not the last action")
    except (BrokenLog, MemoryError):
        raise
    except Exception as error:
        raise BrokenLog(f"the rules fail: {error!r}") from error
    return history


def _entry(history: History, table: Table, number: int, line: re.Match[str]) -> Entry:
    """Return the entry that a line was written from."""
    seat, words = COLOURS.index(line["colour"]), line["words"]
    user: int | None = None if line["remark"] == BY_THE_BOT else seat + 1
    causes = {spoken: cause for cause, spoken in LEAVING.items()}
    kind, tokens = EntryKind.UNDO, tuple[str, ...]()
    if words in causes:
        kind, tokens = EntryKind.WITHDRAW, (causes[words],)
    elif not _TAKEN_BACK.fullmatch(words):
        kind, tokens = EntryKind.PLAY, part_of(history.game, Words).parse(history.state, seat, words)
    return Entry(table_id=table.id, number=number, kind=kind, seat=seat, tokens=tokens, user_id=user, at=0.0)
