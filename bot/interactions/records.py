"""What has become of games: replays, proofs that all was fair, results and leaderboards."""

import asyncio
from collections.abc import Mapping
from typing import Final

from bot.i18n.language import Language
from bot.interactions.context import ERROR_COLOUR, Counter, Handler
from bot.messages.board import heading, names
from bot.messages.builder import Picture, Sheet, button, escaped
from bot.messages.click import Click
from bot.messages.notices import link
from bot.messages.replays import Standpoint, animation, standpoint
from bot.sessions import Glance, User
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


async def show_replay(counter: Counter, table_id: int, *, animated: bool = True, public: bool = False) -> None:
    """The game so far as an animation, and its log as a file."""
    glance = await counter.glance(table_id)
    record = glance.playing
    language = await counter.public_language() if public else counter.language
    sheet = Sheet().text(heading(glance, language))
    if animated:
        here = standpoint(
            glance, None if public else counter.user.id, high_contrast=not public and counter.settings.high_contrast
        )
        made = await animation(glance, here, language)
        name = f"{record.game.id}-{table_id}-{record.version}.gif"
        sheet.picture(Picture(name, made.gif, language(_in_words(glance, here, made), glance.names)))
        sheet.text(language(_caption(here, made), names(glance)))
    result = glance.result()
    if result is not None:
        sheet.text(language(result, names(glance)))
    sheet.document(f"springboard-{table_id}.txt", write_log(glance).encode())
    await counter.reply.show(sheet)


def _in_words(glance: Glance, here: Standpoint, made: Replay) -> Text:
    record = glance.playing
    view = record.game.revealed(record.state) if here.revealed else record.view(here.seat)
    end = record.game.describe(view)
    return say_n(
        "{game} as an animation of one picture. {end}", "{game} as an animation of {n} pictures. The last one: {end}",
        len(made.frames), game=record.game.title, end=end,
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


async def _replay(counter: Counter, click: Click) -> None:
    await show_replay(counter, click.table, animated=LOG not in click.tokens)


# --- fairness -------------------------------------------------------------------------------------------------------------


async def show_verdict(counter: Counter, table_id: int) -> None:
    """The seed, its hash, and whether the game, played again from it, ends as it did."""
    await counter.glance(table_id)  # only somebody who may look at the table gets any further
    verdict = await counter.sessions.proof.verify(table_id, counter.guild_id)
    glance = Glance(verdict.table, verdict.players, verdict.record)
    sheet = Sheet(colour=ERROR_COLOUR if verdict.problems else None)
    sheet.text(heading(glance, counter.language) if verdict.record else f"**#{table_id}**")
    lines: list[Text] = [say("SHA-256 of the seed: `{hash}`", hash=verdict.hash)]
    if verdict.table.lobby_message_id is not None:
        lines.append(
            say("It has to be the one that {where} has shown since before the first move.", where=_first_message(glance))
        )
    if verdict.seed is not None:
        lines.append(say("Seed: `{seed}`", seed=verdict.seed.hex()))
    sheet.text(counter.language(join(lines)))
    if verdict.problems:
        sheet.text(counter.language(join([say("**Something is wrong.**"), *verdict.problems]), names(glance)))
    elif verdict.seed is None:
        sheet.text(counter.language(say(
            "The seed is shown when the game is over. Then everybody can check that it has this hash, and that dice, coins and "
            "cards came from it. So far, all actions obey the rules."
        )))  # fmt: skip
    else:
        sheet.text(counter.language(_in_order(glance), names(glance)))
        command = f"printf {verdict.seed.hex()} | xxd -r -p | sha256sum"
        sheet.text(counter.language(say("-# To compute the hash yourself: `{command}`", command=command)))
    replay = button(counter.language(say("Replay")), Click("replay", table_id).custom_id)
    await counter.reply.show(sheet.buttons([replay]) if verdict.record else sheet)


def _first_message(glance: Glance) -> Text:
    table = glance.table
    address = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}/{table.lobby_message_id}"
    return say("[the table's first message]({address})", address=address)


def _in_order(glance: Glance) -> Text:
    result = glance.result()
    return say_n(
        "**All is in order.** The seed has this hash. Played again from it, the one action of the log obeys the rules, and "
        "leads to the same end: {result}",
        "**All is in order.** The seed has this hash. Played again from it, the {n} actions of the log obey the rules, and "
        "lead to the same end: {result}",
        glance.playing.version, result=result if result is not None else say("the game was closed."),
    )  # fmt: skip


async def _verify(counter: Counter, click: Click) -> None:
    await show_verdict(counter, click.table)


# --- results --------------------------------------------------------------------------------------------------------------


async def show_results(counter: Counter, user: User, game: str | None) -> None:
    """How somebody has done on this server, to whoever asked alone."""
    language = counter.language
    found = await counter.sessions.ratings.results(counter.guild_id, user.id, asked_by=counter.user.id, game=game)
    sheet = Sheet().text(language(say("### Results of {name}", name=plain(escaped(user.name)))))
    if found.standings:
        sheet.text("\n".join(language(_standing(standing)) for standing in found.standings))
    else:
        sheet.text(language(say("No rated games yet.")))
    if found.recent:
        lines = [language(_recent(glance, user.id), names(glance)) for glance in found.recent]
        sheet.text("\n".join([language(say("**Last games**")), *lines]))
    await counter.reply.show(sheet)


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


def _recent(glance: Glance, user_id: int) -> Text:
    """A line like "[#12](…) Bouncers with Ben: won, yesterday"."""
    table, who = glance.table, names(glance)
    others = join([plain(who[i]) for i, p in enumerate(glance.players) if p.user_id != user_id], ", ")
    address = link(glance)
    number = plain(f"[#{table.id}]({address})" if address.startswith("https:") else f"#{table.id}")
    values = {"number": number, "game": GAMES[table.game].title, "others": others, "result": _outcome(glance, user_id),
              "when": plain(f"<t:{int(table.finished_at or 0)}:R>")}  # fmt: skip
    if not others:
        return say("{number} {game}, alone: {result}, {when}", **values)
    if not table.rated:
        return say("{number} {game} with {others}, not rated: {result}, {when}", **values)
    return say("{number} {game} with {others}: {result}, {when}", **values)


def _outcome(glance: Glance, user_id: int) -> Text:
    """How a game ended for somebody, in a word."""
    ended, seat = glance.table.outcome, glance.seat_of(user_id)
    if ended is None or seat is None or ended["how"] in WITHOUT_RESULT:
        return say("without a result")
    if seat in ended["winners"]:
        return say("**won**")
    stayed = glance.players[seat].status is not SeatStatus.WITHDRAWN
    return say("drawn") if not ended["winners"] and stayed and len(glance.players) > 1 else say("lost")


# --- leaderboards ---------------------------------------------------------------------------------------------------------


async def show_leaderboard(counter: Counter, game: str) -> None:
    """The best of this server at a game, to everybody. Raises Refused if nobody has played enough."""
    if game not in GAMES:
        raise Refused(say("There is no game “{game}”; there are: {games}.", game=plain(game), games=", ".join(GAMES)))
    standings = await counter.sessions.ratings.leaderboard(counter.guild_id, game, LINES_AT_MOST)
    if not standings:
        raise Refused(
            say("Nobody here has played {n} rated games of {game} yet.", n=LISTED_FROM, game=GAMES[game].title)
        )  # fmt: skip
    language = await counter.public_language()
    guild = counter.interaction.guild
    board = _leaderboard(game, standings, language, guild.name if guild is not None else "")
    picture = await asyncio.to_thread(draw, board)
    title = language(say("### The best at {game}", game=GAMES[game].title))
    words = language(join([say("The best at {game}.", game=GAMES[game].title), *(_in_a_line(s) for s in standings)]))
    await counter.reply.show(Sheet().text(title).picture(Picture(f"leaderboard-{game}.png", picture, words)))


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


HANDLERS: Final[Mapping[str, Handler]] = {
    "replay": _replay,
    "verify": _verify,
}
