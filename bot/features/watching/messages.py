"""News of a game for its watchers."""

from typing import Final

from bot.core.table.since import standing, turn_before
from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language
from bot.messages.asking import game_name
from bot.messages.notices import Notice, board_button, pinging_message
from bot.messages.players import plain_names
from bot.messages.story import headline
from engines.text import join, say, seat_name
from storage.schema.records import Job

HEADLINE: Final = 80
"""The most characters of the last action in the news for watchers."""


def news_for_watcher(snapshot: Snapshot, job: Job, language: Language) -> Notice | None:
    """What a watcher hears of a new turn or of the end, or None if it is out of date."""
    user = job.payload["user"]
    if not snapshot.open_to(user):
        return None  # they have left a private table since
    over = snapshot.result()
    if over is None and any(p.user_id == user for p in snapshot.awaited):
        return None  # they have been pinged by the board itself
    if over is not None:
        text = say("{game} is over. {result}", game=game_name(snapshot), result=over)
    else:
        history, who = snapshot.playing, plain_names(snapshot)
        done = headline(standing(history, turn_before(history, snapshot.computers)[0]), language, who, (), HEADLINE)
        awaited = join([seat_name(seat) for seat in history.to_act], ", ")
        text = say("News from {game}: {done} Next to play: {awaited}.", game=game_name(snapshot), done=done, awaited=awaited)
    builder = pinging_message(snapshot, language, text, (user,))
    return Notice(builder.buttons([board_button(snapshot, language)]), (user,), user)
