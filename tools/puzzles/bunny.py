"""The miner of Bounce Bunny Bounce, for turns with only one way to a certain Carrot, or with one move that is by far the best.

Most positions come from games of computers. The cards that a player with a perfect memory knows lie face up. For puzzles with a
certain plan, further cards lie face up, and the few others may be anything that is left (`opponents.puzzles.certain`). For
puzzles that ask for the best move, no others do (`tools.puzzles.regret`).
"""

from collections.abc import Callable, Hashable, Iterator
from hashlib import sha256
from itertools import islice
from random import Random
from typing import Final

from typing_extensions import override

from engines.bunny import Bounce, Bunny, BunnyState
from engines.bunny.field import COLUMNS, DIRECTIONS, SPACES
from engines.bunny.position import hidden_spaces
from engines.chance import Fair
from engines.position_codes import KnownPosition, Line, follow, line_text, position_code, read_line
from engines.values import replace
from opponents.bunny import BunnyOpponent
from opponents.bunny.kernel import OVER
from opponents.bunny.knowledge import Belief
from opponents.contract import Budget, Level, Memory, Seen, seat_memory
from opponents.puzzles.certain import TURNS, Layouts, Plans, TooLarge, action_of
from opponents.puzzles.puzzle import Goal, Proof, Puzzle, Theme
from tools.puzzles import regret
from tools.puzzles.miner import Find, Miner, seeded

GAME: Final = Bunny()

MOST_POSITIONS: Final = 500
"""The most positions that the search for a plan looks at."""
_FURTHER: Final = 4_000
"""The number of further positions that may be looked at once a first move is known to be the only one."""
_THOUGHT: Final = Budget(30)
"""The budget of the computers that play the games."""
_FIRST: Final = 14
_LONGEST: Final = 120
_EACH: Final = 0.5
"""The share of the turns that are looked at. `_FIRST` is the number of actions before the first of these turns, and `_LONGEST`
the most actions of a game."""
_UNSEEN: Final = (0, 2, 2, 3, 4, 5, 6)
"""The numbers of cards that stay face down; one of them is drawn for each turn."""
COMPOSED: Final = "composed"
"""The source of plans on composed fields, each of which is newly dealt. The other sources are games."""
_FEW: Final = (0, 2, 3)
"""The numbers of cards that lie face down on composed fields; one of them is drawn for each field."""
_DEALT: Final = 2_000
"""The most fields that are dealt in one place."""
_MOVING: Final = frozenset({"carrot", "empty", *DIRECTIONS})
"""The cards on which no Bunny comes to rest."""
Lay = Callable[[BunnyState, int, Memory, Random], BunnyState]
"""The way in which a turn becomes a puzzle's position. It takes the state, the seat, what the seat remembers, and a
generator."""
_SEEN_ON_BOTH: Final = 10
"""The fewest cards that have to be seen on two fields for them to count as the same."""
_SWAPPED: Final = 0.25
"""The greatest part of these cards that may differ."""
_SIDES: Final = {"left": "right", "right": "left"}
"""The cards that are exchanged when a field is mirrored."""


def turns_of(name: str, lay: Lay) -> Iterator[BunnyState]:
    """Yield turns, at their beginning, from the game between computers with this name. `lay` turns cards face up."""
    rng = seeded(f"bunny {name}")
    state = GAME.start(2, None, Fair(sha256(f"bunny {name}".encode()).digest()))
    player = BunnyOpponent(GAME, Level.MEDIUM)
    memories: tuple[list[Seen], list[Seen]] = ([], [])
    for count in range(_LONGEST):
        awaited = GAME.to_act(state)
        if not awaited:
            return
        seat = awaited[0]
        if state.phase == "move" and count >= _FIRST and rng.random() < _EACH:
            yield lay(state, seat, tuple(memories[seat]), rng)
        thought = player.choose(state, seat, _THOUGHT, tuple(memories[seat]), stream=f"{name} {count}")
        step = GAME.play(state, seat, thought.action)
        for observer, memory in enumerate(memories):
            memory += seat_memory(GAME, observer, [(seat, step)])
        state = step.state


def remembered(state: BunnyState, seat: int, memory: Memory, _: Random) -> BunnyState:
    """Return a turn in which the cards that the seat remembers lie face up, and no further ones."""
    face_up = state.face_up | {*Belief(state, seat, memory).known}
    return replace(state, face_up=face_up, quiet_turns=0, spied=(None, None))


def mostly_open(state: BunnyState, seat: int, memory: Memory, rng: Random) -> BunnyState:
    """Return a turn in which more than the remembered cards lie face up, so that only a few are left that nobody has seen.

    If there were many, hardly any plan would be certain. For the same reason, the other Bunny has no shocks.
    """
    known = remembered(state, seat, memory, rng)
    unseen = hidden_spaces(known)
    more = {*unseen} - {*rng.sample(unseen, min(len(unseen), rng.choice(_UNSEEN)))}
    shocks = (state.shocks[0], 0) if seat == 0 else (0, state.shocks[1])
    return replace(known, face_up=known.face_up | more, shocks=shocks)


def compositions(number: int) -> Iterator[BunnyState]:
    """Yield turns on newly dealt fields, with Bunnies anywhere, nearly all cards face up, and no shocks for the other Bunny."""
    rng = seeded(f"{GAME.id} composed {number}")
    for deal in range(_DEALT):
        state = GAME.start(2, None, Fair(sha256(f"{GAME.id} composed {number} {deal}".encode()).digest()))
        cards = dict(zip(SPACES, state.field, strict=True))
        one, other = rng.sample([None, *(space for space, card in cards.items() if card not in _MOVING)], 2)
        covered = [space for space, card in cards.items() if card not in {"carrot", "empty"} and space not in {one, other}]
        face_up = frozenset(cards) - frozenset(rng.sample(covered, rng.choice(_FEW)))
        seat, shocks = rng.randrange(2), rng.randrange(2)
        yield replace(
            state, face_up=face_up, bunnies=(one, other), turn=seat, to_choose=seat, shocks=(0, shocks) if seat else (shocks, 0)
        )


def _start(state: BunnyState) -> KnownPosition:
    """Return a turn as its seat knows it, in the form in which its position code gives it."""
    return KnownPosition(GAME, read_line(position_code(GAME, state, state.turn)).start.state, state.turn)


def plan_from(state: BunnyState) -> Puzzle | None:
    """Return the puzzle of a turn with a certain plan, or None if there is no such plan."""
    start, seat = _start(state), state.turn
    plans = Plans(start.state, seat, MOST_POSITIONS)
    try:
        if plans.sure_moves(plans.start, 1) or len(plans.sure_moves(plans.start, TURNS)) != 1:
            return None
        plans.most += _FURTHER
        line = _line(plans, Line(start), plans.start, TURNS)
    except TooLarge:
        return None
    if line is None:
        return None
    return Puzzle("bunny", 0, 1, Goal.CARROT, Proof.COVERED, themes_of(line), line_text(line))


def _line(plans: Plans, line: Line, layouts: Layouts, turns: int) -> Line | None:
    """Return a line of the seat's only sure moves, or None if it does not have exactly one sure move here.

    The line ends where a move turns up a card that the seat does not know. The other seat plays a move after which the seat
    again has exactly one sure move. If there is no such move, the line ends, too.
    """
    seat = plans.seat
    outcomes = {move: list(after) for move, after in plans.moves(layouts)}
    sure = plans.sure_moves(layouts, turns)
    if len(sure) != 1 or len(outcomes) < 2:
        return None
    found = _follow(plans, line, layouts, sure[0], outcomes[sure[0]], turns)
    line, after, turns = found
    if after is None or after.world.carrots[seat] > line.start.state.carrots[seat] or after.world.phase == OVER:
        return line
    if after.world.chooser == seat:
        return _line(plans, line, after, turns) or line
    for move, further in plans.moves(after):
        replied, now, left = _follow(plans, line, after, move, list(further), turns)
        if now is not None and now.world.chooser == seat and (longer := _line(plans, replied, now, left)) is not None:
            return longer
    return line


def _follow(
    plans: Plans, line: Line, layouts: Layouts, move: int, outcomes: list[Layouts], turns: int
) -> tuple[Line, Layouts | None, int]:
    """Return the line after a move, the layouts then, and the turns left. The layouts are None if an unknown card turns up."""
    line = follow(line, layouts.world.chooser, action_of(layouts, move))
    if len(outcomes) > 1 or len(line.steps) < len(line.actions):
        return line, None, turns
    return line, outcomes[0], plans.turns_after(layouts, outcomes[0], turns)


def best_from(state: BunnyState) -> Puzzle | None:
    """Return the puzzle of a turn in which one move has by far the best chance to win, or None if there is none."""
    start = _start(state)
    found = regret.best_of(start.state)
    if found is None:
        return None
    best, losses = found
    line = follow(Line(start), state.turn, best)
    themes = themes_of(line) if line.steps else ()
    return Puzzle("bunny", 0, 1, Goal.BEST, Proof.SAMPLED, themes, line_text(line), losses)


def themes_of(line: Line) -> tuple[Theme, ...]:
    """Return the motifs of a line."""
    seat = line.actions[0][0]
    own = [(action, step) for (mover, action), step in zip(line.actions, line.steps, strict=False) if mover == seat]
    hops = [event.detail for _, step in own for event in step.events if isinstance(event.detail, Bounce)]
    found = {
        Theme.CHAIN: any(len(hop.landings) > 2 for hop in hops),
        Theme.SHOCK: any(action[0] == "shock" for action, _ in own),
        Theme.SWAP: any(action[0] == "swap" for action, _ in own),
        Theme.QUIET: line.end.state.carrots[seat] == line.start.state.carrots[seat],
    }
    return tuple(theme for theme, is_there in found.items() if is_there)


class BunnyMiner(Miner):
    """The miner of Bounce Bunny Bounce. A place is a game, or a series of composed fields. Its budgets are imagined games."""

    game = "bunny"
    sources = ("game", "regret", COMPOSED)
    budgets = (40, 80, 160, 320, 1_000, 3_000, 8_000)

    @override
    def mine(self, source: str, number: int) -> Iterator[Find]:
        if source == COMPOSED:
            plans = filter(None, map(plan_from, compositions(number)))
            yield from islice(filter(None, map(self.find_of, plans)), 1)
            return
        if source == "game":
            proposed = map(plan_from, turns_of(str(number), mostly_open))
        else:
            proposed = map(best_from, turns_of(f"{source} {number}", remembered))
        finds = (self.find_of(puzzle) for puzzle in proposed if puzzle is not None)
        yield from (find for find in finds if find is not None)

    @override
    def propose(self, state: BunnyState) -> Puzzle | None:
        return plan_from(state) or best_from(state)

    @override
    def deeper_look(self, puzzle: Puzzle) -> Puzzle | None:
        if puzzle.goal is not Goal.BEST:
            return puzzle
        losses = regret.deeper_losses(puzzle)
        return None if losses is None else replace(puzzle, losses=losses)

    @override
    def difficulty(self, puzzle: Puzzle) -> int:
        return regret.difficulty(puzzle) if puzzle.goal is Goal.BEST else super().difficulty(puzzle)

    @override
    def marks(self, puzzle: Puzzle) -> frozenset[Hashable]:
        return frozenset({canonical(puzzle.line.start.state, puzzle.seat)})

    @override
    def same_board(self, one: Puzzle, other: Puzzle) -> bool:
        return is_same_field(one.line.start.state, other.line.start.state)

    @override
    def player(self, level: Level) -> BunnyOpponent:
        return BunnyOpponent(GAME, level)


def canonical(state: BunnyState, seat: int) -> Hashable:
    """Return a value that a field shares with its mirror image, left to right, and with itself with the seats exchanged.

    All cards that lie face down count as alike.
    """
    pictures = []
    for mirrored in (False, True):
        cards = {}
        for space, card in zip(SPACES, state.field, strict=True):
            shown = card if card == "empty" or space in state.face_up else "?"
            cards[_mirror(space) if mirrored else space] = _SIDES.get(shown, shown) if mirrored else shown
        bunnies = [state.bunnies[seat], state.bunnies[1 - seat]]
        places = [space if space is None or not mirrored else _mirror(space) for space in bunnies]
        pictures.append((tuple(cards[space] for space in SPACES), tuple(map(str, places))))
    return min(pictures)


def is_same_field(one: BunnyState, other: BunnyState) -> bool:
    """Return whether two fields come from the same deal, mirrored or not: nearly all cards that are seen on both of them agree.

    A few cards may have been swapped between two turns of a game. On fields from different deals, one card in seven agrees.
    """
    cards = _shown(one, mirrored=False)
    for mirrored in (False, True):
        others = _shown(other, mirrored=mirrored)
        both = cards.keys() & others.keys()
        if len(both) >= _SEEN_ON_BOTH and sum(cards[space] != others[space] for space in both) <= len(both) * _SWAPPED:
            return True
    return False


def _shown(state: BunnyState, *, mirrored: bool) -> dict[str, str]:
    """Return the cards that can be seen on a field by their spaces, including those under the Bunnies."""
    seen = {space: card for space, card in zip(SPACES, state.field, strict=True) if space in {*state.face_up, *state.bunnies}}
    return {_mirror(space): _SIDES.get(card, card) for space, card in seen.items()} if mirrored else seen


def _mirror(space: str) -> str:
    return COLUMNS[len(COLUMNS) - 1 - COLUMNS.index(space[0])] + space[1:]
