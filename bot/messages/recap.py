"""What happened: the answer to the button of that name, for one person alone.

It shows an animation of everything since they acted, as they may see it, and tells all of it. In a game of memory it shows what
the messages since their last turn show anyway, and nothing further back.
"""

from bot.messages.board import COLOURS, heading, marks, names
from bot.messages.builder import MessageBuilder, Picture
from bot.messages.perspective import Perspective
from bot.messages.replays import Past
from bot.messages.story import described, whole, words
from bot.sessions import Snapshot
from bot.sessions.logbook import is_over
from bot.sessions.since import since_acted, standing, story_of
from engines.text import Text, join, say, seat_name
from renderers.replay import Replay


def past_of(snapshot: Snapshot, perspective: Perspective, user_id: int) -> Past:
    """What has happened since somebody's own last turn; for those who do not play, since the awaited player was last asked.

    When the game is over, it has at least the end in it.
    """
    history = snapshot.playing
    told = story_of(history, snapshot.computers).told
    seat = snapshot.seat_of(user_id)
    if is_over(snapshot.table):
        return Past(snapshot, perspective, told if seat is None else min(told, since_acted(history, seat)))
    own = snapshot.viewpoint(user_id)
    return Past(snapshot, perspective, told if own is None else since_acted(history, own))


def anything_in(past: Past) -> bool:
    """Whether anything has happened in it."""
    return past.snapshot.playing.version > (past.since or 0)


def nothing_message(past: Past, *, playing: bool) -> MessageBuilder:
    """The answer if nothing has happened: who is to act. `playing`: whether it is for somebody who plays."""
    snapshot, language = past.snapshot, past.perspective.language
    awaited = join([seat_name(seat) for seat in snapshot.playing.to_act], ", ")
    if snapshot.playing.version == 0:
        text: Text = say("Nothing yet: the game has just begun, and {who} is up.", who=awaited)
    elif playing:
        text = say("Nothing since your turn: {who} is up.", who=awaited)
    else:
        text = say("Nothing new: {who} is up.", who=awaited)
    return MessageBuilder().text(language(text, names(snapshot)))


def recap_message(past: Past, made: Replay | None, *, playing: bool) -> MessageBuilder:
    """The answer if something has happened.

    Args:
        past: what it shows.
        made: its animation; None if all of it was taken back.
        playing: whether it is for somebody who plays.
    """
    snapshot, perspective = past.snapshot, past.perspective
    history, language = snapshot.playing, perspective.language
    events = standing(history, past.since or 0, perspective.seat)
    builder = MessageBuilder(colour=None if perspective.seat is None else COLOURS[perspective.seat])
    builder.text(heading(snapshot, language)).text("### " + language(_title(past, playing=playing)))
    if made is not None:
        view = history.game.revealed(history.state) if perspective.revealed else history.view(perspective.seat)
        alt = described(events, language(history.game.describe(view), snapshot.names), language, snapshot.names)
        name = f"{history.game.id}-{snapshot.table.id}-{past.since}-{history.version}.gif"
        builder.picture(Picture(name, made.gif, alt))
    return builder.text(words(events, language, names(snapshot), marks(snapshot), whole(builder.room)))


def _title(past: Past, *, playing: bool) -> Text:
    if past.since == 0:
        return say("Since the game began")
    if is_over(past.snapshot.table):
        return say("How it ended")
    return say("Since your last turn") if playing else say("The last round")
