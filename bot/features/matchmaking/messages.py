"""The private panel of wishes for seeking a game, and the message that a wait is over."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.features.matchmaking.service import IMPOSSIBLE, OFF, OwnSeek
from bot.features.matchmaking.wishes import AVOIDED_AT_MOST, DAYS, GAMES_AT_A_TIME, MOST_LATE, PLAYS, SEATS, TURNS
from bot.i18n.language import Language
from bot.messages.builder import OPTION_LIMIT, MessageBuilder, button, clip, plain_name, server_button
from bot.messages.click import Click
from bot.messages.lobby import CLOCK_WORDS
from bot.messages.notification import Notification
from engines import GAMES
from engines.text import Text, join, plain, say, say_n
from storage.schema.kinds import WaitEnd
from storage.schema.structures import Wishes

ANY: Final = "any"
"""The value of the menu option that sets no requirement."""

RATED: Final[Mapping[str, tuple[bool | None, Text]]] = {
    ANY: (None, say("Rated or not")),
    "yes": (True, say("Rated")),
    "no": (False, say("Not rated")),
}
"""Whether games are rated: for each value of the menu option, the wish and its words."""


FIRST: Final = frozenset({"plays", "clocks"})
"""The wishes whose menus are on the panel's first page."""


def seek_panel(own: OwnSeek, language: Language, *, page: int = 0, note: Text | None = None) -> MessageBuilder:
    """Return the panel of a user's wishes: games and clock on page 0, the rest on 1. `note` says what has just happened."""
    waits, wishes = own.waits, own.seek.wishes
    builder = MessageBuilder().text(language(say("### Find people to play with")))
    builder.text(language(join([*([] if note is None else [note]), *_standing(own)])))
    if page:
        _add_more_menus(builder, own, wishes, language)
    else:
        _add_menus(builder, wishes, language)
    if waits:
        main = button(language(say("Stop waiting")), Click("seek-stop", page=page).custom_id, discord.ButtonStyle.danger)
    else:
        main = button(
            language(say("Wait for a game")), Click("seek-wait", page=page).custom_id, discord.ButtonStyle.success,
            disabled=not (wishes.plays and wishes.clocks),
        )  # fmt: skip
    other = say("Back") if page else say("More options")
    return builder.buttons([main, button(language(other), Click("seek", page=1 - page).custom_id)])


def _standing(own: OwnSeek) -> list[Text]:
    """Return whether a person is waiting, for how long, and what happens next."""
    seek, told = own.seek, list[Text]()
    if own.off:
        told.append(OFF)
    if own.asked:
        where = plain("" if own.channel_id is None else f"<#{own.channel_id}>")
        told.append(say_n("👋 I’ve found you a game. Please answer in {where}.",
                          "👋 I’ve found you {n} games. Please answer in {where}.", own.asked, where=where))  # fmt: skip
    if own.waits:
        told.append(say_n("⏳ You’re waiting for {n} game, until {until}.", "⏳ You’re waiting for {n} games, until {until}.",
                          seek.remaining, until=f"<t:{int(seek.until or 0)}:f>"))  # fmt: skip
        told.append(_EVERY_HOUR if own.possible else say("⚠️ {why} Until then nobody can be matched with you.", why=IMPOSSIBLE))
    elif not own.off:
        told.append(say("Pick what you’d like to play. Every hour I match people up and ask each of them if they’re in. "
                        "Nobody sees who’s waiting."))  # fmt: skip
    if own.playing:
        told.append(say_n("-# {n} of the games you found this way is still on.",
                          "-# {n} of the games you found this way are still on.", own.playing))  # fmt: skip
    return told


_EVERY_HOUR: Final = say("-# I match people up every hour, but never during your quiet hours or vacation.")


def _add_menus(builder: MessageBuilder, wishes: Wishes, language: Language) -> None:
    plays = {play: play_title(play) for play in PLAYS}
    clocks = {str(seconds): CLOCK_WORDS[seconds] for seconds in TURNS}
    builder.select(_menu("plays", say("Which games?"), plays, wishes.plays, language, most=len(plays)))
    builder.select(_menu("clocks", say("How much time per turn?"), clocks, map(str, wishes.clocks), language, most=len(clocks)))


def _add_more_menus(builder: MessageBuilder, own: OwnSeek, wishes: Wishes, language: Language) -> None:
    seats = {str(n): say_n("{n} player", "{n} players", n) for n in SEATS}
    builder.select(_menu("seats", say("Any number of players"), seats, map(str, wishes.seats), language, most=len(seats)))
    rated = {value: words for value, (_, words) in RATED.items()}
    wished = next(value for value, (wish, _) in RATED.items() if wish is wishes.rated)
    builder.select(_menu("rated", say("Rated or not"), rated, [wished], language))
    days = {str(n): say_n("Wait up to {n} day", "Wait up to {n} days", n) for n in DAYS}
    builder.select(_menu("days", say("How long will you wait?"), days, [str(wishes.days)], language))
    games = {str(n): say_n("Find me {n} game", "Find me {n} games", n) for n in GAMES_AT_A_TIME}
    builder.select(_menu("games", say("How many games?"), games, [str(wishes.games)], language))
    late: dict[str, Text] = {ANY: say("Anybody, however often they run out of time")}
    late |= {str(n): say("At most {n}% time-outs", n=n) for n in MOST_LATE}
    builder.select(_menu("late", say("Time-outs"), late, [str(wishes.most_late or ANY)], language))
    builder.text(
        language(say("-# People you’d rather not be matched with. Nobody else sees this, and it applies on every server."))
    )
    menu: ui.UserSelect[Any] = ui.UserSelect(
        custom_id=Click("seek-avoid").custom_id, placeholder=language(say("Nobody in particular")), min_values=0,
        max_values=AVOIDED_AT_MOST, default_values=[discord.Object(user_id, type=discord.User) for user_id in own.avoided],
    )  # fmt: skip
    builder.select(menu)


def _menu(
    name: str, placeholder: Text, options: Mapping[str, Text], chosen: Iterable[str], language: Language, *, most: int = 1
) -> "ui.Select[Any]":
    """Return the menu of one wish. If it allows several options, it also allows none."""
    known = set(chosen)
    return ui.Select(
        custom_id=Click("seek-set", tokens=(name,)).custom_id,
        placeholder=language(placeholder), min_values=int(most == 1), max_values=most,
        options=[
            discord.SelectOption(label=clip(language(words), OPTION_LIMIT), value=value, default=value in known)
            for value, words in options.items()
        ],
    )  # fmt: skip


def play_title(play: str) -> Text:
    """Return the title of a game, with its variant if it has several."""
    game_id, variant = PLAYS[play]
    game = GAMES[game_id]
    if len(game.variants) == 1:
        return plain(game.title)
    return say("{game}: {variant}", game=plain(game.title), variant=game.variant_titles[variant])


def wait_over_message(why: WaitEnd, guild_id: int, server: str, language: Language) -> MessageBuilder:
    """Return the direct message that tells a person that they are no longer waiting, why, and what they can do now."""
    known = {"server": plain(plain_name(server))}
    match why:
        case WaitEnd.TOO_LONG:
            said = say("I’ve stopped looking for a game for you on {server}: I couldn’t find a match.", **known)
            more = say("Wait again with `/match`, perhaps for more games or with other clocks, or play against me with `/play` "
                       "and its option `computer`.")  # fmt: skip
        case WaitEnd.UNCONFIRMED:
            said = say("I’ve stopped looking for a game for you on {server}: you didn’t answer my offer in time.", **known)
            more = say("I’d found a game for you. If you’d still like to play, wait again with `/match`.")
        case WaitEnd.SWITCHED_OFF:
            said = say("I’ve stopped looking for a game for you on {server}: I no longer match people up there.", **known)
            more = say("`/play` opens a table.")
        case WaitEnd.UNSEEN:
            said = say("I’ve stopped looking for a game for you on {server}: you can’t see where it would be played.", **known)
            more = say("The games that I find for people there are played in a channel that you can’t see any more. Whoever "
                       "manages the server can let you in, or choose another one with `/server-settings`.")  # fmt: skip
    builder = MessageBuilder().text(language(more)).notify(Notification(language(said)))
    return builder.buttons([server_button(language, guild_id)])
