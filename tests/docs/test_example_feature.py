"""The feature of docs/adding-a-feature.md, added to a copy of the program as the page says, and used there."""

import re
import shutil
from pathlib import Path

import pytest

from tests.engines.test_example_game import ROOT, run, with_lines

PAGE = (ROOT / "docs" / "adding-a-feature.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`([\w/.]+)`:\n\n```\w+\n(.*?)```$", PAGE, re.MULTILINE | re.DOTALL))
FOLDER = "bot/features/toss/"
LINES_AT_MOST = 60
ENTRIES_AT_MOST = 2

USED = '''
"""The toss, used."""

from tests.bot.conftest import world
from tests.bot.kit import World, reply

__all__ = ["world"]


async def test_two_people_toss_and_toss_again(world: World) -> None:
    shown = await world.ann.slash(world.channel, "toss", opponent=world.ben)
    assert "have tossed" in world.text(shown)
    again = await world.ben.click(reply(shown), label="Toss again")
    assert "begins" in world.text(again)
    refused = await world.cleo.click(reply(shown), label="Toss again")
    assert "between two others" in world.text(refused)
'''


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with the example: what the example changes is copied, everything else is linked."""
    folder = tmp_path_factory.mktemp("example")
    for entry in ROOT.iterdir():
        if entry.name in {"bot", "tests"}:
            shutil.copytree(entry, folder / entry.name, ignore=shutil.ignore_patterns("*.png", "__pycache__"))
        elif not entry.name.startswith("."):
            (folder / entry.name).symlink_to(entry)
    for path, text in FILES.items():
        target = folder / path
        if target.exists():
            target.write_text(with_lines(target.read_text(encoding="utf-8"), text), encoding="utf-8")
        else:
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, encoding="utf-8")
    (folder / "tests" / "bot" / "test_toss.py").write_text(USED, encoding="utf-8")
    return folder


def test_the_example_is_small_and_has_few_entries_outside_its_folder() -> None:
    own = [text for path, text in FILES.items() if path.startswith(FOLDER)]
    assert sum(1 for text in own for line in text.splitlines() if line.strip()) <= LINES_AT_MOST
    assert len(FILES) - len(own) <= ENTRIES_AT_MOST


@pytest.mark.slow
def test_people_can_use_the_example(copy: Path) -> None:
    run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/bot/test_toss.py")


@pytest.mark.slow
def test_the_example_keeps_the_rules_of_the_house(copy: Path) -> None:
    run(copy, "-c", "from importlinter.cli import lint_imports_command as lint; lint(['--no-cache'])")
