"""Applies the migrations of this program, with Alembic."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config


def scripts() -> Config:
    """Alembic's configuration, with the migrations of this program."""
    config = Config()
    # A single % would be read as an interpolation.
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config


def upgrade(connection: sa.Connection) -> None:
    """Bring the database of a connection to the newest schema, in the transaction that is open there."""
    config = scripts()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
