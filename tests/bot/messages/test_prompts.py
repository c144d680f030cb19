"""The question above the buttons of a panel: at first the one that everybody reads, then what is asked after each token."""

from typing import Any

import pytest

from bot.messages.picking import Picker, prompt_of
from engines import GAMES
from engines.game import Action, Game, Words, part_of
from tests.engines.pucks.drawing import PUCKS, drawn, play


def asked(game: Game[Any, Any], state: Any, seat: int, *tokens: str) -> str:
    def choices(prefix: Action) -> Any:
        return game.choices(state, seat, prefix)

    return prompt_of(game, state, Picker(seat, choices, game.verbs).pick(tokens), str)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.id))
def test_a_panel_begins_with_the_question_that_everybody_reads(game: Game[Any, Any]) -> None:
    state = game.start(2)
    (seat,) = game.to_act(state)
    question = part_of(game, Words).question(game.view(state), seat)
    assert asked(game, state, seat) == question[:1].upper() + question[1:]


def test_a_panel_goes_on_with_the_question_about_the_token() -> None:
    state = GAMES["bouncers"].start(2)
    assert asked(GAMES["bouncers"], state, 0, "c2") == "Where does c2 bounce?"
    assert asked(PUCKS, PUCKS.start(2), 0, "place", "i1") == "Where does ice block 1 go?"


def test_out_of_turn_a_hand_with_nothing_but_a_whistle_is_asked_what_it_would_undo() -> None:
    state = play(drawn("rp1 . . bp1", hands=[[], ["whistle"]], action_rule=2), "p1 right")
    assert asked(PUCKS, state, 1) == "Undo Red’s slide of puck 1?"
