"""The game of docs/adding-a-game.md, added to a copy of the program as the page says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engines.game import Game

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`([\w/.]+)`[^\n]*:\n\n```\w+\n(.*?)```$", PAGE, re.MULTILINE | re.DOTALL))
GAME = "engines/dribble/__init__.py"
REGISTRY = "engines/__init__.py"
LINES_AT_MOST = 60
FILES_AT_MOST = 6


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with the example: what the example changes is copied, everything else is linked."""
    folder = tmp_path_factory.mktemp("example")
    for entry in ROOT.iterdir():
        if entry.name in {"engines", "tests"}:
            shutil.copytree(entry, folder / entry.name, ignore=shutil.ignore_patterns("*.png"))
        elif not entry.name.startswith("."):
            (folder / entry.name).symlink_to(entry)
    for path, text in FILES.items():
        target = folder / path
        if path == REGISTRY:
            target.write_text(with_lines(target.read_text(encoding="utf-8"), text), encoding="utf-8")
        else:
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
    run(folder, "-m", "tests.engines.playthrough", "--write", "dribble")
    return folder


def with_lines(text: str, added: str) -> str:
    """A file with each line that begins with ``+`` put below the line above it on the page."""
    above = ""
    for line in added.splitlines():
        if line.startswith("+"):
            assert text.count(f"{above}\n") == 1
            text = text.replace(f"{above}\n", f"{above}\n{line[1:]}\n")
        above = line[1:]
    return text


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env={**os.environ, "PYTHONPATH": str(folder)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_tests(folder: Path, *files: str) -> int:
    """Run the tests of these files that are about the example, and return how many passed."""
    told = run(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "-k", "dribble", *files)
    passed = re.search(r"(\d+) passed", told)
    assert passed is not None, told
    return int(passed[1])


def test_the_page_shows_a_whole_game_in_few_files_and_few_lines():
    assert set(FILES) == {GAME, "engines/dribble/rules.md", REGISTRY}
    assert len(FILES) + 1 <= FILES_AT_MOST, "the written game is a file, too"
    assert len([line for line in FILES[GAME].splitlines() if line.strip()]) <= LINES_AT_MOST


def test_it_has_no_methods_but_those_that_a_game_has_to_have():
    methods = set(re.findall(r"^    def (\w+)", FILES[GAME], re.MULTILINE))
    assert methods == set(Game.__abstractmethods__)


@pytest.mark.slow
def test_it_keeps_the_contract_of_all_games(copy: Path):
    files = (
        "test_registry.py", "test_contract.py", "test_contract_actions.py", "test_contract_orders.py",
        "test_contract_protocols.py", "test_contract_secrets.py", "test_contract_states.py", "test_playthroughs.py",
    )  # fmt: skip
    assert run_tests(copy, *(f"tests/engines/{file}" for file in files), "tests/engines/test_contract_chance.py") > 40


@pytest.mark.slow
def test_it_can_be_played_in_discord_to_its_end_with_pictures_and_computers(copy: Path):
    files = ("tests/bot/test_any_game.py", "tests/bot/messages/test_rulebook.py")
    assert run_tests(copy, *files, "tests/renderers/test_contract.py", "tests/opponents/test_every_opponent.py") > 10


@pytest.mark.slow
def test_nothing_that_is_tested_of_all_games_fails_with_it(copy: Path):
    assert run_tests(copy, "tests/engines", "tests/opponents", "tests/renderers", "tests/bot/i18n", "tests/bot/messages") > 100
