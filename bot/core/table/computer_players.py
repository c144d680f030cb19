"""The computers that sit at tables: their ids, their names, and how to tell them from people.

Their ids belong to no Discord user, because they are from the first millisecond of 2015, before Discord existed. Apart from the
name, it makes no difference to a game which of the computers plays.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from storage.schema.records import Level, Seat, SeatStatus, Table

NAMES: Final = (
    "Pogo", "Ricochet", "Carom", "Dribble", "Rebound", "Bumper", "Tumble", "Boing", "Kangaroo", "Flummi", "Spring", "Leapfrog",
)  # fmt: skip
"""The names of computers, which are the same in every language."""

FIRST_ID: Final = 4_000_001
"""The id of the computer with the first name. The ids of the others follow it."""


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer that sits at a table, with its user id and its level of play."""

    id: int
    level: Level

    @property
    def name(self) -> str:
        """The computer's name."""
        return NAMES[self.id - FIRST_ID]


def computer_seat(table: Table, computer: Computer, place: int, now: float) -> Seat:
    """Return the seat of a computer that sits down at a table."""
    return Seat(
        table_id=table.id, user_id=computer.id, place=place, status=SeatStatus.JOINED, name=computer.name, asked_at=now,
        computer=computer.level,
    )  # fmt: skip


def is_computer(user_id: int | None) -> bool:
    """Whether a user id is that of a computer. None, which stands for the clock, is not."""
    return user_id is not None and FIRST_ID <= user_id < FIRST_ID + len(NAMES)


def strangers(table_id: int, taken: Collection[int]) -> Iterator[int]:
    """Yield the ids of computers that are not among those `taken` at a table. Different tables begin with different ones."""
    ids = (FIRST_ID + (table_id + n) % len(NAMES) for n in range(len(NAMES)))
    return (user_id for user_id in ids if user_id not in taken)
