"""Without the folder and entries of a feature the program works, and lacks only its buttons."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
FEATURE: Final = "sharing"
ENTERED: Final = ("bot/registry.py",)
"""The only files outside its folder that name it."""

PRESSED: Final = (
    "tests/bot/features/computers/test_playing.py::test_a_game_of_ones_own_can_be_found_again_and_shared",
    "tests/bot/features/replays/test_ending.py::test_a_private_replay_is_shared_once_and_as_everybody_may_see_it",
    "tests/bot/features/replays/test_ending.py::test_it_is_shared_only_where_one_may_post",
)
"""Tests of others that press its buttons."""

ABOUT_IT: Final = (
    "tests/bot/i18n/test_catalogues.py::test_the_list_of_texts_is_that_of_the_code",
    f"tests/bot/{Path(__file__).name}",
)
"""Tests that look for its texts and entries."""


def without(text: str) -> str:
    """A list of features without this one's imports and names."""
    lines = [line for line in text.split("\n") if f"bot.features.{FEATURE}" not in line and f"as {FEATURE}" not in line]
    return re.sub(rf"\b({FEATURE}|{FEATURE.upper()}), ", "", "\n".join(lines))


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program without the feature and its tests. What does not change is linked."""
    folder = tmp_path_factory.mktemp("without")
    for entry in ROOT.iterdir():
        if entry.name in {"bot", "tests"}:
            shutil.copytree(entry, folder / entry.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif entry.name not in {".git", ".venv"}:
            (folder / entry.name).symlink_to(entry)
    for package in ("bot", "tests/bot"):
        shutil.rmtree(folder / package / "features" / FEATURE)
    for path in ENTERED:
        target = folder / path
        target.write_text(without(target.read_text(encoding="utf-8")), encoding="utf-8")
    return folder


def passing(folder: Path, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments], cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr


def test_only_its_entries_name_it() -> None:
    files = (path for path in (ROOT / "bot").rglob("*.py") if FEATURE not in path.parts)
    naming = {str(path.relative_to(ROOT)) for path in files if f"bot.features.{FEATURE}" in path.read_text(encoding="utf-8")}
    assert naming == set(ENTERED)


@pytest.mark.slow
def test_people_play_without_it(copy: Path) -> None:
    passing(copy, "tests/bot/features/playing/test_playing.py", "tests/bot/features/reviews/test_slips.py")


@pytest.mark.proof
def test_the_quick_tests_of_the_bot_pass_without_it(copy: Path) -> None:
    passing(
        copy, "-n", "2", "-m", "not slow and not proof", "tests/bot", *(f"--deselect={test}" for test in (*PRESSED, *ABOUT_IT))
    )
