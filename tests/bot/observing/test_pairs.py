"""Nothing that others can observe of Puck Bumpers depends on which cards somebody holds.

A thousand pairs of games that differ only in the cards of hidden hands are played side by side; see pairs.py.
"""

from collections import Counter
from pathlib import Path

import pytest

from engines.pucks import Pucks
from tests.bot.observing.pairs import compare

CHUNK, CHUNKS = 50, 20
SLOW = 1
"""How many chunks are looked at in the slow tests; in the quick ones it is a part of the first."""


async def test_others_see_the_same_in_the_first_pairs(tmp_path: Path, pictures_as_drawn_from: None) -> None:
    assert sum(one.steps for one in await compare(tmp_path, Pucks, range(5))) > 20


@pytest.mark.parametrize(
    "chunk", [pytest.param(number, marks=pytest.mark.slow if number < SLOW else pytest.mark.proof) for number in range(CHUNKS)]
)
async def test_others_see_the_same_whatever_somebody_holds(tmp_path: Path, chunk: int, pictures_as_drawn_from: None) -> None:
    found = await compare(tmp_path, Pucks, range(chunk * CHUNK, (chunk + 1) * CHUNK))
    ended = Counter(one.why for one in found)
    assert len(found) == CHUNK
    assert sum(one.steps for one in found) > 5 * CHUNK, f"they part too soon to tell anything: {ended}"
    assert sum(one.waited for one in found) > CHUNK // 25, "in some, others are asked whether they whistle"
