"""A worker lives exactly as long as the bot, however busy it is and whoever started it."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.marks import quick_first

WAIT_LIMIT = 60
"""Seconds to wait for what comes at once."""

BOT = """
import asyncio, sys
from pathlib import Path
from bot.workers.worker import Worker
from tests.bot import worker_calls as calls
started = Path(sys.argv[1])

async def main():
    busy = asyncio.create_task(Worker("testing").call(calls.{busy}, started))
    while not started.exists():
        await asyncio.sleep(0.01)
    print("busy", flush=True)
    await busy

asyncio.run(main())
"""
"""A bot whose worker is busy until it is killed."""

STARTED_TOO_LATE = """
import os
from bot.workers.child import main
from tests.marks import quick_first
main(os.getppid() + 1)
"""
"""A worker whose parent is already gone."""


@pytest.mark.parametrize("busy", quick_first(1, ["computing", "deaf", "computing_elsewhere"]))
def test_a_busy_worker_ends_with_a_bot_that_is_killed(tmp_path: Path, busy: str) -> None:
    command = [sys.executable, "-c", BOT.format(busy=busy), str(tmp_path / "started")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as bot:
        assert bot.stdout is not None
        assert bot.stdout.readline() == b"busy\n"
        worker = os.pidfd_open(int((tmp_path / "started").read_text()))
        try:
            bot.kill()
            assert ended(worker, WAIT_LIMIT), "it is still busy"
            assert bot.stdout.read() == b"", "whoever waits for the end of what the bot prints comes to it"
        finally:
            if not ended(worker, 0):
                signal.pidfd_send_signal(worker, signal.SIGKILL)
            os.close(worker)


def ended(process: int, seconds: float) -> bool:
    return bool(select.select([process], [], [], seconds)[0])


def test_a_worker_that_was_started_by_a_bot_that_is_gone_ends_at_once() -> None:
    with subprocess.Popen([sys.executable, "-c", STARTED_TOO_LATE], stdin=subprocess.PIPE) as worker:
        try:
            assert worker.wait(WAIT_LIMIT) == 0
        finally:
            worker.kill()
