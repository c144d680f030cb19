"""The question above the buttons of a panel: first the public one, then the one after each token."""

from typing import Any

import discord
import pytest

from bot.core.table.position import Position
from bot.i18n.language import ENGLISH
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click
from bot.messages.menus import Menu, play_style
from bot.messages.picking import Pick, Picker, prompt_of
from engines import GAMES
from engines.game import Action, Game, Words, part_of
from tests.engines.bouncers.squares import on
from tests.engines.pucks.drawing import PUCKS, drawn, play


def asked(game: Game[Any, Any], state: Any, seat: int, *tokens: str) -> str:
    def choices(prefix: Action) -> Any:
        return game.choices(state, seat, prefix)

    return prompt_of(Position(game=game, state=state, names=(), file=""), Picker(seat, choices, game.verbs).pick(tokens), str)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: str(game.id))
def test_a_panel_begins_with_the_public_question(game: Game[Any, Any]) -> None:
    state = game.start(2)
    (seat,) = game.to_act(state)
    question = part_of(game, Words).question(game.view(state), seat)
    assert asked(game, state, seat) == question[:1].upper() + question[1:]


def test_a_panel_goes_on_with_the_question_about_the_token() -> None:
    state = GAMES["bouncers"].start(2)
    assert asked(GAMES["bouncers"], state, 0, "c2") == "Where does c2 bounce to?"
    assert asked(PUCKS, PUCKS.start(2), 0, "place", "i1") == "Where does ice block 1 go?"


def test_out_of_turn_a_hand_with_nothing_but_a_whistle_is_asked_what_it_would_undo() -> None:
    state = play(drawn("rp1 . . bp1", hands=[[], ["whistle"]], action_rule=2), "p1 right")
    assert asked(PUCKS, state, 1) == "Undo Red’s slide of puck 1?"


def green_and_play(state: Any, *tokens: str) -> tuple[list[str | None], discord.ButtonStyle]:
    """The labels of the green buttons of a menu of Bouncers, and the colour of *Play* below it."""
    game = GAMES["bouncers"]
    picked: Pick = Picker(0, lambda prefix: game.choices(state, 0, prefix)).pick(tokens)
    builder = MessageBuilder()
    Menu(picked=picked, regions=(), page=0, click=Click("pick", 1, 1), label=ENGLISH).add_to(builder)
    found = [item for item in builder.layout().walk_children() if isinstance(item, discord.ui.Button)]
    return [item.label for item in found if item.style is discord.ButtonStyle.success], play_style(picked)


def test_the_button_that_wins_is_green_and_play_is_not_beside_it() -> None:
    race = on("c6 b5 d6", "h8", variant="8x8-16-terminal")
    assert green_and_play(race, "c6") == ([], discord.ButtonStyle.success), "c6 → d7 does not win yet"
    assert green_and_play(race, "c6", "d7") == (["d8, wins"], discord.ButtonStyle.primary)
