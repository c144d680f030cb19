"""The players' contributions to the dice, from the press of a button to the key of the game's random stream."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from bot.core.table.errors import Refused
from engines import GAMES
from engines.chance import contribution, stream_key
from engines.text import say, typed_line
from storage import queries
from storage.schema.records import Contribution, Seat, Table
from storage.store import Writer

WORD_LIMIT: Final = 50
"""The most characters that a word typed for the dice may have."""

PRESSES_EACH: Final = 10
"""How many contributions a table takes from one person before its game. Further ones change nothing."""


def draws(table: Table) -> bool:
    """Whether anything at a table is drawn at random, even if only the order of the players is."""
    game = GAMES.get(table.game)
    return game is None or game.chance or table.options.get("order") == "shuffled"


def word_of(text: str) -> str:
    """Return a word as it is mixed into the dice (see `typed_line`). Raises Refused if it is empty or too long."""
    word = typed_line(text)
    if not word:
        raise Refused(say("Type at least one letter, digit or symbol."))
    if len(word) > WORD_LIMIT:
        raise Refused(say("Keep it to {n} characters.", n=WORD_LIMIT))
    return word


async def contribute(writer: Writer, table: Table, user_id: int, interaction_id: int | None, word: str = "") -> None:
    """Record a press at an open table, unless version 0.1.0 opened it. Raises Refused for a word after too many presses."""
    if table.seed is None or interaction_id is None:
        return
    known = [one for one in await queries.entries.contributions_of_table(writer, table.id) if one.user_id == user_id]
    if len(known) >= PRESSES_EACH:
        if word:
            raise Refused(say("That’s enough randomness! The dice will be ready when the game starts."))
    else:
        pressed = Contribution(table_id=table.id, interaction_id=interaction_id, user_id=user_id, word=word)
        await queries.entries.put_contribution(writer, pressed)


async def mix(writer: Writer, table: Table, players: Sequence[Seat]) -> bytes | None:
    """Return the key of the random stream for a game that starts now, or None if the table has no seed.

    Contributions are numbered in the order in which they are mixed in: by the order of `players`, then by interaction id, which
    is the order of pressing. The contributions of everybody else are deleted.
    """
    if table.seed is None:
        return None
    pressed = await queries.entries.contributions_of_table(writer, table.id)
    sitting = [player.user_id for player in players]
    for user_id in {one.user_id for one in pressed} - set(sitting):
        await queries.entries.remove_contributions(writer, table.id, user_id)
    ordered = [one for user_id in sitting for one in pressed if one.user_id == user_id]
    for number, one in enumerate(ordered, 1):
        await queries.entries.put_contribution(writer, replace(one, number=number))
    return stream_key(table.seed, lines(ordered))


def lines(contributions: Iterable[Contribution]) -> list[str]:
    """Return the contributions as the lines that are mixed into the dice."""
    return [contribution(one.user_id, one.interaction_id, one.word) for one in contributions]
