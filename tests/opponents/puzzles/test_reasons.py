"""The reasons of puzzles: they say what a reader who knows the rules can follow, it is true, and it tells nothing hidden."""

import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from random import Random

import pytest

from engines import GAMES
from engines.bouncers import State
from engines.chance import Fair
from engines.game import Action, legal_actions, resample
from engines.position_codes import Line, follow
from engines.pucks.board.state import scored_by
from opponents.bouncers.paths import paths_of
from opponents.contract import Budget
from opponents.puzzles.collection import packaged
from opponents.puzzles.judging import Verdict, answer, explain, refute, takes_thought
from opponents.puzzles.puzzle import Goal, Puzzle, puzzle_of
from opponents.puzzles.reasons import bouncers, bunny, pucks
from tests.marks import quick_first

BOUNCERS = GAMES["bouncers"]

LONG = puzzle_of(
    "bouncers", "5 4 win forced quiet,race bouncers126GB57ZE8ABGN6GRNM036N4D f4-e4, c6-b5, h2-g3, e7-f7, e5-f6-e7-e8"
)
UNKNOWN = puzzle_of("bunny", "5 2 carrot covered - bunny13H8PYRQ3Q7NYJAYHZF84QPPNHJWG1J0C38YZE enter d")
"""Six cards lie face down, a1 among them."""

SOON = re.compile(r"You can’t stop \w+ from winning with the next move|You have one move only|You have to move, and every move")
"""What says that every move loses at once."""

ALL = list(packaged().puzzles.values())

RACES_FIRST = sorted((one for one in ALL if one.game == "bouncers"), key=lambda one: not one.variant.endswith("terminal"))
"""The puzzles of Bouncers: those without kings first, about which less has to be thought."""


def puzzle(name: str) -> Puzzle:
    found = packaged().puzzles.get(name)
    assert found is not None
    return found


def reason(name: str, *actions: str) -> str:
    """The reason why the last of some actions in a puzzle is wrong."""
    return refute(puzzle(name), [tuple(action.split()) for action in actions]).words


# --- Bouncers: a wrong move --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "played", "told"),
    [
        ("bouncers-35", "c10 d9", "Red answers g5 → g6, and wins: you have no move left."),
        ("bouncers-121", "d1 d2", "Blue answers c2 → b1, and wins: that reaches the last rank."),
        ("bouncers-6", "e5 f6", "Red answers h4 → g5, capturing king f6, and wins: that captures your last piece."),
        (
            "bouncers-84", "e8 e7",
            ("Red answers h1 → g2. You have one move only, a4 → b3, and then Red wins with "
            "g3 → g4 → h4 → g5 → h6 → h7 → g8: that reaches the last rank."),
        ),
        (
            "bouncers-11", "g10 f9",
            ("Red answers g7 → f8. You have one move only, c3 → b2, and then Red wins with j6 → i7 → j8: "
            "you have no move left."),
        ),
        (
            "bouncers-38", "a10 a9",
            ("Red answers g8 → h9 → g9. You have one move only, a9 → b8, and then Red wins with a4 → b5: "
            "you have no move left."),
        ),
        (
            "bouncers-54", "c1 c2",
            ("Blue answers a4 → b3, capturing c2. You have to move, and every move loses. After a3 → b4, for example, "
            "Blue wins with b3 → b2: you have no move left."),
        ),
        (
            "bouncers-107", "i3 j3 i4",
            ("Blue answers j10 → j9. Whatever you do then, Blue wins in 2 more moves. For example: you play i4 → j5; "
            "Blue plays j9 → i8; you play j5 → i6; Blue plays a3 → b2: you have no move left."),
        ),
        (
            "bouncers-78", "g4 f5",
            "Blue answers d2 → d1, making a king. After that you can’t force a win any more.",
        ),
        (
            "bouncers-8", "e5 f6",
            ("Blue answers j5 → i4. With best play that’s only a draw. For example: you play f6 → g5; "
            "Blue plays i4 → h4; you play g5 → g4; Blue plays j4 → i3 → j2 → i1, making a king."),
        ),
        (
            "bouncers-17", "d1 e2",
            ("Blue answers b4 → a4 → b3 → a2 → b1, capturing c2, making a king. "
            "That leaves you 3 against 4 pieces, so you can’t force a win any more."),
        ),
    ],
)  # fmt: skip
def test_the_answer_is_told_with_what_it_does_and_leads_to(name: str, played: str, told: str) -> None:
    assert reason(name, played) == told


def test_who_is_ahead_without_a_forced_win_is_told_so() -> None:
    assert reason("bouncers-53", "g8 f7").endswith("After that you’re still ahead, but no forced win is in sight.")


def test_figures_come_second_and_the_best_move_of_a_proof_wins_for_certain() -> None:
    assert refute(puzzle("bouncers-8"), [("e5", "f6")]).numbers == "Win chance: 50% instead of 100%."
    searched = refute(puzzle("bouncers-31"), [("f8", "g8")], Budget(300))
    assert searched.numbers is not None
    played, best = map(int, re.findall(r"(\d+)%", searched.numbers))
    assert played < best < 100, "it is estimated"


def test_the_line_is_the_move_and_the_answer() -> None:
    found = refute(LONG, [("h2", "g3")])
    assert found.line.actions == ((0, ("h2", "g3")), (1, ("e6", "f5", "e4", "e3", "f2", "e1")))


def test_a_win_that_takes_longer_is_called_one() -> None:
    """So it is called if a search with more thought finds a win that the miner has not seen."""
    known = puzzle("bouncers-88")
    line, words, percent = bouncers.why_wrong(follow(Line(known.line.start), known.seat, known.own[0]), Budget(1_000))
    assert len(line.actions) == 2
    assert words.endswith("You can still win by force, but it takes longer.")
    assert percent == 100


# --- Bouncers: the right moves -----------------------------------------------------------------------------------------------


def test_each_right_move_says_its_threat_or_that_nothing_helps_against_it() -> None:
    first, second, third = explain(LONG)
    assert first.startswith("**f4 → e4**. Whatever Blue does, you win in 2 more moves. Not e5 → d6: Blue answers e6 → f5")
    assert second == (
        "**h2 → g3**. Blue has to move, and every move loses. After e6 → f5, capturing g4, for example, "
        "you win with e5 → f6 → f7 → e8: that reaches the last rank."
    )
    assert third == "**e5 → f6 → e7 → e8** wins: that reaches the last rank."


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "bouncers-35",
            ("**g4 → g3**. Red has one move only, a7 → b8, and then you win with c10 → b9: "
            "Red has no move left."),
        ),
        (
            "bouncers-113",
            ("**f7 → g7 → h8**. You threaten i9 → j10: that reaches the last rank. "
            "Blue can’t stop you from winning with your next move."),
        ),
        ("bouncers-69", "**e3 → f4**. Otherwise Blue would win with d2 → c1. Whatever Blue does, you win in 2 more moves."),
        (
            "bouncers-60",
            ("**b5 → c5**. Whatever Blue does, you win in 2 more moves. For example: Blue plays f10 → g9; "
            "you play a5 → b6; Blue plays h8 → i7; you play b6 → a7: Blue has no move left."),
        ),
    ],
)  # fmt: skip
def test_why_a_first_move_is_right(name: str, told: str) -> None:
    assert explain(puzzle(name))[0] == told


# --- all of them -------------------------------------------------------------------------------------------------------------


def first_wrong(known: Puzzle, most: int = 400) -> Iterator[Action]:
    """The wrong first actions of a puzzle: in Bouncers the shortest path to each position."""
    state = known.line.start.state
    every = paths_of(state).values() if known.game == "bouncers" else legal_actions(known.line.start.game, state, known.seat)
    wrong = (action for action in every if answer(known, [action]).verdict is Verdict.WRONG)
    yield from islice(wrong, most)


def wins_at_once(state: State) -> bool:
    """Whether the side to move wins with its next move, by the rules themselves."""
    seat = state.to_move
    after = (BOUNCERS.advance(state, seat, action) for action in paths_of(state).values())
    return any(outcome is not None and outcome.winners == (seat,) for outcome in map(BOUNCERS.outcome, after))


@pytest.mark.parametrize("known", quick_first(3, RACES_FIRST), ids=lambda one: one.name)
def test_what_is_said_of_bouncers_is_true_by_the_rules(known: Puzzle) -> None:
    for action in first_wrong(known, 12):
        found = refute(known, [action])
        assert found.words
        assert found.numbers is not None
        end, words = found.line.end.state, found.words
        outcome = BOUNCERS.outcome(end)
        assert (", and wins: " in words) == (outcome is not None and outcome.winners == (1 - known.seat,)), words
        if SOON.search(words):
            after = [BOUNCERS.advance(end, end.to_move, mine) for mine in paths_of(end).values()]
            assert after
            assert all(map(wins_at_once, after)), words
    assert len(explain(known)) == len(known.own)


@pytest.mark.parametrize("known", quick_first(3, [one for one in ALL if one.game == "pucks"]), ids=lambda one: one.name)
def test_a_turn_that_scores_too_little_always_needs_more_slides_than_it_has_actions(known: Puzzle) -> None:
    for action in first_wrong(known):
        state = answer(known, [action]).line.end.state
        scored = scored_by(state, known.seat) - scored_by(known.line.start.state, known.seat)
        words = pucks.why_too_few(state, known.seat, known.goals - scored)
        left = re.search(r"(\d+|no) actions? left", words)
        assert left is not None, words
        need = re.search(r"needs? ([\d +]+) slides?", words)
        if need is not None:
            assert sum(map(int, need[1].split("+"))) > int(left[1].replace("no", "0")), words
        else:
            assert words.endswith("Your pucks are too far from a goal for that.")


def test_the_solution_of_a_turn_says_how_near_each_slide_brings_the_puck() -> None:
    assert explain(puzzle("pucks-5")) == (
        "Blue slides puck 1 right against Red’s meeple 1. It brings puck 1 within one slide of a goal.",
        "Blue plays Double Action: 2 actions this turn. It gives you more actions in this turn.",
        "Blue slides puck 1 up. It scores a puck.",
    )


def test_cards_that_add_actions_count_and_others_do_not() -> None:
    assert reason("pucks-5", "i1 down").endswith(
        "With Double Action you have 1 action left at most. Your puck nearest to a goal, puck 1, still needs 2 slides."
    )
    assert "Your nearest pucks need 1 + 2 slides." in reason("pucks-20", "i2 down")


# --- Bounce Bunny Bounce -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "played", "told"),
    [
        ("bunny-1", "left", "Your Bunny ends on e5, from where no hop leads to a Carrot next turn."),
        ("bunny-4", "enter d", "Your Bunny is flung off the field. From row 1 no card leads it to a Carrot next turn."),
        (
            "bunny-9", "enter f",
            "With your next hop you could get the Carrot on g4, but Red can hop to f1 and bump you off the field.",
        ),
    ],
)  # fmt: skip
def test_why_no_carrot_is_certain(name: str, played: str, told: str) -> None:
    assert reason(name, played) == f"After that, no Carrot is certain. {told}"


def test_an_unknown_card_is_supposed_to_be_the_one_that_spoils_it() -> None:
    words = refute(UNKNOWN, [("enter", "a")]).words
    assert "You don’t know the card on a1. Suppose it’s this one: shock left. Your Bunny is flung off the field." in words


def test_why_a_carrot_is_certain() -> None:
    assert explain(puzzle("bunny-3")) == ("**Hop down**. Next turn you hop down, to the Carrot on g4. Red can’t prevent that.",)
    assert explain(puzzle("bunny-9")) == (
        (
            "**Hop in on e1**. With the Swap you exchange b1 and f1, for example. "
            "Next turn you hop right, to the Carrot on f2. Red can’t prevent that."
        ),
    )


@pytest.mark.parametrize(
    ("name", "played", "told"),
    [
        ("bunny-13", "left", "Your Bunny is flung off the field, and has to hop in on row 1 again."),
        ("bunny-20", "left", "From f2 you know no way to a Carrot with your next hop."),
        (
            "bunny-13", "right",
            ("You don’t know the card on g2, so you can’t count on a Carrot with your next hop. "
            "2 of the 12 cards that may lie there fling you off the field."),
        ),
        ("bunny-6", "left", "From a5 you know no way to a Carrot with your next hop."),
    ],
)  # fmt: skip
def test_why_a_hop_is_worse_than_the_best(name: str, played: str, told: str) -> None:
    assert reason(name, played) == told


def test_why_a_hop_is_the_best() -> None:
    assert explain(puzzle("bunny-20")) == (
        (
            "**Hop right**. The Swap on a5 lets you exchange two cards. "
            "Exchange a1 and f4, for example, and your next hop leads to the Carrot on a1."
        ),
    )
    assert explain(puzzle("bunny-10")) == (
        "**Hop down**. It is flung off the field, and from row 1 you know the way to the Carrot on d1: hop in on d1.",
    )


@pytest.mark.parametrize("known", quick_first(4, [one for one in ALL if one.game == "bunny"]), ids=lambda one: one.name)
def test_what_is_said_of_bunny_is_the_same_however_the_cards_lie_that_nobody_knows(known: Puzzle) -> None:
    state, seat, best = known.line.start.state, known.seat, known.own[0]
    game = known.line.start.game

    def told(there: object) -> list[str]:
        assert isinstance(there, type(state))
        if known.goal is Goal.BEST:
            return [str(bunny.why_worse(there, seat, action, best)) for action, _ in known.losses]
        return [str(bunny.why_not_certain(bunny.choice_of([there], seat, action))) for action in first_wrong(known)]

    expected = told(state)
    assert all(expected)
    for number in range(3):
        other = resample(game, state, seat, Fair(sha256(f"{known.name} {number}".encode()).digest()))
        assert told(other) == expected


# --- who thinks --------------------------------------------------------------------------------------------------------------


def test_reasons_that_are_read_at_once_need_nobody_who_thinks() -> None:
    assert {one.goal for one in ALL if not takes_thought(one)} == {Goal.SCORE, Goal.BEST}


def test_the_reason_of_a_move_that_is_right_is_refused() -> None:
    with pytest.raises(ValueError, match="is right"):
        refute(LONG, LONG.own[:1])


def test_the_solution_is_explained_from_where_the_solver_has_come_to() -> None:
    known = puzzle("pucks-20")
    other = next(
        action
        for action in Random(1).sample(sorted(legal_actions(known.line.start.game, known.line.start.state, known.seat)), 20)
        if answer(known, [action]).verdict is Verdict.RIGHT and action != known.own[0]
    )
    assert explain(known, [other])[0] != explain(known)[0]
