"""The miners find what they say, the tool goes on where it was stopped, and its choice keeps the aims."""

from pathlib import Path
from random import Random

import pytest

from engines.bunny.position import hidden_spaces
from engines.game import legal_actions
from engines.position_codes import KnownPosition, Line, follow, read_line
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from engines.values import replace
from opponents.contract import LEVELS, Level
from opponents.puzzles.collection import packaged
from opponents.puzzles.goals import TurnSearch, goals_of
from opponents.puzzles.judging import explain
from opponents.puzzles.puzzle import Theme, puzzle_of
from opponents.search import WINNING
from tests.opponents.puzzles import proving_bouncers, proving_bunny, proving_pucks
from tests.opponents.puzzles.test_answers import CERTAIN, FORCED
from tools.puzzles.bouncers import BouncersMiner, canonical, own_moves
from tools.puzzles.bouncers_composed import BouncersTarget, kind_of
from tools.puzzles.bouncers_nodes import Node
from tools.puzzles.bunny import BunnyMiner, best_from, mostly_open, plan_from, remembered
from tools.puzzles.bunny import turns_of as bunny_turns
from tools.puzzles.miner import Find
from tools.puzzles.mining import MinedPlace, places_to_try, read_places, write_place
from tools.puzzles.pucks import GAME, PucksMiner, turns_of
from tools.puzzles.pucks_composed import PucksTarget, compositions
from tools.puzzles.regret import is_surely_better
from tools.puzzles.selecting import AIMS, distance, fit, select, shares

MINED = puzzle_of("bunny", "1 2 best sampled quiet bunny12KQN6ZK9VCEKZ5TWH62H5VBNRX56KDMC3CCEP left; right 22, up 27, down 27")


def find(text: str, easy: float, medium: float, hard: float) -> Find:
    """A find with the shares that the levels solve; an expert solves it."""
    shares_of = dict(zip(LEVELS, (easy, medium, hard, 1.0), strict=True))
    return Find(replace(FORCED, number=0, text=text), shares_of)


def test_a_position_is_the_same_mirrored_or_with_the_colours_exchanged() -> None:
    state = FORCED.line.start.state
    size = state.setup.size
    ranks = [[side >> size * rank & (1 << size) - 1 for rank in range(size)] for side in state.sides]
    mirrored = [sum(int(f"{row:0{size}b}"[::-1], 2) << size * n for n, row in enumerate(side)) for side in ranks]
    flipped = [sum(row << size * n for n, row in enumerate(reversed(side))) for side in ranks]
    assert canonical(state) == canonical(replace(state, sides=tuple(mirrored)))
    assert canonical(state) == canonical(replace(state, sides=tuple(reversed(flipped)), to_move=1 - state.to_move))
    assert canonical(state) != canonical(replace(state, to_move=1 - state.to_move))


def test_a_move_is_followed_through_forced_replies() -> None:
    """Two moves win here. A search that is asked about the second one alone would hardly look ahead."""
    state = read_line(f"{FORCED.text}, h6-g5").end.state
    node = Node(state)
    best = node.best(16_000)
    other = node.other(best.line[0], 16_000)
    assert best.value >= WINNING
    assert other is not None
    assert other >= WINNING
    assert not node.is_alone(best.line[0], 16_000, best.value)


def test_a_find_of_bouncers_is_proposed_again_and_proved() -> None:
    miner = BouncersMiner()
    proposed = miner.propose(FORCED.line.start.state)
    assert proposed is not None
    assert (proposed.text, proposed.goal, proposed.proof) == (FORCED.text, FORCED.goal, FORCED.proof)
    assert miner.deeper_look(proposed) == proposed
    assert miner.difficulty(proposed) == FORCED.difficulty
    assert len(own_moves(proposed.line)) == 1
    proving_bouncers.prove(proposed)


def test_a_composed_puzzle_is_of_the_kind_that_is_looked_for() -> None:
    (found,) = BouncersMiner().mine("8x8-12-terminal", 0)
    assert kind_of("8x8-12-terminal", 0) == BouncersTarget(own=2)
    assert len(found.puzzle.own) >= 2
    proving_bouncers.prove(found.puzzle)
    assert list(BouncersMiner().mine("8x8-12-terminal", 0)) == [found]


@pytest.mark.slow
def test_puzzles_that_a_level_does_not_see_are_composed() -> None:
    (found,) = BouncersMiner().mine("8x8-12-terminal", 1)
    assert kind_of("8x8-12-terminal", 1) == BouncersTarget(Level.MEDIUM)
    assert found.solved[Level.MEDIUM] < 1
    assert found.solved[Level.EXPERT] == 1
    proving_bouncers.prove(found.puzzle)


def most_by_the_engine(state: State, seat: int, known: dict[str, int]) -> int:
    """The most goals of the rest of a turn, by playing every action."""
    if state.to_move != seat or state.phase is not Phase.ACT or GAME.outcome(state) is not None:
        return 0
    key = repr((state.table, state.hands[seat], state.taken, state.extra, state.doubled))
    if key not in known:
        after = [GAME.advance(state, seat, action) for action in legal_actions(GAME, state, seat) if action != ("end",)]
        known[key] = max((goals_of(state, each, seat) + most_by_the_engine(each, seat, known) for each in after), default=0)
    return known[key]


@pytest.mark.parametrize("number", range(4))
def test_every_way_through_a_turn_is_looked_at(number: int) -> None:
    turns = list(turns_of("old-school", number + 1))
    for state in Random(number).sample(turns, min(3, len(turns))):
        best = TurnSearch(state).best()
        assert best.goals == most_by_the_engine(state, state.to_move, {})
        line = Line(KnownPosition(GAME, state))
        for action in TurnSearch(state).line():
            line = follow(line, state.to_move, action)
        assert goals_of(state, line.end.state, state.to_move) == best.goals


@pytest.mark.slow
def test_a_certain_plan_is_proposed_again_and_proved_by_the_slow_rules() -> None:
    proposed = plan_from(CERTAIN.line.start.state)
    assert proposed is not None
    assert proposed.text == CERTAIN.text
    assert BunnyMiner().marks(proposed) == BunnyMiner().marks(CERTAIN)
    proving_bunny.prove(CERTAIN)
    with pytest.raises(AssertionError, match="are certain"):
        proving_bunny.prove(replace(CERTAIN, text=CERTAIN.text.replace("left", "right")))


@pytest.mark.slow
def test_a_best_move_is_proposed_again_and_confirmed_with_more_thought() -> None:
    miner = BunnyMiner()
    proposed = best_from(MINED.line.start.state)
    assert proposed is not None
    assert (proposed.text, proposed.themes) == (MINED.text, MINED.themes)
    assert miner.difficulty(proposed) == MINED.difficulty
    confirmed = miner.deeper_look(proposed)
    assert confirmed is not None
    assert confirmed.losses == MINED.losses


def test_cards_that_a_seat_does_not_remember_lie_face_down() -> None:
    turn, mostly = (next(bunny_turns("1", lay)) for lay in (remembered, mostly_open))
    assert mostly.field == turn.field
    assert len(hidden_spaces(turn)) > len(hidden_spaces(mostly))


def test_the_tool_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    folder = tmp_path / "finds"
    found = MinedPlace("8x8-16", 0, 1.5, (find(FORCED.text, 0, 0.5, 1),))
    write_place("bouncers", found, folder)
    path = folder / "bouncers.jsonl"
    path.write_text(path.read_text() + '{"source": "8x8-12", "num')
    write_place("bouncers", MinedPlace("8x8-16", 1, 2, ()), folder)
    assert list(read_places("bouncers", folder)) == [found, MinedPlace("8x8-16", 1, 2, ())]
    left = list(places_to_try({"bouncers": {(place.source, place.number) for place in read_places("bouncers", folder)}}, 2))
    assert len(left) == 2 * len(BouncersMiner.sources) - 2
    assert ("bouncers", "8x8-12", 0) in left


def test_finds_are_left_out_until_every_level_solves_its_share() -> None:
    finds = [find(FORCED.text, 0.1, 1, 1) for _ in range(40)] + [find(FORCED.text, 0, 0, 0.5) for _ in range(20)]
    chosen = fit(finds)
    assert distance(finds) > 0
    assert distance(chosen) == 0
    assert 40 <= len(chosen) < len(finds)
    assert all(least <= shares(chosen)[level] <= most for level, (least, most) in AIMS.items())
    assert fit(chosen) == chosen
    assert fit([find(FORCED.text, 0.5, 1, 1), find(FORCED.text, 0.5, 1, 1)]) == []


def test_of_equally_good_finds_the_most_frequent_kind_is_left_out() -> None:
    race, chain = (
        find(text, 0.1, 1, 1)
        for text in ("bouncers126GB57ZE8ABGN6GRNM036N4D f4-e4, c6-b5, h2-g3, e7-f7, e5-f6-e7-e8", FORCED.text)
    )
    hard = [find(FORCED.text, 0, 0, 0.5) for _ in range(20)]
    chosen = fit([*[race] * 10, *[chain] * 30, *hard])
    assert chosen.count(race) == 10
    assert chosen.count(chain) < 30


def test_known_puzzles_keep_their_numbers_and_none_is_chosen_twice() -> None:
    same = find(FORCED.text, 0.2, 0.5, 0.75)
    known = replace(same, puzzle=replace(FORCED, number=7))
    chosen = select(BouncersMiner(), [same, same], [known])
    assert (chosen.puzzles, chosen.dropped, chosen.solved) == ((known.puzzle,), frozenset(), {"bouncers-7": same.solved})
    assert [puzzle.number for puzzle in select(BouncersMiner(), [same, same], []).puzzles] == [1]
    assert Level.EASY in same.solved


def test_known_puzzles_that_are_too_easy_are_dropped_unless_a_day_has_them() -> None:
    texts = [f"bouncers{code}" for code in ("11JPQTV9V0G033GVT g5-f6", "12EE2GDWZ4R039WY1 c5-d4", "11X6HMTZ1E70031TBD e5-f4")]
    shares_of = ((0.1, 1, 1), (0.1, 1, 1), (0.2, 0, 0.7))
    known = [
        replace(found, puzzle=replace(found.puzzle, number=number))
        for number, found in enumerate((find(text, *own) for text, own in zip(texts, shares_of, strict=True)), 1)
    ]
    chosen = select(BouncersMiner(), [], known, {"bouncers-1"})
    assert chosen.dropped == {"bouncers-2"}
    assert len(chosen.puzzles) == 3, "it stays in the file"
    assert chosen.solved.keys() == {"bouncers-1", "bouncers-3"}


@pytest.mark.slow
def test_a_move_that_is_about_as_good_as_another_is_no_puzzle() -> None:
    """Quick games to the end tell them apart with 95 % confidence, or they count as alike."""
    puzzles = packaged().puzzles
    for name, told_apart in (("bunny-22", True), ("bunny-29", False), ("bunny-32", False)):
        puzzle, (best,) = puzzles[name], puzzles[name].own
        state = puzzle.line.start.state
        assert all(is_surely_better(state, best, other) for other, _ in puzzle.losses) == told_apart, name


@pytest.mark.slow
@pytest.mark.parametrize(("number", "goals", "lays"), [(1, 1, True), (4, 2, False)])
def test_a_composed_turn_is_of_the_kind_that_is_looked_for(number: int, goals: int, lays: bool) -> None:
    (found,) = PucksMiner().mine("composed", number)
    assert found.puzzle.goals >= goals
    assert (Theme.MATS in found.puzzle.themes) == lays
    assert any(" mat " in why for why in map(str, explain(found.puzzle))) == lays, "the solution says what the mats do"
    proving_pucks.prove(found.puzzle)


def test_a_card_that_moves_mats_is_followed_as_the_rules_play_it() -> None:
    state = next(compositions(1, PucksTarget(laying=True)))
    turn = TurnSearch(state)
    for action, moment in turn.actions(turn.now):
        after = GAME.advance(state, state.to_move, action)
        if after.to_move == state.to_move:
            there = TurnSearch(after)
            assert (there.now.spots, there.now.left, there.best().goals) == (moment.spots, moment.left, turn.best(moment).goals)
