"""The miner of Bounce Bunny Bounce: turns with one way that surely leads to a Carrot, or with one move by far the best.

The positions come from games of computers. What a player with a perfect memory knows of the field lies face up; for plans that
are certain some more does, and the few other cards may be anything that is left (`opponents.puzzles.certain`). For the best
move nothing else does (`tools.puzzles.regret`).
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
"""So many more once a first move is known to be the only one."""
_THOUGHT: Final = Budget(30)
"""The thought of the computers that play the games."""
_FIRST: Final = 14
_LONGEST: Final = 120
_EACH: Final = 0.5
"""The actions before the first turn that is looked at, the most actions of a game, and the share of the turns between."""
_UNSEEN: Final = (0, 2, 2, 3, 4, 5, 6)
"""The numbers of cards that stay face down, of which each turn draws one."""
COMPOSED: Final = "composed"
"""The source of plans on composed fields, each newly dealt. The others are games."""
_FEW: Final = (0, 2, 3)
"""The numbers of cards that lie face down, of which each of these fields draws one."""
_DEALT: Final = 2_000
"""The most fields that are dealt in one place."""
_MOVING: Final = frozenset({"carrot", "empty", *DIRECTIONS})
"""The cards that no Bunny rests on."""
Lay = Callable[[BunnyState, int, Memory, Random], BunnyState]
"""How a turn becomes a puzzle's position: by its state, its seat, and what the seat remembers."""
_SEEN_ON_BOTH: Final = 10
"""The least cards to be seen on both of two fields that are called the same."""
_SWAPPED: Final = 0.25
"""The greatest part of them that differs."""
_SIDES: Final = {"left": "right", "right": "left"}
"""The cards that are exchanged in a mirror."""


def turns_of(name: str, lay: Lay) -> Iterator[BunnyState]:
    """Yield turns, as they begin, of the game between computers with this name, with cards laid face up."""
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
    """Return a turn in which just the cards lie face up that the seat remembers."""
    face_up = state.face_up | {*Belief(state, seat, memory).known}
    return replace(state, face_up=face_up, quiet_turns=0, spied=(None, None))


def mostly_open(state: BunnyState, seat: int, memory: Memory, rng: Random) -> BunnyState:
    """Return a turn in which more than the remembered cards lie face up, until few are left that nobody has seen.

    With many, hardly any plan is certain. For the same reason the other Bunny has no shocks.
    """
    known = remembered(state, seat, memory, rng)
    unseen = hidden_spaces(known)
    more = {*unseen} - {*rng.sample(unseen, min(len(unseen), rng.choice(_UNSEEN)))}
    shocks = (state.shocks[0], 0) if seat == 0 else (0, state.shocks[1])
    return replace(known, face_up=known.face_up | more, shocks=shocks)


def compositions(number: int) -> Iterator[BunnyState]:
    """Yield turns on newly dealt fields: Bunnies somewhere, nearly all cards face up, and no shocks for the other Bunny."""
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
    """Return a turn as its seat knows it, and as its code has it."""
    return KnownPosition(GAME, read_line(position_code(GAME, state, state.turn)).start.state, state.turn)


def plan_from(state: BunnyState) -> Puzzle | None:
    """Return the puzzle of a turn with a certain plan, or None."""
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
    """Return a line with the seat's only sure moves, or None if it has no only sure move here.

    It ends where a move turns up a card that the seat does not know. The other seat plays a move after which the seat has one
    sure move again, if there is such a move; else the line ends.
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
    """Return the line after a move, the layouts (None if it turns up a card unknown to the mover), and the turns left."""
    line = follow(line, layouts.world.chooser, action_of(layouts, move))
    if len(outcomes) > 1 or len(line.steps) < len(line.actions):
        return line, None, turns
    return line, outcomes[0], plans.turns_after(layouts, outcomes[0], turns)


def best_from(state: BunnyState) -> Puzzle | None:
    """Return the puzzle of a turn in which one move has by far the best chance to win, or None."""
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
    """The miner of Bounce Bunny Bounce. A place is a game. The budgets are in games imagined."""

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
    """Return a value that a field shares with itself mirrored left to right, and with the seats exchanged.

    Cards that lie face down are all alike.
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
    """Return whether two fields are of one deal, mirrored or not: nearly all cards agree that can be seen on both of them.

    A few may have been swapped between two turns of a game. Fields that were dealt anew agree in one card of seven.
    """
    cards = _shown(one, mirrored=False)
    for mirrored in (False, True):
        others = _shown(other, mirrored=mirrored)
        both = cards.keys() & others.keys()
        if len(both) >= _SEEN_ON_BOTH and sum(cards[space] != others[space] for space in both) <= len(both) * _SWAPPED:
            return True
    return False


def _shown(state: BunnyState, *, mirrored: bool) -> dict[str, str]:
    """Return the cards that can be seen on a field, those under the Bunnies included, by their spaces."""
    seen = {space: card for space, card in zip(SPACES, state.field, strict=True) if space in {*state.face_up, *state.bunnies}}
    return {_mirror(space): _SIDES.get(card, card) for space, card in seen.items()} if mirrored else seen


def _mirror(space: str) -> str:
    return COLUMNS[len(COLUMNS) - 1 - COLUMNS.index(space[0])] + space[1:]
