"""What a person and a server may choose, with its defaults. Kept as JSON; unknown keys of other versions do no harm."""

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from storage.records import Person, Server

HOUR: Final = 3600
DAY: Final = 24 * HOUR
CLOCKS: Final = {"none": 0, "1h": HOUR, "8h": 8 * HOUR, "1d": DAY, "3d": 3 * DAY, "7d": 7 * DAY}
"""The clocks there are, in seconds a turn, by the word a command takes."""

ZONE: Final = "UTC"
"""The time zone of those who have not named theirs, by its IANA name."""


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class PersonSettings(_Settings):
    """What somebody chose for themselves, in every server alike.

    Attributes:
        remind_half: whether to be reminded when half of the time for a turn is gone.
        remind_late: whether to be reminded when nine tenths are gone.
        notify: where reminders go.
        zone: their time zone by its IANA name, for the quiet hours; None: `ZONE`.
        quiet_from, quiet_until: the quiet hours, in minutes since midnight; both None: none. They may pass midnight.
        high_contrast: whether private pictures are drawn with the high-contrast palette.
        language: for private texts; None: the language their Discord is set to.
    """

    remind_half: bool = True
    remind_late: bool = True
    notify: Literal["channel", "direct"] = "channel"
    zone: str | None = None
    quiet_from: int | None = Field(default=None, ge=0, lt=1440)
    quiet_until: int | None = Field(default=None, ge=0, lt=1440)
    high_contrast: bool = False
    language: str | None = None

    @classmethod
    def of(cls, person: Person) -> "PersonSettings":
        """The settings in a person's row."""
        return cls.model_validate(person.settings)


class ServerSettings(_Settings):
    """What those who manage a server chose for it.

    Attributes:
        channels: the channels where tables may be opened; empty: all.
        threads: whether tables get a thread of their own unless the opener says otherwise.
        clock: seconds a turn unless the opener says otherwise; None: no clock.
        most_tables: how many tables one person may have open.
        language: of the texts that everybody sees.
    """

    channels: tuple[int, ...] = ()
    threads: bool = False
    clock: int | None = DAY
    most_tables: int = Field(default=10, ge=1, le=100)
    language: str = "en"

    @classmethod
    def of(cls, server: Server) -> "ServerSettings":
        """The settings in a server's row."""
        return cls.model_validate(server.settings)
