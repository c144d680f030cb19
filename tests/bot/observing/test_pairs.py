"""Nothing others can observe in Puck Bumpers depends on somebody's cards, in a thousand pairs of games (pairs.py)."""

from collections import Counter
from pathlib import Path

import pytest

from engines.pucks import Pucks
from tests.bot.observing.pairs import compare

PAIRS, CHUNK = 1000, 50
SLOW = 20
"""How many pairs the slow tests play. The quick tests play a part of them."""


@pytest.mark.slow
async def test_others_see_the_same_in_the_first_pairs(tmp_path: Path, pictures_as_drawn_from: None) -> None:
    assert sum(one.steps for one in await compare(tmp_path, Pucks, range(2))) > 8


@pytest.mark.parametrize("pairs", [
    pytest.param(range(SLOW), marks=pytest.mark.slow, id="first"),
    *(
        pytest.param(range(first, first + CHUNK), marks=pytest.mark.proof, id=str(first))
        for first in range(0, PAIRS, CHUNK)
    ),
])  # fmt: skip
async def test_others_see_the_same_whatever_somebody_holds(tmp_path: Path, pairs: range, pictures_as_drawn_from: None) -> None:
    found = await compare(tmp_path, Pucks, pairs)
    ended = Counter(one.why for one in found)
    assert len(found) == len(pairs)
    assert sum(one.steps for one in found) > 5 * len(pairs), f"they part too soon to tell anything: {ended}"
    assert sum(one.waited for one in found) > len(pairs) // 25, "in some, others are asked whether they whistle"
