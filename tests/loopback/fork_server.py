"""Forks bots on request from a process that has everything imported.

`python -m tests.loopback.fork_server` reads lines of JSON. ``{"start": ADDRESS, "database": PATH OR URL, "log": PATH}``,
optionally with settings (``"environment"``) and ``"options"`` of `bot.process.serve`, is answered by a process id; ``{"await":
PID}`` by the exit status once there is one; ``{"look": PID}`` at once, by null if there is none. It forks before it has a loop
or thread.
"""

import json
import os
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from storage import migrations  # noqa: F401 so that no bot has to import it
from storage.schema.errors import StorageError
from tests.bot.command_line import TOKEN
from tests.loopback.bot_process import main as be_the_bot
from tests.loopback.world import nothing_drawn


def start(
    address: str,
    database: str,
    log: str,
    environment: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> int:
    pid = os.fork()
    if pid == 0:
        _be_a_bot(address, database, log, environment or {}, options or {})
    return pid


def _be_a_bot(address: str, database: str, log: str, environment: Mapping[str, str], options: Mapping[str, Any]) -> NoReturn:
    status = 1
    try:
        errors = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(errors, 1)
        os.dup2(errors, 2)
        os.environ |= {"DISCORD_TOKEN": TOKEN, "SPRINGBOARD_DATABASE": database, "SPRINGBOARD_LOG": "warning", **environment}
        os.chdir(Path(log).parent)
        with nothing_drawn():  # drawing takes long, and is no moment at which anything could be lost
            be_the_bot(address, options)
        status = 0
    except StorageError as error:  # as the command tells it
        sys.stderr.write(f"{error}\n")
    except BaseException:  # noqa: BLE001 this is the end of the process, whatever it is
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)


def ended(pid: int, *, wait: bool) -> int | None:
    """A process's exit status, or None if it is still running. `wait` until it ends."""
    found, status = os.waitpid(pid, 0 if wait else os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def main() -> None:
    for line in sys.stdin:
        asked: dict[str, Any] = json.loads(line)
        answer: int | None
        if "start" in asked:
            answer = start(asked.pop("start"), **asked)
        else:
            answer = ended(asked.get("await") or asked["look"], wait="await" in asked)
        sys.stdout.write(f"{json.dumps(answer)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
