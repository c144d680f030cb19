"""Growth: actions are begun at a steady rate, and the plot shows each series in its panel."""

import asyncio
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, cast

from PIL import Image

from benchmarks import plot
from benchmarks.figures import Figure, Point
from benchmarks.load.front import Front, LoadResult, at_a_rate
from benchmarks.load.players import BusyTable, Times
from loopback import virtual_time

BLUE = bytes.fromhex(plot.COLOURS[0][1:]) * 4
"""Some pixels in a row in the colour of the first series."""


@dataclass
class Idle:
    """A bot that does nothing, and the watch on its calls."""

    cpu: float = 0.0
    calls: int = 0


@dataclass
class SlowTable:
    """A table at which an action takes a while. Its game is over after some actions."""

    seconds: float
    most: int = 100
    begun: list[float] = field(default_factory=list)
    times: Times = field(default_factory=Times)

    async def act(self) -> bool:
        if len(self.begun) == self.most:
            return False
        self.begun.append(asyncio.get_running_loop().time())
        await asyncio.sleep(self.seconds)
        return True


def played(at_tables: list[SlowTable], actions: int, rate: float) -> LoadResult:
    nobody, idle, slow = cast("Any", None), cast("Any", Idle()), cast("list[BusyTable]", at_tables)
    return virtual_time.run(at_a_rate(Front(nobody, nobody, idle, idle), slow, actions, rate))


def begun(at_tables: list[SlowTable]) -> list[float]:
    moments = sorted(moment for table in at_tables for moment in table.begun)
    return [round(moment - moments[0], 2) for moment in moments]


def test_actions_are_begun_at_a_steady_rate_although_others_are_not_done() -> None:
    at_tables = [SlowTable(1.2) for _ in range(4)]
    assert played(at_tables, 6, 2).actions == 6
    assert begun(at_tables) == [0, 0.5, 1, 1.5, 2, 2.5]
    assert [len(table.begun) for table in at_tables] == [2, 2, 1, 1], "the tables take turns"


def test_an_action_waits_for_a_table_if_all_are_busy() -> None:
    at_tables = [SlowTable(3.0) for _ in range(2)]
    played(at_tables, 4, 1)
    assert begun(at_tables) == [0, 1, 3, 4]


def test_a_table_whose_game_is_over_is_left_out() -> None:
    at_tables = [SlowTable(0.1, most=1), SlowTable(0.1)]
    assert played(at_tables, 5, 1).actions == 5
    assert [len(table.begun) for table in at_tables] == [1, 4]


def figure(series: str, size: int, value: float) -> Figure:
    return Figure(name=f"{series} {size}", value=value, point=Point(series, size))


def test_a_series_is_drawn_in_the_panel_of_what_grows() -> None:
    left = [figure("memory, by open tables", size, value) for size, value in ((10, 1.0), (10_000, 3.0))]
    right = [figure("memory, by actions a second", size, value) for size, value in ((1, 1.0), (50, 3.0))]
    for figures, halves in ((left, [True, False]), (right, [False, True]), (left + right, [True, True])):
        image = Image.open(BytesIO(plot.drawn(figures))).convert("RGB")
        middle = image.width // 2
        parts = (image.crop((0, 0, middle, image.height)), image.crop((middle, 0, image.width, image.height)))
        assert [BLUE in part.tobytes() for part in parts] == halves
