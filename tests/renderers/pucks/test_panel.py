"""What stands beside the rink of Puck Bumpers."""

from dataclasses import replace
from typing import Any

from engines.pucks.board.box import box
from tests.renderers.pixels import change, drawn
from tests.renderers.pucks.drawing import pictured
from tests.renderers.samples.pucks import GAME, OLD_SCRUM, SCRUM
from tests.renderers.scenes import lying


def test_cards_in_force_piles_and_actions_are_shown():
    base = lying(GAME, SCRUM).view
    changes: tuple[dict[str, Any], ...] = (
        {}, {"draw_rule": 4, "edge": ("draw-4", "take-3", "thin-ice")},
        {"action_rule": 5, "edge": ("draw-2", "take-5", "thin-ice")},
        {"ongoing": "slush", "edge": ("draw-2", "take-3", "slush")},
        {"draw_pile": 14}, {"draw_pile": 0}, {"discard": base.discard[:-1]}, {"discard": ()}, {"taken": 2}, {"allowed": 12},
        {"direction": -1}, {"whole": False}, {"borrowed": (2,)}, {"hand_sizes": (5, 3, 2, 4)}, {"winning": 1},
    )  # fmt: skip
    assert len({pictured(replace(base, **one)).tobytes() for one in changes}) == len(changes)


def test_old_school_has_no_cards_and_shows_how_many_actions_are_taken():
    sample = lying(GAME, OLD_SCRUM)
    assert box().games["old-school"].cards is False
    left, top, right, bottom = change(drawn(sample), drawn(replace(sample, view=replace(sample.view, taken=1))))
    assert (right - left, bottom - top) < (40, 40)


def test_a_view_without_cards_has_no_panel():
    view = lying(GAME, SCRUM).view
    untold = replace(view, hand=(), hand_sizes=())
    piles = replace(untold, draw_pile=3, discard=(), draw_rule=4, edge=("draw-4",))
    assert pictured(view).tobytes() != pictured(untold).tobytes()
    assert pictured(untold).tobytes() == pictured(piles).tobytes()
