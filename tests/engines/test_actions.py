"""Refusals: the reason, and a sentence that says what can be done instead."""

import pytest

from bot.i18n.language import language
from engines import GAMES
from engines.actions import NAMED_AT_MOST, Choice, with_possible
from engines.chance import Fair
from engines.game import IllegalAction
from engines.text import plain, say
from tests.engines.pucks.tables import two

REASON = say("Draw first.")
ROLL = Choice("roll", say("Roll"), final=True, deed=say("roll"))
KEEP = Choice("keep", say("Keep it"), final=True, deed=say("keep it"))
SQUARES = [Choice(name, plain(name), final=True) for name in ("a1", "a2", "a3")]
PIECE = Choice("m1", say("Meeple 1"), final=False)


@pytest.mark.parametrize(
    ("possible", "pressed", "typed"),
    [
        ([], "Draw first.", "Draw first."),
        ([ROLL], "Draw first. You can roll.", "Draw first. You can roll (`roll`)."),
        ([ROLL, KEEP], "Draw first. You can roll or keep it.", "Draw first. You can roll (`roll`) or keep it (`keep`)."),
        (SQUARES[:1], "Draw first. You can pick a1.", "Draw first. You can pick a1."),
        (SQUARES, "Draw first. You can pick a1 · a2 · a3.", "Draw first. You can pick a1 · a2 · a3."),
        (
            [PIECE, *SQUARES[:1], ROLL, KEEP],
            "Draw first. You can pick Meeple 1 · a1, roll or keep it.",
            "Draw first. You can pick Meeple 1 (`m1`) · a1, roll (`roll`) or keep it (`keep`).",
        ),
    ],
)
def test_what_can_be_done_instead_is_a_sentence(possible: list[Choice], pressed: str, typed: str) -> None:
    assert with_possible(REASON, possible) == pressed
    assert with_possible(REASON, possible, typed=True) == typed


def test_all_deeds_but_only_the_first_of_many_things_are_named() -> None:
    many = [Choice(str(number), plain(str(number)), final=True) for number in range(NAMED_AT_MOST + 3)]
    assert with_possible(REASON, [*many, ROLL]) == "Draw first. You can pick 0 · 1 · 2 · 3 · 4 · 5 · 6 · 7 and 3 more or roll."


@pytest.mark.parametrize(
    ("game", "english", "german"),
    [
        ("bouncers", "pick a2 · b2 · c2 · d2 · e2 · f2 · g2 · h2.", "a2 · b2 · c2 · d2 · e2 · f2 · g2 · h2 wählen."),
        ("bunny", "hop in.", "auf die Wiese hüpfen."),
        ("trampoline", "roll 3 dice.", "3 Würfel werfen."),
        ("pucks", "place a piece or place all at random.", "eine Figur aufstellen oder alle zufällig aufstellen."),
    ],
)
def test_every_game_says_what_can_be_done_at_its_start(game: str, english: str, german: str) -> None:
    rules = GAMES[game]
    state = rules.start(2, None, Fair(bytes(32)))
    with pytest.raises(IllegalAction) as raised:
        rules.play(state, rules.to_act(state)[0], ("?",))
    assert raised.value.message == f"“?” isn’t a word this game knows. You can {english}"
    assert language("de")(raised.value.message) == f"„?“ kennt dieses Spiel nicht. Du kannst {german}"


def test_pieces_and_deeds_are_told_in_one_sentence() -> None:
    with pytest.raises(IllegalAction) as raised:
        GAMES["pucks"].play(two(["take-3"]), 0, ("end",))
    assert raised.value.message == "You still have 2 actions to take. You can pick Meeple 1 or play a card."
