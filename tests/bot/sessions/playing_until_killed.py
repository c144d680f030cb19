"""Runs a process that plays until it is killed, and says line by line what it asks for and what is on the disk."""

import subprocess
import sys
from pathlib import Path


def play_until_killed(module: str, database: Path, *arguments: str, lines: int) -> list[list[str]]:
    """Let a process play until it has said so many lines, and kill it at once. Returns the words of each line that is whole.

    Args:
        module: what the process runs: a module of this folder that says "up" when it begins.
        database: the file in which it plays.
        arguments: further arguments of the module.
        lines: after how many lines it is killed.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", f"tests.bot.sessions.{module}", str(database), *arguments],
        cwd=Path(__file__).parents[3],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "up\n", process.stderr.read()
    said = [process.stdout.readline() for _ in range(lines)]
    process.kill()
    # Not with communicate(), which does not see what was read ahead.
    rest, complaints = process.stdout.read(), process.stderr.read()
    process.wait()
    assert process.returncode == -9, complaints
    return [line.split() for line in (*said, *rest.splitlines(keepends=True)) if line.endswith("\n")]
