"""Every game still goes as it once went."""

import pytest

from engines import GAMES
from tests.engines.playthrough import FOLDER, actions_in, file_name, playthrough, playthroughs, without_words


@pytest.mark.parametrize(("game_id", "rules", "variant"), playthroughs())
def test_a_game_still_goes_as_it_was_once_seen_to_go(game_id, rules, variant):
    path = FOLDER / file_name(game_id, rules, variant)
    assert path.exists(), f"{path.name} is missing; python -m tests.engines.playthrough --write {game_id} makes it"
    known = path.read_text(encoding="utf-8")
    if rules == GAMES[game_id].rules:
        assert playthrough(game_id, rules, variant) == known
    else:
        assert without_words(playthrough(game_id, rules, variant, actions_in(known))) == without_words(known)
    assert path.stat().st_size < 60_000


def test_there_is_no_playthrough_of_a_game_that_does_not_exist():
    known = {file_name(*one) for one in playthroughs()}
    assert {path.name for path in FOLDER.iterdir()} <= known
