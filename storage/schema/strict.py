"""How values that are stored as JSON are read."""

from typing import Final

from pydantic import ConfigDict, with_config

STRICT: Final = with_config(ConfigDict(extra="forbid", strict=True))
"""For their classes: only what these write is read back; anything else makes a row unreadable."""
