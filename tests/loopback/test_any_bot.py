"""The loopback serves any bot: its page's example runs, and it grants all that Springboard needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from bot.invitation import PERMISSIONS
from loopback import guilds

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_example_on_its_page_runs() -> None:
    example = (ROOT / "loopback" / "README.md").read_text("utf-8").partition("```python\n")[2].partition("```")[0]
    done = subprocess.run([sys.executable, "-c", example], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def test_a_new_server_grants_all_that_the_bot_asks_for() -> None:
    assert guilds.PERMISSIONS >= PERMISSIONS
