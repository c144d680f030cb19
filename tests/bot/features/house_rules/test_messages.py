"""Whatever is chosen for a table, its panel of house rules and its lobby message can be drawn and fit Discord’s limits."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.core.table.options import normal_table_options, tidy_typed
from bot.core.table.settings import ServerSettings
from bot.core.table.snapshot import Snapshot
from bot.features.house_rules.messages import FailedAttempt, house_panel
from bot.features.lobby.setup import Setup
from bot.features.lobby.setup_messages import SETUP, rules_panel, setup_panel
from bot.i18n.language import Language, languages
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click
from bot.messages.drafts import draft_of
from bot.messages.lobby import lobby_message
from bot.messages.terms import HEADING_LIMIT, has_house_rules, short_terms
from engines import GAMES
from engines.game import editable_text
from engines.text import plain
from loopback.limits import Call, Kind, breaches_of
from storage.schema.records import Grace, Level, Seat, SeatStatus, Table
from tests.engines.random_options import FREE_TEXTS, RandomTable, random_tables
from tests.marks import quick_first

every_language = pytest.mark.parametrize("language", quick_first(1, languages().values()), ids=lambda language: language.code)


def table_of(asked: RandomTable) -> Snapshot:
    """The requested table, opened by Ann, with nobody else seated."""
    options = normal_table_options(asked.game, asked.variant, asked.seats, asked.options)
    table = Table(
        id=7, guild_id=1, channel_id=2, game=asked.game.id, rules=asked.game.rules, variant=asked.variant, options=options,
        wanted=asked.seats, opened_by=1, seed=bytes(32), grace=Grace.LEFT, created_at=0.0,
    )  # fmt: skip
    return Snapshot(table, (Seat(table_id=7, user_id=1, place=0, status=SeatStatus.JOINED, name="Ann", asked_at=0.0),))


def assert_fits(message: MessageBuilder) -> None:
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
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    asked=random_tables().filter(RandomTable.is_possible), typed=st.text(max_size=200), opponents=st.integers(0, 5),
    extras=st.tuples(st.booleans(), st.none() | st.booleans(), st.booleans()),
)  # fmt: skip
@pytest.mark.slow
async def test_any_possible_table_can_be_set_up_and_carried_by_its_panel(
    language: Language, asked: RandomTable, typed: str, opponents: int, extras: tuple[bool, bool | None, bool]
) -> None:
    strict, thread, private = extras
    setup = Setup(
        game=asked.game.id, variant=asked.variant, seats=asked.seats, clock="1d", computer=Level.EXPERT, strict=strict,
        thread=thread, private=private, opponents=tuple(range(10**18, 10**18 + min(opponents, max(0, asked.seats - 2)))),
        options=normal_table_options(asked.game, asked.variant, asked.seats, asked.options),
    )  # fmt: skip
    wrong = plain("x" * 1000)
    pages = [setup_panel(setup, ServerSettings(), language, wrong)]
    if has_house_rules(asked.game):
        pages.append(await rules_panel(setup, language, high_contrast=True, wrong=wrong, typed=typed))
    for page in pages:
        assert_fits(page)
        known = [click for click in map(Click.read, page.custom_ids()) if click is not None]
        assert Setup.read(draft_of(known, SETUP)) == setup


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(code=FREE_TEXTS["pucks", "board"])
def test_a_shown_code_is_read_back_however_it_is_spread(code: str) -> None:
    game = GAMES["pucks"]
    try:
        normal = normal_table_options(game, "standard", 2, {"board": code}).get("board", "standard")
    except ValueError:
        return
    spread = normal.replace("/", " / ")
    assert tidy_typed(game.options["board"], spread) == normal
    assert editable_text(game, "board", "standard", 2, {"board": normal}) == normal
