"""Every registered game says what it is, and can be started as it says."""

import re
from importlib import resources

import pytest

from engines import GAMES
from engines.chance import Fair
from engines.text import Text
from tests.engines.contract_games import OTHER_SEED, every_game


def test_there_are_games():
    assert GAMES


def test_every_folder_beside_the_contract_is_a_game_of_that_id():
    folders = {entry.name for entry in resources.files("engines").iterdir() if (entry / "__init__.py").is_file()}
    assert folders == set(GAMES)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_is_registered_under_its_own_id_and_says_what_it_is(game_id):
    game = GAMES[game_id]
    assert game.id == game_id
    assert re.fullmatch(r"[a-z]+", game_id)
    assert game.title
    assert isinstance(game.summary, Text)
    assert len(game.seats) >= 1
    assert 1 <= game.seats[0] <= game.seats[-1] <= 6
    assert game.variants
    assert len(set(game.variants)) == len(game.variants)
    assert list(game.variant_titles) == list(game.variants)
    assert all(isinstance(title, Text) and title for title in game.variant_titles.values())
    for option in game.options.values():
        assert isinstance(option.title, Text)
        assert len(set(option.values)) == len(option.values) >= (2 if option.check is None else 1)
        assert all(option.check is not None and option.check(text) == text for text in option.suggestions)


@every_game
def test_a_game_that_does_not_exist_cannot_be_started(game):
    for seats in (game.seats[0] - 1, game.seats[-1] + 1):
        with pytest.raises(ValueError):
            game.start(seats)
    with pytest.raises(ValueError):
        game.start(game.seats[0], "no-such-variant")
    with pytest.raises(ValueError):
        game.start(game.seats[0], no_such_option="yes")
    for name in game.options:
        with pytest.raises(ValueError):
            game.start(game.seats[0], **{name: "no-such-value"})


@every_game
def test_the_first_variant_and_the_first_value_of_each_option_are_the_defaults(game):
    defaults = {name: option.values[0] for name, option in game.options.items()}
    seats = game.seats[0]
    plainly = game.start(seats, chance=Fair(OTHER_SEED))
    assert plainly == game.start(seats, game.variants[0], Fair(OTHER_SEED), **defaults)


@every_game
def test_a_game_has_a_rules_page_that_discord_can_show(game):
    page = (resources.files(f"engines.{game.id}") / "rules.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {game.title}\n")
    assert len(page) > 500
    assert not re.search(r"^\s*\|", page, re.MULTILINE), "Discord shows no tables"
    assert not re.search(r"^#{4,}", page, re.MULTILINE), "Discord has three sizes of headings"
    if len(game.variants) > 1:
        assert [variant for variant in game.variants if f"`{variant}`" not in page] == []
