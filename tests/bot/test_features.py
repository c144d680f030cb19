"""Features are listed where the core, router, outbox and commands find them, and act in a fixed order."""

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from dataclasses import fields
from types import ModuleType
from typing import Final

import pytest

from bot import commands, features, parts, registry
from bot.core.parts import Occasion, Part
from storage.schema.records import Table
from tests.storage.samples import a_table

ORDER: Final = (
    "plans", "watching", "next", "offers", "computers", "stats", "ladders", "posts", "matchmaking", "puzzles", "tournaments",
    "analysis",
)  # fmt: skip
"""The parts in the order in which they act."""

ACT: Final = {
    "occasion": ("ladders", "matchmaking", "tournaments"), "keeper": ("posts", "matchmaking", "tournaments", "analysis"),
    "answers": ("plans",), "started": ("computers",), "advanced": ("watching", "next", "offers", "computers"),
    "offered": ("computers",), "ended": ("offers", "stats"), "forgotten": ("puzzles", "tournaments"),
}  # fmt: skip
"""Who acts at which hook, in order. The table's occasion comes last when a game ends."""


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(features.__path__, f"{features.__name__}."):
        yield importlib.import_module(found.name)


def test_the_parts_act_in_this_order() -> None:
    for part in parts.PARTS:
        acts = [field.name for field in fields(part) if field.name != "name" and getattr(part, field.name)]
        sys.stdout.write(f"{part.name}: {', '.join(acts)}\n")
    assert tuple(part.name for part in parts.PARTS) == ORDER
    acting = {field.name: tuple(part.name for part in parts.PARTS if getattr(part, field.name)) for field in fields(Part)}
    assert {name: acting for name, acting in acting.items() if name != "name"} == ACT


@pytest.mark.parametrize(("name", "entered"), [
    ("HANDLERS", registry.HANDLERS.values()), ("COMMANDS", commands.COMMANDS), ("JOBS", registry.JOBS), ("PART", parts.PARTS),
])  # fmt: skip
def test_whatever_a_feature_offers_is_entered(name: str, entered: object) -> None:
    known = {id(one) for one in entered}  # type: ignore[attr-defined]
    for module in modules():
        offered = getattr(module, name, None)
        if offered is None or module.__name__.endswith("posts.settings"):
            continue
        ours = offered if isinstance(offered, tuple) else (offered,)
        assert {id(one) for one in ours} <= known, f"{module.__name__}.{name} is not entered"


@pytest.mark.parametrize(
    ("table", "occasion"),
    [(a_table(), 0), (a_table(matched=True), 1), (a_table(ladder=True), 1), (a_table(event_id=1), 1)],
    ids=["usual", "matched", "ladder", "tournament"],
)
def test_a_table_has_one_occasion_at_most(table: Table, occasion: int) -> None:
    occasions = [part.occasion for part in parts.PARTS if part.occasion is not None]
    assert sum(one.is_of(table) for one in occasions) == occasion
    assert Occasion().is_of(table)
