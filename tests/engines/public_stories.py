"""Pairs of games that differ in everything hidden from a seat, and share only what it has really been told.

The second game of a pair is not made by the engine under test (`Hidden.resample` keeps what the engine believes to be known):
everything hidden is dealt anew by hand. Then the same actions are played in both, for as long as the events that the onlooker
is told, and the seats that the game waits for, are the same: that is the public story. Whatever the onlooker is shown has to be
the same, too.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from engines.bunny.field import SPACES
from engines.bunny.position import BunnyState
from engines.chance import Fair
from engines.game import Action, Step, is_whole, may_act, resample
from engines.pucks.board.state import State as PucksState
from tests.engines.contract_games import CASES, Case, random_action

SECRET_CASES = tuple(case for case in CASES if case.game.secret)

TRIES = 6
"""How many actions are tried until one can be played in both games."""


def bunny_dealt_anew(state: BunnyState, seat: int | None, dice: random.Random) -> BunnyState:
    """Every card that lies face down is another one, as far as there are others, except the one that the seat's Spy saw.

    Under a Bunny only a Stop can lie face down, as everybody knows.
    """
    known = {space for space in state.bunnies if space is not None}
    if seat is not None and (spied := state.spied[seat]) is not None:
        known.add(spied)
    field = list(state.field)
    places = [n for n, space in enumerate(SPACES) if field[n] != "empty" and space not in state.face_up and space not in known]
    cards = [field[n] for n in places]
    for n, card in zip(places, other_order(cards, dice), strict=True):
        field[n] = card
    return replace(state, field=tuple(field), chance=other_dice(dice))


def pucks_dealt_anew(state: PucksState, seat: int | None, dice: random.Random) -> PucksState:
    """All hands but the seat's own and the draw pile hold other cards, in another order; hands keep their sizes.

    The card that Second Wind has just taken from the discard pile, before everybody's eyes, stays in its hand.
    """
    seen: list[tuple[str, ...]] = [() for _ in state.hands]
    last = state.last
    if last is not None and last.taken is not None and last.kept and last.taken in state.hands[last.seat]:
        seen[last.seat] = (last.taken,)
    loose = list(state.draw_pile)
    for other, hand in enumerate(state.hands):
        loose += () if other == seat else list((Counter(hand) - Counter(seen[other])).elements())
    mixed = other_order(loose, dice)
    pile, mixed = mixed[: len(state.draw_pile)], mixed[len(state.draw_pile) :]
    hands = []
    for other, hand in enumerate(state.hands):
        dealt = 0 if other == seat else len(hand) - len(seen[other])
        hands.append(hand if other == seat else (*seen[other], *mixed[:dealt]))
        mixed = mixed[dealt:]
    return replace(state, hands=tuple(hands), draw_pile=tuple(pile), chance=other_dice(dice))


DEALERS: dict[str, Callable[[Any, int | None, random.Random], Any]] = {"bunny": bunny_dealt_anew, "pucks": pucks_dealt_anew}
"""How everything hidden is dealt anew, by game. Any other game is trusted to do it itself."""


def dealt_anew(case: Case, state: Any, seat: int | None, dice: random.Random) -> Any:
    dealer = DEALERS.get(case.game_id)
    return dealer(state, seat, dice) if dealer else resample(case.game, state, seat, other_dice(dice))


def hides_something(case: Case) -> bool:
    """Whether there is anything to deal anew: one variant of Puck Bumpers has no cards."""
    state = case.start()
    return any(
        case.game.position(dealt_anew(case, state, None, random.Random(n))) != case.game.position(state) for n in range(3)
    )


def other_dice(dice: random.Random) -> Fair:
    return Fair(dice.randbytes(32))


def other_order(cards: list[str], dice: random.Random) -> list[str]:
    """The same cards in an order in which as many as possible lie where another one lay."""
    best = cards
    for _ in range(5):
        mixed = dice.sample(cards, len(cards))
        if sum(map(str.__ne__, mixed, cards)) > sum(map(str.__ne__, best, cards)):
            best = mixed
    return best


@dataclass(frozen=True)
class Told:
    """A moment of a public story: the states before it, who did what (None at the first moment), and the step in each game."""

    before: tuple[Any, Any]
    seat: int | None
    action: Action | None
    steps: tuple[Step[Any], Step[Any]]

    @property
    def states(self) -> tuple[Any, Any]:
        return self.steps[0].state, self.steps[1].state


def story(case: Case, onlooker: int | None, dice: random.Random, *, begins: int, length: int) -> Iterator[Told]:
    """The moments that two games share in an onlooker's eyes, from a moment after `begins` random actions."""
    game, state = case.game, case.start()
    for _ in range(begins):
        if game.outcome(state) is not None:
            break
        seat = dice.choice(game.to_act(state))
        state = game.play(state, seat, random_action(game, state, seat, dice)).state
    pair = (state, dealt_anew(case, state, onlooker, dice))
    if not same_story(case, onlooker, (Step(pair[0], ()), Step(pair[1], ()))):
        return
    yield Told(pair, None, None, (Step(pair[0], ()), Step(pair[1], ())))
    for _ in range(length):
        told = next_moment(case, onlooker, pair, dice)
        if told is None:
            return
        yield told
        pair = told.states


def next_moment(
    case: Case, onlooker: int | None, pair: tuple[Any, Any], dice: random.Random, tries: int = TRIES
) -> Told | None:
    """Something that happens in both games and looks the same in both, or None if nothing was found."""
    game = case.game
    for _ in range(tries):
        if game.outcome(pair[0]) is not None:
            return None
        seat = dice.choice(may_act(game, pair[0]) if dice.random() < 0.1 else game.to_act(pair[0]))
        action = random_action(game, pair[0], seat, dice)
        if not is_whole(game, pair[1], seat, action):
            continue
        steps = (game.play(pair[0], seat, action), game.play(pair[1], seat, action))
        if same_story(case, onlooker, steps):
            return Told(pair, seat, action, steps)
    return None


def same_story(case: Case, onlooker: int | None, steps: tuple[Step[Any], Step[Any]]) -> bool:
    """Whether an onlooker is told the same, and the game goes on with the same people."""
    first, second = ([event for event in step.events if event.known_to(onlooker)] for step in steps)
    game = case.game
    waits, ends = ({tuple(game.to_act(step.state)) for step in steps}, {str(game.outcome(step.state)) for step in steps})
    return first == second and len(waits) == len(ends) == 1


def hidden_differences(case: Case, pair: tuple[Any, Any]) -> int:
    first, second = (case.game.position(state) for state in pair)
    if case.game_id == "bunny":
        return sum(first["field"][space] != second["field"][space] for space in SPACES)
    piles = [Counter(dict.fromkeys(enumerate(position["draw_pile"]), 1)) for position in (first, second)]
    return (piles[0] - piles[1]).total() + sum(map(list.__ne__, first["hands"], second["hands"]))
