"""A job belongs to a subject, on a server, and may have a place of its own: it need not be about a table any more."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

outbox = sa.table(
    "outbox",
    sa.column("table_id", sa.BigInteger),
    sa.column("guild_id", sa.BigInteger),
    sa.column("subject", sa.String),
)
tables = sa.table("tables", sa.column("id", sa.BigInteger), sa.column("guild_id", sa.BigInteger))


def upgrade() -> None:
    op.add_column("outbox", sa.Column("guild_id", sa.BigInteger()))
    op.add_column("outbox", sa.Column("subject", sa.String()))
    op.add_column("outbox", sa.Column("place", sa.String()))
    # A job whose table has no number for its server, as SQLite allows, stays, to be found by a check of the database.
    server = sa.select(sa.cast(tables.c.guild_id, sa.BigInteger)).where(tables.c.id == outbox.c.table_id).scalar_subquery()
    subject = sa.literal("table ").concat(sa.cast(outbox.c.table_id, sa.String))
    op.execute(sa.update(outbox).values(guild_id=sa.func.coalesce(server, 0), subject=subject))
    last = _last_number()
    with op.batch_alter_table("outbox", table_kwargs={"sqlite_autoincrement": True}) as batch:
        batch.alter_column("table_id", existing_type=sa.BigInteger(), nullable=True)
        batch.alter_column("guild_id", existing_type=sa.BigInteger(), nullable=False)
        batch.alter_column("subject", existing_type=sa.String(), nullable=False)
        batch.drop_constraint("uq_outbox_table_id_kind_key", type_="unique")
        batch.create_unique_constraint("uq_outbox_guild_id_subject_kind_key", ["guild_id", "subject", "kind", "key"])
        batch.create_index("ix_outbox_table_id", ["table_id"])
    if last is not None:
        numbers = sa.table("sqlite_sequence", sa.column("name"), sa.column("seq"))
        op.execute(sa.delete(numbers).where(numbers.c.name == "outbox"))
        op.execute(sa.insert(numbers).values(name="outbox", seq=last))


def _last_number() -> int | None:
    """Return the last number that SQLite has given to a job: the copy of the table would begin after those still there."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return None
    return connection.execute(sa.text("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")).scalar()
