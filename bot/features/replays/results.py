"""The results of past games: replays, and verdicts on their fairness."""

from collections.abc import Iterator
from typing import Final

from bot.core.contributions import draws
from bot.core.table.chain import shown_digits
from bot.core.table.history import History
from bot.core.table.snapshot import Snapshot
from bot.features.replays.messages import Past, animation, words_for
from bot.features.verify.logproof import links_file
from bot.features.verify.service import Verdict
from bot.i18n.language import Language
from bot.messages.board import analyse_button, heading, post_button
from bot.messages.builder import ERROR_COLOUR, MessageBuilder, Picture, button, escape
from bot.messages.click import Click
from bot.messages.pictures import Perspective
from bot.messages.players import names
from engines.game import open_view
from engines.text import Text, join, plain, say, say_n
from renderers.replay import Replay

HASHES: Final = "hashes"
"""The token of a click that asks for the seed and the hashes of a verdict."""

MIXED_SHOWN: Final = 18
"""The most contributions to the dice that a verdict shows. The log has all of them."""

# --- replays --------------------------------------------------------------------------------------------------------------


async def replay_message(
    snapshot: Snapshot, perspective: Perspective, log: str, *, animated: bool = True, shareable: bool = False
) -> MessageBuilder:
    """The game so far as an animation, if `animated`, and its log as a file; with *Share* if it is `shareable`."""
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
    return builder.buttons([*shares, *([analyse_button(snapshot.table.id, language)] if snapshot.table.is_over else [])])


async def public_replay_message(
    snapshot: Snapshot, perspective: Perspective, *, shared_by: int | None = None
) -> MessageBuilder:
    """The animation alone, in public: after the last board of a game, or because a person shares it."""
    language = perspective.language
    builder = MessageBuilder().text(heading(snapshot, language))
    await _add_animation(builder, snapshot, perspective)
    if shared_by is not None:
        builder.text(language(say("-# Shared by {who}", who=f"<@{shared_by}>")))
    return builder


async def replay_preview(snapshot: Snapshot, perspective: Perspective) -> MessageBuilder:
    """The private answer to *Share* for a game without a card: the replay as everybody will see it, with *Post here*."""
    here = Click("post-replay", snapshot.table.id, snapshot.playing.version)
    builder = await public_replay_message(snapshot, perspective)
    return builder.buttons([post_button(here, perspective.language)])


async def _add_animation(builder: MessageBuilder, snapshot: Snapshot, perspective: Perspective) -> None:
    """Add the animation and its caption."""
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
    """The caption of an animation: its content, and the parts that it leaves out."""
    game = snapshot.playing.game
    if perspective.revealed:
        hidden = game.secret or game.memory
        if made.thinned:
            text = say("The game in short: {n} of {all} positions.", n=len(made.frames), all=made.steps)
            lines = [say("{text} Everything is revealed.", text=text) if hidden else text]
        else:
            lines = [say("The whole game, with everything revealed.") if hidden else say("The whole game.")]
    elif perspective.seat is not None:
        lines = [say("The game so far, as you see it.")]
    else:
        lines = [say("The game so far, as everybody sees it.")]
    if not Past(snapshot, perspective).retold:
        lines.append(say("What was turned up on the way is left out: remembering it is part of the game."))
    if made.thinned and not perspective.revealed:
        lines.append(say("Long game: {n} of {all} positions shown.", n=len(made.frames), all=made.steps))
    return join([say("-# {line}", line=line) for line in lines])


# --- fairness -------------------------------------------------------------------------------------------------------------


def verdict_message(verdict: Verdict, language: Language) -> MessageBuilder:
    """Whether the replayed game ends as recorded, in words.

    After the end the seed and its hashes are behind a button. Before it, and where something is wrong, they are shown at once:
    people should keep them, with a file of all links.
    """
    snapshot, builder = _framed(verdict, language)
    drawn = draws(verdict.table)
    if verdict.problems:
        builder.text(language(join([say("**Something is wrong.**"), *verdict.problems]), names(snapshot)))
    elif verdict.seed is None:
        builder.text(language(say(
            "The seed is shown when the game is over. Then everybody can check that it has this hash, and that dice, coins and "
            "cards came from it and what the players mixed in. So far, all actions obey the rules."
        ) if drawn else say("Nothing is left to luck in this game. So far, every action obeys the rules.")))  # fmt: skip
    else:
        builder.text(language(_confirmation(snapshot, drawn=drawn, key_checked=not verdict.removed), names(snapshot)))
    behind = drawn and verdict.seed is not None and not verdict.problems
    if drawn and not behind:
        _add_seeds(builder, verdict, snapshot, language)
    if verdict.history is not None:
        _links(builder, verdict.history, snapshot, language)
    hashes = button(language(say("Seed and hashes")), Click("verify", verdict.table.id, tokens=(HASHES,)).custom_id)
    replay = button(language(say("Replay")), Click("replay", verdict.table.id).custom_id)
    return builder.buttons([*([hashes] if behind else []), *([replay] if verdict.history else [])])


def seed_message(verdict: Verdict, language: Language) -> MessageBuilder:
    """The seed of a game and its hashes, with which everybody can check the verdict themselves."""
    snapshot, builder = _framed(verdict, language)
    _add_seeds(builder, verdict, snapshot, language)
    if verdict.seed is not None:
        command = f"printf {verdict.seed.hex()} | xxd -r -p | sha256sum"
        builder.text(language(say("-# To compute the hash yourself: `{command}`", command=command)))
    return builder.buttons([button(language(say("Back")), Click("verify", verdict.table.id).custom_id)])


def _framed(verdict: Verdict, language: Language) -> tuple[Snapshot, MessageBuilder]:
    """The table that a verdict is about, and a message with its heading."""
    snapshot = Snapshot(verdict.table, verdict.players, verdict.history)
    builder = MessageBuilder(colour=ERROR_COLOUR if verdict.problems else None)
    return snapshot, builder.text(heading(snapshot, language) if verdict.history else f"**#{verdict.table.id}**")


def _add_seeds(builder: MessageBuilder, verdict: Verdict, snapshot: Snapshot, language: Language) -> None:
    """Add the origin of the dice, and what was mixed into them; nothing for a game without."""
    if draws(verdict.table):
        builder.text(language(join(_seeds(verdict, snapshot)))).text(language(join(_mixed_in(verdict))))


def _links(builder: MessageBuilder, history: History, snapshot: Snapshot, language: Language) -> None:
    """Add the newest link of the hash chain, and while the game goes on a file of all of them: links alone, no actions."""
    if history.link is None:
        return
    newest = say("Log: {link}", link=shown_digits(history.link, snapshot.table.chain))
    if snapshot.table.is_over:
        builder.text(f"-# {language(newest)}")
        return
    builder.text(language(say(
        "{link}\nKeep this file: with it anybody can tell when the game is over whether the log up to here was changed.",
        link=newest,
    )))  # fmt: skip
    builder.document(
        f"springboard-{snapshot.table.id}-links-{history.version}.txt", links_file(snapshot.table, history).encode()
    )


def _seeds(verdict: Verdict, snapshot: Snapshot) -> Iterator[Text]:
    """The origin of the dice: the seed and its hash."""
    yield say("SHA-256 of the seed: `{hash}`", hash=verdict.hash)
    if verdict.table.lobby_message_id is not None:
        yield say(
            "It begins with the digits that {where} has shown since before the first move.", where=_first_message(snapshot)
        )
    if verdict.seed is not None:
        yield say("Seed: `{seed}`", seed=verdict.seed.hex())
    if verdict.key is not None and verdict.key != verdict.seed:
        yield say("Key of the dice: `{key}`", key=verdict.key.hex())


def _mixed_in(verdict: Verdict) -> Iterator[Text]:
    """The contributions of the players to the dice, in order; only the first of them if there are many."""
    if not verdict.contributions:
        return
    yield say("Mixed into the dice (user, press, word):")
    for one in verdict.contributions[:MIXED_SHOWN]:
        if one.removed:
            yield say("-# {number}. removed", number=one.number or 0)
        else:
            pressed = plain(f"`{one.user_id}:{one.interaction_id}:` {escape(one.word) if one.word else ''}".rstrip())
            yield say("-# {number}. {pressed}", number=one.number or 0, pressed=pressed)
    left_out = len(verdict.contributions) - MIXED_SHOWN
    if left_out > 0:
        yield say_n("-# … and {n} more, in the log of the replay", "-# … and {n} more, in the log of the replay", left_out)
    if verdict.removed:
        yield say_n(
            "{n} of these was removed because its owner wanted to be forgotten. So nobody can compute the key any more.",
            "{n} of these were removed because their owners wanted to be forgotten. So nobody can compute the key any more.",
            verdict.removed,
        )


def _first_message(snapshot: Snapshot) -> Text:
    table = snapshot.table
    address = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}/{table.lobby_message_id}"
    return say("[the table's first message]({address})", address=address)


def _confirmation(snapshot: Snapshot, *, drawn: bool, key_checked: bool) -> Text:
    result = snapshot.result()
    if not drawn:
        return say_n(
            "**All is in order.** The one action of the log obeys the rules, and leads to the same end: {result}",
            "**All is in order.** The {n} actions of the log obey the rules, and lead to the same end: {result}",
            snapshot.playing.version, result=result if result is not None else say("the game was closed."),
        )  # fmt: skip
    if not key_checked:
        return say_n(
            "**The key could not be checked.** All else is in order: the seed is the one that was fixed before the first move. "
            "Played again from the key, the one action of the log obeys the rules, and leads to the same end: {result}",
            "**The key could not be checked.** All else is in order: the seed is the one that was fixed before the first move. "
            "Played again from the key, the {n} actions of the log obey the rules, and lead to the same end: {result}",
            snapshot.playing.version, result=result if result is not None else say("the game was closed."),
        )  # fmt: skip
    return say_n(
        "**All is in order.** The seed is the one that was fixed before the first move. Played again from it, the one action "
        "of the log obeys the rules, and leads to the same end: {result}",
        "**All is in order.** The seed is the one that was fixed before the first move. Played again from it, the {n} actions "
        "of the log obey the rules, and lead to the same end: {result}",
        snapshot.playing.version, result=result if result is not None else say("the game was closed."),
    )  # fmt: skip
