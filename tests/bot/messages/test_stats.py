"""Stats and leaderboards: the mark of a provisional rating is explained where it stands, and only there."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.i18n.language import language
from bot.messages.past.stats import leaderboard_message, results_message
from bot.sessions import User
from bot.sessions.core.ratings import PROVISIONAL_BELOW, Results, Standing
from bot.sessions.core.stats import Stats
from storage.schema.records import Rating

PICTURED = "? after fewer than 10 rated games"
TOLD = "Provisional: after fewer than 10 rated games."


def standing(played: int) -> Standing:
    rating = Rating(guild_id=1, user_id=1, game="bouncers", name="Ann", mu=25.0, sigma=8.0, played=played, updated_at=0.0)
    return Standing(rating, 1, 1)


@pytest.fixture
def pictured(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was to be drawn, but could not be."""
    asked: list[Any] = []

    async def drawing(draw: Callable[[Any], bytes], shown: Any) -> bytes:
        asked.append(shown)
        raise ValueError(f"{draw} fails")

    monkeypatch.setattr("bot.messages.past.stats.drawing", drawing)
    return asked


@pytest.mark.parametrize("played", [PROVISIONAL_BELOW - 1, PROVISIONAL_BELOW])
async def test_a_leaderboard_explains_the_mark_in_its_picture_and_in_words(pictured: list[Any], played: int) -> None:
    standings = (standing(PROVISIONAL_BELOW + 7), standing(played))
    message = str((await leaderboard_message("bouncers", standings, "Club", language("en"))).layout().to_components())
    (leaderboard,) = pictured
    provisional = played < PROVISIONAL_BELOW
    assert leaderboard.note == (PICTURED if provisional else "")
    assert message.count(TOLD) == message.count("(provisional)") == provisional


@pytest.mark.parametrize("played", [PROVISIONAL_BELOW - 1, PROVISIONAL_BELOW])
async def test_stats_explain_the_mark_in_their_picture_and_below_it(pictured: list[Any], played: int) -> None:
    results = Results((standing(played),), (), Stats())
    message = str((await results_message(User(1, "Ann"), results, "Club", language("en"))).layout().to_components())
    (stats,) = pictured
    provisional = played < PROVISIONAL_BELOW
    assert stats.note == (PICTURED if provisional else "")
    assert message.count("A rating is provisional for the first 10 rated games.") == provisional
