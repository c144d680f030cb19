"""Bounce Bunny Bounce: two Bunnies on a field of hidden cards, each of which is after three Carrots."""

from collections.abc import Mapping
from typing import Any, ClassVar

from typing_extensions import override

from engines.bunny import choosing, packing, refusing
from engines.bunny.field import SPACES, Bounce, card_on, deal, with_card
from engines.bunny.illustrations import ILLUSTRATIONS
from engines.bunny.position import (
    CARROTS_TO_WIN,
    QUIET_TURNS,
    BunnyState,
    face,
    hidden_spaces,
    is_over,
    read_position,
    write_position,
)
from engines.bunny.story import card_name, leave_event
from engines.bunny.turn import look, move, pass_by, shock, swap
from engines.bunny.views import BunnyView, description
from engines.chance import Chance
from engines.game import (
    Action,
    Buttons,
    Choice,
    Foresees,
    Game,
    Hidden,
    Illustration,
    Outcome,
    Packed,
    Pages,
    Shortcut,
    Step,
    Token,
    Words,
)
from engines.packing import Reader, Writer
from engines.text import Text, say, seat_name
from engines.values import replace


class Bunny(
    Hidden[BunnyState, BunnyView],
    Foresees[BunnyState],
    Words[BunnyState, BunnyView],
    Buttons[BunnyState, BunnyView],
    Packed,
    Pages,
    Game[BunnyState, BunnyView],
):
    """The rules of Bounce Bunny Bounce."""

    id: ClassVar[str] = "bunny"
    title: ClassVar[str] = "Bounce Bunny Bounce"
    summary: ClassVar[str] = say("Hop over hidden cards, remember the shocks, and be the first to three carrots.")
    seats: ClassVar[range] = range(2, 3)
    memory: ClassVar[bool] = True
    hand_title: ClassVar[Text] = say("My secrets")
    passive_tokens: ClassVar[tuple[Token, ...]] = ("pass",)
    verbs: ClassVar[tuple[Token, ...]] = ("enter", "swap", "spy", "shock")

    @override
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> BunnyState:
        field, chance = deal(chance)
        carrots = frozenset(space for space in SPACES if card_on(field, space) == "carrot")
        return BunnyState(field, carrots, chance=chance)

    @override
    def to_act(self, state: BunnyState) -> tuple[int, ...]:
        """Return the seat in turn, or the other seat if a Universal Shock sent its Bunny onto a Swap or a Spy."""
        return () if is_over(state) else (state.to_choose,)

    @override
    def choices(self, state: BunnyState, seat: int, prefix: Action = ()) -> list[Choice]:
        return list(choosing.choices(state, tuple(prefix))) if seat in self.to_act(state) else []

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
    def shows_secret(self, before: BunnyState, action: Action, step: Step[BunnyState]) -> bool:
        """Whether the action turned a card up, which it did if any card in the chain of a bounce lay face down before."""
        bounces = [event.detail for event in step.events if isinstance(event.detail, Bounce)]
        return any(landing.space not in before.face_up for bounce in bounces for landing in bounce.landings)

    @override
    def withdraw(self, state: BunnyState, seat: int) -> Step[BunnyState]:
        if seat not in (0, 1):
            raise ValueError(say("There is no seat {seat}.", seat=seat))
        if is_over(state):
            raise ValueError(say("The game is over."))
        return Step(replace(state, left=seat), (leave_event(seat),))

    @override
    def outcome(self, state: BunnyState) -> Outcome | None:
        """Return who wins: by three Carrots, by more of them after 80 quiet turns (or a draw), or because the other left."""
        if not is_over(state):
            return None
        if state.left is not None:
            return Outcome((1 - state.left,), say("{who} left the game.", who=seat_name(state.left)))
        best, least = max(state.carrots), min(state.carrots)
        winners = tuple(seat for seat in (0, 1) if state.carrots[seat] == best)
        if best >= CARROTS_TO_WIN:
            return Outcome(winners, say("Three carrots!"))
        if len(winners) == 1:
            why = say("No carrot for {n} turns, so {best} beats {least}.", n=QUIET_TURNS, best=best, least=least)
            return Outcome(winners, why)
        return Outcome((), say("No carrot for {n} turns, and the scores are level.", n=QUIET_TURNS))

    @override
    def view(self, state: BunnyState, seat: int | None = None) -> BunnyView:
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
    def open_view(self, state: BunnyState) -> BunnyView:
        return replace(self.view(state), field=tuple(zip(SPACES, state.field, strict=True)))

    @override
    def describe(self, view: BunnyView) -> Text:
        return description(view)

    @override
    def hand(self, view: BunnyView) -> Text | None:
        if view.known is None:
            return None
        space, card = view.known
        return say("You peeked: {card} on {space}.", space=space, card=card_name(card))

    @override
    def shortcuts(self, view: BunnyView) -> tuple[Shortcut, ...]:
        return choosing.shortcuts(view)

    @override
    def question(self, view: BunnyView, seat: int) -> Text:
        return choosing.question(view, seat)

    @override
    def wording(self, state: BunnyState, seat: int, action: Action) -> Text | None:
        return choosing.wording(state, action)

    @override
    def prompt(self, state: BunnyState, seat: int, prefix: Action = ()) -> Text | None:
        return choosing.prompt(state, prefix) if seat in self.to_act(state) else None

    @override
    def region_prompt(self, state: BunnyState, seat: int, prefix: Action, region: Text | None) -> Text:
        return choosing.region_prompt(prefix, region)

    @override
    def why_not(self, state: BunnyState, seat: int, action: Action, index: int) -> Text | None:
        return refusing.why_not(state, action, index) if seat in self.to_act(state) else None

    @override
    def foresee(self, state: BunnyState, seat: int, action: Action) -> Step[BunnyState] | None:
        """Return the step if the seat knows every card on the way, or else None.

        The seat knows the cards that lie face up, those under a Bunny (if one of them lies face down, it is a Stop), and the
        one that its Spy has seen. The first card to which a Bunny comes is no secret, and each known card leads to the next
        one. So whether the seat can foresee the step depends on known cards alone.
        """
        step = self.play(state, seat, action)
        known = {*state.face_up, *state.bunnies, state.spied[seat]}
        for event in step.events:
            if event.private_to is not None:
                return None
            if isinstance(event.detail, Bounce) and any(landing.space not in known for landing in event.detail.landings):
                return None
        return step

    @override
    def resample(self, state: BunnyState, seat: int | None, chance: Chance) -> BunnyState:
        """Shuffle the face-down cards among their spaces, except the one that the seat's Spy saw, and Stops under Bunnies."""
        kept = {*state.bunnies, None if seat is None else state.spied[seat]}
        spaces = [space for space in hidden_spaces(state) if space not in kept]
        cards, _ = chance.shuffle(sorted(card_on(state.field, space) for space in spaces))
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

    @override
    def pack(self, position: Mapping[str, Any], writer: Writer) -> None:
        packing.write(position, writer)

    @override
    def unpack(self, reader: Reader) -> dict[str, Any]:
        return packing.read(reader)
