"""What has become of games: replays, proofs that all was fair, results and leaderboards."""

import asyncio
from typing import Final

from bot.i18n.language import Language
from bot.interactions.context import ERROR_COLOUR, Context
from bot.interactions.handler import handles
from bot.messages.board import heading, names
from bot.messages.builder import MessageBuilder, Picture, button, escaped
from bot.messages.click import Click
from bot.messages.notices import link
from bot.messages.replays import Standpoint, animation, standpoint
from bot.sessions import Snapshot, User
from bot.sessions.errors import Refused
from bot.sessions.logbook import write_log
from bot.sessions.ratings import LISTED_FROM, PROVISIONAL_BELOW, WITHOUT_RESULT, Standing, shown
from engines import GAMES
from engines.text import Text, join, plain, say, say_n
from renderers.leaderboard import LINES_AT_MOST, Leaderboard, Line, draw
from renderers.replay import Replay
from storage.records import SeatStatus

LOG: Final = "log"
"""The word in a click that asks for the log alone."""

# --- replays --------------------------------------------------------------------------------------------------------------


async def show_replay(context: Context, table_id: int, *, animated: bool = True, public: bool = False) -> None:
    """The game so far as an animation, and its log as a file."""
    snapshot = await context.snapshot(table_id)
    history = snapshot.playing
    language = await context.public_language() if public else context.language
    builder = MessageBuilder().text(heading(snapshot, language))
    if animated:
        here = standpoint(
            snapshot, None if public else context.user.id, high_contrast=not public and context.settings.high_contrast
        )
        made = await animation(snapshot, here, language)
        name = f"{history.game.id}-{table_id}-{history.version}.gif"
        builder.picture(Picture(name, made.gif, language(_in_words(snapshot, here, made), snapshot.names)))
        builder.text(language(_caption(here, made), names(snapshot)))
    result = snapshot.result()
    if result is not None:
        builder.text(language(result, names(snapshot)))
    builder.document(f"springboard-{table_id}.txt", write_log(snapshot).encode())
    await context.reply.show(builder)


def _in_words(snapshot: Snapshot, here: Standpoint, made: Replay) -> Text:
    history = snapshot.playing
    view = history.game.revealed(history.state) if here.revealed else history.view(here.seat)
    end = history.game.describe(view)
    return say_n(
        "{game} as an animation of one picture. {end}", "{game} as an animation of {n} pictures. The last one: {end}",
        len(made.frames), game=history.game.title, end=end,
    )  # fmt: skip


def _caption(here: Standpoint, made: Replay) -> Text:
    """What the animation shows, and what it does not."""
    if here.revealed:
        lines = [say("The whole game, with everything revealed.")]
    elif here.seat is not None:
        lines = [say("The game so far, as you see it.")]
    else:
        lines = [say("The game so far, as everybody sees it.")]
    if not here.retold:
        lines.append(say("What was turned up on the way is left out: remembering it is part of the game."))
    if made.thinned:
        lines.append(
            say("It is too long to be shown step by step: these are {n} of {all} pictures, evenly spread.",
                n=len(made.frames), all=made.steps)
        )  # fmt: skip
    return join([say("-# {line}", line=line) for line in lines])


@handles("replay")
async def _replay(context: Context, click: Click) -> None:
    await show_replay(context, click.table, animated=LOG not in click.tokens)


# --- fairness -------------------------------------------------------------------------------------------------------------


async def show_verdict(context: Context, table_id: int) -> None:
    """The seed, its hash, and whether the game, played again from it, ends as it did."""
    await context.snapshot(table_id)  # only somebody who may look at the table gets any further
    verdict = await context.sessions.proof.verify(table_id, context.guild_id)
    snapshot = Snapshot(verdict.table, verdict.players, verdict.history)
    builder = MessageBuilder(colour=ERROR_COLOUR if verdict.problems else None)
    builder.text(heading(snapshot, context.language) if verdict.history else f"**#{table_id}**")
    lines: list[Text] = [say("SHA-256 of the seed: `{hash}`", hash=verdict.hash)]
    if verdict.table.lobby_message_id is not None:
        lines.append(
            say("It has to be the one that {where} has shown since before the first move.", where=_first_message(snapshot))
        )
    if verdict.seed is not None:
        lines.append(say("Seed: `{seed}`", seed=verdict.seed.hex()))
    builder.text(context.language(join(lines)))
    if verdict.problems:
        builder.text(context.language(join([say("**Something is wrong.**"), *verdict.problems]), names(snapshot)))
    elif verdict.seed is None:
        builder.text(context.language(say(
            "The seed is shown when the game is over. Then everybody can check that it has this hash, and that dice, coins and "
            "cards came from it. So far, all actions obey the rules."
        )))  # fmt: skip
    else:
        builder.text(context.language(_in_order(snapshot), names(snapshot)))
        command = f"printf {verdict.seed.hex()} | xxd -r -p | sha256sum"
        builder.text(context.language(say("-# To compute the hash yourself: `{command}`", command=command)))
    replay = button(context.language(say("Replay")), Click("replay", table_id).custom_id)
    await context.reply.show(builder.buttons([replay]) if verdict.history else builder)


def _first_message(snapshot: Snapshot) -> Text:
    table = snapshot.table
    address = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}/{table.lobby_message_id}"
    return say("[the table's first message]({address})", address=address)


def _in_order(snapshot: Snapshot) -> Text:
    result = snapshot.result()
    return say_n(
        "**All is in order.** The seed has this hash. Played again from it, the one action of the log obeys the rules, and "
        "leads to the same end: {result}",
        "**All is in order.** The seed has this hash. Played again from it, the {n} actions of the log obey the rules, and "
        "lead to the same end: {result}",
        snapshot.playing.version, result=result if result is not None else say("the game was closed."),
    )  # fmt: skip


@handles("verify")
async def _verify(context: Context, click: Click) -> None:
    await show_verdict(context, click.table)


# --- results --------------------------------------------------------------------------------------------------------------


async def show_results(context: Context, user: User, game: str | None) -> None:
    """How somebody has done on this server, to whoever asked alone."""
    language = context.language
    found = await context.sessions.ratings.results(context.guild_id, user.id, asked_by=context.user.id, game=game)
    builder = MessageBuilder().text(language(say("### Results of {name}", name=plain(escaped(user.name)))))
    if found.standings:
        builder.text("\n".join(language(_standing(standing)) for standing in found.standings))
    else:
        builder.text(language(say("No rated games yet.")))
    if found.recent:
        lines = [language(_recent(snapshot, user.id), names(snapshot)) for snapshot in found.recent]
        builder.text("\n".join([language(say("**Last games**")), *lines]))
    await context.reply.show(builder)


def _standing(standing: Standing) -> Text:
    """A line like "**Bouncers**: rating **1138**, place 2 of 7. 12 games: 8 won, 1 drawn, 3 lost."."""
    rating = standing.rating
    games = say_n(
        "{n} game: {won} won, {drawn} drawn, {lost} lost.", "{n} games: {won} won, {drawn} drawn, {lost} lost.",
        rating.played, won=rating.won, drawn=rating.drawn, lost=rating.lost,
    )  # fmt: skip
    number: Text = plain(f"**{shown(rating)}**")
    if standing.provisional:
        number = say("{rating} (provisional)", rating=number)
    title = GAMES[rating.game].title
    if standing.place is None:
        return say("**{game}**: rating {rating}. {games}", game=title, rating=number, games=games)
    return say("**{game}**: rating {rating}, place {place} of {all}. {games}", game=title, rating=number,
               place=standing.place, all=standing.listed, games=games)  # fmt: skip


def _recent(snapshot: Snapshot, user_id: int) -> Text:
    """A line like "[#12](…) Bouncers with Ben: won, yesterday"."""
    table, who = snapshot.table, names(snapshot)
    others = join([plain(who[i]) for i, p in enumerate(snapshot.players) if p.user_id != user_id], ", ")
    address = link(snapshot)
    number = plain(f"[#{table.id}]({address})" if address.startswith("https:") else f"#{table.id}")
    values = {"number": number, "game": GAMES[table.game].title, "others": others, "result": _outcome(snapshot, user_id),
              "when": plain(f"<t:{int(table.finished_at or 0)}:R>")}  # fmt: skip
    if not others:
        return say("{number} {game}, alone: {result}, {when}", **values)
    if not table.rated:
        return say("{number} {game} with {others}, not rated: {result}, {when}", **values)
    return say("{number} {game} with {others}: {result}, {when}", **values)


def _outcome(snapshot: Snapshot, user_id: int) -> Text:
    """How a game ended for somebody, in a word."""
    ended, seat = snapshot.table.outcome, snapshot.seat_of(user_id)
    if ended is None or seat is None or ended.how in WITHOUT_RESULT:
        return say("without a result")
    if seat in ended.winners:
        return say("**won**")
    stayed = snapshot.players[seat].status is not SeatStatus.WITHDRAWN
    return say("drawn") if not ended.winners and stayed and len(snapshot.players) > 1 else say("lost")


# --- leaderboards ---------------------------------------------------------------------------------------------------------


async def show_leaderboard(context: Context, game: str) -> None:
    """The best of this server at a game, to everybody. Raises Refused if nobody has played enough."""
    if game not in GAMES:
        raise Refused(say("There is no game “{game}”; there are: {games}.", game=plain(game), games=", ".join(GAMES)))
    standings = await context.sessions.ratings.leaderboard(context.guild_id, game, LINES_AT_MOST)
    if not standings:
        raise Refused(
            say("Nobody here has played {n} rated games of {game} yet.", n=LISTED_FROM, game=GAMES[game].title)
        )  # fmt: skip
    language = await context.public_language()
    guild = context.interaction.guild
    board = _leaderboard(game, standings, language, guild.name if guild is not None else "")
    picture = await asyncio.to_thread(draw, board)
    title = language(say("### The best at {game}", game=GAMES[game].title))
    words = language(join([say("The best at {game}.", game=GAMES[game].title), *(_in_a_line(s) for s in standings)]))
    await context.reply.show(MessageBuilder().text(title).picture(Picture(f"leaderboard-{game}.png", picture, words)))


def _leaderboard(game: str, standings: tuple[Standing, ...], language: Language, server: str) -> Leaderboard:
    note = language(say("? provisional: fewer than {n} games", n=PROVISIONAL_BELOW))
    return Leaderboard(
        title=language(GAMES[game].title), subtitle=language(say("The best of {server}", server=plain(server))),
        rating=language(say("Rating")), games=language(say("Games")), nameless=language(say("a player")),
        note=note if any(standing.provisional for standing in standings) else "",
        lines=tuple(
            Line(s.place or 0, s.rating.name, str(shown(s.rating)), str(s.rating.played), s.provisional) for s in standings
        ),
    )  # fmt: skip


def _in_a_line(standing: Standing) -> Text:
    """A line like "1. Ann: 1642 after 40 games"."""
    rating = standing.rating
    name, number = plain(rating.name), shown(rating)
    if standing.provisional:
        return say_n("{place}. {name}: {rating} (provisional) after {n} game", "{place}. {name}: {rating} (provisional) after "
                     "{n} games", rating.played, place=standing.place, name=name, rating=number)  # fmt: skip
    return say_n("{place}. {name}: {rating} after {n} game", "{place}. {name}: {rating} after {n} games", rating.played,
                 place=standing.place, name=name, rating=number)  # fmt: skip


HANDLERS: Final = (_replay, _verify)
