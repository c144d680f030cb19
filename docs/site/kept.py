"""The pages' pictures that are files: what they show, and whether they are up to date."""

from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from itertools import zip_longest
from math import inf
from typing import Final

from PIL import Image, ImageChops, ImageSequence

from benchmarks import page, plot
from docs.site.games import Played
from docs.site.links import ROOT
from engines import GAMES
from engines.chance import Fair
from renderers import draw
from renderers.replay import Limits, replay
from renderers.scene import Scene

REPLAY: Final = ROOT / "docs" / "pictures" / "replay.gif"
KEY: Final = sha256(b"r30").digest()
"""The key of the cards in the replay."""
ACTIONS: Final = (
    "enter g", "spy b3", "enter f", "swap g2 f3", "pass", "down", "pass", "up", "shock up",
    "spy b1", "down", "shock left", "up", "enter f", "swap e2 f4", "pass", "left",
)  # fmt: skip
"""The actions in the replay: Bounce Bunny Bounce, played by two computers."""

DISCORD: Final = ROOT / "docs" / "pictures" / "discord.png"
LOCK_SCREEN: Final = ROOT / "docs" / "pictures" / "lock-screen.png"
TURNS: Final = (("c2", "c3"), ("d7", "d6"), ("e2", "e3"), ("e7", "e6"), ("c3", "d4"))
"""The moves of Bouncers, by both players in turn, that lead to the picture of Discord."""
PICKED: Final = "d6"
"""The piece that the next player has picked in that picture."""
SHOWS: Final = "Shows"
"""The key under which that picture stores a digest of its contents."""


def replayed() -> bytes:
    """The replay of a whole game, as `/replay` draws it."""
    game = GAMES["bunny"]
    first = state = game.start(2, chance=Fair(KEY))
    steps = []
    for action in ACTIONS:
        (seat,) = game.to_act(state)
        steps.append((seat, game.play(state, seat, action.split())))
        state = steps[-1][1].state
    played = Played(game, first, steps)
    return replay(game.id, len(steps) + 1, played.shot, played.scene(), limits=Limits(seconds=inf, slowest=1100)).gif


def shown_in_discord() -> str:
    """A digest of the boards, and of the sandbox's styles, in the picture of Discord."""
    game, names = GAMES["bouncers"], ("Ann", "Ben")
    state, digest = game.start(2), sha256()
    for number, turn in enumerate(TURNS):
        step = game.play(state, number % 2, turn)
        state = step.state
    seat = len(TURNS) % 2
    options = tuple(game.choices(state, seat, (PICKED,)))
    for scene in (Scene(names=names, events=step.events), Scene(names=names, prefix=(PICKED,), options=options)):
        digest.update(draw(game.id, game.view(state), scene))
    for style in sorted((ROOT / "bot" / "sandbox" / "static").glob("*.css")):
        digest.update(style.read_bytes())
    return digest.hexdigest()


def outdated_pictures() -> Iterator[str]:
    """Yield the pictures that would show something else today, in words."""
    with Image.open(REPLAY) as old, Image.open(BytesIO(replayed())) as new:
        frames = zip_longest(*(ImageSequence.all_frames(film, lambda frame: frame.convert("RGB")) for film in (old, new)))
        if any(one != other for one, other in frames):
            yield f"{REPLAY.relative_to(ROOT)} shows another game than there would be today: `make picture`"
    for path in (DISCORD, LOCK_SCREEN):
        with Image.open(path) as picture:
            if picture.info.get(SHOWS) != shown_in_discord():
                yield f"{path.relative_to(ROOT)} shows other boards than there are today: `make picture`"
    present = plot.drawn(figure for one in page.newest() for figure in one.now)
    with Image.open(page.PLOT) as old, Image.open(BytesIO(present)) as new:
        if old.size != new.size or ImageChops.difference(old.convert("RGB"), new.convert("RGB")).getbbox():
            yield f"{page.PLOT.relative_to(ROOT)} shows other figures than {page.NEWEST.relative_to(ROOT)}"
