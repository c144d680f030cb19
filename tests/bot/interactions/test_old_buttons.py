"""Messages from version 1.0.0 still work: every button of theirs, below boards that go on or not, gets an answer."""

from typing import Final

import pytest

from bot.messages.click import Click
from bot.registry import HANDLERS
from storage.schema.records import Status
from tests.bot.forging import forged
from tests.bot.kit import World, buttons, reply
from tests.bot.seated import open_table

VERBS: Final = (
    "accept", "act", "add-computer", "add-word", "analyse", "analysis", "analysis-advice", "analysis-branches",
    "analysis-choose", "analysis-draw", "analysis-open", "analysis-pick", "analysis-play", "analysis-resume",
    "analysis-share", "analysis-start", "back", "board", "call-off", "call-off-now", "call_off-no", "call_off-yes",
    "choose", "close", "computer-no", "computer-yes", "computers", "daily", "daily-table", "decline", "draw", "draw-no",
    "draw-yes", "event-do", "event-enter", "event-game", "event-leave", "event-leave-yes", "event-manage", "event-pair",
    "event-player", "event-remove", "event-replace", "event-result", "event-show", "fair", "forget-me", "games", "hand",
    "hand-over", "happened", "hint", "house", "house-code", "house-done", "house-edit", "house-parts", "house-seats",
    "house-set", "join", "ladder-challenge", "ladder-join", "ladder-leave", "learn", "learn-act", "learn-anew",
    "learn-pick", "learn-skip", "leave", "lobby", "more", "move", "never-mind", "nudge", "order", "order-back",
    "order-choose", "order-drop", "order-keep", "order-page", "orders", "page", "pick", "plan", "plan-clear", "plan-drop",
    "plan-go", "plan-if", "plan-keep", "plan-page", "plan-so", "plan-stop", "plan-then", "post-analysis", "post-card",
    "post-replay", "post-review", "practise", "puzzle", "puzzle-analyse", "puzzle-at", "puzzle-give-up", "puzzle-pick",
    "puzzle-play", "puzzle-report", "relieve", "rematch", "remove-computer", "replay", "resign", "resign-yes", "rest",
    "review", "review-line", "review-move", "review-moves", "review-page", "rules", "rules-page", "seek", "seek-avoid",
    "seek-set", "seek-stop", "seek-too", "seek-wait", "share", "share-review", "slip", "slip-at", "slip-pick", "slip-play",
    "slip-show", "spend", "start", "substitute-no", "substitute-yes", "today", "typed", "undo", "undo-no", "undo-yes",
    "use-threads", "verify", "watch", "watch-for", "word", "words",
)  # fmt: skip
"""The verbs of the buttons, menus and forms of version 1.0.0, as its source lists them."""

RUNNING: Final = {
    "sb|act|1|0|0|b2 b3": "bounces", "sb|move|1|0|0|": "which piece bounces", "sb|happened|1|0|0|": "Nothing yet",
    "sb|words|1|0|0|": "16 pieces", "sb|more|1|0|0|": "Bouncers #1", "sb|watch|1|0|0|": "ping you", "sb|draw|1|0|0|": "a draw",
    "sb|undo|1|0|0|": "", "sb|call-off|1|0|0|": "call the game off", "sb|resign|1|0|0|": "You can’t take that back",
    "sb|plan|1|0|0|": "", "sb|board|1|0|0|": "Bouncers #1", "sb|verify|1|0|0|": "There’s no luck in this game",
    "sb|nudge|1|0|0|": "own turn",
    "sb|rules|1|0|0|bouncers": "Bouncers", "sb|today|0|0|0|": "Today", "sb|games|0|0|0|": "#1",
}  # fmt: skip
"""Buttons of 1.0.0 below a board and behind its *More*, with part of the answer; empty if any answer without an error will
do."""

OVER: Final = {
    "sb|rematch|1|0|0|": "Table #2", "sb|replay|1|2|0|": "", "sb|review|1|2|0|": "", "sb|happened|1|2|0|": "",
    "sb|verify|1|0|0|": "", "sb|words|1|2|0|": "16 pieces", "sb|share|1|2|0|": "",
}  # fmt: skip
"""The same below a 1.0.0 board of a finished game."""


def test_every_verb_of_1_0_0_has_a_handler() -> None:
    assert [verb for verb in VERBS if verb not in HANDLERS] == []


@pytest.mark.parametrize("custom_id", RUNNING)
async def test_a_button_below_a_board_of_1_0_0_does_what_it_did(world: World, custom_id: str) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    click = Click.read(custom_id)
    assert click is not None
    answer = await forged(world.ann, table.board(), click)
    told = "\n".join(world.text(one) for one in (answer.response, *answer.followups) if one is not None)
    told += world.text(world.last())
    assert RUNNING[custom_id].casefold() in told.casefold(), told
    assert "too old for me" not in told


@pytest.mark.slow
@pytest.mark.parametrize("custom_id", OVER)
async def test_a_button_below_the_last_board_of_1_0_0_does_what_it_did(world: World, custom_id: str) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    for member, action in ((world.ann, ("b2", "b3")), (world.ben, ("b7", "b6"))):
        await table.type(member, action)
    asked = await forged(world.ben, table.board(), Click("resign", 1))
    await world.ben.click(reply(asked), label="Resign")
    assert (await table.snapshot()).table.status is Status.FINISHED
    click = Click.read(custom_id)
    assert click is not None
    answer = await forged(world.ann, table.board(), click)
    await world.pass_time(30)
    told = "\n".join(world.text(one) for one in (answer.response, *answer.followups) if one is not None)
    assert OVER[custom_id] in told, told
    assert "too old for me" not in told
    assert buttons(table.board()), "the board stays as it is"
