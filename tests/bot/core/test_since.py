"""What happened since a player last acted: in random games of all kinds, nothing is lost and nothing told twice."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.table.history import History
from bot.core.table.since import (
    Since,
    answered_on,
    asked_since,
    own_story,
    own_turn_on,
    since_acted,
    standing,
    story_of,
    turn_before,
    turn_began,
)
from bot.core.turns import new_turn
from engines import GAMES
from engines.chance import Fair
from engines.game import legal_actions, may_act
from storage.schema.records import Entry, EntryKind
from tests.engines.contract_games import CASES, Case, random_action
from tests.marks import quick_first

SOME_CASES = [case for case in CASES if not case.options]


def begun(case: Case) -> History:
    return History(case.game, case.seats, case.start())


def acted(history: History, seat: int, action: Sequence[str], *, by: int | None = -1, fired: bool = False) -> History:
    """The history with an action of a seat: by its player, by the bot if `by` is None, as a planned one if `fired`."""
    return _with(history, EntryKind.PLAY, seat, tuple(action), seat + 1 if by == -1 else by, fired)


def taken_back(history: History) -> History:
    seat = history.in_force[-1].entry.seat
    return _with(history, EntryKind.UNDO, seat, (), seat + 1)


def left(history: History, seat: int) -> History:
    return _with(history, EntryKind.WITHDRAW, seat, ("resigned",), seat + 1)


def _with(
    history: History, kind: EntryKind, seat: int, tokens: tuple[str, ...], user_id: int | None, fired: bool = False
) -> History:
    number = history.version + 1
    entry = Entry(table_id=1, number=number, kind=kind, seat=seat, tokens=tokens, user_id=user_id, at=0.0, fired=fired)
    return history.with_entry(entry)


@pytest.mark.parametrize("case", SOME_CASES, ids=str)
@pytest.mark.parametrize("number", quick_first(1, range(3)))
def test_a_history_at_a_version_is_as_it_was_then(case: Case, number: int) -> None:
    dice = random.Random(f"{case} {number} then")
    then = [begun(case)]
    while len(then) < 140 and then[-1].outcome is None:
        now = then[-1]
        if now.in_force and dice.random() < 0.35:
            then.append(taken_back(now))
        elif len(now.to_act) < len(set(range(case.seats)) - now.departed) and dice.random() < 0.1:
            then.append(left(now, dice.choice([s for s in range(case.seats) if s not in now.departed])))
        else:
            seat = now.to_act[0]
            then.append(acted(now, seat, random_action(now.game, now.state, seat, dice)))
    for version, before in enumerate(then):
        assert then[-1].at(version) == before
        assert before.version == version
        gone = {x.entry.seat for x in before.in_force if x.entry.kind is EntryKind.WITHDRAW}
        assert before.departed == gone
        assert before.in_force == tuple(x for x in before.log if not x.undone and x.entry.kind is not EntryKind.UNDO)
        assert (before.in_force[-1].state if before.in_force else before.first) == before.state


def random_history(case: Case, number: int, length: int, *, away: bool = False, undoing: bool = False) -> History:
    """A random game of this length, with cards out of turn; with the bot acting for people if `away`, and with undos."""
    dice = random.Random(f"{case} {number}")
    history = replace(begun(case), first=case.game.start(case.seats, case.variant, Fair(dice.randbytes(32))))
    while history.version < length and history.outcome is None:
        game, state = history.game, history.state
        if undoing and dice.random() < 0.1 and history.in_force:
            history = taken_back(history)
            continue
        seat = dice.choice(may_act(game, state) if dice.random() < 0.1 else game.to_act(state))
        by = None if away and dice.random() < 0.2 else -1
        history = acted(history, seat, random_action(game, state, seat, dice), by=by)
    return history


def asked_at(history: History) -> Iterator[tuple[int, History]]:
    """The versions at which a new turn begins, each with the history as it was."""
    yield 0, history.at(0)
    for version in range(1, history.version + 1):
        now = history.at(version)
        if now.to_act and new_turn(history.at(version - 1), now):
            yield version, now


random_games = given(case=st.sampled_from(SOME_CASES), number=st.integers(0, 10**6), length=st.integers(0, 60))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@random_games
def test_a_player_asked_alone_is_told_everything_new_once(case: Case, number: int, length: int) -> None:
    history = random_history(case, number, length)
    told: dict[int, int] = {}
    for version, now in asked_at(history):
        for seat in now.to_act:
            begins = asked_since(now, seat)
            seen = told.get(seat, 0)
            assert begins >= seen, "nothing is told twice"
            between = history.log[seen:begins]
            assert all(logged.entry.seat == seat or _others_in_its_turn(history, logged.entry, seat) for logged in between), (
                "what is not told is what the seat did itself, or what stood in the message while it was thinking"
            )
            told[seat] = version


def _others_in_its_turn(history: History, entry: Entry, seat: int) -> bool:
    """Whether another seat did this while `seat` was asked, and `seat` acted afterwards."""
    later = [logged.entry for logged in history.log[entry.number :]]
    states = [history.at(number).to_act for number in range(entry.number - 1, history.version)]
    for number, next_entry in enumerate(later):
        if seat not in states[number] or seat not in states[number + 1]:
            return False
        if next_entry.seat == seat:
            return True
    return False


@settings(max_examples=25, deadline=None)
@random_games
def test_an_absent_player_is_told_what_was_played_for_them(case: Case, number: int, length: int) -> None:
    history = random_history(case, number, length, away=True)
    told: dict[int, int] = {}
    for version, now in asked_at(history):
        for seat in now.to_act:
            between = history.log[told.get(seat, 0) : asked_since(now, seat)]
            last_own = max((logged.entry.number for logged in between if logged.entry.user_id == seat + 1), default=0)
            assert all(logged.entry.number <= last_own for logged in between)
            told[seat] = version


@settings(max_examples=25, deadline=None)
@random_games
def test_the_story_of_a_board_holds_what_each_asked_player_is_told(case: Case, number: int, length: int) -> None:
    history = random_history(case, number, length)
    for _, now in asked_at(history):
        story = story_of(now)
        assert story.told == min(asked_since(now, seat) for seat in now.to_act)
        assert story.drawn == story.told, "nobody has acted yet, so the picture shows the whole story"


@settings(max_examples=25, deadline=None)
@random_games
def test_while_a_turn_goes_on_its_story_only_grows(case: Case, number: int, length: int) -> None:
    history = random_history(case, number, length)
    for version in range(1, history.version + 1):
        now, before = history.at(version), history.at(version - 1)
        if now.outcome is None and not new_turn(before, now) and len(_live(now)) > 1:
            assert story_of(now).told == story_of(before).told
            assert turn_began(now) == turn_began(before)
            assert story_of(now).drawn in {story_of(now).told, turn_began(now)}
            if set(now.to_act) == {now.log[-1].entry.seat}:
                assert story_of(now).drawn == turn_began(now)


def _live(history: History) -> list[int]:
    return [seat for seat in range(history.seats) if seat not in history.view(None).out]


@settings(max_examples=25, deadline=None)
@random_games
def test_a_message_written_again_later_tells_the_same(case: Case, number: int, length: int) -> None:
    dice = random.Random(number)
    history = begun(case)
    written = [(story_of(history), standing(history, 0))]
    while history.version < length and history.outcome is None:
        if dice.random() < 0.2 and history.in_force:
            history = taken_back(history)
        else:
            (seat, *_) = history.to_act
            history = acted(history, seat, random_action(history.game, history.state, seat, dice))
        written.append((story_of(history), standing(history, story_of(history).told)))
    assert [
        (story_of(then), standing(then, story_of(then).told)) for then in map(history.at, range(1, history.version + 1))
    ] == written[1:]


@settings(max_examples=25, deadline=None)
@random_games
def test_undone_actions_are_left_out_and_a_line_says_so(case: Case, number: int, length: int) -> None:
    history = random_history(case, number, length, undoing=True)
    events = standing(history, 0)
    expected = [event for logged in history.log if not logged.undone for event in logged.events if event.known_to(None)]
    assert list(events) == expected
    lines = [logged.events[0] for logged in history.log if logged.entry.kind is EntryKind.UNDO]
    assert [event for event in events if any(event is line for line in lines)] == lines
    assert all("takes back" in line.text for line in lines)


def bouncers(*actions: str) -> History:
    history = begun(Case("bouncers", GAMES["bouncers"].variants[0], 2))
    for _ in actions:
        (seat,) = history.to_act
        history = acted(history, seat, next(iter(legal_actions(history.game, history.state, seat))))
    return history


def test_at_the_start_of_a_game_there_is_nothing_to_tell() -> None:
    history = bouncers()
    assert (story_of(history).told, story_of(history).drawn) == (0, 0)
    assert standing(history, 0) == ()


def test_each_player_is_told_what_the_other_has_done_since() -> None:
    history = bouncers("red", "blue", "red")
    assert story_of(history).told == 2, "Blue is told what Red did last"
    assert since_acted(history, 1) == 2
    assert since_acted(history, 0) == 3, "nothing has happened since Red acted"


def test_an_undone_action_is_asked_for_again_with_the_same_story() -> None:
    history = taken_back(bouncers("red", "blue", "red"))
    story = story_of(history)
    assert story.told == 1, "Red is told again what Blue did"
    assert [event.kind for event in standing(history, story.told)][-1] == "undo"
    assert since_acted(history, 0) == 1
    again = acted(history, 0, next(iter(legal_actions(history.game, history.state, 0))))
    assert story_of(again).told == 3, "Blue, who was asked before Red took it back, is told that, and what Red did instead"


def test_somebody_back_again_is_told_what_was_played_for_them() -> None:
    history = bouncers("red", "blue")
    history = acted(history, 0, next(iter(legal_actions(history.game, history.state, 0))), by=None)
    history = acted(history, 1, next(iter(legal_actions(history.game, history.state, 1))))
    assert story_of(history).told == 2
    assert since_acted(history, 0) == 1, "and everything since they acted themselves when they ask what happened"


def test_a_single_player_is_told_one_action_at_a_time() -> None:
    history = begun(Case("trampoline", GAMES["trampoline"].variants[0], 1))
    for number in range(4):
        assert story_of(history).told == max(0, number - 1)
        assert own_story(history, 0) == story_of(history)
        history = acted(history, 0, ("roll",))


def test_the_end_is_told_from_the_beginning_of_the_winners_last_turn() -> None:
    history = left(bouncers("red", "blue", "red"), 1)
    assert (history.outcome and history.outcome.winners) == (0,)
    assert (story_of(history).told, story_of(history).drawn) == (2, 2)


@pytest.mark.parametrize("seats", [3, 4])
def test_with_several_players_the_turns_of_all_others_are_told(seats: int) -> None:
    history = rolled(seats, seats)
    assert history.to_act == (0,)
    assert story_of(history).told == 1, "the first is told the turns of all others"
    assert {logged.entry.seat for logged in history.log[1:]} == set(range(1, seats))


def test_the_panel_of_a_seat_shows_the_turn_once_it_has_acted() -> None:
    history = begun(Case("pucks", GAMES["pucks"].variants[0], 2))
    dice = random.Random(1)
    while history.version < 40:
        (seat, *_) = history.to_act
        before = own_story(history, seat)
        history = acted(history, seat, random_action(history.game, history.state, seat, dice))
        if history.to_act == (seat,):
            assert own_story(history, seat).told == before.told
            assert own_story(history, seat).drawn == turn_began(history)


def test_the_picture_of_a_seat_whose_turn_no_other_message_shows_goes_back_to_its_own_last_turn() -> None:
    assert own_turn_on(bouncers("red"), 0) == 0, "its own move, while others answer"
    assert own_turn_on(bouncers("red", "blue"), 0) == 0, "its own move, and the answer"
    assert own_turn_on(bouncers("red", "blue", "red", "blue"), 0) == 2, "and nothing from before that"
    assert own_turn_on(bouncers("red"), 1) == 0, "what was played before it has ever acted"
    assert own_turn_on(taken_back(bouncers("red", "blue", "red")), 0) == 0, "what was taken back is no turn"
    lost = left(bouncers("red", "blue", "red", "blue"), 0)
    assert lost.outcome is not None
    assert own_turn_on(lost, 0) <= 2, "at the end too, whoever has won"


def test_a_turn_of_several_actions_is_drawn_whole_with_the_answers() -> None:
    history = begun(Case("pucks", GAMES["pucks"].variants[0], 2))
    dice, began = random.Random(2), {0: 0, 1: 0}
    while history.version < 60 and history.outcome is None:
        (seat, *_) = history.to_act
        if not history.version or seat not in history.awaited(history.version - 1):
            assert own_turn_on(history, seat) <= began[seat]
            began[seat] = history.version
        history = acted(history, seat, random_action(history.game, history.state, seat, dice))
        assert own_turn_on(history, seat) <= began[seat]


def test_the_public_picture_of_a_person_among_computers_goes_back_to_their_own_turn_the_words_do_not() -> None:
    history = bouncers("red", "blue", "red", "blue")
    assert story_of(history, (1,)) == Since(told=3, drawn=2)
    assert story_of(history) == Since(told=3, drawn=3), "somebody else’s turn has a message of its own"


def rolled(seats: int, actions: int) -> History:
    """A game of BOUNCE in which everybody rolls when it is their turn."""
    history = begun(Case("trampoline", GAMES["trampoline"].variants[0], seats))
    for _ in range(actions):
        (seat,) = history.to_act
        history = acted(history, seat, ("roll",))
    return history


def test_while_computers_think_the_story_is_that_of_the_turn_before_them() -> None:
    computers = (1, 2)
    asked = rolled(3, 3)
    assert story_of(asked, computers) == Since(told=0, drawn=0)
    for thinking in (rolled(3, 4), rolled(3, 5)):
        assert set(thinking.to_act) <= set(computers)
        assert story_of(thinking, computers).told == 0, "the message that asked the person keeps what it told"
        assert story_of(thinking, computers).drawn == 3, "its picture shows what was done since"
    assert story_of(rolled(3, 6), computers) == Since(told=3, drawn=3), "and the person is told their roll and the answers"


def test_with_computers_the_story_is_told_for_the_people() -> None:
    assert story_of(rolled(3, 5), (1,)).told == 3, "to the third it tells the first player’s roll and the computer’s"
    assert story_of(rolled(2, 0), (0,)) == Since(0, 0), "a computer that begins has nobody to tell anything"


def test_a_roll_that_computers_alone_have_answered_is_told_with_the_answer() -> None:
    assert story_of(rolled(2, 2), (1,)).told == 0, "no message has told the roll yet"
    assert story_of(rolled(2, 4), (1,)).told == 2
    assert story_of(rolled(2, 2)).told == 1, "a person was asked by a message that told it"
    assert story_of(rolled(3, 3), (1,)).told == 1, "so was the third, after a computer"
    assert story_of(rolled(3, 6), (1,)).told == 4


def test_the_end_tells_the_last_roll_of_a_person_if_a_computer_wins() -> None:
    for seed in range(40):
        case = Case("trampoline", GAMES["trampoline"].variants[0], 2)
        history = replace(begun(case), first=case.game.start(2, case.variant, Fair(seed.to_bytes(32, "big"))))
        while history.outcome is None:
            history = acted(history, history.to_act[0], ("roll",))
        if history.outcome.winners == (1,) and history.log[-2].entry.seat == 0:
            break
    assert (history.outcome and history.outcome.winners) == (1,)
    assert story_of(history, (1,)).told <= history.version - 2


def test_a_move_that_draws_nothing_is_not_told_to_its_player() -> None:
    told = story_of(random_history(Case("bouncers", GAMES["bouncers"].variants[0], 2), 1, 4), (1,))
    assert told == Since(told=3, drawn=2), "the picture shows it, since the answers are an edit of its board"


def played(how: str) -> History:
    """A game of Bouncers in which the sides take turns: "h" acts by hand, "p" as planned, which nobody saw coming."""
    history = bouncers()
    for one in how:
        (seat,) = history.to_act
        action = next(iter(legal_actions(history.game, history.state, seat)))
        history = acted(history, seat, action, fired=one == "p")
    return history


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("hhhp", 2),  # Red moved, and Blue's reply was there at once: both stand on the board that asks Red again
        ("hhhppp", 2),  # a reply to the reply, and so on
        ("hhhph", 2),  # Blue is asked for the first time since it moved: it is told of its reply, and what that answered
        ("hhhphph", 2),  # the same if Red had gone on like that
        ("hhhphphh", 7),  # Red has been told of what Blue's plan played; now Blue has moved by hand
        ("hhhphpp", 2),  # the same if Red's own plan had the last word
    ],
)
def test_a_story_begins_before_what_set_off_what_was_planned(how: str, told: int) -> None:
    history = played(how)
    story = story_of(history)
    assert (story.told, story.drawn) == (told, told)
    (seat,) = history.to_act
    assert own_story(history, seat) == story


def test_a_planned_action_is_not_its_owners_last_action() -> None:
    assert since_acted(played("hhhph"), 1) == 2, "Blue looks back to its own move by hand"
    assert since_acted(played("hhhp"), 0) == 3


def test_a_planned_reply_that_was_taken_back_is_told_with_what_it_answered() -> None:
    history = taken_back(played("hhhp"))
    assert history.to_act == (1,)
    assert story_of(history).told == 2
    assert [event.kind for event in standing(history, 2)] == ["move", "undo"]


def test_a_win_by_plan_is_told_with_what_it_answered() -> None:
    history = left(played("hhhp"), 0)
    assert (history.outcome and history.outcome.winners) == (1,)
    assert story_of(history).drawn == 2


@pytest.mark.parametrize("computers", [(), (1,)], ids=["people", "with a computer"])
@pytest.mark.parametrize("case", SOME_CASES, ids=str)
def test_the_turns_before_all_boards_are_the_whole_game(case: Case, computers: tuple[int, ...]) -> None:
    dice = random.Random(f"{case} turns")
    history, ends = begun(case), 0
    if set(history.to_act) <= set(computers) or case.seats == 1:
        return
    while history.outcome is None and history.version < 60:
        seat = dice.choice(history.to_act)
        history = acted(history, seat, random_action(case.game, history.state, seat, dice))
        if turn_began(history) == history.version and not set(history.to_act) <= set(computers):
            begins, until = turn_before(history, computers)
            assert (begins, until) == (ends, history.version)
            ends = until


def test_a_board_tells_nothing_before_the_first_action_and_of_a_game_for_one_the_last_action() -> None:
    alone, two = (next(c for c in SOME_CASES if c.game.id == "trampoline" and c.seats == seats) for seats in (1, 2))
    history = begun(alone)
    assert turn_before(history) == turn_before(begun(two)) == (0, 0)
    for _ in range(3):
        history = acted(history, 0, ("roll",))
    assert turn_before(history) == (2, 3)


def test_a_planned_action_belongs_to_what_it_answers() -> None:
    case = next(c for c in SOME_CASES if c.game.id == "bouncers")
    history = acted(acted(begun(case), 0, ("b2", "b3")), 1, ("b7", "b6"), fired=True)
    assert turn_before(history) == (0, 2)


def test_answers_begin_with_ones_own_last_action_if_uncertain() -> None:
    certain = played("hh")
    assert answered_on(certain, 0) == 1, "Red has seen where its piece goes, so it is not told again"
    dice = GAMES["trampoline"]
    history = History(dice, 2, dice.start(2))
    rolled = acted(history, 0, ("roll",))
    while rolled.to_act == (0,):
        rolled = acted(rolled, 0, next(legal_actions(dice, rolled.state, 0)))
    answered = acted(rolled, 1, ("roll",))
    while answered.to_act == (1,):
        answered = acted(answered, 1, next(legal_actions(dice, answered.state, 1)))
    assert answered_on(answered, 0) == rolled.version - 1, "nothing has shown that roll for longer than a computer thinks"
    assert answered_on(rolled, 0) <= rolled.version - 1
