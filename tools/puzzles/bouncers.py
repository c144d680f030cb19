"""The miner of Bouncers, which looks for positions in which one move is far better than all others.

Some of them are slips in games of computers; most are composed (`tools.puzzles.bouncers_composed`). A candidate first has to
pass cheap filters: a glance at each position of a game, and then a search. Then comes the proof that the line wins by force or,
if it does not, a search four times as deep as an expert's. Paths that end alike count as one move.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from typing_extensions import override

from engines.bouncers import State
from engines.bouncers.state import SETUPS, winner_on_board
from engines.position_codes import KnownPosition, Line, follow, line_text
from opponents.bouncers.easy import glance
from opponents.bouncers.evaluation import Position as Placement
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.opponent import BouncersOpponent
from opponents.bouncers.paths import position_of
from opponents.contract import Level
from opponents.playouts import random_action
from opponents.puzzles.puzzle import Goal, Proof, Puzzle, Theme
from opponents.search import WIN, WINNING
from tools.puzzles.bouncers_composed import compositions, endings, kind_of
from tools.puzzles.bouncers_nodes import DEEP, ENOUGH, FILTER, GAME, GLANCE, LEAST_MOVES, Node, Wins, fresh
from tools.puzzles.miner import Find, Miner, seeded

MOST_OWN: Final = 4
"""The most moves of the solver in a line."""
PROMISING: Final = 0.75
"""The least chance to win, judged at a glance, of a position that is looked at more closely."""
GAP: Final = 0.30
"""The least lead of the best move over all others, judged at a glance, in such a position."""
UNDECIDED: Final = 0.30
"""The least chance to win, judged at a glance, of a position that is looked at because the side to move is soon winning."""
SOON: Final = 3
"""The number of its own moves within which such a side is as good as winning. The glance may then have missed something."""
REPLIES: Final = 3
"""The most replies that are tried in order to keep a line unique."""
GAMES_OF_COMPUTERS: Final = "game"
"""The source of positions from games. All other sources but `ENDINGS` are variants for which positions are composed."""
ENDINGS: Final = "ending"
"""The source of endings that the tables cover."""
_OPENING: Final = range(2, 9)
"""The numbers of random moves that an opening may have."""
_SLIPS: Final = 0.25
"""The share of a game's moves that are played as a beginner would play them."""
_DECIDED: Final = 8
"""The number of positions in a row that are as good as won for one side after which a game is broken off."""


# --- lines -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Draft:
    """A line that a first search finds to be unique.

    Attributes:
        own: the solver's moves, each as its node and the position after it.
        replies: the positions after the replies between these moves.
        plies: the number of plies in which the first move wins by force, or None.
        ends: whether the last move wins the game.
    """

    own: tuple[tuple[Node, Placement], ...]
    replies: tuple[Placement, ...]
    plies: int | None
    ends: bool


def draft(state: State) -> Draft | None:
    """Return the unique line from a position, or None if its first move is not far better than all others."""
    node = Node(state)
    if len(node.afters) < LEAST_MOVES:
        return None
    found = node.best(FILTER)
    if not node.is_alone(found.line[0], FILTER, found.value):
        return None
    wins = Wins(state.variant)
    most = 2 * MOST_OWN - 1
    plies = wins.plies(node, min(most, WIN - found.value)) if found.value >= WINNING else None
    own, replies = [(node, found.line[0])], list[Placement]()
    while len(own) < MOST_OWN:
        node, best = own[-1]
        after = node.after(best)
        if GAME.outcome(after) is not None:
            return Draft(tuple(own), tuple(replies), plies, ends=True)
        onward = _onward(Node(after), wins, None if plies is None else plies - 2 * len(own) + 1)
        if onward is None:
            break
        reply, node, best = onward
        replies.append(reply)
        own.append((node, best))
    ends = GAME.outcome(own[-1][0].after(own[-1][1])) is not None
    return Draft(tuple(own), tuple(replies), plies, ends)


def _onward(theirs: Node, wins: Wins, plies: int | None) -> tuple[Placement, Node, Placement] | None:
    """Return a reply that keeps the line unique, and the solver's move after it, or None if no reply does.

    `plies` is the number of plies in which the other side has lost whatever it plays, or None. If it is given, only the longest
    defences are tried.
    """
    for reply in _longest(theirs, wins, plies) if plies is not None else _best(theirs):
        state = theirs.after(reply)
        if GAME.outcome(state) is not None:
            continue
        node = Node(state)
        found = node.best(FILTER)
        if node.is_alone(found.line[0], FILTER, found.value):
            return reply, node, found.line[0]
    return None


def _longest(theirs: Node, wins: Wins, plies: int) -> list[Placement]:
    """Return the replies after which the solver still needs `plies` plies, counting the reply."""
    nodes = ((after, Node(theirs.after(after))) for after in theirs.afters)
    return [after for after, node in nodes if wins.plies(node, plies - 1) == plies - 1][: 2 * REPLIES]


def _best(theirs: Node) -> Iterator[Placement]:
    found = theirs.best(GLANCE)
    yield found.line[0]
    left = sorted(theirs.afters, key=lambda after: (Kernel(theirs.state.variant).score(after), after))
    yield from [after for after in left if after != found.line[0]][: REPLIES - 1]


# --- from a draft to a puzzle ------------------------------------------------------------------------------------------------


def puzzle_from(state: State) -> Puzzle | None:
    """Return the puzzle that begins in a position, as a first search finds it, or None if there is none."""
    found = draft(state)
    if found is None:
        return None
    node, best = found.own[0]
    if [after for after in node.afters if after[0].bit_count() < node.position[1].bit_count()] == [best]:
        return None  # it is the only capture
    line = _line_of(state, found)
    goal = _goal(found, line)
    moves = (found.plies + 1) // 2 if found.plies is not None and goal is Goal.FORCE else 0
    proof = Proof.SEARCHED if found.plies is None else Proof.FORCED
    if all(node.known is not None for node, _ in found.own):
        proof = Proof.TABLES
    return Puzzle("bouncers", 0, 1, goal, proof, themes_of(line), line_text(line), moves=moves)


def _line_of(state: State, found: Draft) -> Line:
    line = Line(KnownPosition(GAME, state))
    for place, (node, best) in enumerate(found.own):
        line = follow(line, node.state.to_move, node.afters[best])
        if place < len(found.replies):
            theirs = Node(line.end.state)
            line = follow(line, theirs.state.to_move, theirs.afters[found.replies[place]])
    return line


def own_moves(line: Line) -> list[tuple[Node, Placement]]:
    """Return the solver's positions in a line, each with the position after the solver's move."""
    states = (line.start.state, *(step.state for step in line.steps))
    seat = line.actions[0][0]
    return [
        (Node(states[place]), position_of(states[place + 1])) for place, (mover, _) in enumerate(line.actions) if mover == seat
    ]


def _goal(found: Draft, line: Line) -> Goal:
    if found.plies is not None:
        return Goal.WIN if found.ends and len(line.actions) == found.plies else Goal.FORCE
    return Goal.GAIN if _gain(line) > 0 else Goal.ONLY


def _gain(line: Line) -> int:
    seat, first, last = line.actions[0][0], line.start.state, line.end.state

    def worth(state: State) -> int:
        counts = [side.bit_count() + (side & state.kings).bit_count() for side in state.sides]
        return counts[seat] - counts[1 - seat]

    return worth(last) - worth(first)


def themes_of(line: Line) -> tuple[Theme, ...]:
    """Return the motifs of a line."""
    seat, first, last = line.actions[0][0], line.start.state, line.end.state
    moves = [
        (mover, event.detail)
        for (mover, _), step in zip(line.actions, line.steps, strict=True)
        for event in step.events
        if event.kind == "move"
    ]
    own = [path for mover, path in moves if mover == seat]
    outcome = GAME.outcome(last)
    is_race = first.setup.terminal and outcome is not None and bool(last.sides[1 - seat])
    blocked = outcome is not None and winner_on_board(last) is None
    found = {
        Theme.CHAIN: any(len(path.squares) > 4 for path in own), Theme.CAPTURES: any(len(path.captured) > 1 for path in own),
        Theme.QUIET: not own[0].captured and not own[0].promoted and len(own) > 1,
        Theme.SACRIFICE: any(path.captured for mover, path in moves if mover != seat),
        Theme.PROMOTION: any(path.promoted for path in own), Theme.RACE: is_race and not blocked, Theme.BLOCKADE: blocked,
        Theme.KINGS: bool(first.kings & first.sides[seat]), Theme.ENDING: (first.sides[0] | first.sides[1]).bit_count() <= 8,
    }  # fmt: skip
    return tuple(theme for theme, is_there in found.items() if is_there)


# --- the miner ---------------------------------------------------------------------------------------------------------------


def slips(variant: str, number: int) -> Iterator[State]:
    """Yield the positions of a game between computers in which the side to move may have just one good move.

    These are the positions in which a glance says so, and those in which the side to move is as good as winning soon
    afterwards. The earlier positions of the game are forgotten, so they do not count for the draw by repetition.
    """
    rng = seeded(f"bouncers {variant} {number}")
    state = GAME.start(2, variant)
    for _ in range(rng.choice(_OPENING)):
        if GAME.outcome(state) is None:
            state = GAME.advance(state, state.to_move, random_action(GAME, state, state.to_move, rng))
    seen: list[tuple[Node, float]] = []
    decided = 0
    while GAME.outcome(state) is None and decided < _DECIDED:
        node, kernel = Node(fresh(state)), Kernel(variant, rng)
        found = node.best(GLANCE, rng)
        chance = node.chance(found.value)
        seen.append((node, chance))
        decided = decided + 1 if max(chance, 1 - chance) > ENOUGH else 0
        after = found.line[0]
        if rng.random() < _SLIPS:
            _, after = glance(kernel, node.position, node.afters, rng)
        state = GAME.advance(state, state.to_move, node.afters[after])
    for place, (node, chance) in enumerate(seen):
        wins_soon = any(later >= ENOUGH for _, later in seen[place + 2 : place + 2 * SOON + 1 : 2])
        if (chance >= UNDECIDED and wins_soon) or _is_promising(node):
            yield node.state


def _is_promising(node: Node) -> bool:
    found = node.best(GLANCE)
    chance = node.chance(found.value)
    if chance < PROMISING:
        return False
    other = node.other(found.line[0], GLANCE)
    return other is not None and chance - node.chance(other) >= GAP


class BouncersMiner(Miner):
    """The miner of Bouncers. A place is a game of one variant, or a composed puzzle."""

    game = "bouncers"
    sources = (GAMES_OF_COMPUTERS, ENDINGS, *SETUPS)

    @override
    def mine(self, source: str, number: int) -> Iterator[Find]:
        if source == GAMES_OF_COMPUTERS:
            yield from filter(None, map(self.examine, slips(tuple(SETUPS)[number % len(SETUPS)], number)))
            return
        if source == ENDINGS:
            variants = [variant for variant, setup in SETUPS.items() if not setup.terminal]
            finds = filter(None, map(self.examine, endings(variants[number % len(variants)], number)))
            yield from islice(finds, 1)
            return
        kind = kind_of(source, number)
        finds = filter(None, map(self.examine, compositions(source, number, kind)))
        yield from islice(filter(kind.fits, finds), 1)

    @override
    def propose(self, state: State) -> Puzzle | None:
        return puzzle_from(state)

    @override
    def deeper_look(self, puzzle: Puzzle) -> Puzzle | None:
        """Return the puzzle if each move is far the best by a deep search with a slightly different evaluation, or None.

        If the move is proved to win, only the other moves are searched. If the tables of endings have proved it, no search is
        needed.
        """
        if puzzle.proof is Proof.TABLES:
            return puzzle
        value = WIN - 1 if puzzle.proof is Proof.FORCED else None
        alone = all(node.is_alone(best, DEEP, value, seeded(puzzle.text)) for node, best in own_moves(puzzle.line))
        return puzzle if alone else None

    @override
    def difficulty(self, puzzle: Puzzle) -> int:
        """Return one more than the number of depths at which the hardest move is not yet the best."""
        return 1 + max(node.unseen(best) for node, best in own_moves(puzzle.line))

    @override
    def marks(self, puzzle: Puzzle) -> frozenset[Hashable]:
        line = puzzle.line
        states = (line.start.state, *(step.state for step in line.steps))
        return frozenset(
            canonical(state) for state, (seat, _) in zip(states, line.actions, strict=False) if seat == puzzle.seat
        )

    @override
    def player(self, level: Level) -> BouncersOpponent:
        return BouncersOpponent(GAME, level)


def canonical(state: State) -> Hashable:
    """Return a value that a position shares with its mirror image and with the same position in exchanged colours."""
    size = state.setup.size
    own, enemy, kings, seat = position_of(state)
    pictures = []
    for mirrored in (False, True):
        turned = tuple(_turned(squares, size, flipped=seat == 1, mirrored=mirrored) for squares in (own, enemy, kings))
        pictures.append(turned)
    return size, state.setup.terminal, *min(pictures)


def _turned(squares: int, size: int, *, flipped: bool, mirrored: bool) -> int:
    """Return a set of squares with the order of the ranks, of the files, or of both reversed."""
    ranks = [squares >> size * rank & (1 << size) - 1 for rank in range(size)]
    if flipped:
        ranks.reverse()
    if mirrored:
        ranks = [int(f"{rank:0{size}b}"[::-1], 2) for rank in ranks]
    return sum(rank << size * number for number, rank in enumerate(ranks))
