"""Offers and results in one form each: nudges and rematches, which stood among them, get columns of their own."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

tables = sa.table(
    "tables",
    sa.column("id", sa.BigInteger),
    sa.column("outcome", sa.JSON(none_as_null=True)),
    sa.column("offers", sa.JSON(none_as_null=True)),
    sa.column("nudged_turn", sa.Integer),
    sa.column("rematch_id", sa.BigInteger),
)


def upgrade() -> None:
    op.add_column("tables", sa.Column("nudged_turn", sa.Integer()))
    op.add_column("tables", sa.Column("rematch_id", sa.BigInteger()))
    connection = op.get_bind()
    # Rows that hold something else than version 0001 wrote stay as they are, to be found by a check of the database.
    rows = connection.execute(sa.select(tables.c.id, sa.cast(tables.c.outcome, sa.Text), sa.cast(tables.c.offers, sa.Text)))
    for table_id, outcome, offers in rows.all():
        changes = _result(_json(outcome)) | _offers(_json(offers))
        if changes:
            connection.execute(sa.update(tables).where(tables.c.id == table_id).values(changes))


def _json(text: str | None) -> Any:
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return None


def _result(outcome: Any) -> dict[str, Any]:
    if not isinstance(outcome, dict) or not isinstance(outcome.get("rematch"), int):
        return {}
    rest = {key: value for key, value in outcome.items() if key != "rematch"}
    return {"outcome": rest, "rematch_id": outcome["rematch"]}


def _offers(offers: Any) -> dict[str, Any]:
    if not isinstance(offers, dict) or not offers or not isinstance(offers.get("nudged", 0), int):
        return {}
    standing = {kind: offer for kind, offer in offers.items() if kind != "nudged"}
    if isinstance(standing.get("substitute"), dict):
        standing["substitute"] = {key: value for key, value in standing["substitute"].items() if key != "version"}
    return {"offers": standing, "nudged_turn": offers.get("nudged")}
