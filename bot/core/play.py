"""What players do during a game: actions, resignations and nudges."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.core.change import Change, changing
from bot.core.parts import Service
from bot.core.pings import ping
from bot.core.table.deadlines import ends_at, gives_grace
from bot.core.table.errors import BadAction, NotYourTurn, Refused, SessionError, Stale, WrongStage
from bot.core.table.since import standing
from bot.core.table.snapshot import Snapshot, User
from bot.core.turns import advance
from engines.game import Action, Buttons, Event, IllegalAction, Words, check, is_whole, may_act, part_of
from engines.text import join, say, seat_name
from storage import queries
from storage.schema.records import EntryKind, JobKind, SeatStatus, Status
from storage.store import Conflict, Repeated

NUDGE_WITHOUT_CLOCK: Final = 86400.0
"""Seconds until awaited players may be nudged in a game without a clock: one day."""


@dataclass(frozen=True, slots=True)
class Played:
    """The result of an action, as far as its player may know it, or the note that the interaction was carried out before."""

    snapshot: Snapshot
    events: tuple[Event, ...]
    repeated: bool = False


class Play(Service):
    """Actions, resignations and nudges at tables whose games are running."""

    async def act(
        self,
        table_id: int,
        user: User,
        action: str | Sequence[str],
        *,
        version: int | None = None,
        interaction_id: int | None = None,
        closing: bool = False,
    ) -> Played:
        """Play an action, given as tokens or as typed text. An `interaction_id` is carried out only once.

        The action was chosen on the board of `version`, or on the current one if that is None. `closing` also plays the game's
        closing action (see `Buttons.closing`) if it is legal then.

        Raises:
            NoSuchTable, WrongStage, NotSeated, Refused, NotYourTurn: the user may not act.
            Stale: the board has changed since the action was chosen.
            BadAction: the rules do not allow the action.
        """
        return await self._play(
            table_id, user, lambda snapshot, seat: (tokens_of(snapshot, seat, action),), version=version,
            interaction_id=interaction_id, closing=closing,
        )  # fmt: skip

    async def spend(
        self, table_id: int, user: User, *, version: int, interaction_id: int | None = None, closing: bool = False
    ) -> Played:
        """Play all that is left of a turn (see `Buttons.rest`). Raises as `act` does, or Refused if nothing is left."""
        return await self._play(table_id, user, _rest_of_turn, version=version, interaction_id=interaction_id, closing=closing)

    async def _play(
        self, table_id: int, user: User, chosen: Callable[[Snapshot, int], Sequence[Action]], *, version: int | None,
        interaction_id: int | None, closing: bool,
    ) -> Played:  # fmt: skip
        """Play the actions that `chosen` returns for a player's seat. See `act`."""
        try:
            async with changing(self._core, table_id) as change:
                change.pressed = self._core.discord.moment(interaction_id, change.now)
                try:
                    seat = _seat_to_act(change, user)
                    if version is not None and version != change.table.version:
                        raise Stale(say("The game has moved on. Here’s the board now."))
                    actions = chosen(change.snapshot, seat)
                except SessionError:
                    if await _is_repeated(change, interaction_id):
                        return Played(change.snapshot, (), repeated=True)
                    raise
                history = change.history
                await _play_in_a_row(change, seat, user, actions, interaction_id, closing=closing)
                await forgive_timeouts(change, seat)
                await advance(change)
        except Conflict as error:
            raise Stale(say("The game has moved on. Here’s the board now.")) from error
        except Repeated:
            return Played(await self._core.snapshot(table_id), (), repeated=True)
        return Played(change.snapshot, standing(change.history, history.version, seat))

    async def resign(self, table_id: int, user: User, interaction_id: int | None = None) -> Played:
        """Leave the game. Raises WrongStage, NotSeated, or Refused if the player has already left."""
        try:
            async with changing(self._core, table_id) as change:
                try:
                    change.snapshot.require(Status.PLAYING)
                    seat = still_in(change.snapshot, user)
                except SessionError:
                    if await _is_repeated(change, interaction_id):
                        return Played(change.snapshot, (), repeated=True)
                    raise
                await change.play(change.next_entry(EntryKind.WITHDRAW, seat, user.id, ("resigned",), interaction_id))
                await advance(change, doing_of=user.id)
        except Repeated:
            return Played(await self._core.snapshot(table_id), (), repeated=True)
        return Played(change.snapshot, change.new_entries[0].events)

    async def nudge(self, table_id: int, user: User) -> Snapshot:
        """Have awaited players reminded. Raises Refused if they were nudged this turn, or half of its time has yet to pass."""
        async with changing(self._core, table_id) as change:
            snapshot, table, now = change.snapshot, change.table, change.now
            snapshot.require(Status.PLAYING)
            seat = still_in(snapshot, user)
            if seat in snapshot.playing.to_act:
                raise Refused(say("It’s your own turn!"))
            waits = [player.user_id for player in snapshot.awaited if player.computer is None]
            if not waits:
                raise Refused(say("A computer is thinking. It plays as soon as it’s done."))
            if table.nudged_turn == table.turn:
                raise Refused(say("There’s only one nudge per turn, and it’s been used."))
            half = (table.turn_began or now) + NUDGE_WITHOUT_CLOCK
            if table.clock is not None and table.deadline is not None:
                half = table.deadline - table.clock / 2
            if now < half:
                when = f"<t:{int(half)}:R>"
                raise Refused(say("You can nudge {when}. Give them a little time.", when=when))
            await change.amend(nudged_turn=table.turn)
            await ping(change, user.id, waits)
            await change.enqueue(JobKind.NUDGE, by=seat, turn=table.turn)
            return change.snapshot


def _seat_to_act(change: Change, user: User) -> int:
    """Return the seat of a player who may act now. Raises WrongStage, NotSeated, Refused or NotYourTurn."""
    snapshot, table = change.snapshot, change.table
    snapshot.require(Status.PLAYING)
    seat = still_in(snapshot, user)
    history = snapshot.playing
    if seat in history.to_act:
        ends = ends_at(table)
        over = table.clock is not None and ends is not None and ends <= change.pressed
        if over and change.core.time_counts() and not gives_grace(snapshot):
            raise WrongStage(say("You’re out of time for this turn."))
    elif seat not in may_act(history.game, history.state):
        raise not_your_turn(snapshot)
    return seat


async def _play_in_a_row(
    change: Change, seat: int, user: User, actions: Sequence[Action], interaction_id: int | None, *, closing: bool
) -> None:
    """Play actions in order until a plan answers one. With `closing`, the closing action of the last one follows, if legal."""
    game, began = change.history.game, change.history.version
    for number, tokens in enumerate(actions, 1):
        last = (
            part_of(game, Buttons).closing(change.history.state, seat, tokens) if closing and number == len(actions) else None
        )
        # An interaction is in the log only once.
        clicked = interaction_id if number == 1 else None
        await change.play(change.next_entry(EntryKind.PLAY, seat, user.id, tokens, clicked))
        if number < len(actions) and change.history.version != began + number:
            return
    if last is not None and is_whole(game, change.history.state, seat, last.action):
        await change.play(change.next_entry(EntryKind.PLAY, seat, user.id, last.action))


def _rest_of_turn(snapshot: Snapshot, seat: int) -> Sequence[Action]:
    history = snapshot.playing
    actions = part_of(history.game, Buttons).rest(history.state, seat)
    if not actions:
        raise Refused(say("There’s nothing left to spend this turn."))
    return actions


async def _is_repeated(change: Change, interaction_id: int | None) -> bool:
    """Whether a click that is impossible now was already carried out. For a possible click, appending to the log shows it."""
    return interaction_id is not None and await queries.entries.by_interaction(change.writer, interaction_id) is not None


async def forgive_timeouts(change: Change, seat: int) -> None:
    """Forget the time-outs of a seat that has acted. Do not call it if only a plan acted: its player may still be away."""
    if change.snapshot.players[seat].timeouts:
        await change.put_seat(replace(change.snapshot.players[seat], timeouts=0))


def tokens_of(snapshot: Snapshot, seat: int, action: str | Sequence[str]) -> tuple[str, ...]:
    """Return an action as tokens, having checked that it is legal. Raises BadAction."""
    history = snapshot.playing
    tokens = part_of(history.game, Words).parse(history.state, seat, action) if isinstance(action, str) else tuple(action)
    try:
        check(history.game, history.state, seat, tokens)
    except IllegalAction as error:
        raise bad_action(error, snapshot, typed=isinstance(action, str)) from error
    return tokens


def bad_action(error: IllegalAction, snapshot: Snapshot, *, typed: bool = False) -> BadAction:
    """Return the error for an action that the rules do not allow. If the action was `typed`, the error names words to type."""
    text = error.typed_message if typed else error.message
    return BadAction(text, tuple(choice.token for choice in error.possible), snapshot.names)


def still_in(snapshot: Snapshot, user: User) -> int:
    """Return the seat of a player who has not left the game. Raises NotSeated, or Refused if they have left it."""
    seat = snapshot.own_seat(user.id)
    if snapshot.players[seat].status is not SeatStatus.JOINED:
        raise Refused(say("You’ve left this game."))
    return seat


def not_your_turn(snapshot: Snapshot) -> NotYourTurn:
    """Return the error for a player who acts out of turn."""
    awaited = join([seat_name(seat) for seat in snapshot.playing.to_act], ", ")
    return NotYourTurn(say("It’s not your turn yet: I’m waiting for {who}.", who=awaited), snapshot.names)
