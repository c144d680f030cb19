"""BOUNCE: players go up and down on a trampoline after far too much cake, and try to land before the fifteenth jump."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from typing_extensions import override

from engines.chance import UNSEEDED, Chance
from engines.game import (
    Action,
    Buttons,
    Choice,
    Game,
    Illustration,
    Outcome,
    Packed,
    Pages,
    Rounds,
    Shortcut,
    Step,
    Token,
    View,
    Words,
    deed,
    stream_of,
)
from engines.packing import Reader, Writer
from engines.text import Text, join, plain, say, say_n, seat_name
from engines.trampoline import packing
from engines.trampoline.illustrations import ILLUSTRATIONS
from engines.trampoline.story import events_of, place_name
from engines.trampoline.track import (
    CYCLE,
    LAST_JUMP,
    TOP,
    Jumper,
    Place,
    Turn,
    dice_for,
    may_faceplant,
    moves_to_land,
    odds,
    sharing,
    take_turn,
    winning_rolls,
)
from engines.values import replace

ROLL: Final = "roll"
FACEPLANT: Final = "faceplant"
_SYMBOLS: Final = {ROLL: "🎲", FACEPLANT: "🪙"}


@dataclass(frozen=True, slots=True)
class TrampolineState:
    """A game of BOUNCE.

    Attributes:
        to_move: the seat whose turn it is or, when the game is over, whose turn was last.
        sharing: the seats whose tokens share a spot, spot by spot from the lowest. On a spot, the one longest there is first.
        last_left: the seat that won because it was the only one still jumping when another left, or None.
        chance: the stream of the dice. Comparing states ignores it.
    """

    tokens: tuple[Jumper, ...]
    to_move: int = 0
    sharing: tuple[int, ...] = ()
    last_left: int | None = None
    chance: Chance = field(default=UNSEEDED, compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class TrampolineView(View):
    """All facts of a game of BOUNCE, in which nothing is hidden.

    Attributes:
        dice: the number of dice that the seat to act rolls, 1 to 3; 0 when the game is over.
        faceplant: whether the seat to act may flip a coin instead.
        wins: the totals with which the seat to act lands. There are none if no roll does it, or in a lesson that comes before
            landing.
        away: how many moves the seat to act is from landing; 0 when the game is over, or in such a lesson.
        sharing: as in `TrampolineState`. The first seat on a spot is the one whose token is bumped.
    """

    tokens: tuple[Jumper, ...]
    dice: int
    faceplant: bool
    sharing: tuple[int, ...] = ()
    wins: tuple[int, ...] = ()
    away: int = 0


class Trampoline(
    Rounds[TrampolineView],
    Words[TrampolineState, TrampolineView],
    Buttons[TrampolineState, TrampolineView],
    Packed,
    Pages,
    Game[TrampolineState, TrampolineView],
):
    """The rules of BOUNCE."""

    id: ClassVar[str] = "trampoline"
    title: ClassVar[str] = "BOUNCE"
    summary: ClassVar[str] = say("Full of cake on a trampoline: land before your fifteenth jump brings it all back up.")
    seats: ClassVar[range] = range(1, 5)
    luck_alone: ClassVar[bool] = True  # the faceplant is the only choice, and always right (docs/opponents.md)
    high_score_wins: ClassVar[bool] = False
    passive_tokens: ClassVar[tuple[Token, ...]] = (ROLL,)

    @override
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> TrampolineState:
        return TrampolineState((Jumper(),) * seats, chance=chance)

    @override
    def to_act(self, state: TrampolineState) -> tuple[int, ...]:
        return () if self.outcome(state) else (state.to_move,)

    @override
    def choices(self, state: TrampolineState, seat: int, prefix: Action = ()) -> list[Choice]:
        if prefix or seat not in self.to_act(state):
            return []
        jumper = state.tokens[seat]
        offers = _offers(dice_for(jumper), may_faceplant(jumper))
        return [Choice(token, label, final=True, symbol=_SYMBOLS[token], deed=deed) for token, label, deed in offers]

    def roll(self, state: TrampolineState, seat: int, action: Action) -> tuple[TrampolineState, Turn]:
        """Play a legal action. Return the state after it, and the turn as data, to which `play` adds the words."""
        jumper, chance = state.tokens[seat], state.chance
        dice: list[int] = []
        faceplant = action == (FACEPLANT,)
        for _ in range(1 if faceplant else dice_for(jumper)):
            die, chance = chance.coin() if faceplant else chance.die()
            dice.append(die)
        turn = take_turn(state.tokens, state.sharing, seat, tuple(dice), faceplant=faceplant)
        after = replace(state, tokens=turn.tokens, sharing=turn.sharing, chance=chance)
        return self._passed_on(after), turn

    @override
    def _play(self, state: TrampolineState, seat: int, action: Action) -> Step[TrampolineState]:
        after, turn = self.roll(state, seat, action)
        return Step(after, events_of(turn))

    @override
    def withdraw(self, state: TrampolineState, seat: int) -> Step[TrampolineState]:
        """Take the seat's token off the board. The others play on, unless only one is still jumping, who then wins."""
        if self.outcome(state) is not None:
            raise ValueError(say("The game is over."))
        if not 0 <= seat < len(state.tokens) or state.tokens[seat].out:
            raise ValueError(say("{who} isn’t in the game any more.", who=seat_name(seat)))
        tokens = list(state.tokens)
        tokens[seat] = replace(tokens[seat], place=None, left=True)
        staying = [other for other, jumper in enumerate(tokens) if not jumper.out]
        after = replace(
            state,
            tokens=tuple(tokens),
            sharing=sharing(tokens, state.sharing),
            last_left=staying[0] if len(staying) == 1 else None,
        )
        event = deed("withdraw", seat, say("climbs off the trampoline and goes home"), major=True)
        return Step(self._passed_on(after) if seat == state.to_move else after, (event,))

    def _passed_on(self, state: TrampolineState) -> TrampolineState:
        """Return the state with the turn passed to the next seat that is still jumping; unchanged if the game is over."""
        if self.outcome(state) is not None:
            return state
        seats = len(state.tokens)
        following = ((state.to_move + step) % seats for step in range(1, seats + 1))
        return replace(state, to_move=next(seat for seat in following if not state.tokens[seat].out))

    @override
    def outcome(self, state: TrampolineState) -> Outcome | None:
        """Return who wins: the first to land (or all who land in one turn), the last one left if others leave, or nobody."""
        landed = tuple(seat for seat, jumper in enumerate(state.tokens) if jumper.landed)
        if len(landed) == 1:
            who, jumps = seat_name(landed[0]), state.tokens[landed[0]].jumps
            return Outcome(landed, say_n("{who} landed after {n} jump.", "{who} landed after {n} jumps.", jumps, who=who))
        if landed:
            names = join([seat_name(seat) for seat in landed], ", ")
            return Outcome(landed, say("Landed in the same turn: {names}.", names=names))
        if state.last_left is not None:
            return Outcome((state.last_left,), say("Everyone else went home."))
        if all(jumper.out for jumper in state.tokens):
            if not all(jumper.thrown_up for jumper in state.tokens):
                reason = say("Nobody’s left on the trampoline.")
            else:
                reason = say("Everybody threw up.") if len(state.tokens) > 1 else say("Jump 15 was one too many.")
            return Outcome((), reason)
        return None

    @override
    def view(self, state: TrampolineState, seat: int | None = None) -> TrampolineView:
        to_act = self.to_act(state)
        return TrampolineView(
            variant=self.variants[0],
            seats=len(state.tokens),
            seat=seat,
            to_act=to_act,
            out=tuple(seat for seat, jumper in enumerate(state.tokens) if jumper.out),
            scores=tuple(say("{n} of 15", n=jumper.jumps) for jumper in state.tokens),
            outcome=self.outcome(state),
            tokens=state.tokens,
            dice=dice_for(state.tokens[to_act[0]]) if to_act else 0,
            faceplant=any(may_faceplant(state.tokens[other]) for other in to_act),
            sharing=state.sharing,
            wins=winning_rolls(state.tokens, state.sharing, to_act[0]) if to_act else (),
            away=moves_to_land(state.tokens[to_act[0]]) if to_act else 0,
        )

    @override
    def describe(self, view: TrampolineView) -> Text:
        lines = [_jumper_text(view, seat) for seat in range(view.seats)]
        for seat in view.to_act:
            who = seat_name(seat)
            lines.append(say_n("{who} rolls {n} die.", "{who} rolls {n} dice.", view.dice, who=who))
            if view.wins or view.away:
                lines.append(_totals_text(view))
            if view.faceplant:
                lines.append(say("{who} can faceplant instead: flip a coin for 1 or 2.", who=who))
        if view.outcome is not None:
            lines.append(join([view.outcome.reason]))
        return join(lines)

    @override
    def next_seats(self, view: TrampolineView) -> tuple[int, ...]:
        return view.seats_after(view.to_act[0]) if view.to_act else ()

    @override
    def illustrations(self) -> Mapping[str, Illustration]:
        return ILLUSTRATIONS

    @override
    def aim(self, variant: str) -> Text:
        rest = say("At jump {n} the cake comes back up.", n=LAST_JUMP)
        return join([say("To win, your roll must end exactly on the mat (spot 1), coming down."), rest], " ")

    @override
    def question(self, view: TrampolineView, seat: int) -> Text:
        return say("roll or faceplant?") if view.faceplant else say("ready to roll?")

    @override
    def why_not(self, state: TrampolineState, seat: int, action: Action, index: int) -> Text | None:
        jumper = state.tokens[seat]
        if index > 0:
            return say("A turn is a single roll.")
        if action[index] != FACEPLANT:
            return None
        if jumper.jumps != LAST_JUMP - 1:
            return say_n(
                "You can’t faceplant before jump 14, and you’ve made {n} jump.",
                "You can’t faceplant before jump 14, and you’ve made {n} jumps.",
                jumper.jumps,
            )
        return say("You can only faceplant on spot 2 or 3, coming down.")

    @override
    def shortcuts(self, view: TrampolineView) -> tuple[Shortcut, ...]:
        """Return every action of the seat to act, so that a turn is a single click."""
        if not view.to_act:
            return ()
        return tuple(Shortcut((token,), label) for token, label, _ in _offers(view.dice, view.faceplant))

    @override
    def position(self, state: TrampolineState, secret: bool = False) -> dict[str, Any]:
        written: dict[str, Any] = {"to_move": state.to_move, "tokens": [_jumper_position(jumper) for jumper in state.tokens]}
        if state.sharing:
            written["sharing"] = list(state.sharing)
        if state.last_left is not None:
            written["last_left"] = state.last_left
        if secret:
            written["chance"] = state.chance.to_json()
        return written

    @override
    def from_position(self, position: Mapping[str, Any], chance: Chance | None = None) -> TrampolineState:
        """Return the state that `position` wrote. Raises ValueError, saying what is wrong, if there is no such state.

        The keys are ``"to_move"``, the seat whose turn it is, and ``"tokens"``, which has, for each seat, its ``"spot"`` (1 to
        9), its ``"facing"`` ("up" or "down"; both are null off the board) and its ``"jumps"``. Three more are written only when
        they apply: a token's ``"left": true`` if the player has left; ``"sharing"``, the order on shared spots (by seat if
        omitted); and ``"last_left"``, the seat that won because the others left.
        """
        listed = position.get("tokens")
        if not isinstance(listed, list) or len(listed) not in self.seats:
            raise ValueError(say("BOUNCE needs a list of 1 to 4 tokens."))
        tokens = tuple(_read(seat, token) for seat, token in enumerate(listed))
        to_move = _seat(position.get("to_move"), tokens)
        last_left = position.get("last_left")
        if last_left is not None:
            last_left = _seat(last_left, tokens)
            if [seat for seat, jumper in enumerate(tokens) if not jumper.out] != [last_left]:
                raise ValueError(say("{who} isn’t the last one left.", who=seat_name(last_left)))
        state = TrampolineState(
            tokens, to_move, _sharing(position.get("sharing"), tokens), last_left, stream_of(position, chance)
        )
        if self.outcome(state) is None and tokens[to_move].out:
            raise ValueError(say("It can’t be {who}’s turn: {who} is out.", who=seat_name(to_move)))
        return state

    @override
    def pack(self, position: Mapping[str, Any], writer: Writer) -> None:
        packing.write(position, writer)

    @override
    def unpack(self, reader: Reader) -> dict[str, Any]:
        return packing.read(reader)


def _offers(dice: int, faceplant: bool) -> list[tuple[str, Text, Text]]:
    offers: list[tuple[str, Text, Text]] = [
        (ROLL, say_n("Roll {n} die", "Roll {n} dice", dice), say_n("roll {n} die", "roll {n} dice", dice))
    ]
    if faceplant:
        offers.append((FACEPLANT, say("Faceplant: 1 or 2"), say("faceplant")))
    return offers


def odds_text(view: TrampolineView) -> Text | None:
    """Return the chance that the next roll wins ("1 in 72"), or None if no roll does, or if more than two in three do."""
    times = round(1 / odds(view.wins, view.dice)) if view.wins else 0
    return say("1 in {n}", n=times) if times > 1 else None


def _totals_text(view: TrampolineView) -> Text:
    wins = view.wins
    if not wins:
        return say_n("No roll wins yet: the mat is {n} move away.", "No roll wins yet: the mat is {n} moves away.", view.away)
    *others, last = (plain(str(total)) for total in wins)
    totals = say("{some} or {last}", some=join(others, ", "), last=last) if others else last
    if (chance := odds_text(view)) is None:
        return say("A roll of {totals} wins.", totals=totals)
    return say("A roll of {totals} wins: {odds}.", totals=totals, odds=chance)


def _jumper_text(view: TrampolineView, seat: int) -> Text:
    jumper = view.tokens[seat]
    who, jumps = seat_name(seat), jumper.jumps
    if jumper.left:
        return say("{who}: went home.", who=who)
    if jumper.thrown_up:
        return say("{who}: threw up and is out.", who=who)
    if jumper.landed:
        return say_n("{who}: landed after {n} jump.", "{who}: landed after {n} jumps.", jumps, who=who)
    if jumper.place is None:
        return say("{who}: not on the trampoline yet.", who=who)
    if not view.scores:
        return say("{who}: {place}.", who=who, place=place_name(jumper.place))
    return say("{who}: {place}, jump {n} of 15.", who=who, place=place_name(jumper.place), n=jumps)


def _jumper_position(jumper: Jumper) -> dict[str, Any]:
    written: dict[str, Any] = {"spot": jumper.spot, "facing": jumper.facing, "jumps": jumper.jumps}
    if jumper.left:
        written["left"] = True
    return written


def _whole(value: object, lowest: int, highest: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest


def _seat(value: object, tokens: tuple[Jumper, ...]) -> int:
    if not isinstance(value, int) or not _whole(value, 0, len(tokens) - 1):
        raise ValueError(say("There is no seat {seat}.", seat=value))
    return value


def _read(seat: int, token: object) -> Jumper:
    """Return one token of a position. Raises ValueError if the token cannot exist."""
    who = seat_name(seat)
    if not isinstance(token, Mapping):
        raise ValueError(say("{who}’s token isn’t an object.", who=who))
    spot, facing, jumps, left = token.get("spot"), token.get("facing"), token.get("jumps"), token.get("left", False)
    if not isinstance(jumps, int) or not _whole(jumps, 0, LAST_JUMP):
        raise ValueError(say("{who}’s jumps must be 0 to 15, not {jumps}.", who=who, jumps=jumps))
    if not isinstance(left, bool):
        raise ValueError(say("“left” of {who} must be true or false, not {left}.", who=who, left=left))
    place: Place | None = None
    if spot is not None or facing is not None:
        place = next((known for known in CYCLE if _whole(spot, 1, TOP) and known.spot == spot and known.facing == facing), None)
        if place is None:
            raise ValueError(say("{who} can’t be on spot {spot} facing {facing}.", who=who, spot=spot, facing=facing))
    if place is None and 0 < jumps < LAST_JUMP and not left:
        raise ValueError(
            say_n("After {n} jump {who} must be on a spot.", "After {n} jumps {who} must be on a spot.", jumps, who=who)
        )
    if place is not None and (jumps == LAST_JUMP or left):
        raise ValueError(say("{who} threw up or left, and can’t be on a spot.", who=who))
    return Jumper(place, jumps, left)


def _sharing(value: object, tokens: tuple[Jumper, ...]) -> tuple[int, ...]:
    """Return the given order on shared spots or, without one, the order of the seats. Raises ValueError if it does not fit."""
    by_seat = sharing(tokens, range(len(tokens)))
    if value is None:
        return by_seat
    if not isinstance(value, list) or any(not isinstance(seat, int) for seat in value) or sorted(value) != sorted(by_seat):
        shared = join([plain(str(seat)) for seat in by_seat], ", ")
        raise ValueError(
            say("“sharing” must list the seats that share a spot ({seats}), not {value}.", seats=shared, value=value)
        )
    return sharing(tokens, value)
