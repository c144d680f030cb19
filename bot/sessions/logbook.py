"""The log of a game as text, in the notation of the rules pages: to be kept, passed on, and read back.

    Springboard log 1
    table: 12
    game: bouncers
    rules: 2
    variant: 8x8-16
    options: order=shuffled
    red: Ann
    blue: Ben
    seed hash: 4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a
    seed: 0101…
    winners: red
    ended: rules
    reason: Blue has left the game.

    1. red b2-b3
    2. blue g7-g6
    3. blue takes back 2
    4. blue c7-c6 ; by the bot
    5. blue resigns

It is a file format and therefore the same in every language. `rules` is left out of games under the first version of the rules.
`write_log` writes it; `read_log` reads it and replays the game.

While a game is going on, its log contains only what everybody knows. Actions are public, and in no game does a token name
anything hidden: in Puck Bumpers only cards that are played or discarded, which lie face up; in Bounce Bunny Bounce only where a
card lies. The results of actions are not part of the log. The seed, from which everything can be computed, is included once the
game is over.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.sessions.history import BrokenLog, History, HistoryEntry, begin
from bot.sessions.snapshot import Snapshot
from engines import EARLIER, GAMES, UnknownRules, rules_of
from engines.chance import SEED_BYTES, seed_hash
from engines.game import Game
from engines.text import SEAT_COLOURS
from storage.records import Ending, Entry, EntryKind, Result, Status, Table

FIRST_LINE: Final = "Springboard log 1"
"""The name of the format and its version."""

COLOURS: Final = tuple(colour.lower() for colour in SEAT_COLOURS)
BY_THE_BOT: Final = "by the bot"
NOBODY: Final = "nobody"
TAKES_BACK: Final = "takes back"

LEAVING: Final = {"resigned": "resigns", "time": "runs out of time", "removed": "is removed"}
"""How the log says that a seat has left the game, by the token of the entry."""

_LINE: Final = re.compile(r"(?P<number>[1-9][0-9]*)\. (?P<colour>[a-z]+) (?P<words>[^;]+?)(?: ; (?P<remark>.*))?")
_TAKEN_BACK: Final = re.compile(rf"{TAKES_BACK} ([1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Log:
    """A log that has been read.

    Attributes:
        table: what the log says of the table: number, game, variant, options, seed and outcome.
        names: the players' names by seat.
        hash: the SHA-256 of the seed, in hexadecimal.
        lines: the numbered lines, without their numbers.
        history: the replayed game; None if the log has no seed, because the game was not over.
    """

    table: Table
    names: tuple[str, ...]
    hash: str
    lines: tuple[str, ...]
    history: History | None


def is_over(table: Table) -> bool:
    """Whether the game is over, so that nothing has to stay hidden any more."""
    return table.status in {Status.FINISHED, Status.CLOSED}


# --- writing --------------------------------------------------------------------------------------------------------------


def write_log(snapshot: Snapshot) -> str:
    """The log of a game that has started. Raises WrongStage if it has not."""
    history = snapshot.playing
    head = "\n".join(f"{key}: {value}" for key, value in _headers(snapshot))
    lines = "\n".join(f"{logged.entry.number}. {_line(history, logged)}" for logged in history.log)
    return f"{FIRST_LINE}\n{head}\n\n{lines}\n" if lines else f"{FIRST_LINE}\n{head}\n"


def _headers(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    table = snapshot.table
    assert table.seed is not None
    yield "table", str(table.id)
    yield "game", table.game
    if table.rules != 1:
        yield "rules", str(table.rules)
    yield "variant", table.variant
    if table.options:
        yield "options", " ".join(f"{name}={value}" for name, value in sorted(table.options.items()))
    for colour, name in zip(COLOURS, snapshot.names, strict=False):
        yield colour, " ".join(name.split())
    yield "seed hash", seed_hash(table.seed)
    if not is_over(table):
        return
    yield "seed", table.seed.hex()
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
    """The number of the entry that this undo takes back: the last one before it that was in force at that time."""
    standing: list[int] = []
    for logged in history.log[: number - 1]:
        if logged.entry.kind is EntryKind.UNDO:
            standing.pop()
        else:
            standing.append(logged.entry.number)
    return standing[-1]


# --- reading --------------------------------------------------------------------------------------------------------------


def read_log(text: str, games: Mapping[str, Game[Any, Any]] = GAMES, earlier: Collection[Game[Any, Any]] = EARLIER) -> Log:
    """Read what `write_log` wrote and, if the seed is included, replay the game.

    A log does not contain users, interactions and times. In the entries of the history, a player's user id is their seat number
    counted from 1, the bot's own actions have no user, and all times are 0.

    Raises:
        BrokenLog: if the text is not such a log, the seed does not match its hash, or the rules reject a line.
    """
    head, numbered = _parts(text)
    if head.get("game", "") not in games:
        raise BrokenLog(f"there is no game {head.get('game', '')!r}")
    try:
        game = rules_of(head["game"], int(head.get("rules", "1")), games, earlier)
    except (UnknownRules, ValueError) as error:
        raise BrokenLog(f"its rules are not known: {error.args[0]}") from error
    names = tuple(head[colour] for colour in COLOURS if colour in head)
    try:
        told, options = head["seed hash"], dict(word.split("=", 1) for word in head.get("options", "").split())
        table = Table(
            id=int(head["table"]), guild_id=0, channel_id=0, game=game.id, rules=game.rules, variant=head["variant"],
            options=options, wanted=len(names), opened_by=1, status=Status.FINISHED if "seed" in head else Status.PLAYING,
            seed=bytes.fromhex(head["seed"]) if "seed" in head else None, version=len(numbered), outcome=_outcome(head),
            created_at=0.0,
        )  # fmt: skip
    except (KeyError, ValueError) as error:
        raise BrokenLog(f"the head of the log cannot be read: {error}") from error
    lines = tuple(_parsed_line(line, number) for number, line in enumerate(numbered, 1))
    history = None
    if table.seed is not None:
        if len(table.seed) != SEED_BYTES or seed_hash(table.seed) != told:
            raise BrokenLog("the seed is not the one whose hash was shown")
        history = _replayed(game, table, len(names), lines)
    return Log(table, names, told, tuple(line.partition(". ")[2] for line in numbered), history)


def _parts(text: str) -> tuple[dict[str, str], list[str]]:
    """The headers of a log by key, and its numbered lines."""
    first, *lines = [line.strip() for line in text.strip().splitlines()] or [""]
    if first != FIRST_LINE:
        raise BrokenLog(f"the first line is not {FIRST_LINE!r}")
    gap = lines.index("") if "" in lines else len(lines)
    head = {key: value.strip() for key, _, value in (line.partition(":") for line in lines[:gap])}
    return head, [line for line in lines[gap:] if line]


def _outcome(head: Mapping[str, str]) -> Result | None:
    if "winners" not in head:
        return None
    winners = () if head["winners"] == NOBODY else tuple(COLOURS.index(colour) for colour in head["winners"].split(", "))
    return Result(winners=winners, how=Ending(head["ended"]), reason=head["reason"])


def _parsed_line(line: str, number: int) -> re.Match[str]:
    found = _LINE.fullmatch(line)
    if found is None or int(found["number"]) != number or found["colour"] not in COLOURS:
        raise BrokenLog(f"line {number} cannot be read: {line!r}")
    return found


def _replayed(game: Game[Any, Any], table: Table, seats: int, lines: tuple[re.Match[str], ...]) -> History:
    history = begin(game, table, seats)
    for number, line in enumerate(lines, 1):
        history = history.extended(_entry(history, table, number, line))
        if (back := _TAKEN_BACK.fullmatch(line["words"])) and _taken_back(history, number) != int(back[1]):
            raise BrokenLog(f"line {number} takes back what is not the last action")
    return history


def _entry(history: History, table: Table, number: int, line: re.Match[str]) -> Entry:
    """The entry that a line was written from."""
    seat, words = COLOURS.index(line["colour"]), line["words"]
    user: int | None = None if line["remark"] == BY_THE_BOT else seat + 1
    causes = {spoken: cause for cause, spoken in LEAVING.items()}
    kind, tokens = EntryKind.UNDO, tuple[str, ...]()
    if words in causes:
        kind, tokens = EntryKind.WITHDRAW, (causes[words],)
    elif not _TAKEN_BACK.fullmatch(words):
        kind, tokens = EntryKind.PLAY, history.game.parse(history.state, seat, words)
    return Entry(table_id=table.id, number=number, kind=kind, seat=seat, tokens=tokens, user_id=user, at=0.0)
