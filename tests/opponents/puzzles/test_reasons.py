"""The reasons of puzzles can be followed by a reader who knows the rules, are true, and reveal nothing hidden."""

import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from random import Random

import pytest

from engines.chance import Fair
from engines.game import Action, legal_actions, resample
from engines.position_codes import Line, follow
from engines.pucks.board.state import scored_by
from opponents.bouncers.paths import paths_of
from opponents.contract import Budget
from opponents.puzzles.collection import packaged
from opponents.puzzles.judging import Verdict, answer, explain, refute, takes_thought
from opponents.puzzles.puzzle import Goal, Puzzle, puzzle_of
from opponents.puzzles.reasons import bouncers, bunny, bunny_best, pucks
from tests.engines.bunny.slow import STEP, at
from tests.marks import quick_first
from tests.opponents.puzzles import reading_bouncers as reading
from tests.opponents.puzzles.brief import search_briefly
from tests.opponents.puzzles.proving_bouncers import boards_of
from tests.opponents.puzzles.proving_bunny import Knowledge, knowledge_of

LONG = puzzle_of(
    "bouncers", "5 4 win forced quiet,race bouncers126GB57ZE8ABGN6GRNM036N4D f4-e4, c6-b5, h2-g3, e7-f7, e5-f6-e7-e8"
)
UNKNOWN = puzzle_of("bunny", "5 2 carrot covered - bunny13H8PYRQ3Q7NYJAYHZF84QPPNHJWG1J0C38YZE enter d")
"""Six cards lie face down, a1 among them."""
TO_THE_SWAP = puzzle_of("bunny", "1 1 carrot covered quiet bunny16B1PFEZB6J2YECEB74KC8D2DHJ0C305ZE right")
ROW_1 = puzzle_of("bunny", "1 4 carrot covered quiet bunny12CMJT21B9YEHVQ8ZMYE9D3YM08374XN enter a")
ONE_UNKNOWN = puzzle_of("bunny", "1 2 carrot covered quiet bunny1308ZMFQF5242AY73GV7PB2FCW80C3W0W3 enter e")
"""One card alone lies face down: e1."""
TWO_HOPS = puzzle_of("bunny", "1 3 carrot covered quiet bunny11JYXCYP49FB3N7XAJC04E81DAEH0C3JCNJ down")
DARK = puzzle_of("bunny", "1 7 best sampled quiet bunny13Y9XQYGZBKRXSNAFN1WVRN2V9S1D0C4C3P66Y up; down 20, right 21, left 23")
FAR_CARROT = puzzle_of(
    "bunny", "1 8 best sampled quiet bunny131KFDXZ5BNJV7SYY922JC8TR7S6YMR83R37H right; up 16, down 22, left 26"
)
NO_WAY = puzzle_of("bunny", "1 7 best sampled - bunny180XTRQ0WKNEK6TGK9RTPWYVTVQGJW83KT44 down; left 24, up 27, right 27")
FLUNG_OFF = puzzle_of(
    "bunny", "1 3 best sampled quiet bunny15HB8C2M4F3ADJ0ASHYBF72HNBK5RKW83KD3N down; right 23, left 24, up 27"
)
DOUBLE = puzzle_of(
    "pucks", "1 3 score exhausted card pucks1NZ2Q0C1T3Z60ZK4WPMPWPKS15JT0KN7AJ1TP3NNZ2J1EG051DYF p1 right, play double, p1 up"
)
TWO_GOALS = puzzle_of(
    "pucks",
    "1 2 score exhausted several,card pucks155C4FGXHZKHCT7KJ14TV0N55G887F811AB77N7J73QD81PCS01CQZ1005EHK7 p2 up, "
    "p3 up, play extra, p3 right",
)

ALL = list(packaged().puzzles.values())

RACES_FIRST = sorted((one for one in ALL if one.game == "bouncers"), key=lambda one: not one.variant.endswith("terminal"))
"""The puzzles of Bouncers, those without kings, which need less thought, first."""


def puzzle(name: str) -> Puzzle:
    found = packaged().puzzles.get(name)
    assert found is not None
    return found


def reason(known: Puzzle, *actions: str) -> str:
    """Why the last of some actions in a puzzle is wrong."""
    return refute(known, [tuple(action.split()) for action in actions]).words


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "played", "told"),
    [
        ("bouncers-35", "c10 d9", "Red answers g5 → g6 and wins: you have no move left."),
        ("bouncers-121", "d1 d2", "Blue answers c2 → b1 and wins: that reaches the last rank."),
        ("bouncers-6", "e5 f6", "Red answers h4 → g5, capturing king f6 and wins: that captures your last piece."),
        ("bouncers-108", "b10 a9 b8", ("Red answers b9 → b10 and wins: that reaches the last rank. Your piece has just left "
         "b10, which was in the way.")),
        ("bouncers-120", "g5 h5 g4", ("Red answers f5 → e6. It bounces off your piece on g4. You have only one move, h3 → g2. "
         "Then Red wins with e7 → e8: that reaches the last rank.")),
        ("bouncers-11", "g10 f9", ("Red answers g7 → f8. You have only one move, c3 → b2. Then Red wins with j6 → i7 → j8: you "
         "have no move left.")),
        ("bouncers-103", "f3 g3", ("Blue answers d4 → d3 → c3. Blue threatens a3 → b2 → a1: that reaches the last rank. You "
         "can’t prevent that.")),
        ("bouncers-54", "c1 c2", ("Blue answers a4 → b3, capturing c2. If you play a3 → b4 → b5, Blue plays d8 → e7: you have "
         "no move left. If you play a3 → b4, Blue plays b3 → b2: you have no move left.")),
        ("bouncers-111", "g5 h5 g4", ("Red answers a1 → a2. Whatever you do, Red plays a2 → b3 → a4, then a4 → b5: you have no "
         "move left.")),
        ("bouncers-78", "g4 f5", "Blue answers d2 → d1, making a king. After that you can’t force a win any more."),
        ("bouncers-8", "e5 f6", ("Blue answers j5 → i4. With best play that’s only a draw. For example: you play f6 → g5; Blue "
         "plays i4 → h4; you play g5 → g4; Blue plays j4 → i3 → j2 → i1, making a king.")),
        ("bouncers-17", "d1 e2", ("Blue answers b4 → a4 → b3 → a2 → b1, capturing c2, making a king. That leaves you with 3 "
         "pieces against 4, so you can’t force a win any more.")),
    ],
)  # fmt: skip
def test_the_answer_is_told_with_what_it_does_and_leads_to(name: str, played: str, told: str) -> None:
    assert reason(puzzle(name), played) == told


def test_moves_that_are_left_are_counted_where_nobody_can_get_in_the_others_way() -> None:
    assert reason(puzzle("bouncers-107"), "i3 j3 i4") == (
        "Blue answers j10 → j9. From now on neither side can get in the other’s way, so count the moves that are left. "
        "You have 2 (i4 → j5, j5 → i6), Blue has 2 (a3 → b2, j9 → i8). It’s your turn, so you run out of moves first."
    )


def test_a_lost_position_is_called_lost_even_if_the_search_does_not_see_it() -> None:
    found = refute(puzzle("bouncers-53"), [("g8", "f7")])
    assert found.words.startswith("Red answers b4 → c5. If you play g7 → h7, Red answers a3 → b4.")
    assert found.words.endswith("All your other moves lose, too.")
    assert found.numbers == "Win chance: 0% instead of 100%."


@pytest.mark.slow
def test_figures_come_second_and_the_best_move_of_a_proof_wins_for_certain() -> None:
    assert refute(puzzle("bouncers-8"), [("e5", "f6")]).numbers == "Win chance: 50% instead of 100%."
    searched = refute(puzzle("bouncers-31"), [("f8", "g8")], Budget(300))
    assert searched.numbers is not None
    played, best = map(int, re.findall(r"(\d+)%", searched.numbers))
    assert played < best < 100, "it is estimated"


def test_the_line_is_the_move_and_the_answer() -> None:
    found = refute(LONG, [("h2", "g3")])
    assert found.line.actions == ((0, ("h2", "g3")), (1, ("e6", "f5", "e4", "e3", "f2", "e1")))


def test_a_slower_win_is_called_a_win() -> None:
    """Here a search with more thought finds a win that the miner has not seen."""
    known = puzzle("bouncers-88")
    line, words, percent = bouncers.why_wrong(follow(Line(known.line.start), known.seat, known.own[0]), Budget(1_000))
    assert len(line.actions) == 2
    assert words.endswith("You can still win by force, but it takes longer.")
    assert percent == 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("bouncers-9", ("Blue can’t play f7 → f6 now: there’s nothing on f8 to bounce off. Blue has only one move, a7 → b6. "
         "Then you win with d1 → c2: Blue has no move left.")),
        ("bouncers-17", ("Blue can’t play b4 → a4 → b3 → a2 → b1 now: your piece on b3 is in the way. Whatever Blue does, you "
         "play d1 → c2, then h7 → g8, making a king, then g8 → f7, capturing e6: Blue has no move left.")),
        ("bouncers-113", ("Your piece on h8 is now a springboard for i9 → j10. You threaten i9 → j10: that reaches the last "
         "rank. Blue can’t prevent that. Not f7 → g7: ")),
        ("bouncers-121", ("Otherwise Blue would win with c2 → b1, but now there’s nothing on d3 to bounce off. Blue has only "
         "one move, a6 → b5. Then you win with d1 → e2. Not ")),
        ("bouncers-16", ("Red captures nothing with f1 → e2 now. You keep 2 moves in reserve that Red can’t prevent: b8 → a7, "
         "a7 → b6. Whatever Red does, you win in 2 more moves. Red holds out longest with f1 → e2. Your next move answers "
         "that. Not b8 → a7: Red answers f1 → e2, capturing d3. ")),
        ("bouncers-109", ("Otherwise Red would win with c5 → b5, capturing a5, but now that captures nothing. Red has to move, "
         "and whatever they play, you win with a3 → b2: ")),
        ("bouncers-67", ("Blue has to move, and whatever they play, you win with a2 → b3: Blue has no move left. Not a1 → a2 → "
         "b3, which uses up two moves at once: Blue answers d6 → c6 and wins: you have no move left.")),
        ("bouncers-24", ("Blue can’t play e6 → f6 now: there’s nothing on d6 to bounce off. From now on neither side can get "
         "in the other’s way, so count the moves that are left. You have 2 (d1 → e2, f3 → g4), Blue has 2 (h8 → h7, h7 → g6). "
         "It’s Blue’s turn, so Blue runs out of moves first. Not ")),
        ("bouncers-53", "Whatever Red does, you play h7 → g6, then g6 → f6, then f6 → e5 → f4: Red has no move left. Not "),
        ("bouncers-111", ("You keep 3 moves in reserve that Red can’t prevent: h5 → g4, g4 → h3, h3 → g2. Whatever Red does, "
         "you win in 3 more moves. Red holds out longest with a1 → a2. Your next move answers that. Not g5 → h5 → g4, which "
         "uses up two moves at once: ")),
        ("bouncers-8", ("You catch all of Blue’s pieces in time: before they become kings, or right afterwards. Whatever Blue "
         "does, you win in 4 more moves. For example: ")),
        ("bouncers-13", "Left alone, you’d win in 3 more moves, Blue only in 4. Whatever Blue does, you win in 3 more moves. "),
        ("bouncers-40", ("Left alone, Blue could make only 6 more moves, and gain nothing from them. Whatever Blue does, you "
         "win in 6 more moves. With best play Blue ends up with no piece that can move. ")),
        ("bouncers-54", ("If Blue plays a4 → b3 → c3, you play a3 → b4 → a5, then a5 → b6: Blue has no move left. After any "
         "other move by Blue, you play a3 → b4, then b4 → b5: Blue has no move left. Not ")),
    ],
)  # fmt: skip
def test_the_idea_of_a_first_move_is_told(name: str, told: str) -> None:
    _, _, why = explain(puzzle(name))[0].partition("**. ")
    assert why.startswith(told)


def test_how_the_last_move_wins_is_said_with_it_alone() -> None:
    assert explain(LONG)[1:] == (
        (
            "**h2 → g3**. If Blue plays d7 → c7, you play e4 → f4: Blue has no move left. "
            "If Blue plays e6 → f5, capturing g4, you play e5 → f6 → f7 → e8: that reaches the last rank. "
            "If Blue plays e7 → f7, you play e5 → f6 → e7 → e8."
        ),
        "**e5 → f6 → e7 → e8** wins: that reaches the last rank.",
    )


def test_a_move_whose_answer_leaves_no_doubt_is_not_compared_with_others() -> None:
    assert explain(puzzle("bouncers-11"))[1] == (
        "**i5 → h4**. Red has only one move, j6 → i7. Then you win with g10 → f9: Red has no move left."
    )


def first_wrong(known: Puzzle, most: int = 400) -> Iterator[Action]:
    """The wrong first actions of a puzzle: in Bouncers the shortest path to each position."""
    state = known.line.start.state
    every = paths_of(state).values() if known.game == "bouncers" else legal_actions(known.line.start.game, state, known.seat)
    wrong = (action for action in every if answer(known, [action]).verdict is Verdict.WRONG)
    yield from islice(wrong, most)


@pytest.mark.slow
@pytest.mark.parametrize("known", quick_first(6, RACES_FIRST), ids=lambda one: one.name)
def test_the_sentences_about_bouncers_are_true_by_the_slow_rules(known: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which moves win whatever is played, are left, kept in reserve or stopped: all of it, in every puzzle."""
    search_briefly(monkeypatch)
    steps = list(boards_of(known.line))[::2]
    told = explain(known)
    assert len(told) == len(steps)
    looked = sum(reading.check_right(why, *step) for why, step in zip(told, steps, strict=True))
    first = reading.afters(steps[0][0])
    for action in first_wrong(known, 8):
        found = refute(known, [action])
        if str(found.words).startswith("That wins, too, but later."):
            assert found.numbers is None
            continue
        assert found.numbers is not None
        looked += reading.check_wrong(found.words, first[action])
    assert looked


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
    assert explain(DOUBLE) == (
        "Blue slides puck 1 right against Red’s meeple 1. It brings puck 1 within one slide of a goal.",
        "Blue plays Double Action: 2 actions this turn. It gives you more actions this turn.",
        "Blue slides puck 1 up. It scores a puck.",
    )


def test_cards_that_add_actions_count_and_others_do_not() -> None:
    assert reason(DOUBLE, "i1 down").endswith(
        "Even with Double Action you have only 1 action left. Your puck nearest to a goal, puck 1, still needs 2 slides."
    )
    assert "Your nearest pucks need 1 + 2 slides." in reason(TWO_GOALS, "i2 down")


@pytest.mark.parametrize(
    ("known", "played", "told"),
    [
        (TO_THE_SWAP, "left", "Your Bunny ends up on e5, and no hop from there leads to a carrot next turn."),
        (ROW_1, "enter d", "Your Bunny is flung off the field. From row 1, no card takes it to a carrot next turn."),
        (ONE_UNKNOWN, "enter f", ("With your next hop you could get the carrot on g4, but Red can hop to f1 and bump you off "
         "the field.")),
    ],
)  # fmt: skip
def test_why_no_carrot_is_certain(known: Puzzle, played: str, told: str) -> None:
    assert reason(known, played) == f"After that no carrot is certain. {told}"


def test_an_unknown_card_is_supposed_to_be_the_one_that_spoils_it() -> None:
    words = refute(UNKNOWN, [("enter", "a")]).words
    assert "You don’t know the card on a1. Suppose it’s this one: shock left. Your Bunny is flung off the field." in words


def test_why_a_carrot_is_certain() -> None:
    assert explain(TWO_HOPS) == ("**Hop down**. Next turn you hop down, to the carrot on g4. Red can’t prevent that.",)


def test_an_unknown_card_that_can_only_be_one_is_told_and_so_is_what_the_swap_is_for() -> None:
    assert explain(ONE_UNKNOWN) == (
        (
            "**Hop in on e1**. From what you know, only this card can lie on e1: Swap. "
            "Use the Swap on b1 and f1, for example. Then the card on f1 leads you on: shock up. "
            "Next turn you hop right, to the carrot on f2. Red can’t prevent that."
        ),
    )


@pytest.mark.parametrize(
    ("known", "played", "told"),
    [
        (DARK, "left", "Your Bunny is flung off the field, and has to hop in on row 1 again."),
        (FAR_CARROT, "left", "From f2 you know no way to a carrot with your next hop."),
        (DARK, "right", ("You don’t know the card on g2, so you can’t count on a carrot with your next hop. 2 of the 12 cards "
         "it could be fling you off the field.")),
        (NO_WAY, "left", "From a5 you know no way to a carrot with your next hop."),
    ],
)  # fmt: skip
def test_why_a_hop_is_worse_than_the_best(known: Puzzle, played: str, told: str) -> None:
    assert reason(known, played) == told


def test_why_a_hop_is_the_best() -> None:
    assert explain(FAR_CARROT) == (
        (
            "**Hop right**. The Swap on a5 lets you swap two cards. "
            "Swap a1 and f4, for example: that puts the carrot on a1, where your next hop takes you. "
            "After any other hop you know no way to a carrot."
        ),
    )
    assert explain(FLUNG_OFF) == (
        "**Hop down**. Your Bunny is flung off the field, but from row 1 you know the way to the carrot on d1: hop in on d1.",
    )


@pytest.mark.parametrize("known", quick_first(4, [one for one in ALL if one.goal is Goal.BEST]), ids=lambda one: one.name)
def test_no_other_hop_leaves_a_known_way_to_a_carrot_where_the_words_say_so(known: Puzzle) -> None:
    (told,) = explain(known)
    if "After any other hop you know no way to a carrot." in told:
        now = knowledge_of(known)
        others = [action for action in now.legal() if action != known.own[0]]
        assert others
        assert not any(knows_a_way(now, action, known.seat) for action in others), told


CARROTS = [one for one in ALL if one.goal is Goal.CARROT]


@pytest.mark.slow
@pytest.mark.parametrize("known", quick_first(4, CARROTS), ids=lambda one: one.name)
def test_cards_that_the_next_hop_does_not_touch_by_the_words_are_not_on_its_way(known: Puzzle) -> None:
    found = re.search(r"doesn’t touch, (\w\d) and (\w\d) for example\. Next turn you hop (?:in on )?(\w+)", explain(known)[-1])
    if found is not None and len(known.own) == 1:
        (after,) = knowledge_of(known).after(known.own[0])
        table, (one, two, hop) = after.table, found.groups()
        table.play(("swap", one, two))
        here = at(hop) if table.bunnies[known.seat] is None else table.ahead(table.bunnies[known.seat], hop)
        way = [here]
        while table.cards[way[-1]] in STEP:
            way.append(table.ahead(way[-1], table.cards[way[-1]]))
        assert table.cards[way[-1]] == "carrot"
        assert at(one) not in way
        assert at(two) not in way


def knows_a_way(now: Knowledge, action: Action, seat: int) -> bool:
    """Whether a seat knows after a hop how to get a Carrot with its next one, by the slow rules."""
    if now.met(action) is not None:
        return False
    (after,) = now.after(action)
    table = after.table
    table.turn = table.chooser = seat
    table.phase = "move"
    hops = [next(iter(after.after(hop))).table for hop in after.legal() if after.met(hop) is None]
    return any(there.carrots[seat] > table.carrots[seat] for there in hops)


@pytest.mark.parametrize("known", quick_first(4, [one for one in ALL if one.game == "bunny"]), ids=lambda one: one.name)
def test_the_sentences_about_bunny_do_not_depend_on_unknown_cards(known: Puzzle) -> None:
    state, seat, best = known.line.start.state, known.seat, known.own[0]
    game = known.line.start.game

    def told(there: object) -> list[str]:
        assert isinstance(there, type(state))
        if known.goal is Goal.BEST:
            return [str(bunny_best.why_worse(there, seat, action, best)) for action, _ in known.losses]
        return [str(bunny.why_not_certain(bunny.choice_of([there], seat, action))) for action in first_wrong(known)]

    expected = told(state)
    assert all(expected)
    for number in range(3):
        other = resample(game, state, seat, Fair(sha256(f"{known.name} {number}".encode()).digest()))
        assert told(other) == expected


def test_only_some_reasons_take_thought() -> None:
    assert {one.goal for one in ALL if not takes_thought(one)} == {Goal.SCORE, Goal.BEST}


def test_a_right_move_has_no_refutation() -> None:
    with pytest.raises(ValueError, match="is right"):
        refute(LONG, LONG.own[:1])


def test_the_solution_is_explained_from_where_the_solver_has_come_to() -> None:
    known = TWO_GOALS
    other = next(
        action
        for action in Random(1).sample(sorted(legal_actions(known.line.start.game, known.line.start.state, known.seat)), 20)
        if answer(known, [action]).verdict is Verdict.RIGHT and action != known.own[0]
    )
    assert explain(known, [other])[0] != explain(known)[0]
