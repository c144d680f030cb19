"""Domains of columns: types with the same notes everywhere, and with limits, which only `springboard check` looks at."""

from typing import Annotated, Final

import sqlalchemy as sa
from pydantic import Field

from storage.schema.columns import COUNTED, KEPT, AsText, OnForgetServer, References, SqlType, Unlimited, Withheld

LARGEST: Final = 1e12
"""The largest absolute value of a floating-point number in a row, some 30,000 years in seconds. Anything larger is damage."""

MOST_SEATS: Final = 6

BIG: Final = SqlType(sa.BigInteger)
"""An integer of 64 bits, for Discord's ids."""

JOINS: Final = Withheld("it only joins rows, and the export has them together")

Number = Annotated[int, SqlType(COUNTED), Field(gt=0, lt=2**63)]
"""The number of a row, assigned by the database."""

Id = Annotated[int, BIG, Field(gt=0, lt=2**63)]
"""The number of a row in another table, or an id that is exported as a number."""

UserId = Id
"""The id of a Discord user."""

DiscordId = Annotated[Id, AsText()]
"""Any other id from Discord."""

ServerId = Annotated[DiscordId, OnForgetServer.DELETE_ROW]
"""The id of the server that a row belongs to."""

UserOrPlaceholder = Annotated[int, BIG, Field(gt=-(2**63), lt=2**63)]
"""The id of a user, or the negative id of a forgotten person's placeholder."""

TableId = Annotated[Id, References("tables.id")]
"""The number of a table. The row is deleted together with the table."""

OfTable = Annotated[TableId, JOINS, KEPT]
"""The number of the table that the row belongs to."""

Count = Annotated[int, Field(ge=0, lt=2**31)]
Positive = Annotated[int, Field(gt=0, lt=2**63)]
Version = Annotated[int, Field(ge=1, lt=2**31)]
SeatNumber = Annotated[int, Field(ge=0, lt=MOST_SEATS)]
Moment = Annotated[float, Field(ge=0, lt=LARGEST)]
"""A point in time, in seconds since the epoch."""

Text = Annotated[str, Field(min_length=1)]
Bytes32 = Annotated[bytes, Field(min_length=32, max_length=32)]
PuzzleName = Annotated[str, Field(pattern=r"^[a-z]+-[1-9][0-9]*$")]

GameId = Text
"""The id of a game."""

Name = Annotated[str, Unlimited("Discord says what names may be like")]
"""The display name that a person had when last seen."""

Shown = Annotated[int, Unlimited("a rating may be any number")]
"""A rating, as people see it."""

Skill = Annotated[float, Field(gt=-1000, lt=1000)]
"""The mean of a skill, which openskill calls mu."""
