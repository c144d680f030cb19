"""Who the computers at a table are: their ids, their names, and how to tell them from people.

Their ids belong to no Discord user: they are from the first millisecond of 2015, before there was Discord. Which computer sits
at a table changes nothing but its name.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from storage.schema.records import Level, Seat, SeatStatus, Table

NAMES: Final = (
    "Pogo", "Ricochet", "Carom", "Dribble", "Rebound", "Bumper", "Tumble", "Boing", "Kangaroo", "Flummi", "Spring", "Leapfrog",
)  # fmt: skip
"""The names of computers, the same in every language."""

FIRST_ID: Final = 4_000_001
"""The id of the computer with the first name; the others follow."""


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer that sits at a table: its user id, and how well it plays."""

    id: int
    level: Level

    @property
    def name(self) -> str:
        """Its name."""
        return NAMES[self.id - FIRST_ID]


def computer_seat(table: Table, computer: Computer, place: int, now: float) -> Seat:
    """The seat of a computer that sits down at a table."""
    return Seat(
        table_id=table.id, user_id=computer.id, place=place, status=SeatStatus.JOINED, name=computer.name, asked_at=now,
        computer=computer.level,
    )  # fmt: skip


def is_computer(user_id: int | None) -> bool:
    """Whether a user id is that of a computer; None is the clock."""
    return user_id is not None and FIRST_ID <= user_id < FIRST_ID + len(NAMES)


def strangers(table_id: int, taken: Collection[int]) -> Iterator[int]:
    """The ids of computers that are not among those `taken` at a table; each table begins with another one."""
    ids = (FIRST_ID + (table_id + n) % len(NAMES) for n in range(len(NAMES)))
    return (user_id for user_id in ids if user_id not in taken)
