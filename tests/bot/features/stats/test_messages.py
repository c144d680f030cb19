"""Stats and leaderboards: the mark of a provisional rating is explained where it appears, and only there; paces in words."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.core.pace import Pace
from bot.core.skill import PROVISIONAL_BELOW
from bot.core.table.snapshot import User
from bot.features.stats.messages import in_words, leaderboard_message, results_message
from bot.features.stats.ratings import RankedRating, Results
from bot.features.stats.stats import Stats
from bot.i18n.language import language
from storage.schema.records import Rating

PICTURED = "? = provisional"
TOLD = "Provisional: fewer than 10 rated games."


def standing(played: int) -> RankedRating:
    rating = Rating(guild_id=1, user_id=1, game="bouncers", name="Ann", mu=25.0, sigma=8.0, played=played, updated_at=0.0)
    return RankedRating(rating, 1, 1)


@pytest.fixture
def pictured(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What should have been drawn."""
    asked: list[Any] = []

    async def drawing(draw: Callable[[Any], bytes], shown: Any) -> bytes:
        asked.append(shown)
        raise ValueError(f"{draw} fails")

    monkeypatch.setattr("bot.features.stats.messages.drawing", drawing)
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
    assert message.count("A rating is provisional for the first 10 rated games:") == provisional


async def test_a_pace_is_told_in_the_picture_and_in_its_words(pictured: list[Any]) -> None:
    results = Results((), (), Stats(), Pace(84, 4.2 * 3600, 2))
    message = str((await results_message(User(1, "Ann"), results, "Club", language("en"))).layout().to_components())
    (stats,) = pictured
    assert stats.pace == (("Replies", "within 5 hours"), ("Time-outs", "2 of 84 turns"))
    assert "Replies within 5 hours (median of 84 turns in 90 days)." in message
    assert "Time-outs: 2 of these 84 turns." in message


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "within 1 minute"), (61, "within 2 minutes"), (3540, "within 59 minutes"), (3541, "within 1 hour"),
     (46.5 * 3600, "within 47 hours"), (47.5 * 3600, "within 2 days"), (6.1 * 86400, "within 7 days")],
)  # fmt: skip
def test_the_median_of_a_pace_is_rounded_up_to_a_unit_that_people_think_in(seconds: float, words: str) -> None:
    assert words in " ".join(map(str, in_words(Results((), (), Stats(), Pace(10, seconds, 0)))))
