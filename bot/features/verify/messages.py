"""The verdict on a game's fairness, and the seed with which everybody can check the verdict."""

from collections.abc import Iterator
from typing import Final

from bot.core.contributions import draws
from bot.core.table.chain import shown_digits
from bot.core.table.history import History
from bot.core.table.snapshot import Snapshot
from bot.features.verify.logproof import links_file
from bot.features.verify.service import Verdict
from bot.i18n.language import Language
from bot.messages.board import heading
from bot.messages.builder import ERROR_COLOUR, MessageBuilder, button, escape
from bot.messages.click import Click
from bot.messages.players import names
from engines.text import Text, join, plain, say, say_n

HASHES: Final = "hashes"
"""The token of a click that asks for the seed and the hashes of a verdict."""


MIXED_SHOWN: Final = 18
"""The most contributions to the dice that a verdict shows. The log has all of them."""


def verdict_message(verdict: Verdict, language: Language) -> MessageBuilder:
    """Say whether the replay agrees with the record, with a button for the seed or, during the game, a file of links."""
    snapshot, builder = _framed(verdict, language)
    drawn = draws(verdict.table)
    if verdict.problems:
        builder.text(language(join([say("**Something is wrong.**"), *verdict.problems]), names(snapshot)))
    elif verdict.seed is None:
        builder.text(language(say(
            "I’ll show the seed when the game is over. Then anybody can check that it has this hash, and that the dice, "
            "coins and cards came from it and from what the players added. So far, every action follows the rules."
        ) if drawn else say("There’s no luck in this game. So far, every action follows the rules.")))  # fmt: skip
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
    """Return a message with a game's seed and its hashes, with which everybody can check the verdict."""
    snapshot, builder = _framed(verdict, language)
    _add_seeds(builder, verdict, snapshot, language)
    if verdict.seed is not None:
        command = f"printf {verdict.seed.hex()} | xxd -r -p | sha256sum"
        builder.text(language(say("-# To compute the hash yourself: `{command}`", command=command)))
    return builder.buttons([button(language(say("Back")), Click("verify", verdict.table.id).custom_id)])


def _framed(verdict: Verdict, language: Language) -> tuple[Snapshot, MessageBuilder]:
    """Return a verdict's table, and a message with the table's heading."""
    snapshot = Snapshot(verdict.table, verdict.players, verdict.history)
    builder = MessageBuilder(colour=ERROR_COLOUR if verdict.problems else None)
    return snapshot, builder.text(heading(snapshot, language) if verdict.history else f"**#{verdict.table.id}**")


def _add_seeds(builder: MessageBuilder, verdict: Verdict, snapshot: Snapshot, language: Language) -> None:
    """Add where the dice came from and what was mixed into them, unless the game has no dice."""
    if draws(verdict.table):
        builder.text(language(join(_seeds(verdict, snapshot)))).text(language(join(_mixed_in(verdict))))


def _links(builder: MessageBuilder, history: History, snapshot: Snapshot, language: Language) -> None:
    """Add the newest link of the hash chain and, while the game is running, a file of all links without actions."""
    if history.link is None:
        return
    newest = say("Log: {link}", link=shown_digits(history.link, snapshot.table.chain))
    if snapshot.table.is_over:
        builder.text(f"-# {language(newest)}")
        return
    builder.text(language(say(
        "{link}\n"
        "Keep this file. When the game is over, anybody can use it to check that the log up to here hasn’t been changed.",
        link=newest,
    )))  # fmt: skip
    builder.document(
        f"springboard-{snapshot.table.id}-links-{history.version}.txt", links_file(snapshot.table, history).encode()
    )


def _seeds(verdict: Verdict, snapshot: Snapshot) -> Iterator[Text]:
    yield say("SHA-256 of the seed: `{hash}`", hash=verdict.hash)
    if verdict.table.lobby_message_id is not None:
        table = snapshot.table
        address = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}/{table.lobby_message_id}"
        first = say("[the table’s first message]({address})", address=address)
        yield say("It begins with the digits that {where} has shown since before the first move.", where=first)
    if verdict.seed is not None:
        yield say("Seed: `{seed}`", seed=verdict.seed.hex())
    if verdict.key is not None and verdict.key != verdict.seed:
        yield say("Dice key: `{key}`", key=verdict.key.hex())


def _mixed_in(verdict: Verdict) -> Iterator[Text]:
    """Yield the players' contributions to the dice in order, at most `MIXED_SHOWN` of them."""
    if not verdict.contributions:
        return
    yield say("Added to the dice (user, press, word):")
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
            "{n} of these was removed because its owner asked to be forgotten, so nobody can compute the key any more.",
            "{n} of these were removed because their owners asked to be forgotten, so nobody can compute the key any more.",
            verdict.removed,
        )


def _confirmation(snapshot: Snapshot, *, drawn: bool, key_checked: bool) -> Text:
    count, result = snapshot.playing.version, snapshot.result() or say("the game was closed.")
    if not drawn:
        return say_n(
            "**It all checks out.** The log’s one action follows the rules and leads to the same result: {result}",
            "**It all checks out.** The log’s {n} actions follow the rules and lead to the same result: {result}",
            count, result=result,
        )  # fmt: skip
    if not key_checked:
        return say_n(
            "**The key couldn’t be checked.** Everything else checks out: the seed is the one fixed before the first "
            "move. Replayed from the key, the log’s one action follows the rules and leads to the same result: {result}",
            "**The key couldn’t be checked.** Everything else checks out: the seed is the one fixed before the first "
            "move. Replayed from the key, the log’s {n} actions follow the rules and lead to the same result: {result}",
            count, result=result,
        )  # fmt: skip
    return say_n(
        "**It all checks out.** The seed is the one fixed before the first move. Replayed from it, the log’s one action "
        "follows the rules and leads to the same result: {result}",
        "**It all checks out.** The seed is the one fixed before the first move. Replayed from it, the log’s {n} actions "
        "follow the rules and lead to the same result: {result}",
        count, result=result,
    )  # fmt: skip
