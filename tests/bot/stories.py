"""Four long games, and the messages that tell a returning player about them: to be tested, and to be looked at.

`python -m tests.bot.stories` writes each message's words, and its picture as wide as on a desktop and on a phone, into a
temporary folder, and prints which.
"""

import asyncio
import contextlib
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from unittest import mock

from discord.ui import TextDisplay
from PIL import Image

from bot.core.table.history import History
from bot.core.table.since import standing, story_of
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import language
from bot.messages.board import board_message
from bot.messages.builder import MessageBuilder
from bot.messages.pictures import picture, spectator
from engines import GAMES
from engines.chance import Fair
from storage.schema.records import Entry, EntryKind, Seat, SeatStatus, Status, Table
from tests.renderers.golden import WIDTHS
from tests.renderers.samples.bouncers import PREY, TWELVE
from tests.renderers.samples.bunny import PATCH
from tests.renderers.samples.pucks import SCRUM
from tests.renderers.samples.trampoline import ROUND

LONG_NAMES: Final = ("Maximiliane von und zu Hohenfels", "Benedikt-Alexander Wolkenstein", "Cleo", "Дева Марија 🦊")


@dataclass(frozen=True)
class Story:
    """A position, and what is played from there until somebody else is asked.

    Attributes:
        actions: what is played, by which seat.
        asked: who is pinged at the end, and told all that was done since they were last asked.
        seed: what the dice are made from.
    """

    game_id: str
    seats: int
    position: Mapping[str, Any]
    actions: tuple[tuple[int, str], ...]
    asked: int
    seed: int = 0

    @property
    def first(self) -> Any:
        return GAMES[self.game_id].from_position(self.position, Fair(self.seed.to_bytes(32, "big")))

    @contextlib.contextmanager
    def begins(self) -> Iterator[None]:
        """In this block every game of this kind starts from the story's position."""
        with mock.patch.object(type(GAMES[self.game_id]), "_start", return_value=self.first):
            yield

    def history(self, length: int | None = None) -> History:
        """The game after so many of its actions, or all."""
        history = History(GAMES[self.game_id], self.seats, self.first)
        for number, (seat, words) in enumerate(self.actions[:length], 1):
            entry = Entry(table_id=7, number=number, kind=EntryKind.PLAY, seat=seat, tokens=tuple(words.split()),
                          user_id=seat + 1, at=float(number))  # fmt: skip
            history = history.with_entry(entry)
        return history

    def snapshot(self, names: tuple[str, ...] = LONG_NAMES, length: int | None = None) -> Snapshot:
        history = self.history(length)
        table = Table(
            id=7, guild_id=1, channel_id=2, game=self.game_id, variant=GAMES[self.game_id].variants[0], wanted=self.seats,
            status=Status.PLAYING, opened_by=1, created_at=0.0, clock=86400, deadline=86400.0, seed=bytes(32), turn=1,
            version=history.version,
        )  # fmt: skip
        people = tuple(
            Seat(table_id=7, user_id=seat + 1, place=seat, status=SeatStatus.JOINED, name=names[seat], asked_at=0.0)
            for seat in range(self.seats)
        )
        return Snapshot(table, people, history)


_HOP = {**PATCH, "field": {**PATCH["field"], "c5": "down", "e4": "up", "d5": "left", "f3": "down"}}

STORIES: Final[Mapping[str, Story]] = {
    "five actions of Puck Bumpers": Story(
        "pucks", 4, {**SCRUM, "taken": 0, "hands": [["take-5", "shift", "borrow"], *SCRUM["hands"][1:]]},
        ((0, "play take-5"), (0, "p1 up"), (0, "p1 right"), (0, "play shift c east-of d"), (0, "m1 up"), (0, "p2 down"),
         (0, "end")), 1,
    ),
    "a chain and a shock of Bounce Bunny Bounce": Story(
        "bunny", 2, {**_HOP, "phase": "move", "bunnies": ["g1", "d3"], "shocks": [1, 2]},
        ((1, "up"), (1, "swap a2 e4"), (1, "shock down")), 0,
    ),
    "twelve captures of Bouncers": Story("bouncers", 2, PREY, ((0, " ".join(TWELVE)),), 1),
    "three turns of BOUNCE": Story(
        "trampoline", 4, ROUND, ((0, "roll"), (1, "roll"), (2, "roll"), (3, "roll")), 0, seed=19
    ),
}  # fmt: skip
"""Each story is told by the message that pings at its end."""


async def message(snapshot: Snapshot, code: str = "en") -> MessageBuilder:
    """A table's board message, as the outbox posts it."""
    since, own = story_of(snapshot.playing), language(code)
    shown = await picture(snapshot.position, spectator(own), events=standing(snapshot.playing, since.drawn))
    return board_message(snapshot, own, shown, since.told)


async def _show(folder: Path) -> None:
    for name, story in STORIES.items():
        for code in ("en", "de"):
            made = await message(story.snapshot(), code)
            stem = f"{name.replace(' ', '-')}-{code}"
            texts = [item.content for item in made.items if isinstance(item, TextDisplay)]
            (folder / f"{stem}.md").write_text("\n".join((*texts, made.pictures[0].alt)), encoding="utf-8")
            drawn = Image.open(BytesIO(made.pictures[0].content)).convert("RGBA")
            for width in WIDTHS if code == "en" else ():
                small = drawn.resize((width, drawn.height * width // drawn.width), Image.Resampling.LANCZOS)
                small.save(folder / f"{stem}-{width}.png")


if __name__ == "__main__":
    written = Path(tempfile.mkdtemp(prefix="springboard-stories-"))
    asyncio.run(_show(written))
    sys.stdout.write(f"{written}\n")
