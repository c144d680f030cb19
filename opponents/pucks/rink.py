"""A board as bits of large integers, which gives the ends of slides and every puck's distance from a goal in microseconds.

A space is a bit. The rows of the drawn board follow one another, with an empty column between them. The engine works space by
space; this module works on all spaces at once. Tests compare the two.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engines.pucks.board.board import Mat, Mats, cells
from engines.pucks.board.box import ROWS, SIDES, Face
from engines.pucks.board.motion import SCORED
from engines.pucks.board.pieces import Piece, PieceKind

FAR: Final = 5
"""The greatest distance from a goal, in slides. It also stands for anything further away, and for no way at all."""
Bit = int
"""The number of a space's bit."""
Spots = tuple[int, ...]
"""The bit of each piece, or `BESIDE` or `SCORED`."""


class _Laid(NamedTuple):
    """A turned face with its corner at bit 0: the bit of each space, and a mask for each kind of space and for each wall."""

    bits: tuple[Bit, ...]
    spaces: int
    pools: int
    goals: int
    walls: tuple[int, ...]


@lru_cache(maxsize=512)
def _lay_out(face: Face, turn: int, width: int) -> _Laid:
    known = cells(Mat("a", "", (0, 0), turn, face))
    bits = tuple(cell.point[1] * width + cell.point[0] for cell in known)
    spaces = list(zip(bits, known, strict=True))
    return _Laid(
        bits,
        sum(1 << bit for bit in bits),
        sum(1 << bit for bit, cell in spaces if cell.mark == "~"),
        sum(1 << bit for bit, cell in spaces if cell.mark == "G"),
        tuple(sum(1 << bit for bit, cell in spaces if side in cell.walls) for side in SIDES),
    )


class Rink:
    """A board without pieces.

    Attributes:
        bits, space_at: the bit of each of the engine's spaces, and the space of each bit.
        goals: the spaces of all goals that can be entered.

    Args:
        mats: the mats as they lie.
        net_off: the letter of the mat whose goal is closed, or None.
        reach: the most spaces that a slide may cover, or None if there is no limit.
    """

    def __init__(self, mats: Mats, net_off: str | None, reach: int | None) -> None:
        left, top = min(mat.at[0] for mat in mats), min(mat.at[1] for mat in mats)
        width = (max(mat.at[0] for mat in mats) - left + 1) * ROWS + 1
        self.steps = (-width, 1, width, -1)
        self._reach = reach
        bits: list[Bit] = []
        spaces = pools = goals = closed = 0
        walls = [0, 0, 0, 0]
        for mat in mats:
            laid = _lay_out(mat.face, mat.turn, width)
            corner = ((mat.at[1] - top) * width + mat.at[0] - left) * ROWS
            bits += [bit + corner for bit in laid.bits]
            spaces |= laid.spaces << corner
            pools |= laid.pools << corner
            goals |= laid.goals << corner
            if mat.id == net_off:
                closed = laid.goals << corner
            for side in range(4):
                walls[side] |= laid.walls[side] << corner
        self.bits = tuple(bits)
        self.goals = goals & ~closed
        self.open = self._ways(spaces, pools, closed, walls)
        self._rays: dict[int, tuple[int, Bit]] = {}
        self._fronts = [self._open_goals(goals & ~closed, side) for side in range(4)]

    def _ways(self, spaces: int, pools: int, closed: int, walls: list[int]) -> tuple[int, ...]:
        """Return, for each direction, the spaces from which there is a way to the next space."""
        ground, found = spaces & ~pools, []
        for side in range(4):
            entered = ground & ~walls[(side + 2) % 4]
            ways = self.behind(entered & ~closed, side) | (closed & self.behind(entered & closed, side))
            found.append(ways & spaces & ~walls[side])
        return tuple(found)

    def behind(self, places: int, side: int) -> int:
        """Return the bits from which a step in a direction leads to one of the given bits."""
        step = self.steps[side]
        return places >> step if step > 0 else places << -step

    def _open_goals(self, goals: int, side: int) -> int:
        """Return the goals that can be entered from outside by moving in a direction."""
        step, outside = self.steps[side], self.open[side] & ~goals
        return goals & (outside << step if step > 0 else outside >> -step)

    @property
    def space_at(self) -> dict[Bit, int]:
        """The engine's space for each bit."""
        return {bit: space for space, bit in enumerate(self.bits)}

    def ray(self, bit: Bit, side: int) -> tuple[int, Bit]:
        """Return the spaces that a slide covers if no piece stops it, as a bit mask, and the bit of the furthest one."""
        key = 4 * bit + side
        known = self._rays.get(key)
        if known is None:
            ways, step, reach = self.open[side], self.steps[side], self._reach
            mask, at, count = 0, bit, 0
            while ways >> at & 1 and count != reach:
                at += step
                count += 1
                mask |= 1 << at
            known = self._rays[key] = mask, at
        return known

    def spots(self, places: Sequence[int]) -> Spots:
        """Return the bits of places that are given as the engine numbers them."""
        bits = self.bits
        return tuple([bits[place] if place >= 0 else place for place in places])

    def distances(self, standing: int, wanted: int = -1) -> list[int]:
        """Return the spaces from which a puck is one slide away from a goal, those two slides away, and so on up to `FAR` - 1.

        The spaces may be occupied. Other pieces, on the bits `standing`, are assumed not to move, although a puck may score
        sooner if another piece moves out of its way or into it. The list ends early when all `wanted` spaces have been reached.
        """
        free = ~standing
        layer, reached = self._scoring(free), self.goals
        layer &= ~reached
        found = [layer]
        stops = [~(ways & self.behind(free, side)) & free for side, ways in enumerate(self.open)]
        while layer and len(found) < FAR - 1:
            reached |= layer
            if not wanted & ~reached:
                break
            following = 0
            for side in range(4):
                seeds = layer & stops[side]
                if seeds:
                    following |= self._from(seeds, side, free)
                if self._reach is not None:
                    following |= self._at_full_reach(layer & free, side, free)
            layer = following & ~reached
            found.append(layer)
        return found

    def _scoring(self, free: int) -> int:
        layer = 0
        for side, fronts in enumerate(self._fronts):
            if fronts:
                layer |= self._from(fronts & free, side, free)
        return layer

    def _from(self, seeds: int, side: int, free: int) -> int:
        """Return the spaces from which a slide over free spaces in a direction reaches one of the seeds."""
        step, ways = self.steps[side], self.open[side]
        covered, left = 0, self._reach or -1
        while seeds and left:
            seeds = (seeds >> step if step > 0 else seeds << -step) & ways
            covered |= seeds
            seeds &= free
            left -= 1
        return covered

    def _at_full_reach(self, seeds: int, side: int, free: int) -> int:
        """Return the spaces exactly `reach` spaces before a seed, from which a slide over free spaces ends there by itself."""
        for number in range(self._reach or 0):
            if number:  # the seeds themselves may be occupied, the spaces on the way may not
                seeds &= free
            seeds = self.behind(seeds, side) & self.open[side]
        return seeds


@lru_cache(maxsize=1024)
def rink_of(mats: Mats, net_off: str | None, reach: int | None) -> Rink:
    """Return the board of a layout of mats."""
    return Rink(mats, net_off, reach)


class Sliding:
    """The motion of a game's pieces, as in `engines.pucks.board.motion`, but without words and without the ways taken.

    If `bumping`, a puck that is hit starts to slide.
    """

    def __init__(self, pieces: Sequence[Piece], bumping: bool) -> None:
        self.pucks = [piece.kind is PieceKind.PUCK for piece in pieces]
        self.meeples = [piece.kind is PieceKind.MEEPLE for piece in pieces]
        self._bumping = bumping

    def after_move(self, rink: Rink, spots: Spots, at: dict[Bit, int], mover: int, side: int, thin_ice: bool) -> Spots | None:
        """Return the bits of all pieces after one has moved, or None if it cannot move. `at` has the piece on each bit."""
        bit = spots[mover]
        if bit < 0 or not rink.open[side] >> bit & 1:
            return None
        ahead = bit + rink.steps[side]
        hit = at.get(ahead)
        new = list(spots)
        if hit is not None:
            if not self.meeples[mover] or self.meeples[hit]:
                return None
            if not rink.open[side] >> ahead & 1 or ahead + rink.steps[side] in at:
                return None
            self._slide(rink, new, at, hit, side)
            new[mover] = ahead
        elif self.pucks[mover] or (thin_ice and not self.meeples[mover]):
            self._slide(rink, new, at, mover, side)
        else:
            new[mover] = ahead
        return tuple(new)

    def _slide(self, rink: Rink, new: list[int], at: dict[Bit, int], sliding: int, side: int) -> None:
        """Slide a piece that has an open space in front of it, and then each piece that is hit in turn."""
        step, standing = rink.steps[side], occupied_bits(new)
        while True:
            path, end = rink.ray(new[sliding], side)
            pieces = path & standing
            blocks = path & (standing | rink.goals) if self.pucks[sliding] else pieces
            hit = None
            if blocks:
                end = (blocks & -blocks).bit_length() - 1 if step > 0 else blocks.bit_length() - 1
                if pieces >> end & 1:
                    hit = at[end]
                    end -= step
                else:
                    end = SCORED
            new[sliding] = end
            if hit is None or not self._bumping or not self.pucks[hit]:
                return
            ahead = new[hit] + step
            if not rink.open[side] >> new[hit] & 1 or standing >> ahead & 1:
                return
            sliding = hit


def occupied_bits(spots: Sequence[int]) -> int:
    """Return the bits on which pieces stand."""
    standing = 0
    for bit in spots:
        if bit >= 0:
            standing |= 1 << bit
    return standing
