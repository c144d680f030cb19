"""Everything a game says can be said in another language."""

import random
from typing import Any

import pytest

from engines import GAMES
from engines.game import Action, Buttons, Game, IllegalAction, Pages, Words, action_words, check, hand_of, part_of
from engines.text import Text
from tests.bot.i18n.catalogues import placeholders
from tests.bot.pseudo import PSEUDO, disguised, leftovers
from tests.engines.contract_games import CASES, Case, every_case, every_game, played, random_action

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("text", ["{who} moves {n} pieces.", "nothing", "{a}{b} {{c}}"])
def test_the_pseudo_language_leaves_nothing_but_placeholders(text: str) -> None:
    assert placeholders(disguised(text)) == placeholders(text)
    assert leftovers(disguised(text).format_map(dict.fromkeys(("who", "n", "a", "b"), "7"))) == []
    assert leftovers(text.replace("{", "").replace("}", ""))


@every_game
def test_titles_summaries_variants_options_and_pages_can_be_translated(game: Game[Any, Any]) -> None:
    texts = [
        game.summary, *game.variant_titles.values(), *(option.title for option in game.options.values()),
        *part_of(game, Pages).pages(),
    ]  # fmt: skip
    for text in texts:
        assert leftovers(PSEUDO(text)) == []


@every_case
def test_whatever_a_game_says_can_be_translated(case: Case) -> None:
    game = case.game
    for leaving in (False, True):
        run = played(case, leaving)
        for turn in run.turns:
            for event in turn.step.events:
                assert leftovers(PSEUDO(event.text)) == [], event
        for turn in run.some_turns(12):
            words = action_words(game, turn.before, turn.seat, turn.action or ())
            assert leftovers(PSEUDO(words), turn.action or ()) == [], words
            action = turn.action or ()
            for choice in [one for n in range(len(action)) for one in game.choices(turn.before, turn.seat, action[:n])]:
                same = (choice.token,) if not isinstance(choice.label, Text) else ()
                assert leftovers(PSEUDO(choice.label), same) == [], choice
        for state in run.some_states(12):
            for seat in (None, *range(case.seats)):
                view = game.view(state, seat)
                texts = [
                    game.describe(view),
                    *(part_of(game, Words).question(game.view(state), asked) for asked in view.to_act),
                    hand_of(game, view) or "",
                    *view.scores,
                    *(s.label for s in part_of(game, Buttons).shortcuts(view)),
                ]
                if view.outcome is not None:
                    texts.append(view.outcome.reason)
                for text in texts:
                    assert leftovers(PSEUDO(text)) == [], text


@every_case
def test_whatever_a_game_says_of_wrong_actions_can_be_translated(case: Case) -> None:
    game, dice = case.game, random.Random(str(case))
    for turn in played(case).some_turns(10):
        action = random_action(game, turn.before, turn.seat, dice)
        wrong: list[Action] = [("zzz",), ("!",), (), (*action, "zzz"), (*action[:-1], "zzz"), (*action, *action)]
        for attempt in wrong:
            with pytest.raises(IllegalAction) as error:
                check(game, turn.before, turn.seat, attempt)
            same = {*attempt, *(choice.token for choice in error.value.possible)}
            assert leftovers(PSEUDO(error.value.message), same) == [], attempt
            assert leftovers(PSEUDO(error.value.typed_message), same) == [], attempt


def test_every_game_is_looked_at() -> None:
    assert {case.game_id for case in CASES} == set(GAMES)
