"""Every packaged puzzle as its solver reads it: the question at each step, and whether the reasons fit."""

import re
from collections.abc import Iterator

import pytest

from bot.features.puzzles.messages import puzzle_panel
from bot.features.puzzles.solving import Solving, first_attempt
from bot.features.puzzles.wanted import Wanted
from bot.i18n.language import language
from bot.messages.picking import Pick
from engines.bunny.field import DIRECTIONS as HOPS
from engines.game import Token
from engines.pucks.board.board import DIRECTIONS as SLIDES
from engines.values import replace
from opponents.puzzles.collection import packaged
from opponents.puzzles.puzzle import Puzzle
from tests.bot.puzzle_reasons import READ, end, plausible, question, spread, words, wrong
from tests.opponents.puzzles.brief import search_briefly

MOST: int = 3500
"""The most characters of a message, so that the names of people and a longer language fit, too; Discord allows 4,000."""

ALL = list(packaged().puzzles.values())
ENGLISH, GERMAN = language("en"), language("de")


def kind_of(puzzle: Puzzle, picked: Pick) -> str:
    """What the buttons of a step offer."""
    offered = {item.choice.token for item in (*picked.items, *picked.going_on)}
    if picked.whole:
        return "play it"
    if puzzle.game == "bouncers":
        return ("piece", "where to")[len(picked.prefix)] if len(picked.prefix) < 2 else "on or stop"
    if puzzle.game == "bunny":
        return "direction" if offered <= set(HOPS) else "way in"
    if picked.prefix[:1] == ("play",):
        return "card" if len(picked.prefix) == 1 else "target"
    return "direction" if offered <= set(SLIDES) else "anything"


ASKED = {
    ("bouncers", "piece"): r"Which (piece bounces|piece moves|king moves)\?",
    ("bouncers", "where to"): r"Where does (\w+ bounce to|king \w+ go)\?",
    ("bouncers", "on or stop"): r"(Keep bouncing|Keep capturing|Capture|One more step), or stop here\?",
    ("bunny", "direction"): r"Which way do you hop\?", ("bunny", "way in"): r"Where does your Bunny hop in\?",
    ("pucks", "anything"): r"(What’s your move\? \d actions? left\.|No actions left\. Play a card, or end your turn\?)",
    ("pucks", "direction"): r"Which way does (puck|ice block|meeple) \d go\?", ("pucks", "card"): r"Which card\?",
    ("pucks", "target"): r"[A-Z][^?]+\?", ("bouncers", "play it"): r".+ → .+\?",
    ("bunny", "play it"): r"Hop (left|right|up|down|in on \w+)\?", ("pucks", "play it"): r"(Slide puck|Move|Play) .+\?",
}  # fmt: skip
"""How each question begins, by what is asked."""


def steps(puzzle: Puzzle) -> Iterator[tuple[Pick, str]]:
    """Every step on the way through a puzzle: the pick and the question."""
    for count, action in enumerate(puzzle.own):
        attempt = replace(first_attempt(puzzle, 1, "Ann", 1, 0.0), played=puzzle.own[:count])
        panel = puzzle_panel(Solving(puzzle, attempt), Wanted(), ENGLISH)
        tokens: tuple[Token, ...] = ()
        while True:
            picked = panel.pick(tokens)
            assert picked is not None
            (asked,) = re.findall(r"\*\*(.+?)\*\*", panel.question(panel.picking(picked, 0)))
            yield picked, asked
            longer = action[: 1 + max(len(tokens), len(picked.prefix))]
            if longer == tokens:
                break
            tokens = longer


@pytest.mark.parametrize("puzzle", ALL, ids=lambda puzzle: puzzle.name)
def test_every_question_matches_its_buttons(puzzle: Puzzle) -> None:
    found = [(kind_of(puzzle, picked), picked, asked) for picked, asked in steps(puzzle)]
    for kind, picked, asked in found:
        assert re.fullmatch(ASKED[puzzle.game, kind], asked), (picked.prefix, asked)
        if asked.startswith("Which king"):
            assert all(item.choice.label == f"king {item.choice.token}" for item in picked.items)


@pytest.mark.slow
@pytest.mark.parametrize("place", range(READ))
async def test_the_puzzles_that_are_read_say_why_in_words_and_fit_into_messages(
    place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    search_briefly(monkeypatch)
    puzzle = spread()[place]
    action = plausible(puzzle)
    for own in (ENGLISH, GERMAN):
        messages = [await question(puzzle, own), await wrong(puzzle, action, own), await end(puzzle, own)]
        assert all(len(words(message)) < MOST for message in messages)
    reason = words(await wrong(puzzle, action, ENGLISH)).partition("I’ve taken it back.")[2].strip().splitlines()[0]
    assert len(reason.split()) > 5
    assert "%" not in reason, "figures come second"


def test_as_many_are_read_as_are_judged_and_of_all_games_and_variants() -> None:
    read = spread()
    assert len({puzzle.name for puzzle in read}) == READ
    every, kinds = ({(puzzle.game, puzzle.variant, puzzle.goal) for puzzle in puzzles} for puzzles in (ALL, read))
    assert every - kinds == set()
