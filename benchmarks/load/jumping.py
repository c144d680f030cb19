"""Runs a script under a clock that jumps, so that a bot lives through hours in seconds.

`python -P jumping.py CLOCK SCRIPT [ARGUMENTS]` is a script of its own, as the launcher is. CLOCK is the file of a
`Clock`, which other processes may follow. For each line of standard input, a number of
seconds, the clock jumps that far, or only to the event loop's next timer. So each timer fires in its turn and at its time.
After each jump, an empty line is written to standard output.

`time.time`, `time.monotonic` and the event loop's time jump. `time.perf_counter`, which discord.py uses for the gateway's
heartbeats, threads that wait, and child processes go on in real time.
"""

import asyncio
import mmap
import runpy
import struct
import sys
import time
from pathlib import Path
from typing import Final

SECONDS: Final = struct.Struct("d")
"""The format of a clock's file, which is the number of seconds that time has jumped so far."""


class Clock:
    """A clock that jumps. Processes that have made theirs from the same file follow one another.

    Args:
        file: its file, which is made unless there is one.
    """

    def __init__(self, file: Path) -> None:
        if not file.exists():
            file.write_bytes(SECONDS.pack(0.0))
        with file.open("r+b") as opened:
            self._memory = mmap.mmap(opened.fileno(), SECONDS.size)
        self.file = file.absolute()
        self._wall = time.time

    def __call__(self) -> float:
        """Return the time in seconds since the epoch."""
        return self._wall() + self.ahead

    @property
    def ahead(self) -> float:
        """By how many seconds the clock is ahead of the machine's."""
        return float(SECONDS.unpack_from(self._memory)[0])

    def jump(self, seconds: float) -> None:
        SECONDS.pack_into(self._memory, 0, self.ahead + seconds)


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop that makes a clock jump when it is told to on standard input."""

    _scheduled: list[asyncio.TimerHandle]

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self.add_reader(sys.stdin, self._jump)

    def _jump(self) -> None:
        line = sys.stdin.readline()
        if not line:
            self.remove_reader(sys.stdin)
            return
        seconds = float(line)
        if self._scheduled:
            seconds = min(seconds, max(0.0, self._scheduled[0].when() - self.time()))
        self._clock.jump(seconds)
        print(flush=True)


def main(file: str, script: str, *arguments: str) -> None:
    """Run a script with these arguments."""
    clock, monotonic = Clock(Path(file)), time.monotonic
    time.time = clock
    time.monotonic = lambda: monotonic() + clock.ahead
    asyncio.events.new_event_loop = lambda: JumpingLoop(clock)
    sys.argv = [script, *arguments]
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
