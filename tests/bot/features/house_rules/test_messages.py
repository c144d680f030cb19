"""Whatever is chosen for a table, its panel of house rules and its lobby message are drawn, and fit into Discord’s limits."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.table.errors import Refused
from bot.core.table.options import normal_table_options
from bot.core.table.snapshot import Snapshot
from bot.features.house_rules.messages import FailedAttempt, house_panel
from bot.i18n.language import Language, languages
from tests.opening import read_options
from bot.messages.builder import MessageBuilder
from bot.messages.lobby import lobby_message
from bot.messages.terms import HEADING_LIMIT, has_house_rules, short_terms
from engines import GAMES
from engines.game import editable_text
from engines.text import plain
from storage.schema.records import Grace, Seat, SeatStatus, Table
from tests.bot.limits import Call, Kind, breaches_of
from tests.engines.random_options import FREE_TEXTS, RandomTable, random_tables
from tests.marks import quick_first

WORDS = [
    "board:",
    "without:",
    "to-win:",
    "colours:2",
    "order:shuffled",
    "rated:no",
    "setup:random",
    "mats",
    "+",
    "whistle",
    "shuffled",
    "B",
    "k",
    "Ge",
    "/",
    ".",
    "X",
    ":",
    "2",
]

every_language = pytest.mark.parametrize("language", quick_first(1, languages().values()), ids=lambda language: language.code)


def table_of(asked: RandomTable) -> Snapshot:
    """The table that was asked for, which Ann has opened, and where nobody else sits."""
    options = normal_table_options(asked.game, asked.variant, asked.seats, asked.options)
    table = Table(
        id=7, guild_id=1, channel_id=2, game=asked.game.id, rules=asked.game.rules, variant=asked.variant, options=options,
        wanted=asked.seats, opened_by=1, seed=bytes(32), grace=Grace.LEFT, created_at=0.0,
    )  # fmt: skip
    return Snapshot(table, (Seat(table_id=7, user_id=1, place=0, status=SeatStatus.JOINED, name="Ann", asked_at=0.0),))


def assert_fits(message: MessageBuilder) -> None:
    """Discord takes the message."""
    data = {"components": message.layout().to_components(), "flags": 1 << 15, "allowed_mentions": {"parse": []}}
    files = tuple((file.filename, 1) for file in message.files())
    call = Call(0.0, Kind.REPLY, "POST", "/interactions/1/x/callback", {"data": data}, files=files)
    assert list(breaches_of(call)) == []
    assert message.room > 0, "nothing was cut"


@every_language
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(asked=random_tables().filter(RandomTable.is_possible), typed=st.text(max_size=200), reader=st.sampled_from([1, 2]))
@pytest.mark.slow
async def test_any_possible_table_can_be_shown(language: Language, asked: RandomTable, typed: str, reader: int) -> None:
    snapshot = table_of(asked)
    assert_fits(await lobby_message(snapshot, language))
    assert len(short_terms(snapshot.table, language)) <= HEADING_LIMIT
    if has_house_rules(asked.game):
        assert_fits(await house_panel(snapshot, reader, language))
        assert_fits(await house_panel(snapshot, reader, language, wrong=FailedAttempt(plain("x" * 1000), typed)))


@every_language
@settings(max_examples=300, deadline=None)
@given(
    game=st.sampled_from([*GAMES.values(), None]),
    words=st.lists(st.sampled_from(WORDS), max_size=14),
    between=st.sampled_from(["", " ", ","]),
    more=st.text(max_size=10),
)
def test_whatever_is_typed_for_options_is_read_or_refused_and_suggestions_are_possible(
    language: Language, game: Any, words: list[str], between: str, more: str
) -> None:
    typed = between.join(words) + more
    typing = Typing(game, None, game.seats if game is not None else (), language)
    for shown, value in typing.continuations(typed):
        assert shown
        if not shown.startswith("✗"):
            options = read_options(value, game)
            if game is not None:
                assert any(possible(game, seats, options) for seats in game.seats), value
    with suppress(Refused):
        read_options(typed, game)


def possible(game: Any, seats: int, options: dict[str, str]) -> bool:
    try:
        normal_table_options(game, game.variants[0], seats, options)
    except ValueError:
        return False
    return True


@settings(max_examples=100, deadline=None)
@given(code=FREE_TEXTS["pucks", "board"])
def test_a_code_that_is_shown_is_read_back_as_it_is_however_it_is_spread(code: str) -> None:
    game = GAMES["pucks"]
    try:
        normal = normal_table_options(game, "standard", 2, {"board": code}).get("board", "standard")
    except ValueError:
        return
    spread = normal.replace("/", " / ")
    assert read_options(f"order:shuffled board:{spread} colours:2", game)["board"] == normal
    assert editable_text(game, "board", "standard", 2, {"board": normal}) == normal
