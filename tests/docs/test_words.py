"""The pages stay short enough to be read."""

import re
import subprocess
from pathlib import Path
from typing import Final

import pytest

from docs.site.links import ROOT

MOST_WORDS: Final = 35_000
MOST_WORDS_OF_THE_README: Final = 1_300
UNCOUNTED: Final = re.compile(
    r"docs/faults\.md|engines/\w+/rules\.md|bot/i18n/locales/[\w-]+/rules/\w+\.md|(CHANGELOG|PRIVACY|TERMS|SECURITY|CODE_OF_CONDUCT)\.md"
)
"""A page that a test writes, the rules of the games, the changelog, and what the law or a platform asks for."""


def words(page: Path) -> int:
    return len(page.read_text(encoding="utf-8").split())


def test_all_pages_together_can_be_read_in_an_afternoon() -> None:
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is no checkout of git")
    pages = [name for name in listed.stdout.split("\0") if name and not UNCOUNTED.fullmatch(name)]
    longest = sorted(((words(ROOT / name), name) for name in pages if (ROOT / name).exists()), reverse=True)
    assert sum(count for count, _ in longest) <= MOST_WORDS, f"the longest: {longest[:8]}"


def test_the_readme_can_be_read_in_five_minutes() -> None:
    assert words(ROOT / "README.md") <= MOST_WORDS_OF_THE_README
