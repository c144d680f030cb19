"""No text for people bypasses the catalogues."""

from pathlib import Path

import pytest

from tests.bot.wording import ROOT, SOURCES, bypasses, computed_templates

ADVICE = "Say these with engines.text.say, with no words in its placeholders but those of say, seat_name and plain:"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_words_for_people_bypass_the_catalogues(path: Path) -> None:
    found = [*bypasses(path), *computed_templates(path)]
    assert not found, "\n".join([ADVICE, *map(str, found)])


@pytest.mark.parametrize("code", [
    'builder.text("Hello")',
    'builder.text(f"Table {n}")',
    'button("Move", click)',
    'raise Refused(f"There is no {what}")',
    'Event("move", seat, "Red moves.")',
    'Event("move", seat, say("{who} moves", who="Red"))',
    'Choice("up", label="Up", final=True)',
    'Choice("up", "Up" if way else "Down", final=True)',
    'Outcome((), {1: "nobody", 2: "both"}[n])',
    'context.tell(language(plain("Done")))',
    'text = "You cannot do that."',
    'write(image, at, "wins", face, size)',
    'join(["Red", "Blue"], " and ")',
    "say(words)",
    'say("You have " + what)',
])  # fmt: skip
def test_words_that_bypass_the_catalogues_are_found(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bot.wording.ROOT", tmp_path)
    (tmp_path / "module.py").write_text(code, encoding="utf-8")
    assert [*bypasses(tmp_path / "module.py"), *computed_templates(tmp_path / "module.py")]


@pytest.mark.parametrize(
    "code",
    [
        'builder.text(language(say("Hello")))',
        'builder.text(f"{MARKS[seat]} <@{user}> {name}")',
        'button(language(say("Move")), Click("move", 1).custom_id, style)',
        'raise Refused(say("There is no {what}.", what=plain(what)))',
        'log.info("a thing happened", what=1)',
        'raise ValueError("this cannot be")',
        'def function():\n    """What it does."""',
        'assert seat, "somebody sits there"',
        'Choice("up", say("Up"), final=True)',
        'tree.command(name="board", description="See the board")',
    ],
)
def test_what_nobody_reads_and_what_is_said_is_no_bypass(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bot.wording.ROOT", tmp_path)
    (tmp_path / "module.py").write_text(code, encoding="utf-8")
    assert not [*bypasses(tmp_path / "module.py"), *computed_templates(tmp_path / "module.py")]
