"""Recaps: the private answer to *What happened?*, which shows everything since the reader's last action that they may see."""

from bot.core.table.since import answered_on, own_story, since_acted, standing, story_of
from bot.core.table.snapshot import Snapshot
from bot.features.replays.messages import Past, words_for
from bot.messages.board import COLOURS, heading, news_of
from bot.messages.builder import MessageBuilder, Picture
from bot.messages.pictures import Perspective
from bot.messages.players import marks, names
from bot.messages.story import alt_text, numbered, whole, words
from engines.game import open_view
from engines.text import Text, join, say, seat_name
from renderers.replay import Replay


def past_of(snapshot: Snapshot, perspective: Perspective, user_id: int) -> Past:
    """Return what to recap: all since a player's last turn or, for a spectator, since the awaited players were last asked."""
    history = snapshot.playing
    told = story_of(history, snapshot.computers).told
    seat = snapshot.seat_of(user_id)
    if snapshot.table.is_over:
        return Past(snapshot, perspective, told if seat is None else min(told, since_acted(history, seat)))
    own = snapshot.viewpoint(user_id)
    if own is None:
        return Past(snapshot, perspective, told)
    if snapshot.table.solo:
        return Past(snapshot, perspective, min(answered_on(history, own), own_story(history, own).told))
    return Past(snapshot, perspective, since_acted(history, own))


def anything_in(past: Past) -> bool:
    """Whether anything happened in this past."""
    return past.snapshot.playing.version > (past.since or 0)


def nothing_message(past: Past, *, playing: bool) -> MessageBuilder:
    """Return the answer if nothing has happened, which says whose turn it is. `playing` says whether the reader is a player."""
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
    """Return the answer if something has happened. `made` is None if all was taken back, or it could not be drawn."""
    snapshot, perspective = past.snapshot, past.perspective
    history, language = snapshot.playing, perspective.language
    events = standing(history, past.since or 0, perspective.seat)
    readers = () if perspective.seat is None else (perspective.seat,)
    steps, told = numbered(history.game.id, events), news_of(events, snapshot)
    builder = MessageBuilder(colour=None if perspective.seat is None else COLOURS[perspective.seat])
    builder.text(heading(snapshot, language)).text("### " + language(_title(past, playing=playing)))
    name = f"{history.game.id}-{snapshot.table.id}-{past.since}-{history.version}.gif"
    if made is None and past.steps:
        builder.picture(words_for(past, name))
    elif made is not None:
        view = open_view(history.game, history.state) if perspective.revealed else history.view(perspective.seat)
        board = language(history.game.describe(view), snapshot.names)
        alt = alt_text(events, board, language, snapshot.names, readers=readers)
        builder.picture(Picture(name, made.gif, alt))
    return builder.text(words(told, language, names(snapshot), marks(snapshot), whole(builder.room), readers, steps))


def _title(past: Past, *, playing: bool) -> Text:
    if past.since == 0:
        return say("Since the game began")
    if past.snapshot.table.is_over:
        return say("How it ended")
    return say("Since your last turn") if playing else say("The last round")
