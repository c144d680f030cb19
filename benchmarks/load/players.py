"""People who play at tables of all games, with the panel and with `/move`."""

import random
import re
import time
from asyncio import Future, timeout
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from benchmarks.load.watch import WAIT_LIMIT, Watch
from loopback.answers import DEFER, DEFER_UPDATE
from loopback.faults import Route
from loopback.model import Channel, Interaction, Message, Person
from tests.loopback.people import People

GAMES: Final[tuple[tuple[str, int], ...]] = (("bouncers", 2), ("bunny", 2), ("trampoline", 4), ("pucks", 3))
"""The games that are played, and the number of players of each."""
TYPED: Final = 0.3
"""The share of actions that are typed where they could also be picked."""
STEPS_AT_MOST: Final = 30
"""The most presses that an action may take."""
LATE: Final = 1.0
"""The seconds after which an empty answer to a click counts as a deferral, which the bot sends when it is slow."""


_FILL: Final = frozenset({Route.EDIT_ANSWER, Route.FOLLOW_UP})
"""The calls that fill in an answer that was deferred."""


class TooLate(Exception):
    """The answer came too late for Discord to take it. People read that the application did not respond, and try again."""


class Stuck(Exception):
    """Nobody can do anything at the table, because the benchmark does not understand what the bot shows."""


@dataclass
class Times:
    """The times that were measured, in seconds.

    Attributes:
        answers: the times from a click or a command to its first answer.
        panels: those of the `answers` that opened the panel.
        suggestions: the times until suggestions for `/move` arrive.
        boards: the times from the click or command that plays an action to the new board.
        deferred: the number of answers that only deferred the real answer, or came too late.
    """

    answers: list[float] = field(default_factory=list)
    panels: list[float] = field(default_factory=list)
    suggestions: list[float] = field(default_factory=list)
    boards: list[float] = field(default_factory=list)
    deferred: int = 0


class Player:
    """Somebody who waits for answers."""

    def __init__(self, people: People, watch: Watch, times: Times) -> None:
        self.people, self.watch, self.times = people, watch, times

    async def answered(self, interaction: Interaction, began: float) -> float:
        """Wait for the first answer. Return the seconds that it took, or raise TooLate."""
        async with timeout(WAIT_LIMIT):
            taken = await self.watch.answer(interaction.token) - began
        late = interaction.callback == DEFER_UPDATE and taken > LATE
        self.times.deferred += late or interaction.callback in {None, DEFER}
        if interaction.callback is None:
            raise TooLate
        return taken

    async def filled(self, interaction: Interaction, instead: Future[float] | None = None) -> Message | None:
        """Wait until a deferred answer is there or `instead` is done. Return the message that only this person sees, if any."""
        if interaction.callback in (DEFER, DEFER_UPDATE):
            await self.people.until(
                lambda: any(route in _FILL for route, _ in interaction.calls) or (instead is not None and instead.done()),
                WAIT_LIMIT,
            )
        return next((message for message in reversed(interaction.shown) if message.private), None)

    async def pressed(self, who: Person, message: Message, way: str, dice: random.Random) -> tuple[Interaction, float]:
        """Press a button, or choose something in a menu. Return also the moment of the press."""
        rows = [row for container in message.components for row in container.get("components", [])]
        items = [item for row in rows for item in row.get("components", []) if item.get("custom_id") == way]
        values = [dice.choice(item["options"])["value"] for item in items if item.get("options")]
        began = time.perf_counter()
        pressed = self.people.begin_click(who, message, way, *values)
        self.times.answers.append(await self.answered(pressed, began))
        return pressed, began


class BusyTable(Player):
    """A table in a channel of its own. Its people play at no other table unless they are given."""

    def __init__(
        self,
        people: People,
        watch: Watch,
        times: Times,
        where: Channel,
        game: str,
        seats: int,
        dice: random.Random,
        crowd: Sequence[Person] = (),
    ) -> None:
        super().__init__(people, watch, times)
        self.where, self.game, self.dice = where, game, dice
        names = ("Ann", "Ben", "Cleo", "Dev")[:seats]
        self.crowd = list(crowd) or [people.discord.person(f"{name} {where.name}") for name in names]
        self.number = 0

    async def open(self) -> None:
        """Open the table, and have everybody sit down."""
        opener, *others = self.crowd
        opening = "open" if "open" in self.people.discord.commands else "play"
        wanted: dict[str, Any] = {f"opponent{place or ''}": who for place, who in zip((0, 2, 3), others, strict=False)}
        opened = self.people.begin_slash(opener, self.where, opening, game=self.game, clock="1d", **wanted)
        await self.answered(opened, time.perf_counter())
        await self.filled(opened)
        assert opened.original is not None
        self.number = int(opened.original.custom_ids[0].split("|")[2])
        shown = self.watch.board(self.number, 0)
        for who in others:
            joined = self.people.begin_click(who, opened.original, "sb|accept|")
            await self.answered(joined, time.perf_counter())
            await self.filled(joined)
        async with timeout(WAIT_LIMIT):
            await shown

    def board(self) -> Message:
        """Return the newest board with a picture."""
        return next(one for one in reversed(self.people.seen(self.where)) if one.attachments and one.custom_ids)

    @property
    def version(self) -> int:
        """The version of the newest board, which is the number of actions played so far."""
        return int(self.board().custom_ids[0].split("|")[3])

    @property
    def over(self) -> bool:
        """Whether nobody can do anything on the newest board."""
        return not _ways(self.board())

    async def act(self) -> bool:
        """Play one action. Return False if the game is over."""
        board = self.board()
        who = next((person for person in self.crowd if f"<@{person.id}>" in board.text), None)
        ways = _ways(board)
        if who is None or not ways:
            return False
        version = int(ways[0].split("|")[3])
        shown = self.watch.board(self.number, version + 1)
        try:
            began = await self._play(who, board, self.dice.choice(ways), shown)
        except TooLate:
            return True
        try:
            async with timeout(WAIT_LIMIT):
                self.times.boards.append(await shown - began)
        except TimeoutError:
            raise Stuck(f"no board of version {version + 1} came:\n{self._told()}") from None
        return True

    async def _play(self, who: Person, board: Message, way: str, shown: Future[float]) -> float:
        """Play an action, typed or with a button of the board. Return the moment of the press that played it."""
        if way.startswith("sb|move") and self.dice.random() < TYPED and (typed := await self._typed(who)):
            began = time.perf_counter()
            moved = self.people.begin_slash(who, self.where, "move", action=typed)
            self.times.answers.append(await self.answered(moved, began))
            return began
        return await self._press(who, board, way, shown)

    def _told(self) -> str:
        asked = [one for one in self.people.discord.interactions.values() if one.by in self.crowd][-6:]
        lines = [f"{one.kind} → {one.callback} {[one.custom_ids for one in one.shown]} {one.text[:300]}" for one in asked]
        board = self.board()
        return "\n".join([f"{self.game} {board.custom_ids} {board.text}", *lines])

    async def _press(self, who: Person, board: Message, way: str, shown: Future[float]) -> float:
        """Press a button of the board, and then what the panel asks for. Return the moment of the last press."""
        version = way.split("|")[3]
        pressed, began = await self.pressed(who, board, way, self.dice)
        if way.startswith("sb|move"):
            self.times.panels.append(self.times.answers[-1])
        for _ in range(STEPS_AT_MOST):
            panel = await self.filled(pressed, shown)
            ways = [] if panel is None else panel.custom_ids
            steps = [one for one in ways if re.match(rf"sb\|(pick|act|choose|page)\|\d+\|{version}\|", one)]
            if panel is None or not steps or shown.done():
                return began
            pressed, began = await self.pressed(who, panel, self._chosen(steps), self.dice)
        raise Stuck(f"{STEPS_AT_MOST} presses at a table of {self.game}")

    def _chosen(self, steps: list[str]) -> str:
        """Return a step of the panel: half of the time one that plays at once, and a turn of the page only if need be."""
        final = [one for one in steps if one.startswith("sb|act")]
        if final and self.dice.random() < 0.5:
            return self.dice.choice(final)
        return self.dice.choice([one for one in steps if not one.startswith("sb|page")] or steps)

    async def _typed(self, who: Person) -> str:
        """Return an action put together from suggestions, or an empty text if they lead nowhere."""
        typed = ""
        for _ in range(STEPS_AT_MOST):
            began = time.perf_counter()
            asked = self.people.begin_suggest(who, self.where, "move", "action", action=typed and typed + " ")
            self.times.suggestions.append(await self.answered(asked, began))
            if not asked.choices:
                return ""
            choice = self.dice.choice(asked.choices)
            typed = choice["value"]
            if not choice["name"].endswith("…"):
                return typed
        return ""


def _ways(board: Message) -> list[str]:
    return [one for one in board.custom_ids if re.match(r"sb\|(act|move)\|", one)]
