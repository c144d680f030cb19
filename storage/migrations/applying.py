"""Applies the migrations, with Alembic."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config


def scripts() -> Config:
    """Return Alembic's configuration."""
    config = Config()
    # A single % would be read as an interpolation.
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config


def upgrade(connection: sa.Connection) -> None:
    """Bring a database to the newest schema, in the connection's open transaction."""
    config = scripts()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
