"""Versions of the rules: a game goes on under those that it began under."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import pytest
from typing_extensions import override

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.errors import BadAction
from bot.core.table.history import BrokenLog
from bot.core.table.request import TableRequest
from bot.features.verify.logbook import read_log, write_log
from bot.features.verify.service import Proof, check_games
from bot.parts import PARTS
from engines import GAMES, UnknownRules, rules_of
from engines.chance import Chance
from engines.game import Action, Choice, Game, Step
from engines.trampoline import Trampoline
from engines.trampoline.game import TrampolineState
from storage.store import Store
from tests.bot.service import ANN, BEN, Time, seeds, started

JUMPING = TableRequest(guild_id=10, channel_id=20, game="trampoline", seats=2)


class SecondEdition(Trampoline):
    """BOUNCE as it could be some day: one rolls by saying "leap", and the first die of each game is thrown away."""

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
    assert [problem async for problem in check_games(store)] == [
        f"Table {table_id}: there is no version 2 of the rules of BOUNCE."
    ]
    with pytest.raises(BrokenLog, match="no version 2 of the rules of BOUNCE"):
        read_log(write_log(await updated.snapshot(table_id)))
    with pytest.raises(UnknownRules, match="no game “chess”"):
        rules_of("chess", 1)
