"""Nobody invents a table to show a position, or builds a second kind of menu: such objects are made in few places."""

import ast
from pathlib import Path
from typing import Final

import bot

MADE_IN: Final = {
    "Table": {"features/matchmaking/clock.py", "features/tournaments/clock.py", "features/verify/logbook.py"},
    "Seat": {"features/matchmaking/clock.py", "features/tournaments/clock.py"},
    "Snapshot": {
        "features/matchmaking/clock.py",
        "features/stats/ratings.py",
        "features/today/service.py",
        "features/tournaments/clock.py",
        "features/verify/messages.py",
        "features/verify/service.py",
    },
    "Analysis": {"features/analysis/tree.py"},
    "Menu": {"messages/panel.py"},
}
"""Classes, and where outside the core they are made: for tables that are opened, or read from the database or a file."""


def test_nothing_is_made_elsewhere() -> None:
    root, found = Path(*bot.__path__), set[tuple[str, str]]()
    for path in root.rglob("*.py"):
        where = path.relative_to(root).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            made = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if where not in MADE_IN.get(made, {where}) and not where.startswith("core/"):
                found.add((made, where))
    assert not found
