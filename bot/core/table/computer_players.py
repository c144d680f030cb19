"""Who the computers at a table are: their ids, their names, and how they are told from people.

A computer has a seat like a person: a row with an id and a name. No Discord user has such an id, which would have to be from
the first millisecond of 2015, before there was Discord. Which computer sits at a table changes nothing but its name.
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
"""The id of the computer with the first of the names; the others follow it."""


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer that sits at a table.

    Attributes:
        id: its user id.
        level: how well it plays.
    """

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
    """The ids of the computers that do not sit at a table yet; each table begins with another one.

    Args:
        table_id: the number of the table.
        taken: the user ids of those who are there, or were.
    """
    ids = (FIRST_ID + (table_id + n) % len(NAMES) for n in range(len(NAMES)))
    return (user_id for user_id in ids if user_id not in taken)
