"""The messages with a game's replay and with its log as a file."""

from bot.core.table.snapshot import Snapshot
from bot.features.replays.messages import Past, animation, words_for
from bot.messages.board import analyse_button, heading, post_button, review_button, verify_button
from bot.messages.builder import MessageBuilder, Picture, button
from bot.messages.click import Click
from bot.messages.pictures import Perspective
from bot.messages.players import names
from engines.game import open_view
from engines.text import Text, join, say, say_n
from renderers.replay import Replay


async def replay_message(
    snapshot: Snapshot, perspective: Perspective, log: str, *, animated: bool = True, shareable: bool = False
) -> MessageBuilder:
    """Return the game so far: its log, buttons to look closer, an animation if `animated`, and *Share* if also `shareable`."""
    language = perspective.language
    builder = MessageBuilder().text(heading(snapshot, language))
    if animated:
        await _add_animation(builder, snapshot, perspective)
    result = snapshot.result()
    if result is not None:
        builder.text(language(result, names(snapshot)))
    builder.document(f"springboard-{snapshot.table.id}.txt", log.encode())
    share = Click("share", snapshot.table.id, snapshot.playing.version)
    shares = [button(language(say("Share")), share.custom_id)] if shareable and animated else []
    analysable = snapshot.table.is_over and snapshot.playing.has_choices
    analyse = [analyse_button(snapshot.table.id, language)] if analysable else []
    return builder.buttons([*shares, *review_button(snapshot, language), *analyse, verify_button(snapshot, language)])


async def public_replay_message(
    snapshot: Snapshot, perspective: Perspective, *, shared_by: int | None = None
) -> MessageBuilder:
    """Return the public message with the animation alone, to follow a game's last board or to be shared by a person."""
    language = perspective.language
    builder = MessageBuilder().text(heading(snapshot, language))
    await _add_animation(builder, snapshot, perspective)
    if shared_by is not None:
        builder.text(language(say("-# Shared by {who}", who=f"<@{shared_by}>")))
    return builder


async def replay_preview(snapshot: Snapshot, perspective: Perspective) -> MessageBuilder:
    """Return the private answer to *Share* without a card: the replay as everybody will see it, with *Post here*."""
    here = Click("post-replay", snapshot.table.id, snapshot.playing.version)
    builder = await public_replay_message(snapshot, perspective)
    return builder.buttons([post_button(here, perspective.language)])


async def _add_animation(builder: MessageBuilder, snapshot: Snapshot, perspective: Perspective) -> None:
    history, language = snapshot.playing, perspective.language
    past = Past(snapshot, perspective)
    made = await animation(past)
    name = f"{history.game.id}-{snapshot.table.id}-{history.version}.gif"
    if made is None:
        builder.picture(words_for(past, name))
        return
    builder.picture(Picture(name, made.gif, language(_alt_text(snapshot, perspective, made), snapshot.names)))
    builder.text(language(_caption(snapshot, perspective, made), names(snapshot)))


def _alt_text(snapshot: Snapshot, perspective: Perspective, made: Replay) -> Text:
    history = snapshot.playing
    view = open_view(history.game, history.state) if perspective.revealed else history.view(perspective.seat)
    end = history.game.describe(view)
    return say_n(
        "{game} as an animation of one picture. {end}", "{game} as an animation of {n} pictures. The last one: {end}",
        len(made.frames), game=history.game.title, end=end,
    )  # fmt: skip


def _caption(snapshot: Snapshot, perspective: Perspective, made: Replay) -> Text:
    """Return an animation's caption, which says what it shows and what it leaves out."""
    game = snapshot.playing.game
    if perspective.revealed:
        hidden = game.secret or game.memory
        if made.thinned:
            text = say("The game in brief: {n} of {all} positions.", n=len(made.frames), all=made.steps)
            lines = [say("{text} Everything is revealed.", text=text) if hidden else text]
        else:
            lines = [say("The whole game, with everything revealed.") if hidden else say("The whole game.")]
    elif perspective.seat is not None:
        lines = [say("The game so far, as you see it.")]
    else:
        lines = [say("The game so far, as everybody sees it.")]
    if not Past(snapshot, perspective).retold:
        lines.append(say("What was turned up along the way is left out: remembering it is part of the game."))
    if made.thinned and not perspective.revealed:
        lines.append(say("Long game: {n} of {all} positions shown.", n=len(made.frames), all=made.steps))
    return join([say("-# {line}", line=line) for line in lines])
