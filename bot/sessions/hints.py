"""Hints: who may be given one, what is asked for it, and how they are counted.

A hint is thought of from what its seat may know alone. It is counted once a position, and the counts are told at the end.
"""

from dataclasses import dataclass, replace
from typing import Any

from bot.sessions.errors import Refused, Stale
from bot.sessions.imagining import imagined, memory_of
from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot
from engines.text import Text, say, say_n, seat_name
from opponents.reviewing import only_way
from storage.records import SeatStatus, Status


@dataclass(frozen=True, slots=True)
class HintQuestion:
    """What is asked for a hint: the values of `opponents.reviewing.advised`."""

    game_id: str
    rules: int
    state: Any
    seat: int
    memory: Any
    stream: str

    @property
    def values(self) -> tuple[Any, ...]:
        """The values in their order."""
        return self.game_id, self.rules, self.state, self.seat, self.memory, self.stream


def hints_allowed(snapshot: Snapshot) -> bool:
    """Whether hints may be taken at a table: where nobody's rating is at stake, as at all tables with computers."""
    return not snapshot.table.rated


def may_take_hint(snapshot: Snapshot, seat: int) -> bool:
    """Whether a seat may take a hint now: where it has something to choose, which it alone may know."""
    history = snapshot.playing
    there = snapshot.table.status is Status.PLAYING and snapshot.players[seat].status is SeatStatus.JOINED
    asked = there and hints_allowed(snapshot) and seat in history.to_act
    return asked and not only_way(history.game, history.state, seat)


def hint_question(snapshot: Snapshot, seat: int) -> HintQuestion:
    """What is asked for a hint. The same position gives the same one again. Raises Refused where there is none."""
    if not hints_allowed(snapshot):
        raise Refused(
            say("No hints in rated games. At tables with a computer, and in games that aren’t rated, I’m glad to help.")
        )
    history = snapshot.playing
    if seat not in history.to_act:
        raise Refused(say("It isn’t your turn. You can have a hint when it is."))
    if only_way(history.game, history.state, seat):
        raise Refused(say("There’s just one thing you can do now, so there’s no hint to give."))
    stream = f"hint {snapshot.table.id} {history.version}"
    state, memory = imagined(history, seat, stream), memory_of(history, seat)
    return HintQuestion(history.game.id, history.game.rules, state, seat, memory, stream)


def hints_taken(snapshot: Snapshot) -> tuple[Text, ...]:
    """Who has taken how many hints, in sentences."""
    return tuple(
        say_n("{who} took {n} hint.", "{who} took {n} hints.", player.hints, who=seat_name(seat))
        for seat, player in enumerate(snapshot.players)
        if player.hints
    )


class Hints:
    """The count of hints."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def count(self, table_id: int, user_id: int, version: int) -> Snapshot:
        """Count a hint about the position at a version, once. Returns the table.

        Raises NotSeated, and Stale if the game has moved on.
        """
        async with self._repository.table(table_id) as (writer, snapshot):
            player = snapshot.players[snapshot.own_seat(user_id)]
            if snapshot.table.version != version:
                raise Stale(say("The game has moved on. Ask again for a hint on the board as it is now."))
            if player.hinted == version:
                return snapshot
            counted = replace(player, hints=player.hints + 1, hinted=version)
            await writer.put_seat(counted)
        people = tuple(counted if one.user_id == user_id else one for one in snapshot.people)
        return replace(snapshot, people=people)
