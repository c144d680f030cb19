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
"""The clocks that commands offer, as seconds per turn by the option's value. 0 stands for no clock."""

ZONE: Final = "UTC"
"""The IANA time zone of people who have not set theirs."""


log = structlog.get_logger(__name__)


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """Return the settings in a row. An invalid setting is replaced by its default, and the others are kept."""
        try:
            return cls.model_validate(stored)
        except ValidationError as error:
            bad = {str(found["loc"][0]) for found in error.errors() if found["loc"]}
            log.warning("settings left out; `springboard check` says more", names=sorted(bad))
            return cls.model_validate({name: value for name, value in stored.items() if name not in bad})


class Learning(_Settings):
    """A person's progress in a game's lessons: the name of the next lesson ("" for the first), and of those solved."""

    at: str = ""
    solved: tuple[str, ...] = ()


class PersonSettings(_Settings):
    """A person's settings, which are the same on every server.

    Attributes:
        remind_half: whether to remind them when half of a turn's time has passed.
        remind_late: whether to remind them when nine tenths of it have passed.
        remind_next: whether to tell them that their turn comes next, in games of three people or more.
        notify: whether reminders are sent to the channel, or as a direct message.
        zone: their IANA time zone, for the quiet hours, or None for `ZONE`.
        quiet_from, quiet_until: when the quiet hours begin and end, in minutes after midnight. Both are None if there are none.
        high_contrast: whether private pictures use the high-contrast palette.
        preview: whether a last step with a certain result is shown as a picture before it is played.
        turn_board: whether the private board is turned towards them, where a game has sides.
        practise_openly: whether games that they open to practise alone are posted.
        language: the language code of private texts, or None for the language of their Discord client.
        learning: their progress in each game's lessons, by the game's id.
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
        """Return the settings stored in a person's row."""
        return cls.read(person.settings)

    @field_validator("zone")
    @classmethod
    def _check_zone(cls, zone: str | None) -> str | None:
        try:
            return zone and ZoneInfo(zone).key
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError("there is no such time zone") from error


class ServerSettings(_Settings):
    """A server's settings, made by those who manage it.

    Attributes:
        channels: the ids of the channels where tables may be opened, or none if they may be opened in all channels.
        threads: whether a table gets a thread of its own, unless its opener decides otherwise.
        clock: the seconds per turn, unless the opener decides otherwise, or None for no clock.
        absent: whether the game (mostly at random) or an easy computer acts when a player of three or more misses a deadline.
        most_tables: how many open or running tables the same person may have opened.
        language: the language code of the texts that everybody sees.
        threads_asked: the table at which a manager was asked about threads; 0 if that is settled, None if never asked.
        old_boards: whether a board is folded into one line when the next is posted, or kept with its picture.
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
        """Return the settings stored in a server's row."""
        return cls.read(server.settings)
