"""Bounce Bunny Bounce: two Bunnies on a field of hidden cards, each after three Carrots.

The rules are in `rules.md` beside this module. `field` has the cards, the bounces and the deal, `position` the states, `turn`
the parts of a turn, and `story` the words for what happens. Here are the choices, the end, and who knows what.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from typing_extensions import override

from engines.bunny.field import (
    DIRECTIONS,
    SPACES,
    Bounce,
    Card,
    Direction,
    Space,
    card_on,
    deal,
    entrances,
    next_card,
    with_card,
)
from engines.bunny.illustrations import ILLUSTRATIONS
from engines.bunny.position import (
    CARROTS_TO_WIN,
    QUIET_TURNS,
    BunnyState,
    Phase,
    face,
    hidden,
    is_over,
    read_position,
    swappable,
    write_position,
)
from engines.bunny.story import card_name, leave_event, on_space
from engines.bunny.turn import look, move, pass_by, shock, swap
from engines.chance import Chance
from engines.game import Action, Choice, Game, Illustration, Outcome, Shortcut, Step, Token, View
from engines.text import Text, join, plain, say, seat_name


@dataclass(frozen=True, kw_only=True)
class BunnyView(View):
    """What one seat may know of a game of Bounce Bunny Bounce.

    Attributes:
        field: each of the 35 spaces, row by row from the bottom, with what it shows: "left", "right", "up", "down", "stop",
            "spy", "swap", "bonus" or "carrot" for a card that lies face up, "hidden" for one that lies face down, "empty" where
            a Carrot was taken. A card that only this seat knows, from its Spy, is "hidden" here and appears in `known`.
        bunnies: for each seat the space of its Bunny, or None if it is off the field.
        shocks: for each seat how many Universal Shocks it has, 0 to 3.
        carrots: for each seat how many Carrots it has won.
        turn: whose turn it is.
        phase: what the seat to act must do: "move" its Bunny, "swap" two cards, "spy" on one, or "shock" the other Bunny (or
            pass). If a Universal Shock sent a Bunny onto a Swap or a Spy, its owner acts in the other one's turn.
        quiet_turns: how many turns in a row have passed without a Carrot; the game ends at 80.
        known: the space where the card that this seat's Spy saw in this turn lies now, and the card; or None.
    """

    field: tuple[tuple[Space, str], ...]
    bunnies: tuple[Space | None, Space | None]
    shocks: tuple[int, int]
    carrots: tuple[int, int]
    turn: int
    phase: Phase
    quiet_turns: int
    known: tuple[Space, Card] | None


class Bunny(Game[BunnyState, BunnyView]):
    """The rules of Bounce Bunny Bounce."""

    id: ClassVar[str] = "bunny"
    title: ClassVar[str] = "Bounce Bunny Bounce"
    summary: ClassVar[str] = say(
        "Two Bunnies bounce over hidden cards: remember where the shocks lie, and be first to three Carrots."
    )
    seats: ClassVar[range] = range(2, 3)
    variants: ClassVar[tuple[str, ...]] = ("standard",)
    variant_titles: ClassVar[Mapping[str, str]] = {"standard": say("Standard")}
    secret: ClassVar[bool] = True
    memory: ClassVar[bool] = True
    passive_tokens: ClassVar[tuple[Token, ...]] = ("pass",)
    verbs: ClassVar[tuple[Token, ...]] = ("enter", "swap", "spy", "shock")

    @override
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> BunnyState:
        field, chance = deal(chance)
        carrots = frozenset(space for space in SPACES if card_on(field, space) == "carrot")
        return BunnyState(field, carrots, chance=chance)

    @override
    def to_act(self, state: BunnyState) -> tuple[int, ...]:
        """The seat whose turn it is, or the one whose Bunny a Universal Shock sent onto a Swap or a Spy."""
        return () if is_over(state) else (state.to_choose,)

    @override
    def choices(self, state: BunnyState, seat: int, prefix: Action = ()) -> list[Choice]:
        """What the phase asks for. None of it depends on a card that lies face down."""
        if seat not in self.to_act(state):
            return []
        tree = {"move": _movements, "swap": _swaps, "spy": _spies, "shock": _shocks}
        return list(tree[state.phase](state, tuple(prefix)))

    @override
    def _play(self, state: BunnyState, seat: int, action: Action) -> Step[BunnyState]:
        if state.phase == "move":
            return move(state, action)
        if state.phase == "swap":
            return swap(state, action[1], action[2])
        if state.phase == "spy":
            return look(state, action[1])
        return pass_by(state) if action == ("pass",) else shock(state, action[1])

    @override
    def reversible(self, before: BunnyState, action: Action, step: Step[BunnyState]) -> bool:
        """Swapping, passing, and bouncing onto cards that all lay face up; not what turned a card up or showed one to a Spy."""
        for event in step.events:
            if event.private_to is not None:
                return False
            if isinstance(event.detail, Bounce) and any(
                landing.space not in before.face_up for landing in event.detail.landings
            ):
                return False
        return True

    @override
    def withdraw(self, state: BunnyState, seat: int) -> Step[BunnyState]:
        """The other player wins. Raises ValueError if the game is over or there is no such seat."""
        if seat not in (0, 1):
            raise ValueError(say("There is no seat {seat}.", seat=seat))
        if is_over(state):
            raise ValueError(say("The game is over."))
        return Step(replace(state, left=seat), (leave_event(seat),))

    @override
    def outcome(self, state: BunnyState) -> Outcome | None:
        """Three Carrots win; after 80 quiet turns more Carrots win, equal is a draw. If one player leaves, the other wins."""
        if not is_over(state):
            return None
        if state.left is not None:
            return Outcome((1 - state.left,), say("{who} has left the game.", who=seat_name(state.left)))
        for seat in (0, 1):
            if state.carrots[seat] >= CARROTS_TO_WIN:
                return Outcome((seat,), say("{who} has three Carrots.", who=seat_name(seat)))
        best = max(state.carrots)
        winners = tuple(seat for seat in (0, 1) if state.carrots[seat] == best)
        if len(winners) == 1:
            who = seat_name(winners[0])
            return Outcome(winners, say("{n} turns without a Carrot; {who} has more of them.", n=QUIET_TURNS, who=who))
        return Outcome((), say("{n} turns without a Carrot, and both have as many.", n=QUIET_TURNS))

    @override
    def view(self, state: BunnyState, seat: int | None = None) -> BunnyView:
        """The field as it lies, and for a seat also what its Spy saw."""
        spied = None if seat is None else state.spied[seat]
        return BunnyView(
            variant=self.variants[0],
            seats=2,
            seat=seat,
            to_act=self.to_act(state),
            out=() if state.left is None else (state.left,),
            scores=tuple(say("{n} of {all}", n=won, all=CARROTS_TO_WIN) for won in state.carrots),
            outcome=self.outcome(state),
            field=tuple((space, face(state, space) or "hidden") for space in SPACES),
            bunnies=state.bunnies,
            shocks=state.shocks,
            carrots=state.carrots,
            turn=state.turn,
            phase=state.phase,
            quiet_turns=state.quiet_turns,
            known=None if spied is None else (spied, card_on(state.field, spied)),
        )

    @override
    def revealed(self, state: BunnyState) -> BunnyView:
        """The view with every card face up."""
        return replace(self.view(state), field=tuple(zip(SPACES, state.field, strict=True)))

    @override
    def describe(self, view: BunnyView) -> Text:
        """Every card that lies face up, the empty spaces, each player's Bunny, Carrots and shocks, and what is to be done."""
        lines = [_listed(view.field), *(_standing(view, seat) for seat in (0, 1))]
        if view.quiet_turns >= QUIET_TURNS // 2:
            lines.append(
                say("{n} turns in a row without a Carrot; at {end} the game ends.", n=view.quiet_turns, end=QUIET_TURNS)
            )
        lines.extend(_task(view, seat) for seat in view.to_act)
        if view.outcome is not None:
            lines.append(join([view.outcome.reason]))
        return join(lines)

    @override
    def hand(self, view: BunnyView) -> Text | None:
        """What this seat's Spy saw in this turn."""
        if view.known is None:
            return None
        space, card = view.known
        return say("Your Spy saw the card that lies on {space}: {card}.", space=space, card=card_name(card))

    @override
    def shortcuts(self, view: BunnyView) -> tuple[Shortcut, ...]:
        """The directions in which a Bunny on the field can go, or passing in the shock phase."""
        if not view.to_act:
            return ()
        space = view.bunnies[view.to_act[0]]
        if view.phase == "shock":
            return (Shortcut(("pass",), say("Pass")),)
        if view.phase == "move" and space is not None:
            field = tuple(face for _, face in view.field)
            ways = [direction for direction in DIRECTIONS if next_card(field, space, direction)]
            return tuple(Shortcut((direction,), _way(direction)) for direction in ways)
        return ()

    @override
    def resample(self, state: BunnyState, seat: int | None, chance: Chance) -> BunnyState:
        """The state with the cards that lie face down shuffled among their spaces.

        The card that this seat's Spy saw stays, and so does a card under a Bunny: only a Stop lies face down there, so
        everybody knows it.
        """
        kept = {*state.bunnies, None if seat is None else state.spied[seat]}
        spaces = [space for space in hidden(state) if space not in kept]
        cards, _ = chance.shuffle([card_on(state.field, space) for space in spaces])
        field = state.field
        for space, card in zip(spaces, cards, strict=True):
            field = with_card(field, space, card)
        return replace(state, field=field)

    @override
    def illustrations(self) -> Mapping[str, Illustration]:
        return ILLUSTRATIONS

    @override
    def position(self, state: BunnyState, secret: bool = False) -> dict[str, Any]:
        return write_position(state, secret=secret)

    @override
    def from_position(self, position: Mapping[str, Any], chance: Chance | None = None) -> BunnyState:
        return read_position(position, chance)


# --- in words -------------------------------------------------------------------------------------------------------------


def _listed(field: tuple[tuple[Space, str], ...]) -> Text:
    """The spaces that show something, by what they show."""
    lines = []
    for kind in ("carrot", "spy", "swap", "bonus", "stop", *DIRECTIONS, "empty"):
        spaces = join([plain(space) for space, shown in field if shown == kind], ", ")
        if spaces and kind == "empty":
            lines.append(say("Empty spaces: {spaces}.", spaces=spaces))
        elif spaces:
            lines.append(say("{card}: {spaces}.", card=card_name(kind), spaces=spaces))
    if any(shown == "hidden" for _, shown in field):
        lines.append(say("All other cards of the field, a1 to g5, lie face down."))
    return join(lines)


def _standing(view: BunnyView, seat: int) -> Text:
    """One player's Bunny, Carrots and Universal Shocks."""
    who, space = seat_name(seat), view.bunnies[seat]
    where = say("off the field") if space is None else say("on {space}", space=space)
    return say(
        "{who}: Bunny {where}, Carrots {carrots}, Universal Shocks {shocks}.",
        who=who,
        where=where,
        carrots=view.carrots[seat],
        shocks=view.shocks[seat],
    )


def _task(view: BunnyView, seat: int) -> Text:
    """What the seat to act must choose."""
    who = seat_name(seat)
    if view.phase == "move" and view.bunnies[seat] is None:
        return say("{who} enters on a card of row 1.", who=who)
    if view.phase == "move":
        return say("{who} bounces left, right, up or down.", who=who)
    if view.phase == "swap":
        return say("{who} swaps two cards.", who=who)
    if view.phase == "spy":
        return say("{who} looks at a card that lies face down.", who=who)
    return say("{who} spends a Universal Shock on {other}, or passes.", who=who, other=seat_name(1 - seat))


# --- what can be chosen --------------------------------------------------------------------------------------------------


def _way(direction: Direction) -> Text:
    return {"left": say("Left"), "right": say("Right"), "up": say("Up"), "down": say("Down")}[direction]


def _directions(state: BunnyState, space: Space) -> Iterator[Choice]:
    """The directions that exist from a space, each with the space it leads to."""
    for direction in DIRECTIONS:
        ahead = next_card(state.field, space, direction)
        if ahead is not None:
            label = say("{way}, to {space}", way=_way(direction), space=on_space(ahead, face(state, ahead)))
            yield Choice(direction, label, final=True)


def _movements(state: BunnyState, prefix: Action) -> Iterator[Choice]:
    seat = state.to_choose
    space = state.bunnies[seat]
    if space is not None:
        yield from () if prefix else _directions(state, space)
    elif not prefix:
        yield Choice("enter", say("Enter the field"), final=False)
    elif prefix == ("enter",):
        for entrance in entrances(state.field, state.bunnies[1 - seat]):
            yield Choice(entrance[0], say("On {space}", space=on_space(entrance, face(state, entrance))), final=True)


def _swaps(state: BunnyState, prefix: Action) -> Iterator[Choice]:
    if not prefix:
        yield Choice("swap", say("Swap two cards"), final=False)
    elif prefix[0] == "swap" and len(prefix) <= 2:
        spaces = swappable(state)
        if len(prefix) == 1 or prefix[1] in spaces:
            for space in spaces:
                if space not in prefix:
                    yield Choice(space, on_space(space, face(state, space)), final=len(prefix) == 2)


def _spies(state: BunnyState, prefix: Action) -> Iterator[Choice]:
    if not prefix:
        yield Choice("spy", say("Look at a card"), final=False)
    elif prefix == ("spy",):
        yield from (Choice(space, plain(space), final=True) for space in hidden(state))


def _shocks(state: BunnyState, prefix: Action) -> Iterator[Choice]:
    seat = 1 - state.turn
    other = state.bunnies[seat]
    if not prefix:
        yield Choice("shock", say("Spend a Universal Shock on {other}", other=seat_name(seat)), final=False)
        yield Choice("pass", say("Pass"), final=True)
    elif prefix == ("shock",) and other is not None:
        yield from _directions(state, other)
