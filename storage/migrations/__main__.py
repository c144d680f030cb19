"""`python -m storage.migrations "release 1.2.0"` drafts the migration from the newest revision to the tables as declared."""

import sys
import tempfile
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from storage.migrations.applying import scripts


def draft(what: str, config: Config, folder: Path) -> None:
    """Write the difference as a new migration into `folder`. Alembic misses changed check constraints, names and rows."""
    number = int(ScriptDirectory.from_config(config).get_current_head() or 0) + 1
    config.set_main_option("file_template", "r%%(rev)s_%%(slug)s")
    with tempfile.TemporaryDirectory() as scratch:
        engine = sa.create_engine(f"sqlite:///{scratch}/scratch.db")
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            command.revision(config, what, autogenerate=True, rev_id=f"{number:04}", version_path=str(folder))
        engine.dispose()


if __name__ == "__main__":
    draft(" ".join(sys.argv[1:]), scripts(), Path(__file__).with_name("versions"))
