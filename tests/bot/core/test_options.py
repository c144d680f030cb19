"""Options, including free text and limits on the number of players, and versions of the rules."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from typing_extensions import override

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.errors import BadAction, Quarantined, Refused, SessionError, WrongStage
from bot.core.table.history import BrokenLog
from bot.core.table.options import misfits, normal_table_options
from bot.core.table.request import TableRequest
from bot.features.verify.logbook import read_log, write_log
from bot.features.verify.service import Proof, check_games
from bot.parts import PARTS
from engines import GAMES, UnknownRules, rules_of
from engines.chance import Chance
from engines.game import Action, Choice, Game, Option, Options, Step
from engines.text import say
from engines.trampoline import Trampoline
from engines.trampoline.game import TrampolineState, TrampolineView
from storage import queries
from storage.schema.records import Status, Table
from storage.store import Store
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DEV, Time, owed, seeds, started


def a_letter(text: str) -> str:
    """Check an option that is a letter; its normal form is lower case."""
    if len(text) != 1 or not text.isalpha():
        raise ValueError(say("A letter is one of a to z."))
    return text.lower()


class Lettered(Options[TrampolineView], Trampoline):
    """BOUNCE with a free-text option, and one that three players cannot choose."""

    options: ClassVar[Mapping[str, Option]] = {
        "letter": Option(say("Letter"), ("none", "any"), a_letter, ("b", "x")),
        "even": Option(say("Even"), ("no", "yes")),
    }

    def check_options(self, variant: str, seats: int, options: Mapping[str, str]) -> None:
        if seats % 2 and "even" in options:
            raise ValueError(say("An even game is for 2 or 4 players."))


GAME = Lettered()
FOUR = replace(BOUNCERS, game="trampoline", seats=4)


@pytest.fixture
def lettered(store: Store, clock: Time) -> Core:
    return service(store, clock, {**GAMES, "trampoline": GAME})


def settle(**given: str) -> dict[str, str]:
    return normal_table_options(GAME, GAME.variants[0], 4, given)


def test_options_have_a_normal_form_in_which_defaults_are_left_out():
    assert settle() == {}
    assert settle(letter="none", even="no", order="joined", rated="yes") == {}
    assert settle(letter="Q", even="yes", order="shuffled") == {"letter": "q", "even": "yes", "order": "shuffled"}
    assert settle(letter="any") == {"letter": "any"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"letter": "qq"}, r"^A letter is one of a to z\.$"),
        ({"even": "Yes"}, r"^There’s no option “even:Yes”\. Pick from: even:no, even:yes\.$"),
        ({"rated": "maybe"}, r"^There’s no option “rated:maybe”\. Pick from: rated:yes, rated:no\.$"),
        (
            {"colour": "x" * 5000},
            r"“colour:x+…”\. Pick from: order:joined, .*letter:none, letter:any, letter:…, even:no, even:yes\.$",
        ),
    ],
)
def test_an_error_about_an_option_names_what_is_possible(given: dict[str, str], words: str):
    with pytest.raises(ValueError, match=words):
        settle(**given)


def test_a_game_starts_with_free_text_in_any_form_and_without_the_rest():
    assert GAME.start(4, letter="Q") == GAME.start(4, letter="q", even="no") == GAME.start(4)
    with pytest.raises(ValueError, match="one of a to z"):
        GAME.start(4, letter="")
    with pytest.raises(ValueError, match="for 2 or 4"):
        GAME.start(3, even="yes")


async def test_a_table_keeps_its_options_in_normal_form(lettered: Core):
    snapshot = await lettered.service(Lobby).open(ANN, replace(FOUR, options={"letter": "Q", "even": "no", "rated": "no"}))
    assert snapshot.table.options == {"letter": "q", "rated": "no"}
    for user in (BEN, CLEO, DEV):
        snapshot = await lettered.service(Lobby).join(snapshot.table.id, user)
    assert (await lettered.snapshot(snapshot.table.id)).table.options == {"letter": "q", "rated": "no"}


@pytest.mark.parametrize("options", [{"letter": "?"}, {"even": "yes"}])
async def test_options_that_do_not_suit_all_seats_open_no_table(lettered: Core, options: dict[str, str]):
    with pytest.raises(Refused, match=r"one of a to z|for 2 or 4 players"):
        await lettered.service(Lobby).open(ANN, replace(FOUR, seats=3, options=options))
    assert await lettered.tables(guild_id=10) == ()


async def test_a_game_does_not_begin_with_too_few_players_for_its_options(lettered: Core):
    number = (await lettered.service(Lobby).open(ANN, replace(FOUR, options={"even": "yes"}))).table.id
    await lettered.service(Lobby).join(number, BEN)
    await lettered.service(Lobby).join(number, CLEO)
    before, due = await lettered.snapshot(number), await owed(lettered)
    words = r"^The game can’t begin with 3 players\. An even game is for 2 or 4 players\. Wait for others, or open a table"
    with pytest.raises(WrongStage, match=words):
        await lettered.service(Lobby).start(number, ANN, 7)
    assert await lettered.snapshot(number) == before
    assert (before.table.status, await owed(lettered)) == (Status.OPEN, due)
    after = await lettered.service(Lobby).join(number, DEV)
    assert (after.table.status, len(after.players)) == (Status.PLAYING, 4)


async def test_a_game_begins_with_fewer_players_if_its_options_allow(lettered: Core):
    number = (await lettered.service(Lobby).open(ANN, replace(FOUR, options={"even": "yes"}))).table.id
    await lettered.service(Lobby).join(number, BEN)
    after = await lettered.service(Lobby).start(number, ANN, 7)
    assert (after.table.status, after.table.wanted) == (Status.PLAYING, 2)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"options": {"letter": "??"}}, "one of a to z"),
        ({"options": {"even": "yes"}, "wanted": 3}, "for 2 or 4 players"),
        ({"options": {"odd": "yes"}}, "no option “odd:yes”"),
        ({"variant": "nowhere", "options": {"odd": "yes"}}, "no variant “nowhere”"),
        ({"wanted": 9, "options": {"odd": "yes"}}, "not for 9 players"),
    ],
)
async def test_a_stored_table_whose_options_no_longer_fit_is_quarantined(lettered: Core, changed: dict[str, Any], words: str):
    snapshot = await lettered.service(Lobby).open(ANN, replace(FOUR, options={"letter": "q"}))
    assert [str(misfit) for misfit in misfits(GAME, snapshot.table)] == []
    table: Table = replace(snapshot.table, **changed)
    (misfit,) = misfits(GAME, table)
    assert words in misfit
    async with lettered.store.write() as writer:
        await queries.tables.change(writer, table.id, **changed)
    with pytest.raises(Quarantined):
        await lettered.snapshot(table.id)
    with pytest.raises(SessionError):
        await lettered.service(Lobby).join(table.id, BEN)


# --- Puck Bumpers -----------------------------------------------------------------------------------------------------------

PUCKS = replace(BOUNCERS, game="pucks", seats=4)
THIRTEEN_LEFT = "mats+quick+take-1+take-4+take-5+take-6+borrow+salvage+faceoff+review"
"""Options that leave out so many cards that four players can be dealt theirs, and two, but not three."""


async def test_a_board_keeps_its_code_in_the_shortest_form_and_begins_with_it(core: Core):
    options = {"board": "//.BGsBGn./.K.KB./.KkK", "setup": "random", "without": "whistle+mats+mats", "to-win": "4"}
    snapshot = await core.service(Lobby).open(ANN, replace(PUCKS, options=options))
    kept = {"board": "BGsBGn/K.KB/KkK", "setup": "random", "without": "mats+whistle"}
    assert snapshot.table.options == kept
    for user in (BEN, CLEO, DEV):
        snapshot = await core.service(Lobby).join(snapshot.table.id, user)
    snapshot = await core.snapshot(snapshot.table.id)
    assert snapshot.table.options == kept
    view = snapshot.playing.game.view(snapshot.playing.state)
    assert (view.board, view.without) == ("BGsBGn/K.KB/KkK", ("shift", "swap", "twist", "mix", "whistle"))
    log = read_log(write_log(replace(snapshot, table=replace(snapshot.table, status=Status.FINISHED))))
    assert log.table.options == kept
    assert log.history is not None
    assert log.history.state == snapshot.playing.state


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"board": "B.K/GeXB"}, "row 2, place 2: “X” isn’t a mat"),
        ({"board": "b.k/geKB"}, "row 1, place 1: “b” isn’t a mat; row 2, place 1: “g” isn’t a mat"),
        ({"board": "B.K/GeKB"}, "too small for 4 players"),
        ({"without": "mats+whistel"}, "No such cards: “whistel”"),
        ({"to-win": "5"}, "no option “to-win:5”. Pick from: to-win:4, to-win:3, to-win:2."),
        ({"colours": "2"}, "Only two or three players can have two colours each, not 4."),
    ],
)
async def test_the_opener_is_told_what_is_wrong_with_a_house_rule(core: Core, options: dict[str, str], words: str):
    with pytest.raises(Refused) as caught:
        await core.service(Lobby).open(ANN, replace(PUCKS, options=options))
    assert words in caught.value.text
    assert await core.tables(guild_id=10) == ()


async def test_three_do_not_begin_with_cards_for_two_or_four_only(core: Core):
    few = replace(PUCKS, options={"without": THIRTEEN_LEFT, "setup": "random"})
    number = (await core.service(Lobby).open(ANN, few)).table.id
    await core.service(Lobby).join(number, BEN)
    await core.service(Lobby).join(number, CLEO)
    reason = r"can’t begin with 3 players\. 3 players are dealt 15 cards, but only 13 are left\."
    with pytest.raises(WrongStage, match=reason):
        await core.service(Lobby).start(number, ANN)
    assert (await core.snapshot(number)).table.status is Status.OPEN
    await core.service(Lobby).leave(number, CLEO)
    assert (await core.service(Lobby).start(number, ANN)).table.status is Status.PLAYING


async def test_taking_the_last_seat_begins_the_game_with_its_house_rules(core: Core):
    few = replace(PUCKS, options={"without": THIRTEEN_LEFT, "board": "shuffled"})
    number = (await core.service(Lobby).open(ANN, few)).table.id
    for user in (BEN, CLEO):
        assert (await core.service(Lobby).join(number, user)).table.status is Status.OPEN
    snapshot = await core.service(Lobby).join(number, DEV)
    assert (snapshot.table.status, len(snapshot.playing.state.deck)) == (Status.PLAYING, 13)


JUMPING = TableRequest(guild_id=10, channel_id=20, game="trampoline", seats=2)


class SecondEdition(Trampoline):
    """BOUNCE in a future edition: players roll by saying "leap", and the first die of each game is thrown away."""

    rules: ClassVar[int] = 2
    passive_tokens: ClassVar[tuple[str, ...]] = ("leap",)

    @override
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> TrampolineState:
        _, chance = chance.die()
        return super()._start(seats, variant, chance, options)

    @override
    def choices(self, state: TrampolineState, seat: int, prefix: Action = ()) -> list[Choice]:
        offered = super().choices(state, seat, prefix)
        return [replace(choice, token="leap") if choice.token == "roll" else choice for choice in offered]

    @override
    def _play(self, state: TrampolineState, seat: int, action: Action) -> Step[TrampolineState]:
        return super()._play(state, seat, ("roll",) if action == ("leap",) else action)


FIRST = GAMES["trampoline"]
NEWER: dict[str, Game] = {**GAMES, "trampoline": SecondEdition()}


def service(store: Store, clock: Time, games: Mapping[str, Game] = GAMES, *earlier: Game) -> Core:
    known = seeds()
    return Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known), games=games, earlier=earlier)


async def test_an_old_game_goes_on_under_the_old_rules_and_a_new_one_begins_under_the_new(store: Store, clock: Time) -> None:
    old = (await started(service(store, clock), JUMPING)).table.id
    await service(store, clock).service(Play).act(old, ANN, "roll")
    updated = service(store, clock, NEWER, FIRST)
    await updated.service(Play).act(old, BEN, "roll")
    with pytest.raises(BadAction):
        await updated.service(Play).act(old, ANN, "leap")
    new = (await started(updated, JUMPING)).table.id
    await updated.service(Play).act(new, ANN, "leap")
    with pytest.raises(BadAction):
        await updated.service(Play).act(new, BEN, "roll")
    restarted = service(store, clock, NEWER, FIRST)
    for table_id, rules in ((old, 1), (new, 2)):
        snapshot = await restarted.snapshot(table_id)
        assert (snapshot.table.rules, snapshot.playing.game.rules) == (rules, rules)
    replayed = await service(store, clock).snapshot(old)
    assert replayed.playing.state == (await restarted.snapshot(old)).playing.state


async def test_each_game_is_verified_checked_and_read_back_by_its_own_rules(store: Store, clock: Time) -> None:
    old = (await started(service(store, clock), JUMPING)).table.id
    updated = service(store, clock, NEWER, FIRST)
    new = (await started(updated, JUMPING)).table.id
    for table_id, token in ((old, "roll"), (new, "leap")):
        await updated.service(Play).act(table_id, ANN, token)
        await updated.service(Play).resign(table_id, BEN)
        assert (await updated.service(Proof).verify(table_id)).problems == ()
        snapshot = await updated.snapshot(table_id)
        mixed = await updated.service(Proof).contributions(table_id)
        read = read_log(write_log(snapshot, mixed), NEWER, [FIRST])
        assert read.history is not None
        assert read.history.state == snapshot.playing.state
    assert [problem async for problem in check_games(store, updated.rules_of)] == []
    assert "rules: 2\n" in write_log(await updated.snapshot(new))
    assert "rules: 1\n" in write_log(await updated.snapshot(old))


async def test_unknown_rules_are_named(store: Store, clock: Time) -> None:
    updated = service(store, clock, NEWER, FIRST)
    table_id = (await started(updated, JUMPING)).table.id
    (problem,) = [problem async for problem in check_games(store)]
    assert problem == f"Table {table_id}: there is no version 2 of the rules of BOUNCE."
    with pytest.raises(BrokenLog, match="no version 2 of the rules of BOUNCE"):
        read_log(write_log(await updated.snapshot(table_id)))
    with pytest.raises(UnknownRules, match="no game “chess”"):
        rules_of("chess", 1)
