"""The likely actions of the seat whose turn it is, found without listing all legal ones.

All moves of pieces are tried. Of the cards with targets, those that change the outlook are tried, with every place for a mat,
every pair of pucks, and every space for a scored puck. Cards that move several mats, or other players' pieces, are followed one
step further from the best of their beginnings.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engines.game import Action
from engines.pucks.board.board import DIRECTIONS, space_name
from engines.pucks.board.deck import CardId, card
from engines.pucks.board.motion import BESIDE, SCORED
from engines.pucks.board.pieces import COLOURS
from engines.pucks.board.state import State, pucks_on_board
from engines.pucks.cards import cards
from engines.pucks.cards.changers import apply_shifts, reviewable
from engines.pucks.play import turns
from engines.values import replace
from opponents.pucks.mats import PLAYED, Laid, shifts
from opponents.pucks.outlook import AVERAGE, HOLDING, Situation, company_of, rink_for, shares_of, situation_of
from opponents.pucks.rink import Rink, Spots


class Look(NamedTuple):
    """The board after an action, with the bits of its pieces and the situation then.

    The pieces of the seats that are `lent` can be moved, too.
    """

    action: Action
    rink: Rink
    spots: Spots
    after: Situation
    lent: tuple[int, ...] = ()


class Looking:
    """The search for the actions of the seat whose turn it is. `looked` is the number of positions evaluated."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.seat = state.to_move
        self.company = company_of(state)
        self.rink = rink_for(state.table)
        self.spots = self.rink.spots(state.table.places)
        self.now = situation_of(state)
        self.looked = 0

    def looks(self, thorough: bool) -> Iterator[Look]:
        """Yield the board after every likely action."""
        yield from self.moves()
        yield from self.cards(thorough)
        if turns.may_end(self.state):
            yield Look(("end",), self.rink, self.spots, self.now._replace(left=0))

    def seen(self, look: Look) -> tuple[float, ...]:
        """Return each seat's chance to win after an action."""
        self.looked += 1
        return shares_of(self.company.distances(look.rink, look.spots), look.after)

    def moves(self) -> Iterator[Look]:
        """Yield the board after every legal move of a piece."""
        state, after, lent = self.state, self.now.after(1), self.state.table.borrowed
        if state.taken < state.allowed and state.whole:
            before = self._before()
            for piece, side, spots in self.motions(self.rink, self.spots, (self.seat, *lent)):
                # Scored pucks count as beside the board, as in `_before`.
                if before is None or before != tuple([max(bit, BESIDE) for bit in spots]):
                    yield Look((*self.piece_tokens(piece), DIRECTIONS[side]), self.rink, spots, after, lent)

    def motions(self, rink: Rink, spots: Spots, seats: Iterable[int]) -> Iterator[tuple[int, int, Spots]]:
        """Yield how some seats' pieces can move, as the piece, the direction, and the bits of all pieces afterwards."""
        thin, moved = self.state.table.ongoing == "thin-ice", self.company.sliding.after_move
        at = {bit: piece for piece, bit in enumerate(spots) if bit >= 0}
        for seat in seats:
            for piece in self.company.owned[seat]:
                if spots[piece] >= 0:
                    for side in range(4):
                        found = moved(rink, spots, at, piece, side, thin)
                        if found is not None:
                            yield piece, side, found

    def _before(self) -> Spots | None:
        """Return the bits of all pieces before the previous move of the turn, or None. No move may lead back there.

        Scored pucks count as beside the board. A space that no longer exists never equals any other.
        """
        previous = self.state.table.previous
        if previous is None:
            return None
        bit_at = dict(zip(self.state.grid().points, self.rink.bits, strict=True))
        return tuple([BESIDE if point is None else bit_at.get(point, SCORED) for point in previous])

    def piece_tokens(self, piece: int) -> Action:
        """Return the tokens that name a piece."""
        known, state = self.state.pieces[piece], self.state
        named = state.colours > 1 or state.owners.of(known.colour) != self.seat
        return (known.shade, known.word) if named else (known.word,)

    def cards(self, thorough: bool) -> Iterator[Look]:
        """Yield the boards after each card in the hand is played."""
        for held in cards.playable_cards(self.state, self.seat):
            if thorough or held not in PLAYED:
                found = list(self._with(held))
                if found and held == "mix":
                    found.append(self._mixed_on(found))
                for look in found:
                    yield look._replace(action=("play", held, *look.action))

    def _with(self, held: CardId) -> Iterator[Look]:
        spent = self.now.after(card(held).costs, -HOLDING.get(held, 0.0))
        match held:
            case "borrow":
                yield from self._borrowing(spent)
            case "faceoff":
                yield from self._faceoffs(spent)
            case "review":
                yield from self._reviews(spent)
            case "net-off":
                yield from self._nets(spent)
            case "salvage":
                found = sorted(dict.fromkeys(self.state.discard), key=lambda other: -HOLDING.get(other, 0.0))
                for other in found[:3]:
                    yield self._look((other,), self.rink, self.spots, spent.after(0, HOLDING.get(other, 0.0)))
            case _ if held in PLAYED:
                yield from self._layout_looks(PLAYED[held](self.state.table.mats), spent)
            case _:
                yield self._alone(held, spent)

    def _layout_looks(self, layouts: Iterable[Laid], spent: Situation) -> Iterator[Look]:
        for action, mats in layouts:
            rink = rink_for(self.state.table, mats)
            yield self._look(action, rink, rink.spots(self.state.table.places), spent)

    def _look(self, action: Action, rink: Rink, spots: Spots, after: Situation) -> Look:
        return Look(action, rink, spots, after, self.state.table.borrowed)

    def _mixed_on(self, begun: list[Look]) -> Look:
        """Return the board after the best single shift and the best next one, or after the first alone if that is better."""
        best = max(begun, key=self._chance)
        first = best.action[:-1]
        further = self._layout_looks(shifts(apply_shifts(self.state.table.mats, first)), best.after)
        return max([best, *(look._replace(action=(*first, *look.action, "done")) for look in further)], key=self._chance)

    def _chance(self, look: Look) -> float:
        return self.seen(look)[self.seat]

    def _alone(self, held: CardId, spent: Situation) -> Look:
        state, rink = self.state, self.rink
        left, number = state.allowed - state.taken, card(held).number
        if held.startswith("take"):
            spent = spent._replace(rule=number, left=(number << state.doubled) + state.extra - state.taken)
        elif held == "double":
            spent = spent._replace(left=left + state.allowed)
        elif held == "extra":
            spent = spent._replace(left=left + 1)
        elif held == "quick-draw":
            spent = spent.after(0, 2 * AVERAGE)
        elif held == "u-turn":
            spent = spent._replace(left=0, order=spent.order[::-1])
        elif held in {"slush", "thin-ice"}:
            rink = rink_for(replace(state.table, ongoing=held, net_off=None))
        return self._look((), rink, rink.spots(state.table.places), spent)

    def _borrowing(self, spent: Situation) -> Iterator[Look]:
        """Yield a board for each player whose pieces can be borrowed, if there is an action left to move them."""
        lent = self.state.table.borrowed
        if spent.left > 0:
            for other in spent.order:
                if other not in lent:
                    yield Look((COLOURS[other],), self.rink, self.spots, spent, (*lent, other))

    def _faceoffs(self, spent: Situation) -> Iterator[Look]:
        own = set(self.company.pucks[self.seat])
        pucks = pucks_on_board(self.state)
        for one in pucks:
            for other in pucks:
                if one in own and (other not in own or one < other):
                    spots = list(self.spots)
                    spots[one], spots[other] = spots[other], spots[one]
                    first, second = self.state.pieces[one], self.state.pieces[other]
                    yield self._look((first.shade, first.word, second.shade, second.word), self.rink, tuple(spots), spent)

    def _reviews(self, spent: Situation) -> Iterator[Look]:
        state = self.state
        standing, marks = set(state.table.places), state.grid().marks
        for colour in reviewable(state, self.seat):
            own = self.company.pucks[state.owners.of(colour)]
            puck = next(i for i in own if self.spots[i] == SCORED and state.pieces[i].colour == colour)
            for space, mark in enumerate(marks):
                if mark == "P" and space not in standing:
                    spots = (*self.spots[:puck], self.rink.bits[space], *self.spots[puck + 1 :])
                    yield self._look((COLOURS[colour], space_name(space)), self.rink, spots, spent)

    def _nets(self, spent: Situation) -> Iterator[Look]:
        for mat in self.state.table.mats:
            if mat.face.front is not None:
                rink = rink_for(replace(self.state.table, ongoing="net-off", net_off=mat.id))
                yield self._look((mat.id,), rink, rink.spots(self.state.table.places), spent)
