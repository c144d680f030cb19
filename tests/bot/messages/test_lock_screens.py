"""What phones show: each message that pings somebody begins with a sentence made for a lock screen. See lock_screens.py."""

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.i18n.language import Language, languages
from bot.messages import notification
from bot.messages.builder import plain_name
from bot.messages.notification import Notification
from engines import GAMES
from loopback.limits import lock_screen
from storage.schema.kinds import WaitEnd
from storage.schema.records import JobKind, News, OfferKind, PostKind
from tests.bot.messages.lock_screens import lines, shown_in

BOT = Path(notification.__file__).parents[1]

PINGS_NOBODY = {
    JobKind.REFRESH, JobKind.RETIRE, JobKind.LOBBY, JobKind.HURRIED, JobKind.REPLAY, JobKind.ANALYSIS, JobKind.DISMISSAL,
    JobKind.POST_EDIT, JobKind.EVENT,
}  # fmt: skip
"""The kinds of jobs that make no noise: they edit, post without a mention, or post nothing."""

AS_AN_INVITATION = {JobKind.OPENING}
"""The kinds of jobs whose message pings with the sentence of another kind."""


COUNTED = {JobKind.INVITATION, JobKind.OFFER, JobKind.NUDGE, JobKind.EVENT_ASK}
"""The kinds of jobs that ping somebody at another person's wish: `bot.core.pings` counts them."""

OF_ITSELF = {
    JobKind.BOARD: "normal play, or leaving a game, which `pings` counts and silences",
    JobKind.REMINDER: "comes with time, to who has not switched it off",
    JobKind.WATCH: "they have asked for it",
    JobKind.LETTER: "about what they have done themselves, or a game of theirs that cannot go on",
    JobKind.POST: "a role that people chose to have, once a day",
    JobKind.POST_REFUSED: "to the owner, once",
    JobKind.WAIT_OVER: "they have waited themselves",
    JobKind.CLOCK_DOUBTED: "to the owner, once",
    JobKind.SET_ASIDE: "once, about a game of theirs that cannot go on",
    JobKind.EVENT_CALL: "they have entered; once for each stage and round",
    JobKind.EVENT_LEFT: "they have entered; once",
    JobKind.EVENT_UNSEEN: "to the organiser; once for each stage and round",
}
"""The other kinds, and why nobody can use them to ping a person again and again."""


COUNTED_ELSEWHERE = {
    "tournaments.change.owe_question": "`ask`, its caller, counts it",
    "core.places.record_lobby_message": "counted when the table was opened",
    "core.opening.announce": "`Lobby` counts it; those who are put together wait for it themselves",
    "computers.service._offer_draw": "by a computer, once in many moves",
    "computers.service._answer_draw": "it answers whoever has offered",
}
"""The places that owe a job of these kinds without counting it, and why."""


@pytest.mark.slow
def test_every_ping_caused_by_somebody_else_is_counted() -> None:
    assert COUNTED | set(OF_ITSELF) | PINGS_NOBODY | AS_AN_INVITATION == set(JobKind)
    assert COUNTED.isdisjoint(OF_ITSELF)
    owed, counted = set[str](), set[str]()
    messages = {"messages", "handlers", "jobs", "commands"}
    services = [*(BOT / "core").rglob("*.py"), *(BOT / "features").rglob("*.py")]
    for path in (path for path in services if path.stem not in messages):
        for function in (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.AsyncFunctionDef)):
            where = f"{path.parent.name}.{path.stem}.{function.name}"
            for node in ast.walk(function):
                if isinstance(node, ast.Attribute) and node.attr in JobKind.__members__ and JobKind[node.attr] in COUNTED:
                    owed.add(where)
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"ping", "ping_if_allowed"}:
                    counted.add(where)
    assert owed - counted == set(COUNTED_ELSEWHERE)


def made_in_the_bot() -> Iterator[tuple[str, range]]:
    """Every place in the bot that makes a notification: its file and lines."""
    for path in BOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == Notification.__name__:
                yield str(path), range(node.lineno, (node.end_lineno or node.lineno) + 1)


@pytest.mark.slow
@pytest.mark.parametrize("language", languages().values(), ids=languages())
async def test_a_phone_shows_what_is_asked_for_every_kind_of_job(language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[str, int]] = []
    real = Notification.__init__

    def noted(self: Notification, *values: Any, **named: Any) -> None:
        frame = inspect.currentframe()
        assert frame is not None
        assert frame.f_back is not None
        made.append((frame.f_back.f_code.co_filename, frame.f_back.f_lineno))
        real(self, *values, **named)

    monkeypatch.setattr(Notification, "__init__", noted)
    found = await shown_in(language)
    kinds = [one.kind for one in found]
    assert {kind[0] for kind in kinds} | PINGS_NOBODY | AS_AN_INVITATION == set(JobKind), "a kind of job is missing"
    assert {kind[1] for kind in kinds if kind[0] is JobKind.BOARD} == set(GAMES)
    for job, every in (
        (JobKind.OFFER, OfferKind),
        (JobKind.LETTER, News),
        (JobKind.WAIT_OVER, WaitEnd),
        (JobKind.POST, PostKind),
    ):
        assert {kind[1] for kind in kinds if kind[0] is job} == set(every)
    unmade = [place for place, where in made_in_the_bot() if not any(file == place and line in where for file, line in made)]
    assert unmade == [], "a notification is made that is not among them"
    for one in found:
        assert list(lock_screen({"content": one.content})) == [], one
    print(*lines(found), sep="\n")  # noqa: T201 - to be read, with `pytest -s`


@pytest.mark.parametrize(("name", "shown"), [
    ("Ada", "Ada"), ("snake_case", "snake_case"), ("_Ada_ **B**", "ˍAdaˍ ∗∗B∗∗"), ("a`b|c\\d~e", "aˋbǀc∖d∼e"),
    ("<@123> @everyone", "‹@123› @\u200beveryone"), ("http://evil.example/a", "http:\u200b//evil.exampl…"), ("# Ada", "Ada"),
    ("1. Ada", "1․ Ada"), ("+ Ada", "Ada"), ("\u3164\u2800", "…"), ("\u202eadA", "adA"), (" \n", "…"),
    ("[Ada](x)", "［Ada］(x)"),
])  # fmt: skip
def test_a_name_has_no_markdown_on_a_lock_screen_and_no_backslash(name: str, shown: str) -> None:
    assert plain_name(name) == shown


def test_a_message_is_known_by_its_words_whatever_time_is_left() -> None:
    of_a_turn = Notification("Your turn.", lambda now: f"{now:.0f} h left.", ("<@1>",))
    assert of_a_turn.content(4, "More.") == "Your turn. 4 h left. <@1>\nMore."
    assert of_a_turn.stands_in(of_a_turn.content(3, "More."), "More.")
    assert not of_a_turn.stands_in(of_a_turn.content(3, "Other."), "More.")
    assert not of_a_turn.stands_in("Your turn. 4 h left. <@2>\nMore.", "More.")
    assert Notification("Ended.").stands_in("Ended.")
    assert not Notification("Ended.").stands_in("")
