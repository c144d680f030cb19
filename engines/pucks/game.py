"""Puck Bumpers: pucks, ice blocks and meeples on a board of mats that move, and cards that are played out of turn."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from typing_extensions import override

from engines.chance import UNSEEDED, Chance
from engines.game import (
    Action,
    Buttons,
    Choice,
    Event,
    Foresees,
    Game,
    Happened,
    Hidden,
    Illustration,
    Option,
    Options,
    Order,
    Orders,
    Outcome,
    OutOfTurn,
    Packed,
    Pages,
    Quick,
    Response,
    Rounds,
    Shortcut,
    Step,
    Token,
    Words,
)
from engines.packing import Reader, Writer
from engines.pucks.board import terms
from engines.pucks.board.board import laid_out, unknown
from engines.pucks.board.box import box
from engines.pucks.board.deck import card
from engines.pucks.board.house import HOUSE_OPTIONS, check_together, dealt_board, deck_without, house_of, start_code
from engines.pucks.board.motion import BESIDE
from engines.pucks.board.pieces import all_pieces
from engines.pucks.board.state import FIRST_EDITION, PRESENT_EDITION, State, Table
from engines.pucks.board.views import Phase, PucksView
from engines.pucks.cards import cards
from engines.pucks.play import acts, moves, order_words, packing, placing, positions, turns
from engines.pucks.play.knowledge import is_certain, resample_state, view_of
from engines.pucks.play.orders import asked_in_turn, at_once, order_choices, order_shortcuts, respond
from engines.pucks.play.rest import following, rest
from engines.pucks.words import index, prompts, telling, whynot, wording
from engines.pucks.words.illustrations import ILLUSTRATIONS
from engines.text import Text, say, say_n
from engines.values import replace


def _turn_choices(state: State, prefix: Action) -> list[Choice]:
    """Return the tokens that may follow `prefix` for the player in turn, except those for playing cards."""
    if state.phase is Phase.PLACE:
        return placing.choices(state, prefix)
    if state.phase is Phase.ACT:
        return moves.choices(state, prefix) if prefix else moves.first_choices(state)
    if state.phase is Phase.DRAW:
        return [] if prefix else [_draw(state.table.draw_rule)]
    if prefix == ("discard",):
        hand = dict.fromkeys(state.hands[state.to_move])
        titles = {held: card(held).title for held in hand}
        return [Choice(held, say("Discard {card}", card=title), final=True, brief=title) for held, title in titles.items()]
    return [] if prefix else [Choice("discard", say("Discard a card"), final=False, deed=say("discard a card"))]


def _draw(count: int) -> Choice:
    deed = say_n("draw {n} card", "draw {n} cards", count)
    return Choice("draw", say_n("Draw {n} card", "Draw {n} cards", count), final=True, deed=deed, routine=True)


class Pucks(
    Hidden[State, PucksView],
    Foresees[State],
    OutOfTurn[State],
    Orders[State],
    Rounds[PucksView],
    Options[PucksView],
    Words[State, PucksView],
    Buttons[State, PucksView],
    Packed,
    Pages,
    Quick[State],
    Game[State, PucksView],
):
    """The rules of Puck Bumpers."""

    id: ClassVar[str] = "pucks"
    title: ClassVar[str] = "Puck Bumpers"
    rules: ClassVar[int] = PRESENT_EDITION
    summary: ClassVar[str] = say("Slide and bump your pucks into goals on a board that won’t stay put.")
    seats: ClassVar[range] = range(2, 7)
    variants: ClassVar[tuple[str, ...]] = ("standard", "old-school")
    variant_titles: ClassVar[Mapping[str, str]] = {
        "standard": say("Standard"),
        "old-school": say("Old school: no cards, no meeples, no bumping"),
    }
    options: ClassVar[Mapping[str, Option]] = {
        "setup": Option(say("Placing the pieces"), ("draft", "random"), told=terms.setup_told),
        **HOUSE_OPTIONS,
    }
    passive_tokens: ClassVar[tuple[Token, ...]] = ("pass", "end", "auto", "draw")
    verbs: ClassVar[tuple[Token, ...]] = ("play", "place", "discard")
    hand_verbs: ClassVar[tuple[Token, ...]] = ("play", "discard")

    @override
    def check_options(self, variant: str, seats: int, options: Mapping[str, str]) -> None:
        check_together(variant, seats, options)

    @override
    def start_view(self, variant: str, seats: int, options: Mapping[str, str]) -> PucksView:
        rest = {name: value for name, value in options.items() if name != "setup"}
        view = self.view(self.start(seats, variant, UNSEEDED, **rest), None)
        return replace(view, mats=unknown(view.mats)) if rest.get("board") == "shuffled" else view

    @override
    def editable_text(self, name: str, variant: str, seats: int, options: Mapping[str, str]) -> str | None:
        return start_code(seats, options) if name == "board" else None

    @override
    def house_rules(self, options: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(name for name in options if name in HOUSE_OPTIONS)

    @override
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> State:
        rules, layout = box().games[variant], box().layout(seats)
        colours = int(options["colours"])
        laid, chance = dealt_board(options, seats * colours, chance)
        house = house_of(options, laid)
        pile, chance = chance.shuffle(deck_without(house.without)) if rules.cards else ((), chance)
        deal = layout.deal if rules.cards else 0
        hands = tuple(pile[seat * deal : (seat + 1) * deal] for seat in range(seats))
        pile = pile[seats * deal :]
        pieces = all_pieces(seats * colours, variant)
        table = Table(laid_out(laid, variant), (BESIDE,) * len(pieces), action_rule=rules.actions)
        everybody = tuple(range(seats)) if options["setup"] == "random" else ()
        state = State(
            variant, seats, table, hands, pile, auto=everybody, colours=colours, house=house, edition=self.rules, chance=chance
        )  # fmt: skip
        return turns.advance(state, [])

    @override
    def next_seats(self, view: PucksView) -> tuple[int, ...]:
        """Return the seats after the one in turn, in the direction of play, once the pieces are placed and no win waits."""
        if not view.to_act or view.phase is Phase.PLACE or view.winning is not None:
            return ()
        return view.seats_after(view.to_move, view.direction)

    # --- acting ----------------------------------------------------------------------------------------------------

    @override
    def to_act(self, state: State) -> tuple[int, ...]:
        """Return the seat whose turn it is or, while a win waits, all seats that are asked whether they whistle it back."""
        return turns.to_act(state)

    @override
    def may_act(self, state: State) -> tuple[int, ...]:
        """Return the seats awaited, and those that hold a playable quick play card. Never show this, since it reveals hands."""
        return tuple(seat for seat in state.live if self.choices(state, seat))

    @override
    def may_interrupt(self, state: State) -> tuple[int, ...]:
        """Return the seats that hold cards and for which the game is not waiting, once all pieces are placed."""
        awaited = self.to_act(state)
        if not awaited or state.phase is Phase.PLACE:
            return ()
        return tuple(seat for seat in state.live if state.hands[seat] and seat not in awaited)

    @override
    def choices(self, state: State, seat: int, prefix: Action = ()) -> list[Choice]:
        prefix = tuple(prefix)
        if seat not in state.live or turns.outcome(state) is not None:
            return []
        if not prefix:
            return self._first_choices(state, seat)
        if prefix[0] == "play":
            return cards.choices(state, seat, prefix[1:]) if state.phase is not Phase.PLACE else []
        return _turn_choices(state, prefix) if seat == state.to_move and not state.winning else []

    def _first_choices(self, state: State, seat: int) -> list[Choice]:
        found: list[Choice] = []
        if seat == state.to_move and not state.winning:
            found = _turn_choices(state, ())
        if state.phase is not Phase.PLACE and cards.can_play_any(state, seat):
            found.append(
                Choice("play", say("Play a card"), final=False, symbol="🃏", deed=say("play a card"), brief=say("Card"))
            )
        if seat == state.to_move and turns.may_end(state):
            found.append(Choice("end", say("End turn"), final=True, symbol="⏭️", deed=say("end your turn")))
        if seat in turns.answerers(state):
            found.append(Choice("pass", say("Let the win stand"), final=True, deed=say("let the win stand")))
        return found

    @override
    def is_whole(self, state: State, seat: int, action: Action) -> bool:
        """Whether the last token is offered and final. Other movable pieces and other playable cards are not searched for."""
        if len(action) == 2 and action[0] == "play":
            return self.outcome(state) is None and seat in state.live and cards.is_playable_alone(state, seat, action[1])
        offered = self.choices(state, seat, action[:-1]) if action else []
        return any(choice.final and choice.token == action[-1] for choice in offered)

    @override
    def _play(self, state: State, seat: int, action: Action) -> Step[State]:
        events: list[Event] = []
        after = turns.advance(acts.play(state, seat, action, events), events)
        return Step(after, tuple(events))

    @override
    def absent_choices(self, state: State, seat: int, prefix: Action, offered: list[Choice]) -> list[Choice]:
        """Prefer moving a piece to playing a card. If a card must be played, prefer one that costs an action."""
        if not prefix:
            return [choice for choice in offered if choice.token != "play"] or offered
        if prefix == ("play",):
            return [choice for choice in offered if card(choice.token).costs] or offered
        return offered

    @override
    def shows_secret(self, before: State, action: Action, step: Step[State]) -> bool:
        """Whether the action shows a card (playing, discarding) or, by ending a turn early, that its player can play none."""
        return action[0] in {"play", "discard"} or (action[0] == "end" and before.taken < before.allowed)

    @override
    def closing(self, state: State, seat: int, action: Action) -> Shortcut | None:
        """Offer to end the turn with its last action, if the seat still holds a card. With none, the turn ends by itself."""
        if state.phase is not Phase.ACT or seat != state.to_move or action == ("end",):
            return None
        after = acts.play(state, seat, tuple(action), [])
        over = after.closed or bool(after.winning) or not after.whole
        if over or after.taken < after.allowed or not after.hands[seat]:
            return None
        return Shortcut(("end",), say("Play and end the turn"))

    @override
    def following(self, state: State, seat: int, last: Action) -> Action:
        return following(state, seat, tuple(last))

    @override
    def rest(self, state: State, seat: int) -> tuple[Action, ...]:
        return rest(state, seat)

    @override
    def withdraw(self, state: State, seat: int) -> Step[State]:
        """Leave the seat's pieces on the board as obstacles. Its cards leave the game unseen."""
        events: list[Event] = []
        return Step(turns.withdraw(state, seat, events), tuple(events))

    @override
    def outcome(self, state: State) -> Outcome | None:
        return turns.outcome(state)

    # --- words about a choice --------------------------------------------------------------------------------------------

    @override
    def question(self, view: PucksView, seat: int) -> Text:
        return prompts.question(view, seat)

    @override
    def wording(self, state: State, seat: int, action: Action) -> Text | None:
        return wording.wording(state, seat, tuple(action))

    @override
    def prompt(self, state: State, seat: int, prefix: Action = ()) -> Text | None:
        return prompts.prompt(state, seat, tuple(prefix))

    @override
    def why_not(self, state: State, seat: int, action: Action, index: int) -> Text | None:
        return whynot.why_not(state, seat, tuple(action), index)

    @override
    def foresee(self, state: State, seat: int, action: Action) -> Step[State] | None:
        """Return the step of an action, unless it draws or shuffles cards."""
        step = self.play(state, seat, action)
        return step if is_certain(state, seat, tuple(action), step) else None

    # --- standing orders ---------------------------------------------------------------------------------------------------

    @override
    def order_choices(self, state: State, seat: int, prefix: Action = ()) -> list[Choice]:
        return order_choices(state, seat, tuple(prefix))

    @override
    def order_text(self, state: State, order: Order) -> Text:
        return order_words.order_text(state, order)

    @override
    def respond(self, happened: Happened[State], seat: int, orders: Sequence[Order]) -> Response:
        return respond(happened, seat, orders)

    @override
    def asked_in_turn(self, happened: Happened[State], seats: Sequence[int]) -> Sequence[int]:
        return asked_in_turn(happened, seats)

    @override
    def order_shortcuts(self, state: State, seat: int) -> tuple[Shortcut, ...]:
        return order_shortcuts(state, seat)

    @override
    def at_once(self, state: State, seat: int, orders: Sequence[Order]) -> Action | None:
        return at_once(state, seat, orders)

    # --- knowledge -------------------------------------------------------------------------------------------------

    @override
    def view(self, state: State, seat: int | None = None) -> PucksView:
        return view_of(state, seat)

    @override
    def open_view(self, state: State) -> PucksView:
        """Return the spectator's view with every hand. The cards of players who have left stay hidden."""
        return replace(self.view(state), hands=tuple(state.hand(seat) for seat in range(state.seats)))

    @override
    def describe(self, view: PucksView) -> Text:
        return telling.describe(view)

    @override
    def hand(self, view: PucksView) -> Text | None:
        return telling.hand(view)

    @override
    def pages(self) -> tuple[Text, ...]:
        return index.index_pages()

    @override
    def illustrations(self) -> Mapping[str, Illustration]:
        return ILLUSTRATIONS

    @override
    def shortcuts(self, view: PucksView) -> tuple[Shortcut, ...]:
        if not view.to_act:
            return ()
        if view.winning is not None:
            return (Shortcut(("pass",), say("Let the win stand")),)
        if view.phase is Phase.PLACE:
            return (Shortcut(("auto",), say("Place all at random")),)
        if view.phase is Phase.DRAW:
            return (Shortcut(("draw",), _draw(view.draw_rule).label),)
        if view.phase is Phase.ACT and view.whole and view.taken >= view.allowed:
            return (Shortcut(("end",), say("End turn")),)
        return ()

    @override
    def resample(self, state: State, seat: int | None, chance: Chance) -> State:
        return resample_state(state, seat, chance)

    @override
    def region(self, token: Token) -> tuple[Token, Text] | None:
        return (token[0], say("Mat {letter}", letter=token[0])) if super().region(token) else None

    @override
    def region_prompt(self, state: State, seat: int, prefix: Action, region: Text | None) -> Text:
        return say("Which mat?") if region is None else super().region_prompt(state, seat, prefix, region)

    @override
    def confirm(self, action: Action) -> Text:
        labels = {"discard": say("Discard"), "place": say("Place")}
        return labels.get(action[0]) or super().confirm(action)

    # --- positions ---------------------------------------------------------------------------------------------------

    @override
    def position(self, state: State, secret: bool = False) -> dict[str, Any]:
        return positions.to_position(state, secret)

    @override
    def from_position(self, position: Mapping[str, Any], chance: Chance | None = None) -> State:
        return positions.read_position(position, self.rules, chance)

    @override
    def pack(self, position: Mapping[str, Any], writer: Writer) -> None:
        packing.write(position, writer)

    @override
    def unpack(self, reader: Reader) -> dict[str, Any]:
        return packing.read(reader)


class FirstPucks(Pucks):
    """Version 1 of the rules, for games that began under it: see `State.looks_into_hands`. It has no house rules."""

    rules: ClassVar[int] = FIRST_EDITION
    options: ClassVar[Mapping[str, Option]] = {"setup": Pucks.options["setup"]}

    @override
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> State:
        usual = {name: option.values[0] for name, option in Pucks.options.items()}
        return super()._start(seats, variant, chance, {**usual, **options})

    @override
    def describe(self, view: PucksView) -> Text:
        """Leave out the code of the start layout, since the only start layout was the one that the box shows."""
        return super().describe(replace(view, board=""))
