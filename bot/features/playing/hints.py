"""Hints: when they may be taken, how computers give them, how they are counted. They use only what their seat may know."""

from dataclasses import dataclass, replace
from typing import Any

from bot.core.change import changing
from bot.core.parts import Service
from bot.core.table.errors import Refused, Stale
from bot.core.table.imagining import imagine, memory_of
from bot.core.table.snapshot import Snapshot
from engines.text import say
from opponents.reviewing import only_way
from storage.schema.records import SeatStatus, Status


@dataclass(frozen=True, slots=True)
class HintQuestion:
    """The question to the computer that gives a hint: the arguments of `opponents.reviewing.advise`."""

    game_id: str
    rules: int
    state: Any
    seat: int
    memory: Any
    stream: str

    @property
    def values(self) -> tuple[Any, ...]:
        """The arguments, in their order."""
        return self.game_id, self.rules, self.state, self.seat, self.memory, self.stream


def hints_allowed(snapshot: Snapshot) -> bool:
    """Return whether a table allows hints, that is, whether its game is unrated. Games with computers always are."""
    return not snapshot.table.rated


def may_take_hint(snapshot: Snapshot, seat: int) -> bool:
    """Return whether a seat may take a hint now. Show the result to that seat only, as it depends on what the seat holds."""
    history = snapshot.playing
    there = snapshot.table.status is Status.PLAYING and snapshot.players[seat].status is SeatStatus.JOINED
    asked = there and hints_allowed(snapshot) and seat in history.to_act
    return asked and not only_way(history.game, history.state, seat) and not _begins_turn(snapshot, seat)


def _begins_turn(snapshot: Snapshot, seat: int) -> bool:
    """Return whether the seat is at the routine action that begins every turn, such as drawing a card."""
    history = snapshot.playing
    return any(choice.routine for choice in history.game.choices(history.state, seat))


def hint_question(snapshot: Snapshot, seat: int) -> HintQuestion:
    """Return the question for a hint, which is always the same in a position. Raises Refused if no hint can be given."""
    if not hints_allowed(snapshot):
        raise Refused(
            say("No hints in rated games. At tables with a computer, and in games that aren’t rated, I’m glad to help.")
        )
    history = snapshot.playing
    if seat not in history.to_act:
        raise Refused(say("It isn’t your turn. You can have a hint when it is."))
    if only_way(history.game, history.state, seat):
        raise Refused(say("You have no choice right now, so there’s nothing to hint at."))
    if _begins_turn(snapshot, seat):
        raise Refused(say("Draw first, then you can have a hint."))
    stream = f"hint {snapshot.table.id} {history.version}"
    state, memory = imagine(history, seat, stream), memory_of(history, seat)
    return HintQuestion(history.game.id, history.game.rules, state, seat, memory, stream)


class Hints(Service):
    """Counts the hints that players take."""

    async def count(self, table_id: int, user_id: int, version: int) -> Snapshot:
        """Count a hint, but only one for each board. Raises NotSeated, or Stale if the board is no longer that of `version`."""
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            player = snapshot.players[snapshot.own_seat(user_id)]
            if snapshot.table.version != version:
                raise Stale(say("The game has moved on. Ask again for a hint on the current board."))
            if player.hinted != version:
                await change.put_seat(replace(player, hints=player.hints + 1, hinted=version))
        return change.snapshot
