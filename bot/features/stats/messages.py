"""Stats and leaderboards: how well people do on a server, in pictures and in words."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from bot.core.pace import PERIOD, Pace
from bot.core.skill import MOST_CHANGE, MOST_CHANGE_PROVISIONAL, PROVISIONAL_BELOW, rating_points
from bot.core.table.players import losses, rated_winners, stands_in, staying_seats, without_result
from bot.core.table.snapshot import NAMELESS, Snapshot, User
from bot.features.ladders.order import season_of
from bot.features.stats.ratings import LISTED_FROM, MEETINGS_IN_FULL, MEETINGS_WITHIN, RankedRating, Results, counting_seat
from bot.features.stats.stats import GameResult, Stats
from bot.i18n.language import Language
from bot.messages.builder import Button, MessageBuilder, button, escape, escape_name, shown_name
from bot.messages.click import Click
from bot.messages.notices import link
from bot.messages.pictures import or_nothing, picture_or_words
from bot.messages.players import LEVEL_WORDS, MEDALS, names, names_with_levels, ordinal
from bot.workers.drawing import drawing
from engines import GAMES
from engines.text import Text, join, plain, say, say_n
from renderers.summaries.leaderboard import Leaderboard, LeaderboardRow, draw
from renderers.summaries.stats import GameRecord, Section
from renderers.summaries.stats import Stats as PicturedStats
from renderers.summaries.stats import draw as draw_stats
from storage.schema.puzzle_records import SolverRating
from storage.schema.records import Rating

MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 86400

RESULT_WORDS: Final[Mapping[GameResult, Text]] = {
    GameResult.WON: say("won"),
    GameResult.DRAWN: say("drawn"),
    GameResult.LOST: say("lost"),
}

PROVISIONAL_WORDS: Final = say(
    "-# A rating is provisional for the first {n} rated games: each can change it by up to {first} points, later ones by "
    "up to {later}. So one player can gain more than the other loses, or less.",
    n=PROVISIONAL_BELOW, first=MOST_CHANGE_PROVISIONAL, later=MOST_CHANGE,
)  # fmt: skip
"""The note below ratings if any of them is provisional."""

COUNTING_WORDS: Final = say(
    "-# Games between the same two players count in full {n} times in {days} days, then half, a quarter, and so on.",
    n=MEETINGS_IN_FULL, days=round(MEETINGS_WITHIN / DAY),
)  # fmt: skip
"""The note below ratings that explains how much a game counts."""

PROVISIONAL_MARK: Final = say("? = provisional")
"""The meaning of the question mark behind a provisional rating in a picture."""

PROVISIONAL_NOTE: Final = say("Provisional: fewer than {n} rated games.", n=PROVISIONAL_BELOW)
"""The explanation of provisional ratings in words."""

PACE_DAYS: Final = round(PERIOD / DAY)
"""How many days' turns a pace is computed from."""

BADGES_SHOWN: Final = 8
"""The most badges that are shown. Badges from events come first, the newest first."""

# --- results --------------------------------------------------------------------------------------------------------------


async def results_message(
    user: User,
    results: Results,
    server: str,
    language: Language,
    *,
    high_contrast: bool = False,
    puzzles: Sequence[SolverRating] = (),
) -> MessageBuilder:
    """Return a person's results on a server: a picture of their stats, links to the latest games, and any `puzzles` ratings."""
    builder = MessageBuilder().text(language(say("### {name}’s results", name=plain(escape_name(user.name)))))
    told = [language(text) for text in in_words(results)]
    if shown := _picture_of(user, results, server, language, high_contrast=high_contrast):
        content = await or_nothing(lambda: drawing(draw_stats, shown), len, kind="stats")
        alt = " ".join([language(say("{name}’s results.", name=plain(shown_name(user.name)))), *told])
        lines = "\n".join(language(text) for text in in_words(results, escape_name))
        builder.picture(picture_or_words(f"stats-{user.id}.png", content, alt, language, lambda: lines))
    if any(standing.provisional for standing in results.standings):
        builder.text(language(PROVISIONAL_WORDS))
    if results.standings:
        builder.text(language(COUNTING_WORDS))
    else:
        builder.text(language(say("No rated games yet. Open a table with `/play`, or look for one with `/games`.")))
    if results.recent:
        lines_of_games = [language(_recent(snapshot, user.id), names(snapshot)) for snapshot in results.recent]
        builder.text("\n".join([language(say("**Recent games**")), *lines_of_games]))
    if lines_of_badges := [language(text) for text in _badges(results)][:BADGES_SHOWN]:
        builder.text("\n".join([language(say("**Badges**")), *lines_of_badges]))
    lines_of_puzzles = [language(_at_puzzles(rating)) for rating in puzzles if rating.game in GAMES]
    if lines_of_puzzles:
        builder.text("\n".join([language(say("**Puzzles** (only you see this)")), *lines_of_puzzles]))
    return builder


def _badges(results: Results) -> Iterator[Text]:
    for event, place in results.events:
        if event.game in GAMES:
            yield say("{medal} {event}, {game}", medal=MEDALS[place - 1], event=plain(escape(event.name)),
                      game=GAMES[event.game].title)  # fmt: skip
    for badge in results.ladders:
        season = season_of(badge.season)
        if badge.game in GAMES:
            yield say("{medal} {game} ladder, season {n} of {year}", medal=MEDALS[badge.place - 1],
                      game=GAMES[badge.game].title, n=season.quarter, year=season.year)  # fmt: skip


def in_words(results: Results, written: Callable[[str], str] = shown_name) -> Iterator[Text]:
    """Yield a person's stats in words, a sentence or two for each part of the picture. `written` makes a name safe to show."""
    yield from (_standing(standing) for standing in results.standings)
    stats = results.stats
    if stats.form:
        yield say("Form, oldest first: {results}.", results=join([RESULT_WORDS[result] for result in stats.form], ", "))
    for rival in stats.rivals:
        yield say("Against {name}: {won} won, {drawn} drawn, {lost} lost.", name=plain(written(rival.name)), won=rival.won,
                  drawn=rival.drawn, lost=rival.lost)  # fmt: skip
    for words, table_id in _moments(stats):
        yield say("{moment}: #{n}.", moment=words, n=table_id)
    if results.pace is not None:
        yield say("Replies {within} (median of {n} turns in {days} days).", within=_within(results.pace),
                  n=results.pace.turns, days=PACE_DAYS)  # fmt: skip
        yield say("Time-outs: {timeouts} of these {n} turns.", timeouts=results.pace.timeouts, n=results.pace.turns)
    for game_id, level in stats.badges.items():
        yield say("Computers beaten at {game}: {level}.", game=GAMES[game_id].title, level=LEVEL_WORDS[level])


def _picture_of(user: User, results: Results, server: str, language: Language, *, high_contrast: bool) -> PicturedStats | None:
    """Return a person's stats ready to be drawn, or None if there is nothing to draw."""
    stats = results.stats
    if not (results.standings or stats.form or stats.badges or results.pace):
        return None
    game_id = max(stats.ratings, key=lambda one: len(stats.ratings[one]), default=None)
    rivals = tuple((rival.name, f"{rival.won}–{rival.drawn}–{rival.lost}") for rival in stats.rivals)
    moments = tuple((language(words), f"#{table_id}") for words, table_id in _moments(stats))
    columns: tuple[tuple[Text, Text], ...] = ()
    if (pace := results.pace) is not None:
        late = say("{timeouts} of {n} turns", timeouts=pace.timeouts, n=pace.turns)
        columns = ((say("Replies"), _within(pace)), (say("Time-outs"), late))
    lists = (Section(language(say("Head to head (W–D–L)")), rivals), Section(language(say("Best moments")), moments))
    return PicturedStats(
        name=user.name,
        nameless=language(NAMELESS),
        subtitle=language(say("On the server “{server}”", server=plain(server))),
        games=tuple(_game_line(standing, language) for standing in results.standings),
        note=_mark_explained(results.standings, language),
        form_title=language(say("Form")),
        form=tuple((result.value, language(RESULT_WORDS[result])[:1].upper()) for result in stats.form),
        curve_title="" if game_id is None else language(say("{game} rating", game=GAMES[game_id].title)),
        points=() if game_id is None else stats.ratings[game_id],
        lists=tuple(section for section in lists if section.items),
        badges_title=language(say("Computers beaten")),
        badges=tuple(f"{GAMES[one].title}: {language(LEVEL_WORDS[level])}" for one, level in stats.badges.items()),
        pace=tuple((language(title), language(words)) for title, words in columns),
        high_contrast=high_contrast,
    )


def _game_line(standing: RankedRating, language: Language) -> GameRecord:
    rating = standing.rating
    place = say("{place} of {all}", place=ordinal(standing.place or 0), all=standing.listed)
    return GameRecord(
        title=GAMES[rating.game].title, rating=str(rating_points(rating)), provisional=standing.provisional,
        results=f"{rating.won}–{rating.drawn}–{rating.lost}", place="" if standing.place is None else language(place),
    )  # fmt: skip


def _within(pace: Pace) -> Text:
    """Return a person's median time for a turn, as in "within 5 hours". It is rounded up, and in days from two days on."""
    if pace.seconds > 2 * DAY - HOUR:
        return say_n("within {n} day", "within {n} days", math.ceil(pace.seconds / DAY))
    if pace.seconds > HOUR - MINUTE:
        return say_n("within {n} hour", "within {n} hours", math.ceil(pace.seconds / HOUR))
    return say_n("within {n} minute", "within {n} minutes", max(1, math.ceil(pace.seconds / MINUTE)))


def _mark_explained(standings: Iterable[RankedRating], language: Language) -> str:
    """Return the explanation of the question mark in a picture of these ratings, or an empty text if it does not occur."""
    return language(PROVISIONAL_MARK) if any(standing.provisional for standing in standings) else ""


def _moments(stats: Stats) -> Iterator[tuple[Text, int]]:
    if stats.run is not None:
        yield say_n("{n} win in a row", "{n} wins in a row", stats.run.value), stats.run.table_id
    if stats.peak:
        game_id, peak = max(stats.peak.items(), key=lambda item: item[1].value)
        yield say("Peak rating at {game}: {rating}", game=GAMES[game_id].title, rating=peak.value), peak.table_id
    if stats.upset is not None:
        yield say("Beat a player rated {rating}", rating=stats.upset.value), stats.upset.table_id


def _standing(standing: RankedRating) -> Text:
    """Return a line like "Bouncers: rating 1138, 2nd of 7. 12 games: 8 won, 1 drawn, 3 lost."."""
    number: Text = plain(str(rating_points(standing.rating)))
    if standing.provisional:
        number = say("{rating} (provisional)", rating=number)
    title, games = GAMES[standing.rating.game].title, _games(standing)
    if standing.place is None:
        return say("{game}: rating {rating}. {games}.", game=title, rating=number, games=games)
    return say("{game}: rating {rating}, {place} of {all}. {games}.", game=title, rating=number,
               place=ordinal(standing.place), all=standing.listed, games=games)  # fmt: skip


def _games(standing: RankedRating) -> Text:
    """Return a phrase like "12 games: 8 won, 1 drawn, 3 lost"."""
    rating = standing.rating
    return say_n(
        "{n} game: {won} won, {drawn} drawn, {lost} lost", "{n} games: {won} won, {drawn} drawn, {lost} lost",
        rating.played, won=rating.won, drawn=rating.drawn, lost=rating.lost,
    )  # fmt: skip


def _at_puzzles(rating: SolverRating) -> Text:
    """Return a line like "Bouncers: rating 1138. 8 of 12 puzzles solved on the first try."."""
    return say_n(
        "{game}: rating {rating}. {solved} of {n} puzzle solved on the first try.",
        "{game}: rating {rating}. {solved} of {n} puzzles solved on the first try.",
        rating.played, game=GAMES[rating.game].title, rating=rating_points(rating), solved=rating.won,
    )  # fmt: skip


def _recent(snapshot: Snapshot, user_id: int) -> Text:
    """Return a line like "[#12](…) Bouncers with Ben: won, yesterday", with a link to the game."""
    table, mine, lost = snapshot.table, counting_seat(snapshot, user_id), losses(snapshot)
    who = names_with_levels(snapshot, names(snapshot))
    others = join([plain(who[i]) for i in range(len(who)) if i != mine], ", ")
    address = link(snapshot)
    number = plain(f"[#{table.id}]({address})" if address.startswith("https:") else f"#{table.id}")
    values = {"number": number, "game": GAMES[table.game].title, "others": others, "result": _outcome(snapshot, mine, user_id),
              "when": plain(f"<t:{int(table.finished_at or 0)}:R>")}  # fmt: skip
    if not others:
        return say("{number} {game}, alone: {result}, {when}", **values)
    if not table.rated:
        return say("{number} {game} with {others}, not rated: {result}, {when}", **values)
    if mine is not None and snapshot.players[mine].user_id != user_id:
        return say("{number} {game} with {others}, taken over by {name}: {result}, {when}", name=plain(who[mine]), **values)
    if mine is not None and mine in lost and lost[mine].user_id == user_id:
        return say("{number} {game} with {others}, left and rejoined: {result}, {when}", **values)
    if mine is not None and stands_in(snapshot, mine):
        return say("{number} {game} with {others}, as a stand-in, not rated: {result}, {when}", **values)
    return say("{number} {game} with {others}: {result}, {when}", **values)


def _outcome(snapshot: Snapshot, seat: int | None, user_id: int) -> Text:
    """Return a game's result for a person in a word or two, followed by the rated result if that is different."""
    if seat is None or without_result(snapshot):
        return say("no result")
    lost = losses(snapshot)
    if seat in lost and lost[seat].user_id == user_id:
        return say("lost")
    ended = snapshot.table.outcome
    on_board = _result_word(() if ended is None else ended.winners, seat, snapshot.present)
    by_rating = _result_word(rated_winners(snapshot), seat, staying_seats(snapshot))
    if not lost or stands_in(snapshot, seat) or str(on_board) == str(by_rating):
        return on_board
    return say("{result}, rated as {rated}", result=on_board, rated=by_rating)


def _result_word(winners: Collection[int], seat: int, there: Collection[int]) -> Text:
    """Return a seat's result in one word. `there` holds the seats that played to the end."""
    if seat in winners:
        return say("**won**")
    return say("drawn") if not winners and seat in there and len(there) > 1 else say("lost")


# --- leaderboards ---------------------------------------------------------------------------------------------------------


async def leaderboard_message(
    game: str, standings: tuple[RankedRating, ...], server: str, language: Language
) -> MessageBuilder:
    """Return a message with a server's leaderboard at a game."""
    board = _leaderboard(game, standings, language, server)
    picture = await or_nothing(lambda: drawing(draw, board), len, kind="leaderboard")
    title = language(say("### The best at {game}", game=GAMES[game].title))
    note = [PROVISIONAL_NOTE] if any(standing.provisional for standing in standings) else []
    listed = (_list_item(standing, shown_name(standing.rating.name)) for standing in standings)
    alt = language(join([say("The best at {game}.", game=GAMES[game].title), *listed, *note]))

    def words() -> str:
        return language(join([*(_list_item(s, escape_name(s.rating.name)) for s in standings), *note]))

    builder = MessageBuilder().text(title)
    builder.picture(picture_or_words(f"leaderboard-{game}.png", picture, alt, language, words))
    return builder.text(language(PROVISIONAL_WORDS)) if note else builder


def leaderboard_button(language: Language, game: str | None) -> Button:
    """Return the button *Leaderboard*, which shows the leaderboard of a game or, without one, asks for which game."""
    click = Click("leaderboard", tokens=() if game is None else (game,))
    return button(language(say("Leaderboard")), click.custom_id, emoji="🏆")


def which_leaderboard(language: Language) -> MessageBuilder:
    """Ask for which game somebody wants to see the leaderboard."""
    builder = MessageBuilder().text(language(say("**The best players here.** At which game?")))
    return builder.buttons(
        [button(language(game.title), Click("leaderboard", tokens=(game.id,)).custom_id) for game in GAMES.values()]
    )


def candidates_message(game: str, candidates: Sequence[Rating], language: Language) -> MessageBuilder:
    """Return the message shown in place of an empty leaderboard, with those who are on the way to it, and how to get there."""
    builder = MessageBuilder().text(language(say("### The best at {game}", game=GAMES[game].title)))
    builder.text(language(say("No rankings yet: play {n} rated games of {game} to appear.", n=LISTED_FROM,
                              game=GAMES[game].title)))  # fmt: skip
    if candidates:
        lines = [
            language(say("{name}: {n} of {all} rated games", name=plain(escape_name(one.name)), n=one.played, all=LISTED_FROM))
            for one in candidates
        ]
        builder.text("\n".join([language(say("**Getting there**")), *lines]))
    return builder.text(
        language(say("-# `/play` opens a table; games between people are rated unless somebody says otherwise."))
    )


def _leaderboard(game: str, standings: tuple[RankedRating, ...], language: Language, server: str) -> Leaderboard:
    return Leaderboard(
        title=language(GAMES[game].title), subtitle=language(say("The best on {server}", server=plain(server))),
        rating=language(say("Rating")), games=language(say("Games")), nameless=language(NAMELESS),
        note=_mark_explained(standings, language),
        rows=tuple(
            LeaderboardRow(s.place or 0, s.rating.name, str(rating_points(s.rating)), str(s.rating.played), s.provisional)
            for s in standings
        ),
    )  # fmt: skip


def _list_item(standing: RankedRating, name: str) -> Text:
    """Return a line like "1. Ann: 1642 after 40 games"."""
    rating = standing.rating
    name, number = plain(name), rating_points(rating)
    if standing.provisional:
        return say_n("{place}. {name}: {rating} (provisional) after {n} game", "{place}. {name}: {rating} (provisional) after "
                     "{n} games", rating.played, place=standing.place, name=name, rating=number)  # fmt: skip
    return say_n("{place}. {name}: {rating} after {n} game", "{place}. {name}: {rating} after {n} games", rating.played,
                 place=standing.place, name=name, rating=number)  # fmt: skip
