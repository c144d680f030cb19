"""The story of a board: what has happened since somebody was last asked, in words."""

from bot.sessions import Snapshot
from bot.sessions.since import own_story, standing
from engines.game import Event


def since_asked(snapshot: Snapshot, seat: int) -> tuple[Event, ...]:
    """What the picture for one seat shows before it has picked anything: what has happened since it was last asked.

    Once the seat has acted in its turn, that is what has happened in the turn. In a game of memory, what the seat alone
    learned is there only right after the action with which it learned it; everything else stands in the board's message, too.
    """
    history = snapshot.playing
    since = own_story(history, seat).drawn
    if not history.game.memory:
        return standing(history, since, seat)
    last = max(since, history.version - 1)
    return (*standing(history, since, until=last), *standing(history, last, seat))
