"""A profile of a bot. py-spy (`pip install py-spy`) samples its threads and children at short intervals while it works."""

import asyncio
import contextlib
import signal
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Final

RATE: Final = 100
"""The number of samples a second."""


@contextlib.asynccontextmanager
async def spied(pid: int, file: Path | None) -> AsyncIterator[None]:
    """Write the stacks that a process and its children have during the block to a file. Without a file, do nothing."""
    if file is None:
        yield
        return
    spy = await asyncio.create_subprocess_exec(
        "py-spy", "record", "--pid", str(pid), "--subprocesses", "--function", "--format", "raw", "--rate", str(RATE),
        "--full-filenames", "--output", str(file), stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield
    finally:
        spy.send_signal(signal.SIGINT)
        await spy.wait()


def summary(file: Path, most: int = 60) -> Iterator[str]:
    """Yield the functions that took most of the time, with their shares of it, alone and including what they call."""
    alone: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for line in file.read_text(encoding="utf-8").splitlines():
        stack, _, count = line.rpartition(" ")
        frames = stack.split(";")
        alone[frames[-1]] += int(count)
        whole.update(dict.fromkeys(frames, int(count)))
    seen = alone.total() or 1
    for title, counts in (("by itself", alone), ("with what it calls", whole)):
        yield f"{seen} samples; the share of each function {title}:"
        yield from (f"{count / seen:8.2%}  {frame}" for frame, count in counts.most_common(most))
