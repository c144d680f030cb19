"""The domains of columns: types with limits, and with what is the same wherever they are used.

`from_row` checks the types of values, since it has to be fast. The limits are what `springboard check` looks at.
"""

from typing import Annotated, Final

import sqlalchemy as sa
from pydantic import Field

from storage.schema.columns import (
    COUNTED,
    KEPT,
    AsText,
    OnForgetServer,
    References,
    SqlType,
    Unlimited,
    Withheld,
)

LARGEST: Final = 1e12
"""The largest floating-point number in a row, up or down: some 30,000 years in seconds. A larger one was damaged."""

MOST_SEATS: Final = 6

BIG: Final = SqlType(sa.BigInteger)
"""64 bits, which the ids of Discord need."""

JOINS: Final = Withheld("it only joins rows, and the export has them together")

# --- numbers and ids ---------------------------------------------------------------------------------------------------------

Number = Annotated[int, SqlType(COUNTED), Field(gt=0, lt=2**63)]
"""The number of a row, which the database counts."""

Id = Annotated[int, BIG, Field(gt=0, lt=2**63)]
"""The number of a row of another table, or an id that is exported as a number."""

UserId = Id
"""The id of a user of Discord."""

DiscordId = Annotated[Id, AsText()]
"""Another id of Discord."""

ServerId = Annotated[DiscordId, OnForgetServer.DELETE_ROW]
"""The id of the server to which a row belongs."""

UserOrPlaceholder = Annotated[int, BIG, Field(gt=-(2**63), lt=2**63)]
"""The id of a user, or the negative one that stands for a person who has been forgotten."""

TableId = Annotated[Id, References("tables.id")]
"""The number of a table. The row goes with it."""

OfTable = Annotated[TableId, JOINS, KEPT]
"""The number of the table to which a row belongs."""

# --- counts, moments and texts -----------------------------------------------------------------------------------------------

Count = Annotated[int, Field(ge=0, lt=2**31)]
Positive = Annotated[int, Field(gt=0, lt=2**63)]
Version = Annotated[int, Field(ge=1, lt=2**31)]
SeatNumber = Annotated[int, Field(ge=0, lt=MOST_SEATS)]
Moment = Annotated[float, Field(ge=0, lt=LARGEST)]
"""A moment in seconds since the epoch."""

Text = Annotated[str, Field(min_length=1)]
Bytes32 = Annotated[bytes, Field(min_length=32, max_length=32)]
PuzzleName = Annotated[str, Field(pattern=r"^[a-z]+-[1-9][0-9]*$")]

Name = Annotated[str, Unlimited("Discord says what names may be like")]
"""The display name of a person when last seen."""

Shown = Annotated[int, Unlimited("a rating may be any number")]
"""A rating, in the numbers that people are shown."""

Skill = Annotated[float, Field(gt=-1000, lt=1000)]
"""The mean of a skill, openskill's mu."""
