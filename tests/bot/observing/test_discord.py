"""The same in Discord: nothing that others get to see there, byte by byte, depends on somebody's cards.

The whole bot runs and draws. Each pair is played in two worlds, one after the other, by what everybody may know. Compared are
the channel's messages and pictures, pings, times of posts and edits, and all answers to the observer and to a spectator.
"""

import json
import random
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.core.table.errors import SessionError
from bot.features.plans.service import Plans
from bot.features.replays import messages as replays
from bot.messages.pictures import CACHE
from engines import GAMES
from engines.game import Orders, part_of
from engines.pucks import FirstPucks, Pucks
from engines.pucks.board.views import Phase
from loopback.limits import Kind
from storage.schema.records import EntryKind, Status
from tests.bot.kit import World, a_world, buttons
from tests.bot.observing.deals import Deals, Pair, beginning_with, pair, walked, winning_move
from tests.bot.seated import Seated, all_that_is_seen, open_table, seeded, user_of
from tests.bot.service import HOUR
from tests.bot.ways import by_way, in_words

pytestmark = pytest.mark.slow
STEPS: Final = 6
PUBLIC: Final = frozenset({Kind.SEND, Kind.EDIT, Kind.DELETE, Kind.THREAD, Kind.OTHER})
"""Calls whose effect others see, whoever caused them."""


@dataclass(frozen=True)
class Moment:
    """All that others could observe after something was done, by kind, and the observer's own `hand`.

    `shown` tells whether this revealed a hidden card, or all of them because the game is over.
    """

    after: str
    seen: dict[str, str]
    hand: tuple[str, ...]
    shown: bool


@dataclass
class Watched:
    """One of the two games, and all that was observed of it."""

    world: World
    dealt: Pair
    table: Seated
    outsider: MemberActor
    dice: random.Random
    moments: list[Moment] = field(default_factory=list)
    calls: int = 0
    version: int = 0

    async def play(self) -> None:
        """Play some steps, and record after each what can be observed."""
        await self.note("the start", {})
        for _ in range(STEPS):
            if (await self.table.snapshot()).table.status is not Status.PLAYING or self.moments[-1].shown:
                return
            after, answers = await self.step()
            await self.note(after, answers)

    async def step(self) -> tuple[str, dict[str, Any]]:
        """Do something that follows from what the observer may know."""
        chance = self.dice.random()
        if chance < 0.15:
            await self.world.pass_time(13 * HOUR)
            return "half a day", {}
        if chance < 0.25:
            return "an order", await self.order()
        snapshot = await self.table.snapshot()
        state, seat = snapshot.playing.state, self.dice.choice(snapshot.playing.to_act)
        action = self.action(snapshot.playing.game, state, seat)
        answer = await self.table.type(self.table.people[seat], action)
        return f"{' '.join(action)} by {seat}", {"answer": self.look(answer)} if seat == self.dealt.observer else {}

    def action(self, game: Any, state: Any, seat: int) -> tuple[str, ...]:
        """An action that needs no hidden card. The observer may play cards."""
        if state.winning and seat != self.dealt.observer:
            return ("pass",)
        if state.phase is Phase.ACT and state.taken >= state.allowed:
            return ("end",)
        winning = winning_move(game, state) if state.phase is Phase.ACT else None
        if winning is not None:
            return winning
        return walked(game, state, seat, self.dice, without=() if seat == self.dealt.observer else ("play", "end"))

    async def order(self) -> dict[str, Any]:
        """Somebody with a hidden hand gives a standing order."""
        snapshot = await self.table.snapshot()
        seat = self.dice.choice([seat for seat in snapshot.present if seat != self.dealt.observer])
        order: tuple[str, ...] = ()
        while choices := part_of(snapshot.playing.game, Orders).order_choices(snapshot.playing.state, seat, order):
            order = (*order, self.dice.choice(choices).token)
        with self.world.env._bot_scope():
            try:
                await self.table.core.service(Plans).add_order(
                    self.table.table_id, user_of(self.table.people[seat]), None, order
                )
            except SessionError as error:
                return {"order": str(error)}
        await self.table.show_all()
        return {}

    async def note(self, after: str, answers: dict[str, Any]) -> None:
        snapshot = await self.table.snapshot()
        shown = snapshot.table.status is not Status.PLAYING or any(
            logged.entry.seat != self.dealt.observer
            and logged.entry.kind is EntryKind.PLAY
            and logged.entry.tokens[0] in {"play", "discard"}
            for logged in snapshot.playing.log[self.version :]
        )
        self.version = snapshot.table.version
        seen = {"calls": self.public_calls(), "channel": self.channel(), **answers}
        seen |= {} if shown else await self.pressed()
        hand = tuple(sorted(snapshot.playing.state.hands[self.dealt.observer]))
        texts = {name: without_numbers(repr(value), self.known) for name, value in seen.items()}
        self.moments.append(Moment(after, texts, hand, shown))

    @property
    def known(self) -> set[int]:
        return {member.id for member in (*self.table.people, self.outsider)} | {self.world.channel.id, self.world.guild.id}

    def public_calls(self) -> list[Any]:
        """What was sent or changed in the channel since the last look, and when, in hundredths of a second.

        Simultaneous messages come in no particular order.
        """
        calls = [call for call in self.world.watch.calls[self.calls :] if call.kind in PUBLIC]
        self.calls = len(self.world.watch.calls)
        told = ((round(call.at, 2), call.kind, call.path, json.dumps(call.body, default=str)) for call in calls)
        return sorted(without_numbers(repr(call), self.known) for call in told)

    def channel(self) -> list[Any]:
        return [
            (all_that_is_seen(self.world, message), self.pixels(message), sorted(self.world.pinged(message)),
             str(message.created_at), str(message.edited_at))
            for message in self.world.messages()
        ]  # fmt: skip

    def pixels(self, message: Any) -> list[str]:
        return [sha256(picture.png).hexdigest() for picture in self.world.pictures(message)]

    def look(self, result: InteractionResult) -> Any:
        shown = [one for one in (result.response, *result.followups) if one is not None]
        return all_that_is_seen(self.world, result), [self.pixels(message) for message in shown]

    async def pressed(self) -> dict[str, Any]:
        """The answers to the observer's and an outsider's presses."""
        board, channel, number = self.table.board(), self.world.channel, str(self.table.table_id)
        observer = self.table.people[self.dealt.observer]
        found: dict[str, Any] = {}
        for name, member in (("observer", observer), ("outsider", self.outsider)):
            for label in ("Hand", "My secrets", "Move", "What happened?", "More"):
                if any(label == shown for shown in labels(board)):
                    found[f"{label} of the {name}"] = self.look(await member.click(board, label=label))
            found[f"words of the {name}"] = self.look(await in_words(member, board))
            found[f"/board of the {name}"] = self.look(await member.slash(channel, "board", game=number))
            found[f"/games of the {name}"] = self.look(await member.slash(channel, "games"))
            found[f"/today of the {name}"] = self.look(await by_way(member, channel, "today"))
            found[f"/move of the {name}"] = [
                await member.autocomplete(channel, "move", "action", typed, game=number) for typed in ("", "play ", "p1 ", "pl")
            ]
        wrong = ("play whistle now", "p9 up", "pass pass")
        found["errors"] = [self.look(await observer.slash(channel, "move", action=typed, game=number)) for typed in wrong]
        return found


def labels(message: Any) -> list[str]:
    return [button.label for button in buttons(message)]


async def watched(folder: Path, rules: type[Pucks], dealt: Pair, state: Any, patched: pytest.MonkeyPatch) -> list[Moment]:
    deals = Deals()
    deals.states["0"] = state
    patched.setitem(GAMES, "pucks", beginning_with(rules, deals))
    replays.CACHE.clear()
    CACHE.clear()
    folder.mkdir()
    async with a_world(folder, seeded(1)) as world:
        outsider = world.join("Dev")
        people = (world.ann, world.ben, world.cleo)[: state.seats]
        table = await open_table(world, "pucks", *people, seats=state.seats, options="deal:0", clock="1d")
        game = Watched(world, dealt, table, outsider, dealt.dice)
        await game.play()
        return game.moments


def apart(here: list[Moment], there: list[Moment]) -> str | None:
    """How others could tell two games apart before a hidden card was shown or the observer drew another one, if at all."""
    for one, other in zip(here, there, strict=False):
        if one.shown or other.shown or one.hand != other.hand:
            return None
        assert one.after == other.after, "what people do does not depend on hidden cards"
        for name in dict.fromkeys((*one.seen, *other.seen)):
            if one.seen.get(name) != other.seen.get(name):
                return f"{name} after {one.after}:\n{difference(one.seen.get(name, ''), other.seen.get(name, ''))}"
    return None if len(here) == len(there) else "one of them goes on"


def without_numbers(text: str, known: Collection[int]) -> str:
    """A text without simulated ids, which count private answers too, except those of people."""
    return re.sub(r"[0-9]{17,20}", lambda found: found[0] if int(found[0]) in known else "…", text)


def difference(here: str, there: str) -> str:
    """Where two texts begin to differ, with context."""
    place = next((n for n, pair in enumerate(zip(here, there, strict=False)) if len(set(pair)) > 1), min(len(here), len(there)))
    return f"…{here[max(0, place - 300) : place + 300]}…\n…{there[max(0, place - 300) : place + 300]}…"


async def compared(folder: Path, rules: type[Pucks], number: int, patched: pytest.MonkeyPatch) -> str | None:
    """How others could tell a pair's games apart, if at all."""
    dealt = pair(rules(), number)
    here = await watched(folder / "here", rules, dealt, dealt.here, patched)
    there = await watched(folder / "there", rules, dealt, dealt.there, patched)
    return apart(here, there)


FEW: Final = (0, 4, 1, 5, 7)
"""The first pairs with at most three players, which are the quickest."""
SLOW: Final = 2


@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=[] if number in FEW[:SLOW] else pytest.mark.proof) for number in FEW]
)
async def test_in_discord_others_see_the_same_anyway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    assert await compared(tmp_path, Pucks, number, monkeypatch) is None


async def test_and_the_first_rules_are_found_out_there_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [await compared(tmp_path, FirstPucks, number, monkeypatch) for number in (0,)]
    assert found != [None]
