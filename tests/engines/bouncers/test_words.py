"""What is typed, told and shown in Bouncers."""

import pytest

from engines.bouncers import BouncersView, Path, Piece
from engines.game import IllegalAction, IncompleteAction, MalformedAction
from engines.text import Text
from tests.engines.bouncers.squares import BLUE, GAME, RED, go, on

# --- notation ---------------------------------------------------------------------------------------------------------------


def test_a_move_is_written_with_a_dash_for_a_step_and_an_x_for_a_step_that_captured():
    state = on("c2 c1 b3", "e5 h8")
    assert GAME.notate(state, RED, ("c2", "c3", "d3")) == "c2-c3-d3"
    assert GAME.notate(on("c2 c1 b2", "e5 h8"), RED, ("c2", "c3", "d4")) == "c2-c3xd4"
    assert GAME.notate(on("j4", "h6 a10", variant="10x10-20"), RED, ("j4", "i5")) == "j4xi5"


@pytest.mark.parametrize(
    "text",
    [
        "c2 c3 d4",
        "c2-c3xd4",
        "c2-c3-d4",
        "C2 C3 D4",
        "C2-c3Xd4",
        "  c2   c3  d4 ",
        "c2, c3, d4",
        "c2 - c3 x d4",
        "c2→c3→d4",
        "c2–c3×d4",
        "c2>c3>d4",
        "c2c3d4",
        "c2 c3 d4 stop",
        "c2-c3xd4 STOP",
    ],
)
def test_a_move_can_be_typed_in_many_ways(text):
    assert GAME.parse(GAME.start(2), RED, text) == ("c2", "c3", "d4")


def test_two_figures_of_a_rank_stay_together():
    state = GAME.start(2, "10x10-20")
    assert GAME.parse(state, BLUE, "j10-i9xh8") == GAME.parse(state, BLUE, "J10I9H8") == ("j10", "i9", "h8")


def test_stop_is_dropped_only_at_the_end():
    state = GAME.start(2)
    assert GAME.parse(state, RED, "c2 stop c3") == ("c2", "stop", "c3")
    assert GAME.parse(state, RED, "stop") == ()


def test_a_path_that_does_not_exist_has_no_notation():
    for state, seat, action in (
        (GAME.start(2), RED, ("c2", "c5")),
        (GAME.start(2), BLUE, ("c7", "c6")),
        (GAME.start(2), RED, ()),
    ):
        with pytest.raises(IllegalAction):
            GAME.notate(state, seat, action)


@pytest.mark.parametrize(
    ("text", "error", "index", "message"),
    [
        ("", IncompleteAction, 0, "There is something missing to begin with; possible: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("c2", IncompleteAction, 1, "There is something missing after c2; possible: b3, c3, d3."),
        ("hello", MalformedAction, 0, "“hello” is no word of this game; possible here: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("c2 c3 ??", MalformedAction, 2, "“??” is no word of this game; possible here: b4, d4."),
        ("c2 stop c3", MalformedAction, 1, "“stop” is no word of this game; possible here: b3, c3, d3."),
        ("c22 c3", MalformedAction, 0, "“c22” is no word of this game; possible here: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("j2 j3", IllegalAction, 0, "“j2” is not possible now; possible: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("c1 c2", IllegalAction, 0, "“c1” is not possible now; possible: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("c7 c6", IllegalAction, 0, "“c7” is not possible now; possible: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("c4 c5", IllegalAction, 0, "“c4” is not possible now; possible: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("c2 c4", IllegalAction, 1, "“c4” is not possible after c2; possible: b3, c3, d3."),
        ("c2-c3-c2", IllegalAction, 2, "“c2” is not possible after c2 c3; possible: b4, d4."),
        ("a2 b3 c3", IllegalAction, 2, "“c3” is not possible after a2 b3; possible: a4, b4."),
    ],
)
def test_a_move_typed_wrongly_says_which_word_is_wrong_and_what_is_possible(text, error, index, message):
    state = GAME.start(2)
    with pytest.raises(IllegalAction) as caught:
        GAME.play(state, RED, GAME.parse(state, RED, text))
    assert (type(caught.value), caught.value.index, str(caught.value)) == (error, index, message)


def test_a_path_that_has_come_to_its_end_says_so():
    state = on("d7 d6", "h5")
    with pytest.raises(IllegalAction, match="The action ends at d7 d8; “c8” is too much"):
        GAME.play(state, RED, ("d7", "d8", "c8"))


def test_who_is_not_to_move_is_told():
    with pytest.raises(IllegalAction, match="Blue cannot act now") as caught:
        GAME.play(GAME.start(2), BLUE, ("c7", "c6"))
    assert (caught.value.index, caught.value.possible) == (0, ())


def test_choices_say_in_words_what_a_step_does():
    def labels(state, *prefix):
        return {choice.token: (choice.label, choice.final) for choice in GAME.choices(state, state.to_move, prefix)}

    state = on("d4 d3K b7 b6", "d6 h8")
    assert labels(state) == {"d4": ("d4", False), "d3": ("d3, king", False), "b7": ("b7", False)}
    assert labels(state, "d4") == {"d5": ("d5, capturing d6", True)}
    assert labels(state, "b7") == {"b8": ("b8, becoming a king", True)}
    assert labels(on("b7 b6", "h8", variant="8x8-16-terminal"), "b7") == {"b8": ("b8, winning", True)}
    assert labels(state, "d4", "d6") == labels(state, "zzz") == labels(state, "h8") == {}


# --- what is told and shown -------------------------------------------------------------------------------------------------


def test_a_move_is_one_event_with_its_path():
    step = GAME.play(on("c2 c1 b2", "e5K h8"), RED, ("c2", "c3", "d4"))
    assert [(event.kind, event.seat, event.private_to) for event in step.events] == [("move", RED, None)]
    assert step.events[0].text == "Red plays c2-c3xd4. One piece is captured."
    assert step.events[0].detail == Path(("c2", "c3", "d4"), (("e5", BLUE, True),), promoted=False)


def test_the_event_is_told_with_the_players_name():
    event = GAME.play(GAME.start(2), RED, ("c2", "c3")).events[0]
    assert isinstance(event.text, Text)
    assert event.text.render(name={RED: "Ann"}.get) == "Ann plays c2-c3."


def test_a_view_shows_the_whole_board_to_everybody():
    state = on("d4K c2", "h8", BLUE)
    expected = BouncersView(
        variant="8x8-16",
        seats=2,
        seat=None,
        to_act=(BLUE,),
        scores=("2", "1"),
        size=8,
        pieces=(Piece("c2", RED, king=False), Piece("d4", RED, king=True), Piece("h8", BLUE, king=False)),
    )
    assert GAME.view(state) == expected
    assert {GAME.view(state, seat).pieces for seat in (None, RED, BLUE)} == {expected.pieces}


def test_the_board_in_words_names_every_piece_and_who_is_to_move():
    assert GAME.describe(GAME.view(on("d4K c2 c1", "h8", BLUE))).splitlines() == [
        "Bouncers, 8×8, 16 pieces each.",
        "Red, moving up: 2 counters on c1, c2; 1 king on d4.",
        "Blue, moving down: 1 counter on h8.",
        "Blue is to move.",
    ]


def test_the_board_in_words_says_how_a_game_ended():
    won = GAME.describe(GAME.view(go(on("d4 d3", "d6"), "d4xd5"))).splitlines()
    assert won[2:] == ["Blue, moving down: nothing left.", "Red has captured every piece. Red wins."]
    drawn = GAME.describe(GAME.view(on("d4K", "h8K", quiet_plies=100))).splitlines()
    assert drawn[3] == "Both sides have made 50 moves without a capture or a counter's step. The game is drawn."
