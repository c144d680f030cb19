"""The miners find what they say, the tool goes on where it was stopped, and the choice keeps its promises."""

from pathlib import Path
from random import Random

import pytest

from engines.bunny.position import hidden_spaces
from engines.game import Action, IllegalAction, legal_actions
from engines.position_codes import KnownPosition, Line, follow, read_line
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from engines.values import replace
from opponents.contract import LEVELS, Level
from opponents.puzzles.bouncers import BouncersMiner, canonical, own_moves
from opponents.puzzles.bouncers_composed import Kind as BouncersKind
from opponents.puzzles.bouncers_composed import kind_of
from opponents.puzzles.bouncers_nodes import Node
from opponents.puzzles.bunny import BunnyMiner, best_from, mostly_open, plan_from, remembered
from opponents.puzzles.bunny import turns_of as bunny_turns
from opponents.puzzles.certain import Plans, action_of
from opponents.puzzles.collection import packaged
from opponents.puzzles.goals import Turn, goals_of, most_goals
from opponents.puzzles.judging import Verdict, answer, explain, refute, solution, takes_thought
from opponents.puzzles.miner import Find
from opponents.puzzles.mining import Place, places_to_try, read_places, write_place
from opponents.puzzles.pucks import GAME, PucksMiner, turns_of
from opponents.puzzles.pucks_composed import Kind, compositions
from opponents.puzzles.puzzle import BadPuzzle, Goal, Theme, puzzle_of, row_of
from opponents.puzzles.regret import is_surely_better
from opponents.puzzles.selecting import AIMS, distance, fit, select, shares
from opponents.search import WINNING
from tests.opponents.puzzles import proving_bouncers, proving_bunny, proving_pucks, proving_regret

FORCED = puzzle_of("bouncers", "1 3 force:4 forced - bouncers14VYCQSMQ3FM30AKW034Y6A a3-b4")
SCORING = puzzle_of("pucks", "1 1 score exhausted - pucks12E11M4073DD9F795THV6G9GTW085GZBCX1C05R6VG p2 up, p2 right")
CERTAIN = puzzle_of("bunny", "1 1 carrot covered chain,quiet bunny12JQ5CHV6RGRV01C0YGAGXEKWE20G083KX5Q left")
BEST_ROW = "1 2 best sampled quiet bunny1EPMZQ59KTJE7V0N9GQYDRC0PEKFXDWC3ZE5Q left; right 20, up 37, down 39"
BEST = puzzle_of("bunny", BEST_ROW)
MINED = puzzle_of("bunny", "1 2 best sampled quiet bunny12KQN6ZK9VCEKZ5TWH62H5VBNRX56KDMC3CCEP left; right 22, up 27, down 27")


def find(text: str, easy: float, medium: float, hard: float) -> Find:
    """A find with the shares that the levels solve; an expert solves it."""
    shares_of = dict(zip(LEVELS, (easy, medium, hard, 1.0), strict=True))
    return Find(replace(FORCED, number=0, text=text), shares_of)


# --- Bouncers ----------------------------------------------------------------------------------------------------------------


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
    """Here two moves win. A search that is asked about the second one alone would hardly look ahead."""
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


def test_a_line_that_another_move_equals_is_not_proved() -> None:
    with pytest.raises(AssertionError, match="another move wins as soon"):
        proving_bouncers.prove(replace(FORCED, text=f"{FORCED.text}, h6-g5, d4-e5"))


def test_a_composed_puzzle_is_of_the_kind_that_is_looked_for() -> None:
    (found,) = BouncersMiner().mine("8x8-12-terminal", 0)
    assert kind_of("8x8-12-terminal", 0) == BouncersKind(own=2)
    assert len(found.puzzle.own) >= 2
    proving_bouncers.prove(found.puzzle)
    assert list(BouncersMiner().mine("8x8-12-terminal", 0)) == [found]


@pytest.mark.slow
def test_what_a_level_does_not_see_is_looked_for() -> None:
    (found,) = BouncersMiner().mine("8x8-12-terminal", 1)
    assert kind_of("8x8-12-terminal", 1) == BouncersKind(Level.MEDIUM)
    assert found.solved[Level.MEDIUM] < 1
    assert found.solved[Level.EXPERT] == 1
    proving_bouncers.prove(found.puzzle)


# --- Puck Bumpers ------------------------------------------------------------------------------------------------------------


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
        best = Turn(state).best()
        assert best.goals == most_by_the_engine(state, state.to_move, {})
        line = Line(KnownPosition(GAME, state))
        for action in Turn(state).line():
            line = follow(line, state.to_move, action)
        assert goals_of(state, line.end.state, state.to_move) == best.goals


def test_a_turn_is_solved_in_any_order_that_scores() -> None:
    proving_pucks.prove(SCORING)
    assert answer(SCORING, SCORING.own).verdict is Verdict.SOLVED
    first = answer(SCORING, SCORING.own[:1])
    assert (first.verdict, first.left) == (Verdict.RIGHT, 1)
    assert solution(SCORING, SCORING.own[:1]) == solution(SCORING) == SCORING.line
    assert most_goals(SCORING.line.start.state, SCORING.seat) == SCORING.goals == 1


def test_an_action_after_which_the_turn_scores_too_little_is_wrong() -> None:
    state = SCORING.line.start.state
    wrong = [
        action for action in legal_actions(GAME, state, SCORING.seat) if answer(SCORING, [action]).verdict is Verdict.WRONG
    ]
    assert wrong
    assert "can’t score" in str(refute(SCORING, [wrong[0]]).words)


# --- Bounce Bunny Bounce -----------------------------------------------------------------------------------------------------


def test_a_plan_is_certain_whatever_lies_face_down() -> None:
    plans = Plans(CERTAIN.line.start.state, CERTAIN.seat)
    assert plans.sure_moves(plans.start, 1) == []
    assert [action_of(plans.start, move) for move in plans.sure_moves(plans.start, 2)] == [("left",)]


@pytest.mark.slow
def test_a_certain_plan_is_proposed_again_and_proved_by_the_slow_rules() -> None:
    proposed = plan_from(CERTAIN.line.start.state)
    assert proposed is not None
    assert proposed.text == CERTAIN.text
    assert BunnyMiner().marks(proposed) == BunnyMiner().marks(CERTAIN)
    proving_bunny.prove(CERTAIN)
    with pytest.raises(AssertionError, match="are certain"):
        proving_bunny.prove(replace(CERTAIN, text=CERTAIN.text.replace("left", "right")))


def test_who_leaves_the_certain_way_is_told() -> None:
    assert answer(CERTAIN, [("left",)]).verdict is Verdict.SOLVED
    assert answer(CERTAIN, [("right",)]).verdict is Verdict.WRONG
    assert "no carrot is certain" in str(refute(CERTAIN, [("right",)]).words)


def test_a_puzzle_by_regret_is_a_row_with_the_losses_and_back() -> None:
    assert row_of(BEST) == BEST_ROW
    assert (BEST.goal, BEST.own) == (Goal.BEST, (("left",),))
    assert BEST.losses == ((("right",), 20), (("up",), 37), (("down",), 39))
    assert BEST.text.endswith(" left")
    assert "what would you do?" in str(BEST.task)


@pytest.mark.parametrize("row", [BEST_ROW.partition(";")[0], BEST_ROW.replace("20", "x"), BEST_ROW.replace("best", "carrot")])
def test_losses_stand_where_the_best_move_is_asked_for_and_nowhere_else(row: str) -> None:
    with pytest.raises(BadPuzzle):
        puzzle_of("bunny", row)


def test_the_best_move_solves_and_so_does_one_that_gives_nothing_away() -> None:
    assert answer(BEST, [("left",)]).verdict is Verdict.SOLVED
    alike = replace(BEST, losses=BEST.losses[1:])
    assert answer(alike, [("right",)]).verdict is Verdict.SOLVED
    with pytest.raises(IllegalAction):
        answer(BEST, [("enter", "a")])


@pytest.mark.parametrize(("action", "points"), BEST.losses)
def test_any_other_move_is_wrong_and_the_loss_is_told_at_once(action: Action, points: int) -> None:
    assert answer(BEST, [action]).verdict is Verdict.WRONG
    assert not takes_thought(BEST)
    reason = refute(BEST, [action])
    assert reason.numbers == f"That costs you {points} points of winning chance."
    assert not [figure for figure in reason.words.split() if figure == str(points)], "the words come without it"
    assert solution(BEST) == BEST.line


def test_the_best_move_does_better_in_games_to_the_end_by_the_slow_rules() -> None:
    proving_regret.prove(BEST, 60)
    worst, best = ("down",), BEST.own[0]
    swapped = replace(BEST, text=BEST.text.replace(" left", " down"), losses=((best, 20), *BEST.losses[:2]))
    assert swapped.own == (worst,)
    with pytest.raises(AssertionError, match="may be as good"):
        proving_regret.prove(swapped, 60)


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


def test_what_a_seat_does_not_remember_lies_face_down() -> None:
    turn, mostly = (next(bunny_turns("1", lay)) for lay in (remembered, mostly_open))
    assert mostly.field == turn.field
    assert len(hidden_spaces(turn)) > len(hidden_spaces(mostly))


# --- the tool ----------------------------------------------------------------------------------------------------------------


def test_the_tool_goes_on_where_it_was_killed(tmp_path: Path) -> None:
    folder = tmp_path / "finds"
    found = Place("8x8-16", 0, 1.5, (find(FORCED.text, 0, 0.5, 1),))
    write_place("bouncers", found, folder)
    path = folder / "bouncers.jsonl"
    path.write_text(path.read_text() + '{"source": "8x8-12", "num')
    write_place("bouncers", Place("8x8-16", 1, 2, ()), folder)
    assert list(read_places("bouncers", folder)) == [found, Place("8x8-16", 1, 2, ())]
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


def test_of_equals_those_go_of_which_there_are_most() -> None:
    race, chain = (
        find(text, 0.1, 1, 1)
        for text in (
            "bouncers126GB57ZE8ABGN6GRNM036N4D f4-e4, c6-b5, h2-g3, e7-f7, e5-f6-e7-e8",
            FORCED.text,
        )
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


def test_a_move_that_is_about_as_good_as_another_is_no_puzzle() -> None:
    """Quick games to the end tell them apart with 95 % confidence, or they are taken to be alike."""
    puzzles = packaged().puzzles
    for name, told_apart in (("bunny-22", True), ("bunny-29", False), ("bunny-32", False)):
        puzzle, (best,) = puzzles[name], puzzles[name].own
        state = puzzle.line.start.state
        assert all(is_surely_better(state, best, other) for other, _ in puzzle.losses) == told_apart, name


# --- Puck Bumpers, composed --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "goals", "lays"), [(1, 1, True), (4, 2, False)])
def test_a_composed_turn_is_of_the_kind_that_is_looked_for(number: int, goals: int, lays: bool) -> None:
    (found,) = PucksMiner().mine("composed", number)
    assert found.puzzle.goals >= goals
    assert (Theme.MATS in found.puzzle.themes) == lays
    assert any(" mat " in why for why in map(str, explain(found.puzzle))) == lays, "the solution says what the mats do"
    proving_pucks.prove(found.puzzle)


def test_a_card_that_moves_mats_is_followed_as_the_rules_play_it() -> None:
    state = next(compositions(1, Kind(laying=True)))
    turn = Turn(state)
    for action, moment in turn.actions(turn.now):
        after = GAME.advance(state, state.to_move, action)
        if after.to_move == state.to_move:
            there = Turn(after)
            assert (there.now.spots, there.now.left, there.best().goals) == (moment.spots, moment.left, turn.best(moment).goals)
