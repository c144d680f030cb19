"""What only a few places in the bot make: no table, seat or analysis is invented to show a position."""

import ast
from collections import defaultdict
from pathlib import Path
from typing import Final

import bot

MADE_IN: Final = {
    "Table": {"core/lobby.py", "features/matchmaking/clock.py", "features/tournaments/clock.py", "features/verify/logbook.py"},
    "Seat": {
        "core/lobby.py",
        "core/table/computer_players.py",
        "features/matchmaking/clock.py",
        "features/tournaments/clock.py",
    },
    "Snapshot": {
        "core/core.py",
        "core/listing.py",
        "core/lobby.py",
        "features/matchmaking/clock.py",
        "features/stats/ratings.py",
        "features/today/service.py",
        "features/tournaments/clock.py",
        "features/verify/messages.py",
        "features/verify/service.py",
    },
    "Analysis": {"features/analysis/tree.py"},
}
"""The classes, and where they are made: tables are opened, or read from the database or a file; people begin analyses."""


def test_nothing_is_made_elsewhere() -> None:
    root, found = Path(*bot.__path__), defaultdict(set)
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MADE_IN:
                found[node.func.id].add(path.relative_to(root).as_posix())
    assert found == MADE_IN
