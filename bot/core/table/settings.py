"""The settings of people and servers, with their defaults. They are stored as JSON; keys of other versions are ignored."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from storage.schema.records import Person, Server

HOUR: Final = 3600
DAY: Final = 24 * HOUR
CLOCKS: Final = {"none": 0, "1h": HOUR, "8h": 8 * HOUR, "1d": DAY, "3d": 3 * DAY, "7d": 7 * DAY}
"""The clocks that commands offer: seconds per turn by the option's value; 0 for no clock."""

ZONE: Final = "UTC"
"""The time zone, by its IANA name, of people who have not set theirs."""


log = structlog.get_logger(__name__)


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """The settings in a row, with the default in the place of each that is not valid: it must spoil nothing else."""
        try:
            return cls.model_validate(stored)
        except ValidationError as error:
            bad = {str(found["loc"][0]) for found in error.errors() if found["loc"]}
            log.warning("settings left out; `springboard check` says more", names=sorted(bad))
            return cls.model_validate({name: value for name, value in stored.items() if name not in bad})


class Learning(_Settings):
    """The progress of a person in the lessons of a game.

    Attributes:
        at: the name of the lesson that is next, or "" for the first one.
        solved: the names of those that they have solved.
    """

    at: str = ""
    solved: tuple[str, ...] = ()


class PersonSettings(_Settings):
    """A person's settings, the same on every server.

    Attributes:
        remind_half: whether to remind them when half of the time for a turn has passed.
        remind_late: whether to remind them when nine tenths of it have passed.
        remind_next: whether to tell them that their turn comes next, in games of three people or more.
        notify: where reminders go: to the channel, or in a direct message.
        zone: the IANA name of their time zone, for the quiet hours, or None for `ZONE`.
        quiet_from, quiet_until: the quiet hours, in minutes since midnight, which they may span. Both are None without any.
        high_contrast: whether private pictures use the high-contrast palette.
        preview: whether a certain last step is shown as a picture before it is played.
        turn_board: whether the private board is turned towards them, where a game has sides.
        practise_openly: whether the games are posted that they open to practise alone.
        language: the language code of private texts, or None for the language of their Discord client.
        learning: how far they have come in the lessons of each game, by its id.
    """

    remind_half: bool = True
    remind_late: bool = True
    remind_next: bool = False
    notify: Literal["channel", "direct"] = "channel"
    zone: str | None = None
    quiet_from: int | None = Field(default=None, ge=0, lt=1440)
    quiet_until: int | None = Field(default=None, ge=0, lt=1440)
    high_contrast: bool = False
    preview: bool = True
    turn_board: bool = False
    practise_openly: bool = False
    language: str | None = None
    learning: Mapping[str, Learning] = {}

    @classmethod
    def of(cls, person: Person) -> "PersonSettings":
        """The settings stored in a person's row."""
        return cls.read(person.settings)

    @field_validator("zone")
    @classmethod
    def _check_zone(cls, zone: str | None) -> str | None:
        try:
            return zone and ZoneInfo(zone).key
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError("there is no such time zone") from error


class ServerSettings(_Settings):
    """The settings of a server, made by those who manage it.

    Attributes:
        channels: the ids of the channels where tables may be opened, empty for all channels.
        threads: whether a table gets a thread of its own, unless the person who opens it decides otherwise.
        clock: seconds per turn, unless the person who opens the table decides otherwise, or None for no clock.
        absent: who acts for a player who misses a deadline at a table of three or more: the game, mostly at random, or an easy
            computer.
        most_tables: how many open or running tables opened by the same person there may be.
        language: the language code of the texts that everybody sees.
        threads_asked: the table with which a manager was asked whether tables get threads; 0: it is answered, or was set
            without being asked; None: it was never asked.
        old_boards: what becomes of a board when the next one is posted: it is folded into one line, or kept with its picture.
    """

    channels: tuple[Annotated[int, Field(gt=0)], ...] = ()
    threads: bool = False
    clock: int | None = Field(default=DAY, gt=0)
    absent: Literal["random", "computer"] = "random"
    most_tables: int = Field(default=10, ge=1, le=100)
    language: str = "en"
    threads_asked: int | None = Field(default=None, ge=0)
    old_boards: Literal["fold", "keep"] = "fold"

    @classmethod
    def of(cls, server: Server) -> "ServerSettings":
        """The settings stored in a server's row."""
        return cls.read(server.settings)
