"""People at a table in the simulated Discord, for tests of whole games: turns, clicks and public messages."""

import contextlib
import json
import random
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

from bot.app import Springboard, make_client
from bot.core.change import changing
from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.history import History
from bot.core.table.snapshot import Snapshot, User
from bot.core.turns import advance
from bot.messages.click import Click
from engines import GAMES
from engines.game import Action, Choice, Words, part_of
from loopback.limits import Kind
from storage.schema.records import EntryKind, Status
from storage.store import Store
from tests.bot.kit import Button, Factory, Message, World, button, buttons, reply, selects
from tests.bot.ways import by_way

SETUP_RANDOM = "setup:random"


def small_table(game_id: str) -> dict[str, Any]:
    """The options for the smallest and simplest table of a game."""
    game = GAMES[game_id]
    options = [f"{name}:random" for name, option in game.options.items() if "random" in option.values]
    seats = {"seats": max(2, game.seats[0])} if len(game.seats) > 1 else {}
    return seats | ({"options": " ".join(options)} if options else {})


BEAT_EVERY = 6 * 3600.0
"""Seconds between heartbeats in most tests. One a minute would dominate tests in which much time passes."""


def seeded(number: int, *, beat_every: float = BEAT_EVERY) -> Factory:
    """The real bot with seeds that count up from a number, so that every run plays the same games."""
    counted = (n.to_bytes(32, "big") for n in range(number, number + 1_000_000))

    @contextlib.asynccontextmanager
    async def made(folder: Path, now: Callable[[], float]) -> AsyncIterator[Springboard]:
        store = await Store.open(folder / "springboard.sqlite3")
        try:
            yield make_client(store, now=now, entropy=lambda _: next(counted), beat_every=beat_every)
        finally:
            await store.close()

    return made


def core_of(world: World) -> Core:
    return world.client.core


@dataclass
class Seated:
    """A table and its people, in the order in which they joined. `dice` decides for random players, the same in every run."""

    world: World
    table_id: int
    people: Sequence[MemberActor]
    channel: ChannelHandle
    dice: random.Random = field(default_factory=lambda: random.Random(7))

    @property
    def core(self) -> Core:
        return core_of(self.world)

    async def snapshot(self) -> Snapshot:
        return await self.core.snapshot(self.table_id)

    async def over(self) -> bool:
        return (await self.snapshot()).table.status is not Status.PLAYING

    async def awaited(self) -> list[MemberActor]:
        ids = [player.user_id for player in (await self.snapshot()).awaited]
        return [self.member(user_id) for user_id in ids]

    def member(self, user_id: int) -> MemberActor:
        return next(member for member in self.people if member.id == user_id)

    async def choices(self, member: MemberActor, prefix: Action = ()) -> list[Choice]:
        snapshot = await self.snapshot()
        return snapshot.playing.game.choices(snapshot.playing.state, snapshot.own_seat(member.id), prefix)

    async def random_action(self, member: MemberActor) -> Action:
        """A random legal action, found by walking the choices."""
        snapshot = await self.snapshot()
        return walked(snapshot.playing, snapshot.own_seat(member.id), self.dice)

    async def best_action(self, member: MemberActor, worth: Callable[[Any], float], tries: int = 25) -> Action:
        """The random action that leads to the most valuable state."""
        snapshot = await self.snapshot()
        game, state, seat = snapshot.playing.game, snapshot.playing.state, snapshot.own_seat(member.id)
        tried = [walked(snapshot.playing, seat, self.dice) for _ in range(tries)]
        return max(tried, key=lambda action: worth(game.play(state, seat, action).state))

    async def act(self, member: MemberActor, action: Action) -> None:
        """Play an action without Discord. The next one that is played there shows it."""
        with self.world.env._bot_scope():
            await self.core.service(Play).act(self.table_id, user_of(member), action)

    async def act_on(self, chosen: Callable[[History], tuple[int, Action] | None]) -> None:
        """Play on without Discord, in one transaction, until nobody has an action to choose."""
        core = self.core
        with self.world.env._bot_scope():
            async with changing(core, self.table_id) as change:
                while (found := chosen(change.history)) is not None:
                    seat, action = found
                    user_id = change.snapshot.players[seat].user_id
                    await change.append(change.next_entry(EntryKind.PLAY, seat, user_id, action))
                await advance(change)

    async def show_all(self) -> None:
        """Tell Discord everything that happened without it."""
        with self.world.env._bot_scope():
            self.world.client.outbox.wake()
        await self.world.settle()

    def board(self) -> discord.Message:
        """The table's newest message with a board's buttons."""
        messages = reversed(self.world.messages(self.channel))
        return next(message for message in messages if ("more", self.table_id) in clicks(message))

    async def type(self, member: MemberActor, action: Sequence[str]) -> InteractionResult:
        return await member.slash(self.channel, "move", action=" ".join(action), game=str(self.table_id))

    async def pick(self, member: MemberActor, action: Action, *, by: str = "Move") -> InteractionResult:
        """Play an action in the panel token by token. Returns the panel."""
        panel = await member.click(self.board(), label=by)
        assert panel.ephemeral, "a panel is for its player alone"
        await self.press(member, reply(panel), action)
        return panel

    async def press(self, member: MemberActor, panel: Message, action: Action, *, play: str = "act") -> int:
        """Complete an action in an open panel. Returns the number of clicks.

        `play` is the verb of the button that plays it: "close" also ends the turn.
        """
        version = (await self.snapshot()).table.version
        count = 0
        while (await self.snapshot()).table.version == version:
            assert count < 30, f"{action} is not to be found: {[one.label for one in buttons(panel)]}"
            await self._press_one(member, panel, action, play)
            count += 1
        return count

    async def _press_one(self, member: MemberActor, panel: Message, action: Action, play: str) -> None:
        """Press *Play*, or else the button for most of the action, its square's region, or the next page."""
        known = [(one, click) for one in buttons(panel) if (click := Click.read(one.custom_id or "")) is not None]
        whole = [one for one, click in known if click.verb == play and click.tokens == action]
        picks = [one for one, click in known if click.verb == "pick" and click.tokens == action[: len(click.tokens)]]
        for menu in selects(panel):
            opened = Click.read(menu.custom_id)
            assert opened is not None
            if (token := action[len(opened.tokens)]) in menu.options.values():
                await member.select(panel, [token], custom_id=menu.custom_id)
                return
        another = [one for one, click in known if click.verb == "page" and one.label == "Another piece"]
        found = whole or picks[-1:] or await self._ways_to(action, known) or another or [button(panel, "Next")]
        await member.click(panel, custom_id=found[0].custom_id)

    async def _ways_to(self, action: Action, known: Sequence[tuple[Button, Click]]) -> list[Button]:
        """The buttons of the regions that contain the action's next square."""
        game = (await self.snapshot()).playing.game
        places = [
            (one, part_of(game, Words).region(action[len(click.tokens)]))
            for one, click in known
            if click.verb == "page" and len(click.tokens) < len(action)
        ]
        return [one for one, region in places if region is not None and one.label == region[1]]


def walked(history: History, seat: int, dice: random.Random) -> Action:
    """A random legal action of a seat. With mats to move, there are too many to list."""
    action: Action = ()
    while True:
        choice = dice.choice(history.game.choices(history.state, seat, action))
        action = (*action, choice.token)
        if choice.final:
            return action


def clicks(message: Message) -> set[tuple[str, int]]:
    """What a message's buttons do, and for which tables."""
    read = [Click.read(one.custom_id or "") for one in buttons(message)]
    return {(click.verb, click.table) for click in read if click is not None}


def pings(world: World, since: int = 0) -> list[int]:
    """The ids of those the bot notified, once per message, from a place in the calls."""
    return [
        int(user)
        for call in world.watch.calls[since:]
        if call.kind in (Kind.SEND, Kind.FOLLOWUP)
        for user in (call.message.get("allowed_mentions") or {}).get("users") or []
        if f"<@{user}>" in json.dumps(call.message)
    ]


def user_of(member: MemberActor) -> User:
    return User(member.id, member.name)


def all_that_is_seen(world: World, message: Message | InteractionResult) -> str:
    """All that a reader or a program could find in a message except pixels: words, alt texts, file names, custom ids."""
    if isinstance(message, InteractionResult):
        return "\n".join(all_that_is_seen(world, one) for one in [message.response, *message.followups] if one is not None)
    parts: list[Any] = [item if isinstance(item, dict) else item.to_dict() for item in message.components]
    return json.dumps([message.content, parts, [file.filename for file in message.attachments]], ensure_ascii=False)


def all_that_is_public(world: World, channel: ChannelHandle | None = None) -> str:
    """The same for all public messages of a channel."""
    return "\n".join(all_that_is_seen(world, message) for message in world.messages(channel))


async def asked_for_a_word(member: MemberActor, lobby: discord.Message | InteractionResult) -> InteractionResult:
    """Somebody reads how fair a table's dice are, and is asked for a word."""
    page = await member.click(reply(lobby) if isinstance(lobby, InteractionResult) else lobby, label="How?")
    return await member.click(reply(page), label="Add your own randomness")


async def open_table(
    world: World, game: str, *people: MemberActor, channel: ChannelHandle | None = None, **options: Any
) -> Seated:
    """The first person opens a table with `/play`, the others press *Join*. A single one presses *Start*."""
    channel = channel or world.channel
    first, *others = people
    shown = await first.slash(channel, "open", game=game, **options)
    (table, *_) = await core_of(world).tables(guild_id=world.guild.id)
    place = next((thread for thread in channel.threads if thread.id == table.thread_id), channel)
    for member in others:
        await member.click(reply(shown), label="Join")
    if table.wanted == 1:
        await first.click(reply(shown), label="Start")
    return Seated(world, table.id, people, place)


async def resigned_after(world: World, *actions: Action) -> Seated:
    """A game of Bouncers that Ben resigned after these alternating moves."""
    table = await open_table(world, "bouncers", world.ann, world.ben)
    for number, action in enumerate(actions):
        await table.type(table.people[number % 2], action)
    asked = await by_way(world.ben, table.channel, "resign", game=str(table.table_id))
    await world.ben.click(reply(asked), label="Resign")
    return table
