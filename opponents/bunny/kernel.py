"""The rules of Bounce Bunny Bounce for imagined games, on integers and bit masks, without words and without checks.

A space is its index in `SPACES`; a set of spaces is a bit mask. A chain of shocks that begins on a card always takes the same
way until a card moves, so its end and its cards are kept and looked up. The tests play the kernel against the engine.
"""

from functools import lru_cache
from typing import Final

from engines.bunny.field import COLUMNS, DIRECTIONS, SPACES, Card, next_card
from engines.bunny.position import CARROTS_TO_WIN, QUIET_TURNS, SHOCKS, BunnyState, Phase, is_over
from engines.game import Action

CARDS: Final[tuple[Card, ...]] = (*DIRECTIONS, "stop", "spy", "swap", "bonus", "carrot", "empty")
CARD: Final = {card: number for number, card in enumerate(CARDS)}
STOP, SPY, SWAP, BONUS, CARROT, EMPTY = range(4, 10)
"""The numbers of the cards. Numbers below `STOP` are shocks, in the order of `DIRECTIONS`."""
SPACE: Final = {space: number for number, space in enumerate(SPACES)}
AREA: Final = len(SPACES)
WIDTH: Final = len(COLUMNS)
EVERYWHERE: Final = (1 << AREA) - 1
BOTTOM: Final = (1 << WIDTH) - 1

OFF: Final = -1
"""The number that stands for a place off the field, for the end of a loop, and for a neighbour that does not exist."""
MOVING, SWAPPING, SPYING, SHOCKING, OVER = range(5)
"""The phases, which say what has to be chosen next."""
_PHASES: Final[dict[Phase, int]] = {"move": MOVING, "swap": SWAPPING, "spy": SPYING, "shock": SHOCKING}
_UNKNOWN: Final = -2

ENTER: Final = 4
"""A move is a number: 0 to 3 are the directions, numbers from `ENTER` up enter on a column, `PASS` passes, numbers from `PEEK`
up look at a space, and numbers from `TRADE` up exchange the cards on two spaces."""
PASS: Final = ENTER + WIDTH
PEEK: Final = 100
TRADE: Final = 1000


@lru_cache(maxsize=4096)
def _ways(empty: int) -> tuple[int, ...]:
    """Return where one bounce ends for each direction and space. The index is `AREA` times the direction, plus the space."""
    field = tuple("empty" if empty >> space & 1 else "stop" for space in range(AREA))
    found = (next_card(field, space, direction) for direction in DIRECTIONS for space in SPACES)
    return tuple(OFF if ahead is None else SPACE[ahead] for ahead in found)


class World:
    """A complete position, including the cards that lie face down. Moves change it in place.

    Attributes:
        cards: the number of the card on each space.
        up: the spaces whose cards lie face up.
        stops: the spaces with a Stop.
        places: the space that each seat is on.
        shocks: each seat's Universal Shocks.
        carrots: each seat's Carrots.
        turn: the seat whose turn it is.
        chooser: the seat that has to choose.
        phase: what `chooser` has to choose.
        quiet: how many turns in a row have passed without a Carrot.
        taken: whether a Carrot was taken in this turn.
        dark: for each seat, the spaces whose cards it does not know.
        ways: where one bounce ends, for each direction and space; see `_ways`.
        ends: a cache of the spaces where chains of bounces end.
        paths: a cache of the cards that these chains reveal.
    """

    __slots__ = (
        "cards", "carrots", "chooser", "dark", "ends", "paths", "phase", "places", "quiet", "shocks", "stops", "taken", "turn",
        "up", "ways",
    )  # fmt: skip

    def __init__(self, state: BunnyState) -> None:
        self.cards = [CARD[card] for card in state.field]
        self.up = sum(1 << SPACE[space] for space in state.face_up)
        self.stops = self._lying(STOP)
        self.places = [OFF if space is None else SPACE[space] for space in state.bunnies]
        self.shocks, self.carrots = list(state.shocks), list(state.carrots)
        self.turn, self.chooser = state.turn, state.to_choose
        self.phase = OVER if is_over(state) else _PHASES[state.phase]
        self.quiet, self.taken = state.quiet_turns, state.carrot_taken
        dark = EVERYWHERE & ~self.up & ~self._lying(EMPTY)
        self.dark = [dark, dark]
        self.ways = _ways(self._lying(EMPTY))
        self._forget_chains()

    def copy(self) -> "World":
        """Return an independent copy."""
        new = World.__new__(World)
        new.cards, new.up, new.stops = self.cards.copy(), self.up, self.stops
        new.places, new.shocks, new.carrots = self.places.copy(), self.shocks.copy(), self.carrots.copy()
        new.turn, new.chooser, new.phase = self.turn, self.chooser, self.phase
        new.quiet, new.taken, new.dark, new.ways = self.quiet, self.taken, self.dark.copy(), self.ways
        new.ends, new.paths = self.ends.copy(), self.paths.copy()
        return new

    def deal(self, spaces: list[int], cards: list[int]) -> None:
        """Lay other cards on some spaces. None of the cards is a Carrot, and none of the spaces is empty."""
        for space, card in zip(spaces, cards, strict=True):
            self.cards[space] = card
        self.stops = self._lying(STOP)
        self._forget_chains()

    def _lying(self, card: int) -> int:
        return sum(1 << space for space, lying in enumerate(self.cards) if lying == card)

    def _forget_chains(self) -> None:
        self.ends, self.paths = [_UNKNOWN] * AREA, [0] * AREA

    # --- choices ----------------------------------------------------------------------------------------------------

    def firsts(self, seat: int) -> list[int]:
        """Return the cards on which a seat's Bunny can land first, without repetitions."""
        place, ways = self.places[seat], self.ways
        if place != OFF:
            around = {ways[place], ways[AREA + place], ways[2 * AREA + place], ways[3 * AREA + place]}
            return [space for space in around if space != OFF]
        other = self.places[1 - seat]
        return [space for space in range(WIDTH) if self.cards[space] != EMPTY and space != other]

    def movements(self, seat: int) -> list[int]:
        """Return the moves that a seat's Bunny can make, whether by itself or by a shock."""
        place, ways = self.places[seat], self.ways
        if place == OFF:
            return [ENTER + space for space in self.firsts(seat)]
        return [way for way in range(4) if ways[AREA * way + place] != OFF]

    def first(self, seat: int, move: int) -> int:
        """Return the first card to which a move of `movements` leads."""
        return move - ENTER if move >= ENTER else self.ways[AREA * move + self.places[seat]]

    def swappable(self) -> list[int]:
        """Return the spaces whose cards can be swapped."""
        return [space for space, card in enumerate(self.cards) if card != EMPTY and space not in self.places]

    def hidden_spaces(self) -> int:
        """Return the spaces whose cards lie face down."""
        return EVERYWHERE & ~self.up & ~self._lying(EMPTY)

    # --- chains -----------------------------------------------------------------------------------------------------

    def end(self, first: int) -> int:
        """Return the space where a Bunny that lands on a card stops, or `OFF` if a loop throws it off the field."""
        end = self.ends[first]
        return self._follow(first) if end == _UNKNOWN else end

    def path(self, first: int) -> int:
        """Return all cards that are shown when a Bunny lands on a card."""
        if self.ends[first] == _UNKNOWN:
            self._follow(first)
        return self.paths[first]

    def _follow(self, first: int) -> int:
        cards, ways = self.cards, self.ways
        seen, space = 0, first
        while True:
            seen |= 1 << space
            card = cards[space]
            if card >= STOP:
                break
            space = ways[AREA * card + space]
            if space == OFF or seen >> space & 1:
                space = OFF
                break
        self.ends[first], self.paths[first] = space, seen
        return space

    def chain_cards(self, first: int) -> int:
        """Return the cards that everybody sees when a Bunny lands on a card, as one number with a digit for each card."""
        cards, ways = self.cards, self.ways
        seen, space, digits = 0, first, 1
        while space != OFF and not seen >> space & 1:
            seen |= 1 << space
            card = cards[space]
            digits = 10 * digits + card
            if card >= STOP:
                break
            space = ways[AREA * card + space]
        return digits

    # --- playing ----------------------------------------------------------------------------------------------------

    def play(self, move: int) -> int:
        """Play a legal move. Return the cards that the move shows to its player, encoded as a number."""
        if move == PASS:
            self._end_turn()
            return 0
        if move >= TRADE:
            self.swap(*divmod(move - TRADE, AREA))
            return 0
        if move >= PEEK:
            self.spy(move - PEEK)
            return self.cards[move - PEEK]
        if self.phase == SHOCKING:
            first = self.first(1 - self.turn, move)
            seen = self.chain_cards(first)
            self.shock(first)
        else:
            first = self.first(self.turn, move)
            seen = self.chain_cards(first)
            self.land(self.turn, first)
        return seen

    def shock(self, first: int) -> None:
        """Spend a Universal Shock, so that the other Bunny lands on a card."""
        self.shocks[self.turn] -= 1
        self.land(1 - self.turn, first)

    def pass_by(self) -> None:
        """Decline to use a Universal Shock on the other Bunny."""
        self._end_turn()

    def spy(self, space: int) -> None:
        """Look at a card."""
        self.dark[self.chooser] &= ~(1 << space)
        self._after(self.chooser)

    def swap(self, one: int, two: int) -> None:
        """Exchange two cards. Each card stays face up or face down, and stays known to the seats that know it."""
        cards = self.cards
        cards[one], cards[two] = cards[two], cards[one]
        both = 1 << one | 1 << two
        self.up = _exchange(self.up, both)
        self.stops = _exchange(self.stops, both)
        self.dark = [_exchange(self.dark[0], both), _exchange(self.dark[1], both)]
        self._forget_chains()
        self._after(self.chooser)

    def land(self, bunny: int, first: int) -> None:
        """Let a Bunny land on a card, and apply all the effects."""
        end = self.ends[first]
        if end == _UNKNOWN:
            end = self._follow(first)
        path, places, dark = self.paths[first], self.places, self.dark
        other = places[1 - bunny]
        if other != OFF and path >> other & 1:
            places[1 - bunny] = OFF
        dark[0] &= ~path
        dark[1] &= ~path
        self.up &= ~path
        places[bunny] = end
        if end == OFF or self._apply_card(bunny, end):
            self._after(bunny)

    def _apply_card(self, bunny: int, end: int) -> bool:
        """Apply the card on which a Bunny has stopped. Return whether the turn can go on.

        It cannot go on if the Bunny's player has to choose first (what to swap or what to spy on), or if the game is over.
        """
        card = self.cards[end]
        if card == CARROT:
            self._take(bunny, end)
            return self.phase != OVER
        self.up |= 1 << end
        if card == BONUS:
            self.shocks[bunny] = min(self.shocks[bunny] + 1, SHOCKS)
        elif card == SWAP and len(self.swappable()) > 1:
            self.phase, self.chooser = SWAPPING, bunny
            return False
        elif card == SPY and self.hidden_spaces():
            self.phase, self.chooser = SPYING, bunny
            return False
        return True

    def _take(self, bunny: int, space: int) -> None:
        self.cards[space] = EMPTY
        self.carrots[bunny] += 1
        self.taken = True
        self.ways = _ways(self._lying(EMPTY))
        self._forget_chains()
        if self.carrots[bunny] >= CARROTS_TO_WIN:
            self.phase, self.chooser = OVER, self.turn

    def _after(self, bunny: int) -> None:
        turn = self.turn
        if bunny == turn and self.shocks[turn] and self.places[1 - turn] != OFF:
            self.phase, self.chooser = SHOCKING, turn
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        self.up &= ~self.stops
        self.turn = self.chooser = 1 - self.turn
        self.quiet = 0 if self.taken else self.quiet + 1
        self.taken = False
        self.phase = OVER if self.quiet >= QUIET_TURNS else MOVING

    def result(self) -> float:
        """Return the result for seat 0 of a game that is over: 1, 0, or a half for a draw."""
        mine, theirs = self.carrots
        return 0.5 if mine == theirs else float(mine > theirs)


def _exchange(mask: int, both: int) -> int:
    """Return a set of spaces after the cards on two spaces have changed places."""
    found = mask & both
    return mask ^ both if found and found != both else mask


def tokens(move: int) -> Action:
    """Return a move as an action of the game. For moves in the shock phase, use `shocking`."""
    if move >= TRADE:
        one, two = divmod(move - TRADE, AREA)
        return ("swap", SPACES[one], SPACES[two])
    if move >= PEEK:
        return ("spy", SPACES[move - PEEK])
    return ("enter", COLUMNS[move - ENTER]) if move >= ENTER else (DIRECTIONS[move],)


def shocking(move: int) -> Action:
    """Return a move in the shock phase as an action of the game."""
    return ("pass",) if move == PASS else ("shock", DIRECTIONS[move])


def number(action: Action) -> int:
    """Return the number of an action's move. Naming the two spaces of a swap in either order gives the same number."""
    kind = action[0]
    if kind == "swap":
        one, two = sorted((SPACE[action[1]], SPACE[action[2]]))
        return TRADE + AREA * one + two
    if kind == "spy":
        return PEEK + SPACE[action[1]]
    if kind == "enter":
        return ENTER + COLUMNS.index(action[1])
    return PASS if kind == "pass" else DIRECTIONS.index(next(way for way in DIRECTIONS if way == action[-1]))
