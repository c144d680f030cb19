"""What is typed, told and shown in Bouncers."""

import random

import pytest

from engines.bouncers import BouncersView, Path, Piece
from engines.game import IllegalAction, IncompleteAction, MalformedAction
from engines.text import Text
from tests.engines.bouncers.squares import BLUE, GAME, RED, go, on


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


def test_two_digits_of_a_rank_stay_together_and_a_final_stop_is_dropped():
    state = GAME.start(2, "10x10-20")
    assert GAME.parse(state, BLUE, "j10-i9xh8") == GAME.parse(state, BLUE, "J10I9H8") == ("j10", "i9", "h8")
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


PIECES = "a2 · b2 · c2 · d2 · e2 · f2 · g2 · h2"


@pytest.mark.parametrize(
    ("text", "error", "index", "message"),
    [
        (
            "",
            IncompleteAction,
            0,
            "You haven’t said what you’d like to do. You can pick a2 · b2 · c2 · d2 · e2 · f2 · g2 · h2.",
        ),
        ("c2", IncompleteAction, 1, "Something is still missing after c2. You can pick b3 · c3 · d3."),
        (
            "hello",
            MalformedAction,
            0,
            "“hello” isn’t a word this game knows. You can pick a2 · b2 · c2 · d2 · e2 · f2 · g2 · h2.",
        ),
        ("c2 c3 ??", MalformedAction, 2, "“??” isn’t a word this game knows. You can pick b4 · d4."),
        ("c2 stop c3", MalformedAction, 1, "“stop” isn’t a word this game knows. You can pick b3 · c3 · d3."),
        (
            "c22 c3",
            MalformedAction,
            0,
            "“c22” isn’t a word this game knows. You can pick a2 · b2 · c2 · d2 · e2 · f2 · g2 · h2.",
        ),
        ("j2 j3", IllegalAction, 0, "There’s no j2 on this board. You can pick a2 · b2 · c2 · d2 · e2 · f2 · g2 · h2."),
        ("c1 c2", IllegalAction, 0, f"c1 has something to bounce off, but no free square to land on. You can pick {PIECES}."),
        ("c7 c6", IllegalAction, 0, "c7 isn’t your piece. You can pick a2 · b2 · c2 · d2 · e2 · f2 · g2 · h2."),
        ("c4 c5", IllegalAction, 0, "c4 is empty. You can pick a2 · b2 · c2 · d2 · e2 · f2 · g2 · h2."),
        ("c2 c4", IllegalAction, 1, "c4 is too far: go one square at a time. You can pick b3 · c3 · d3."),
        ("c2-c3-c2", IllegalAction, 2, "You can’t bounce straight back to c2. You can pick b4 · d4."),
        ("a2 b3 c3", IllegalAction, 2, "There’s nothing behind b3 to bounce off: a3 is empty. You can pick a4 · b4."),
    ],
)
def test_a_move_typed_wrongly_says_which_word_is_wrong_and_what_is_possible(text, error, index, message):
    state = GAME.start(2)
    with pytest.raises(IllegalAction) as caught:
        GAME.play(state, RED, GAME.parse(state, RED, text))
    assert (type(caught.value), caught.value.index, str(caught.value)) == (error, index, message)


def test_a_path_that_has_come_to_its_end_says_so():
    state = on("d7 d6", "h5")
    with pytest.raises(IllegalAction, match="Your piece becomes a king on d8, so its move ends there"):
        GAME.play(state, RED, ("d7", "d8", "c8"))


def test_somebody_who_is_not_to_move_is_told():
    with pytest.raises(IllegalAction, match="Blue can’t act now") as caught:
        GAME.play(GAME.start(2), BLUE, ("c7", "c6"))
    assert (caught.value.index, caught.value.possible) == (0, ())


def test_choices_say_in_words_what_a_step_does():
    def labels(state, *prefix):
        return {choice.token: (choice.label, choice.final) for choice in GAME.choices(state, state.to_move, prefix)}

    state = on("d4 d3K b7 b6", "d6 h8")
    assert labels(state) == {"d4": ("d4", False), "d3": ("king d3", False), "b7": ("b7", False)}
    assert labels(state, "d4") == {"d5": ("d5, captures d6", True)}
    assert labels(state, "b7") == {"b8": ("b8, becomes a king", True)}
    assert labels(on("b7 b6", "h8", variant="8x8-16-terminal"), "b7") == {"b8": ("b8, wins", True)}
    assert labels(state, "d4", "d6") == labels(state, "zzz") == labels(state, "h8") == {}


def test_a_move_is_one_event_with_its_path_and_the_players_name():
    step = GAME.play(on("c2 c1 b2", "e5K h8"), RED, ("c2", "c3", "d4"))
    assert [(event.kind, event.seat, event.private_to) for event in step.events] == [("move", RED, None)]
    assert step.events[0].text == "Red bounces c2 → c3 → d4, capturing king e5."
    assert step.events[0].detail == Path(("c2", "c3", "d4"), (("e5", BLUE, True),), promoted=False)
    event = GAME.play(GAME.start(2), RED, ("c2", "c3")).events[0]
    assert isinstance(event.text, Text)
    assert event.text.render(name={RED: "Ann"}.get) == "Ann bounces c2 → c3."


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
        lost=(14, 15),
    )
    assert GAME.view(state) == expected
    assert {GAME.view(state, seat).pieces for seat in (None, RED, BLUE)} == {expected.pieces}


def test_the_board_in_words_names_every_piece_and_who_is_to_move():
    assert GAME.describe(GAME.view(on("d4K c2 c1", "h8", BLUE))).splitlines() == [
        "Bouncers, 8×8.",
        "Red, moving up: 2 pieces on c1, c2; 1 king on d4; 13 lost.",
        "Blue, moving down: 1 piece on h8; 15 lost.",
        "It’s Blue’s turn.",
    ]
    race = on("j4", "h6 a10", variant="10x10-20-terminal")
    assert GAME.describe(GAME.view(race)).startswith("Bouncers, 10×10, first to the last rank.\n")


def test_the_board_in_words_says_how_a_game_ended():
    won = GAME.describe(GAME.view(go(on("d4 d3", "d6"), "d4xd5"))).splitlines()
    assert won[2:] == ["Blue, moving down: 16 lost.", "All enemy pieces have been captured. Red wins."]
    drawn = GAME.describe(GAME.view(on("d4K", "h8K", quiet_plies=100))).splitlines()
    assert drawn[3] == "Nothing was captured for 50 moves each, and only kings moved. It’s a draw."


def told(state, *squares):
    (event,) = GAME.play(state, state.to_move, squares).events
    return event.phrase, event.major


def test_a_move_is_told_in_a_phrase_and_what_it_captures_or_reaches_is_the_line_to_read():
    assert told(GAME.start(2), "c2", "c3") == ("bounces c2 → c3", False)
    assert told(on("c2 c1 b2", "e5 h8"), "c2", "c3", "d4") == ("bounces c2 → c3 → d4, capturing e5", True)
    assert told(on("d7 d6", "h5"), "d7", "d8") == ("bounces d7 → d8 and makes a king", True)
    race = on("d7 d6", "h5", variant="8x8-16-terminal")
    assert told(race, "d7", "d8") == ("bounces d7 → d8 and reaches the last rank", True)
    assert told(on("d4K", "h8"), "d4", "d5") == ("moves the king d4 → d5", False)
    assert told(on("d4K", "d6 d3 h8"), "d4", "d5", "d4") == ("moves the king d4 → d5 → d4, capturing 2 pieces (d6, d3)", True)
    assert told(on("d2 c2", "f2K e4 h8"), "d2", "e2") == ("bounces d2 → e2, capturing king f2", True)


def test_a_capture_on_the_way_to_the_last_rank_is_told_with_what_it_comes_to():
    squares = ("b6", "c6", "d7", "d8")
    for variant, end in (("8x8-16", "and makes a king"), ("8x8-16-terminal", "and reaches the last rank")):
        state = on("b6 a6 b5 d6", "e8 h2", variant=variant)
        assert told(state, *squares) == (f"bounces b6 → c6 → d7 → d8, capturing e8, {end}", True)


def test_a_move_to_be_decided_on_is_told_by_its_squares_and_captures():
    def wording(state, *squares):
        return GAME.wording(state, state.to_move, squares)

    assert wording(GAME.start(2), "c2", "c3") == "c2 → c3"
    assert wording(on("c2 c1 b2", "e5 h8"), "c2", "c3", "d4") == "c2 → c3 → d4, capturing e5"
    assert wording(on("d4K", "d6K d3 h8"), "d4", "d5", "d4") == "d4 → d5 → d4, capturing 2 pieces (king d6, d3)"
    assert wording(GAME.start(2), "c2", "c5") is None


def asked(state) -> str:
    return str(GAME.question(GAME.view(state), state.to_move))


def test_the_questions_are_the_games_own():
    state = on("d4 d3K b7 b6", "d6 h8")
    assert asked(state) == "which piece moves?", "a king doesn’t bounce"
    assert asked(GAME.start(2)) == "which piece bounces?"
    assert asked(on("d4K", "h8")) == "which king moves?"
    assert GAME.prompt(state, RED) is None, "the question stands"
    assert GAME.prompt(state, RED, ("d4",)) == "Where does d4 bounce to?"
    assert GAME.prompt(state, RED, ("d3",)) == "Where does king d3 go?"
    assert GAME.prompt(state, RED, ("b7", "b8")) == "That’s the whole move. Play it?"
    assert GAME.prompt(GAME.start(2), RED, ("c2", "c3")) == "Keep bouncing, or stop here?"
    assert GAME.prompt(on("c2 c1 b2", "e5 h8"), RED, ("c2", "c3")) == "Capture, or stop here?", "nothing is captured yet"
    assert GAME.prompt(on("c2 c1 b2 b3", "e5 h8"), RED, ("c2", "c3")) == "Keep bouncing, or stop here?", "to d3, too"
    assert GAME.prompt(on("b2 a1 d2 e2", "d4 a5 h8"), RED, ("b2", "c3")) == "Keep capturing, or stop here?"
    assert GAME.prompt(on("d4K", "d6 f5 h8"), RED, ("d4", "d5")) == "One more step, or stop here?", "not all of them capture"
    assert GAME.prompt(on("d4K", "d6 h8"), RED, ("d4", "d5")) == "One more step, or stop here?"


def test_captures_kings_and_the_end_have_a_symbol():
    def symbols(state, *prefix):
        return {choice.token: choice.symbol for choice in GAME.choices(state, state.to_move, prefix)}

    state = on("d4 d3K b7 b6", "d6 h8")
    assert symbols(state) == {"d4": "💥", "d3": "👑", "b7": ""}
    assert symbols(state, "d4") == {"d5": "💥"}
    assert symbols(state, "b7") == {"b8": "👑"}
    assert symbols(on("b7 b6", "h8", variant="8x8-16-terminal"), "b7") == {"b8": "🏁"}


def test_a_piece_and_each_square_on_the_way_to_a_capture_have_its_symbol():
    def marked(state, *prefix):
        return {choice.token for choice in GAME.choices(state, state.to_move, prefix) if choice.symbol == "💥"}

    state = on("c2 c1 b2 b3", "e5 h8")
    assert marked(state) == {"c2"}, "c2 → c3 → d4 captures e5"
    assert marked(state, "c2") == {"c3"}
    assert marked(state, "c2", "c3") == {"d4"}
    assert marked(on("d4K", "d6 h8")) == {"d4"}, "a king goes on only after a capture, so its first step counts"
    assert not marked(on("d3K", "d7 h8"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_symbol_of_a_capture_is_where_a_capture_can_follow_and_nowhere_else(seed):
    rng, state = random.Random(seed), GAME.start(2, GAME.variants[seed])
    while GAME.to_act(state):
        moves = list(GAME.legal_actions(state, state.to_move))
        enemies = {piece.square for piece in GAME.view(state).pieces if piece.seat != state.to_move}
        prefixes = {move[:length] for move in moves for length in range(1, len(move) + 1)}
        for prefix in prefixes:
            (choice,) = [one for one in GAME.choices(state, state.to_move, prefix[:-1]) if one.token == prefix[-1]]
            before = enemies if len(prefix) < 3 else _standing(state, prefix[:-1])
            captures = any(
                len(_standing(state, move)) < len(before) for move in moves if move[: len(prefix)] == prefix and len(move) > 1
            )
            assert (choice.symbol == "💥") == captures, prefix
        state = GAME.play(state, state.to_move, rng.choice(moves)).state


def _standing(state, move):
    after = GAME.play(state, state.to_move, move).state
    return {piece.square for piece in GAME.view(after).pieces if piece.seat != state.to_move}


def test_what_wins_is_marked_as_such():
    def winning(state, *prefix):
        return {choice.token for choice in GAME.choices(state, state.to_move, prefix) if choice.wins}

    assert winning(on("b7 b6", "h8", variant="8x8-16-terminal"), "b7") == {"b8"}
    assert winning(on("b7 b6", "h8"), "b7") == set(), "there it becomes a king"
    assert winning(on("d4 d3 a1", "d6"), "d4") == {"d5"}, "captures the last enemy piece"
    assert winning(on("d4 d3 a1", "d6 h8"), "d4") == set()


@pytest.mark.parametrize(
    ("state", "text", "reason"),
    [
        (GAME.start(2), "j2 j3", "There’s no j2 on this board."),
        (GAME.start(2), "c2 j3", "There’s no j3 on this board."),
        (GAME.start(2), "c4 c5", "c4 is empty."),
        (GAME.start(2), "c7 c6", "c7 isn’t your piece."),
        (GAME.start(2), "c1 c2", "c1 has something to bounce off, but no free square to land on."),
        (on("d4 b2 a1", "h8"), "d4 d5", "d4 has nothing to bounce off."),
        (on("a1K a2 b1 b2 h1", "h8"), "a1 a2", "The king on a1 is boxed in."),
        (GAME.start(2), "c2 c2", "Your piece is already on c2."),
        (GAME.start(2), "c2 c4", "c4 is too far: go one square at a time."),
        (GAME.start(2), "c2 d2", "d2 is taken."),
        (GAME.start(2), "c2 c3 c2", "You can’t bounce straight back to c2."),
        (on("d4 c4 e3", "h8"), "d4 e4 d4", "You can’t bounce straight back to d4."),
        (on("d4 d3 c4", "h8"), "d4 c3", "c3 is behind you: only kings can go backward."),
        (on("c7", "d5 d6 h8", BLUE), "d5 d6", "d6 is taken."),
        (on("a1", "d5 d6 c5", BLUE), "d5 e6", "e6 is behind you: only kings can go backward."),
        (on("a4 a3", "h8"), "a4 b4", "You can’t bounce sideways off the rim."),
        (on("h4 h3", "a8"), "h4 g4", "You can’t bounce sideways off the rim."),
        (on("f4 f3", "h8"), "f4 g5", "There’s nothing behind f4 to bounce off: e3 is empty."),
        (on("f4 f3", "h8"), "f4 f5 f6", "There’s nothing behind f5 to bounce off: f4 is empty."),
        (on("d3 d2 e3", "d5 h8"), "d3 d4 c5 b5", "You’ve just captured d5, so you can’t bounce off it any more."),
        (on("d7 d6 c8K h1", "h5"), "d7 d8 e8", "Your piece becomes a king on d8, so its move ends there."),
        (on("d7 d6", "h5", variant="8x8-16-terminal"), "d7 d8 c8", "d8 is the last rank: you’ve won."),
        (on("d4K", "d6"), "d4 d5 d6", "That captured the last enemy piece, so the move ends there."),
        (on("d4K", "h8"), "d4 d5 d6", "A king can only go on after a capture."),
        (on("d4K d5", "h8"), "d4 d5", "d5 is taken."),
        (on("d4K", "h8"), "d4 d6", "d6 is too far: go one square at a time."),
    ],
)
def test_what_is_impossible_says_why(state, text, reason):
    seat = state.to_move
    with pytest.raises(IllegalAction) as caught:
        GAME.play(state, seat, GAME.parse(state, seat, text))
    assert str(caught.value).startswith(reason)
    assert GAME.why_not(state, seat, caught.value.action, caught.value.index) == reason


@pytest.mark.slow
def test_every_square_that_is_not_offered_has_a_reason_of_its_own():
    rng = random.Random(7)
    for variant in ("8x8-16", "8x8-12-terminal", "10x10-20"):
        state = GAME.start(2, variant)
        for _ in range(40):
            if GAME.outcome(state):
                break
            action = rng.choice(list(GAME.legal_actions(state, state.to_move)))
            for length in range(len(action) + 1):
                offered = {choice.token for choice in GAME.choices(state, state.to_move, action[:length])}
                for square in set(state.board.names) - offered:
                    assert GAME.why_not(state, state.to_move, (*action[:length], square), length), (action[:length], square)
            state = GAME.play(state, state.to_move, action).state


@pytest.mark.parametrize(
    ("state", "squares", "affects", "decisive"),
    [
        (on("d4 d3", "d6 h8"), ("d4", "d5"), (1,), False),
        (on("d4 d3", "d6"), ("d4", "d5"), (1,), True),
        (on("d4 d3", "h8"), ("d4", "d5"), (), False),
        (on("b7 b6", "h8", variant="8x8-16-terminal"), ("b7", "b8"), (), True),
        (on("b7 b6", "h8"), ("b7", "b8"), (), False),
    ],
)
def test_a_capture_affects_the_other_player_and_the_last_one_decides_the_game(state, squares, affects, decisive):
    (event,) = GAME.play(state, state.to_move, squares).events
    assert (event.affects, event.decisive) == (affects, decisive)
