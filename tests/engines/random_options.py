"""Random tables of every game: variant, number of seats and options, listed values and free texts alike."""

from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st

from engines import GAMES
from engines.chance import Fair
from engines.game import Game
from engines.pucks.board.box import box
from engines.pucks.board.codes import write_code
from tests.engines.contract_games import possible
from tests.engines.pucks.boards import boards

_CARDS: Final = st.lists(st.sampled_from([*dict.fromkeys(box().deck), "mats", "quick"]), min_size=1, max_size=12)

FREE_TEXTS: Final[dict[tuple[str, str], st.SearchStrategy[str]]] = {
    ("pucks", "board"): boards().map(write_code) | st.text("BKkGnesw./", max_size=12),
    ("pucks", "without"): _CARDS.map("+".join) | st.text("mats+", max_size=6),
}
"""Free texts for the options that hold them, by game and name, most of them valid."""


@dataclass(frozen=True)
class RandomTable:
    """A table that somebody asks for, possible or not, at which `length` actions are played."""

    game: Game[Any, Any]
    variant: str
    seats: int
    options: dict[str, str]
    seed: int
    length: int

    def is_possible(self) -> bool:
        return possible(self.game, self.variant, self.seats, **self.options)

    def start(self) -> Any:
        return self.game.start(self.seats, self.variant, Fair(self.seed.to_bytes(32, "big")), **self.options)


@st.composite
def random_tables(draw: st.DrawFn) -> RandomTable:
    """Any table of any game. Games with more options come more often."""
    game = GAMES[draw(st.sampled_from([game_id for game_id, game in GAMES.items() for _ in range(1 + 4 * len(game.options))]))]
    options = {}
    for name, option in game.options.items():
        listed = st.sampled_from(option.values)
        if draw(st.booleans()):
            options[name] = draw(listed | FREE_TEXTS[game.id, name] if option.check else listed)
    length = draw(st.sampled_from([0, 2, 8, 25, 60, 120]))
    variant, seats = draw(st.sampled_from(game.variants)), draw(st.sampled_from(game.seats))
    return RandomTable(game, variant, seats, options, draw(st.integers(0, 2**32)), length)
