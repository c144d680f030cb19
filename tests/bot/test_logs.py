"""The log has lines of our own and of libraries alike, and no secret in any of them."""

import io
import json
import logging
import sys
import warnings
from collections.abc import Iterator

import pytest
import structlog

from bot import logs
from bot.config import Format, LogLevel

SECRET = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.Gabcde.abcdefghijklmnopqrstuvwxyz-_0123456789"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level, hook = root.handlers[:], root.level, sys.excepthook
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    sys.excepthook = hook
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()


def stumble() -> None:
    raise ValueError(f"401 for {SECRET}")


def talk() -> None:
    """Log the secret in every way a program can."""
    ours, theirs = structlog.get_logger("bot"), logging.getLogger("discord.http")
    ours.info(f"logging in with {SECRET}")
    ours.info("logging in", token=SECRET, nested={"list": [SECRET]}, header=f"Bot {SECRET}".encode())
    theirs.warning("logging in with %s", SECRET)
    theirs.warning("logging in", extra={"token": SECRET})
    warnings.warn(f"old token {SECRET}", stacklevel=1)
    for say in (ours.exception, theirs.exception):
        try:
            stumble()
        except ValueError:
            say("failed")
    try:
        stumble()
    except ValueError:
        sys.excepthook(*sys.exc_info())


@pytest.mark.parametrize("form", list(Format))
def test_a_secret_is_blotted_out_wherever_it_is_said(form: Format) -> None:
    stream = io.StringIO()
    logs.configure(LogLevel.DEBUG, form, secrets=[SECRET], to=stream)
    talk()
    text = stream.getvalue()
    assert SECRET not in text
    assert SECRET.split(".")[2] not in text
    assert text.count(logs.BLOT) >= 9
    assert text.count("ValueError: 401 for [secret]") == 3


def test_lines_for_programs_are_json_with_the_same_keys_for_everybody() -> None:
    stream = io.StringIO()
    logs.configure(LogLevel.INFO, Format.JSON, to=stream)
    structlog.get_logger("bot").info("table opened", table=7, who="Émile")
    logging.getLogger("discord.gateway").info("Shard ID %s has connected.", 3)
    ours, theirs = (json.loads(line) for line in stream.getvalue().splitlines())
    assert {key: ours[key] for key in ("event", "level", "logger", "table", "who")} == {
        "event": "table opened", "level": "info", "logger": "bot", "table": 7, "who": "Émile",
    }  # fmt: skip
    assert (theirs["event"], theirs["level"], theirs["logger"]) == ("Shard ID 3 has connected.", "info", "discord.gateway")
    assert ours["timestamp"].endswith("Z")


def test_what_is_less_urgent_is_dropped() -> None:
    stream = io.StringIO()
    logs.configure(LogLevel.WARNING, Format.CONSOLE, to=stream)
    structlog.get_logger("bot").info("unheard")
    logging.getLogger("discord").info("unheard")
    logging.getLogger("alembic").debug("unheard")
    structlog.get_logger("bot").warning("heard")
    (line,) = stream.getvalue().splitlines()
    assert "heard" in line


def test_without_a_terminal_lines_are_for_programs() -> None:
    stream = io.StringIO()
    logs.configure(LogLevel.INFO, to=stream)
    structlog.get_logger("bot").info("hello")
    assert json.loads(stream.getvalue())["event"] == "hello"
