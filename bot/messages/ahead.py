"""How somebody gets to what they have prepared for what others may play."""

from bot.i18n.language import Language
from bot.messages.builder import Button, button
from bot.messages.click import Click
from bot.sessions import Snapshot
from bot.sessions.trees import size
from engines.text import say, say_n
from storage.records import Status


def ahead_buttons(snapshot: Snapshot, user_id: int, language: Language) -> list[Button]:
    """The button *Plan ahead* or *Orders*, for players of games that have one of them.

    It is there for each of them alike, whatever they have planned and whatever they hold.
    """
    seat = snapshot.viewpoint(user_id)
    if snapshot.table.status is not Status.PLAYING or seat is None:
        return []
    history, here = snapshot.playing, (snapshot.table.id, snapshot.playing.version)
    if history.game.conditional:
        return [button(language(say("Plan ahead")), Click("plan", *here).custom_id)]
    if history.game.order_choices(history.state, seat):
        return [button(language(say("Orders")), Click("orders", *here).custom_id)]
    return []


def replies_line(snapshot: Snapshot, seat: int, language: Language) -> str:
    """How many replies the player of a seat has planned, for themselves alone; nothing if there are none."""
    count = size(snapshot.plan_of(seat).replies)
    return "-# " + language(say_n("You’ve planned {n} reply.", "You’ve planned {n} replies.", count)) if count else ""
