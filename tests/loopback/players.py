"""People who play at random on the loopback, some against computers: open, join, move, plan ahead, offer, resign.

They know only what they see, and record what they were told.
"""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from bot.interactions.reply import DEFER_AFTER
from loopback.answers import DEFER_UPDATE, REPLY, UPDATE
from loopback.model import Channel, Interaction, Message, Person
from loopback.people import NobodyThere
from tests.loopback.natures import Nature
from tests.loopback.people import People

TABLES_AT_ONCE: Final = 8
STEPS_AT_MOST: Final = 8
PLANNED_WITHIN: Final = 16

GAMES: Final[tuple[dict[str, Any], ...]] = (
    {"game": "bouncers"}, {"game": "bouncers", "thread": True}, {"game": "bouncers", "private": True},
    {"game": "trampoline", "seats": 2}, {"game": "trampoline", "seats": 2, "thread": True},
    {"game": "bouncers", "computer": "easy"}, {"game": "trampoline", "computer": "easy", "thread": True},
)  # fmt: skip


@dataclass
class Told:
    """What people were told, which must be true in the end.

    Attributes:
        moves: interactions that were answered with their own move.
        tables: who opened each table.
        seats: table and person of those who read that they are seated.
        handed: tables at which a seat was handed over.
        asked: the number of interactions.
    """

    moves: set[int] = field(default_factory=set)
    tables: dict[int, int] = field(default_factory=dict)
    seats: set[tuple[int, int]] = field(default_factory=set)
    handed: set[int] = field(default_factory=set)
    asked: int = 0


def table_of(message: Message) -> int:
    return int(message.custom_ids[0].split("|")[2])


class Players:
    """People in a channel. `told` records what they were told.

    Attributes:
        most: how many tables they have at once.
        opening: how likely they are to open another. For playing something this is 12.
    """

    most = TABLES_AT_ONCE
    opening = 3

    def __init__(
        self, people: People, where: Channel, crowd: list[Person], dice: random.Random, told: Told | None = None
    ) -> None:
        self.people, self.where, self.crowd, self.dice = people, where, crowd, dice
        self.told = told or Told()

    async def play(self) -> None:
        """Do one thing after another until the bot is gone."""
        with suppress(NobodyThere):
            while True:
                await self.something()
                await asyncio.sleep(0)

    async def something(self) -> None:
        around = self.people.around
        entrances = ("|start|", "|join|", "|accept|")
        lobbies = [
            one
            for one in around(self.where, Nature.LOBBY)
            if any(entrance in i for i in one.custom_ids for entrance in entrances)
        ]
        boards = [one for one in around(self.where, Nature.BOARD) if self._awaits(one)]
        notices = [one for one in around(self.where, Nature.NOTICE) if any("-yes|" in i for i in one.custom_ids)]
        doings: list[tuple[int, Callable[[], Awaitable[object]]]] = []
        if len(lobbies) + len(boards) < self.most:
            doings.append((self.opening, self._open))
        if lobbies:
            doings.append((8, lambda: self._enter(self.dice.choice(lobbies))))
        if boards:
            doings.append((12, lambda: self._act(self.dice.choice(boards))))
            doings.append((2, lambda: self._disturb(self.dice.choice(boards))))
            doings.append((3, lambda: self._plan_ahead(self.dice.choice(boards))))
        if notices:
            doings.append((2, lambda: self._decide(self.dice.choice(notices[-4:]))))
        await self.dice.choices([doing for _, doing in doings], [weight for weight, _ in doings])[0]()

    def _awaits(self, board: Message) -> list[Person]:
        """Those whose turn it is, if this board is its table's newest."""
        if not any("|move|" in one or "|act|" in one for one in board.custom_ids):
            return []
        return [person for person in self.crowd if f"<@{person.id}>" in board.text]

    async def _ask(self, asking: Awaitable[Interaction]) -> Interaction:
        self.told.asked += 1
        return await asking

    async def _open(self) -> None:
        opener, *others = self.dice.sample(self.crowd, 2)
        wanted = dict(self.dice.choice(GAMES)) | {"clock": "1h"}
        if "computer" not in wanted and ("seats" not in wanted or self.dice.random() < 0.5):
            wanted["opponent"] = others[0]
        opened = await self._ask(self.people.slash(opener, self.where, "open", **wanted))
        shown = opened.original
        if opened.callback == REPLY and shown is not None and not shown.private and shown.custom_ids:
            self.told.tables[table_of(shown)] = opener.id

    async def _enter(self, lobby: Message) -> None:
        verb = self.dice.choice([one.split("|")[1] for one in lobby.custom_ids])
        if verb == "leave":
            return
        invited = [person for person in self.crowd if f"<@{person.id}>" in lobby.text]
        who = self.dice.choice(invited if verb in ("accept", "decline") and invited else self.crowd)
        table = table_of(lobby)
        pressed = await self._ask(self.people.click(who, lobby, f"sb|{verb}|"))
        if verb in ("join", "accept") and pressed.callback == UPDATE and pressed.original is lobby and who.name in lobby.text:
            self.told.seats.add((table, who.id))

    async def _act(self, board: Message) -> None:
        """Play something with a board's button, or step by step in the panel."""
        who = self.dice.choice(self._awaits(board))
        buttons = [one for one in board.custom_ids if one.startswith("sb|act|")]
        if buttons:
            pressed = await self._ask(self.people.click(who, board, self.dice.choice(buttons)))
            at_once = pressed.waited < DEFER_AFTER / 2  # what comes later may be a deferral of what is yet to be done
            self._note(pressed, done=pressed.callback == DEFER_UPDATE and at_once and not pressed.followups)
            return
        pressed = await self._ask(self.people.click(who, board, "sb|move|"))
        panel = pressed.original
        for _ in range(STEPS_AT_MOST):
            ways = [] if panel is None else [one for one in panel.custom_ids if re.match(r"sb\|(pick|act|choose)\|", one)]
            if panel is None or not ways or not panel.private:
                return
            way = self._likely(ways)
            pressed = await self._ask(self.people.click(who, panel, way, *self._values(panel, way)))
            shown = pressed.callback == UPDATE and f"**{who.name}** bounces " in panel.text and way not in panel.custom_ids
            if self._note(pressed, done=shown and way.startswith("sb|act|")):
                return

    async def _plan_ahead(self, board: Message) -> None:
        """Plan a reply while waiting, step by step in the private panel."""
        waiting = [person for person in self.crowd if person.name in board.text and person not in self._awaits(board)]
        if not waiting:
            return
        who, where = self.dice.choice(waiting), self.people.discord.channels[board.channel_id]
        pressed = await self._ask(self.people.by_way(who, where, "plan", game=str(table_of(board))))
        for _ in range(PLANNED_WITHIN):
            panel = pressed.original
            ways = [] if panel is None else [one for one in panel.custom_ids if re.match(r"sb\|plan-(if|then|so|keep)\|", one)]
            if panel is None or not ways or not panel.private:
                return
            way = next((one for one in ways if "|plan-keep|" in one), self._likely(ways))
            pressed = await self._ask(self.people.click(who, panel, way, *self._values(panel, way)))

    def _values(self, panel: Message, way: str) -> list[str]:
        """What is chosen in a menu, or nothing for a button."""
        rows = [row for container in panel.components for row in container.get("components", [])]
        selects = [item for row in rows for item in row.get("components", []) if item.get("custom_id") == way]
        options = [option["value"] for select in selects for option in select.get("options", [])]
        return [self._likely(options)] if options else []

    def _likely(self, offered: list[str]) -> str:
        """An offered value, very often the first, so that plans sometimes apply."""
        return offered[0] if self.dice.random() < 0.6 else self.dice.choice(offered)

    def _note(self, pressed: Interaction, *, done: bool) -> bool:
        if done:
            self.told.moves.add(pressed.id)
        return done

    async def _disturb(self, board: Message) -> None:
        """Offer something, hand a seat over, or resign. It may be refused."""
        playing = [person for person in self.crowd if person.name in board.text]
        who, other = self.dice.choice(playing or self.crowd), self.dice.choice(self.crowd)
        where = self.people.discord.channels[board.channel_id]
        game = str(table_of(board))
        match self.dice.randrange(8):
            case 0:
                asked = await self._ask(self.people.by_way(who, where, "resign", game=game))
                if asked.original is not None and any("resign-yes" in one for one in asked.original.custom_ids):
                    await self._ask(self.people.click(who, asked.original, "sb|resign-yes"))
            case 1 | 2:
                self.told.handed.add(int(game))
                await self._ask(self.people.by_way(who, where, "substitute", str(other.id), game=game))
            case 3 | 4:
                await self._ask(self.people.by_way(who, where, "undo", game=game))
            case _:
                await self._ask(self.people.by_way(who, where, "draw", game=game))

    async def _decide(self, notice: Message) -> None:
        """Answer an offer as somebody who may be the one asked."""
        asked = [person for person in self.crowd if f"<@{person.id}>" in notice.text]
        who = self.dice.choice(asked or self.crowd)
        await self._ask(self.people.click(who, notice, self.dice.choice(notice.custom_ids)))
