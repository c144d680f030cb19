"""What's on today, as one picture and a few lines. It is shown privately under *What’s on today*, or comes as a post."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.core.core import Core
from bot.core.table.settings import DAY
from bot.core.table.snapshot import Snapshot, verdict
from bot.features.matchmaking.post import waiting_words
from bot.features.matchmaking.service import Seeks
from bot.features.posts.messages import Content, Contents
from bot.features.posts.service import Posts
from bot.features.puzzles.daily import Dailies, Span, TableRow
from bot.features.puzzles.daily_messages import SPANS, table_button, table_lines, today_button
from bot.features.today.service import Day, Today
from bot.i18n.language import Language
from bot.messages.builder import Button, MessageBuilder, Picture, button
from bot.messages.click import Click
from bot.messages.listing import table_line
from bot.messages.notices import link
from bot.messages.notification import Notification, role_mention
from bot.messages.pictures import CACHE, Perspective, finale_of, picture_or_words, shown, spectator
from bot.messages.players import marks, names, names_with_levels, turn_text
from bot.workers.drawing import drawing
from engines import GAMES
from engines.text import Text, join, plain, say, say_n
from renderers.banner import with_sign
from renderers.scene import Scene
from renderers.summaries.mosaic import Tile, draw_mosaic
from storage.connections.priority_lock import in_background
from storage.schema.records import Ending, Post, PostKind

SOLVERS: Final = 3
"""The most people named from the puzzle standings."""

WEEK: Final = 7 * DAY


async def open_today(core: Core, guild_id: int, _day: int, language: Language, role: int | None = None) -> Content | None:
    """Return what has happened since the last post (or within a day or week), or None if nothing has. It is never edited."""
    post, daily = [await core.service(Posts).get(guild_id, kind) for kind in (PostKind.TODAY, PostKind.DAILY)]
    weekly = post is not None and post.weekday is not None
    found = await core.service(Today).of_server(guild_id, _since(post, core.now()))
    week = await core.service(Dailies).table(guild_id, Span.WEEK)
    solved = week if weekly or not week else await core.service(Dailies).table(guild_id, Span.YESTERDAY)
    if not (found.moved or found.ended_in_all or solved):
        return None
    builder = MessageBuilder().text("".join(role_mention(role)))
    if role is not None:
        builder.notify(Notification(_in_short(found, language, weekly=weekly), mentions=role_mention(role)))
    waiting = {} if weekly else await core.service(Seeks).waiting(guild_id)
    await _add_day(builder, found, week, waiting, spectator(language), weekly=weekly, posted=True)
    now_on = button(language(say("What’s on now")), Click("today").custom_id)
    invited = daily is not None and daily.due is not None
    builder.buttons([now_on, *([] if invited else [today_button(language)]), *_table_buttons(week, language)])
    return Content(builder, changing="")


CONTENTS: Final = Contents(open_today)
"""What the posts about a server's day show."""


def _in_short(found: Day, language: Language, *, weekly: bool) -> str:
    """Sum up the day in one sentence for lock screens: how many games are on, and how many have ended."""
    when = say("This week") if weekly else say("Today")
    told = [say_n("{n} game is on", "{n} games are on", found.running_in_all)] if found.running_in_all else []
    told += [say_n("{n} has ended", "{n} have ended", found.ended_in_all)] if found.ended_in_all else []
    if not told:
        return language(say("{when}: see how everybody’s doing in the daily puzzles.", when=when))
    return language(say("{when}: {games}. See the boards, and who’s waiting for you.", when=when, games=join(told, ", ")))


def _since(post: Post | None, now: float) -> float:
    """Return when the period that a post covers begins: at the previous post, but at most two days (or two weeks) ago."""
    period = WEEK if post is not None and post.weekday is not None else DAY
    return now - period if post is None or post.posted_at is None else max(post.posted_at, now - 2 * period)


async def today_message(
    found: Day, week: Sequence[TableRow], waiting: Mapping[str, int], perspective: Perspective, user_id: int
) -> MessageBuilder:
    """Return what's on at a server for one person. `week` has the puzzle table; `waiting` says how many wait for each game."""
    builder, language = MessageBuilder(), perspective.language
    await _add_day(builder, found, week, waiting, perspective, user_id=user_id)
    if not found.running:
        quiet = say(
            "Nothing’s on right now. `/play` opens a table, `/match` finds people, and `/puzzle` has the puzzle of the day."
        )
        builder.text(language(quiet))
    games = [button(language(say("All games")), Click("games").custom_id)] if found.running else []
    seeking = [button(language(say("Find a game")), Click("seek").custom_id)] if waiting else []
    return builder.buttons([today_button(language), *_table_buttons(week, language), *games, *seeking])


def _table_buttons(week: Sequence[TableRow], language: Language) -> list[Button]:
    """Return the button that opens the full puzzle standings, if there are any."""
    return [table_button(language, Span.WEEK)] if week else []


async def _add_day(
    builder: MessageBuilder,
    found: Day,
    week: Sequence[TableRow],
    waiting: Mapping[str, int],
    perspective: Perspective,
    *,
    user_id: int = 0,
    weekly: bool = False,
    posted: bool = False,
) -> None:
    """Add a day's picture and lines to a message. `user_id` is the reader, or 0 if the message is for everybody."""
    language = perspective.language
    builder.text(language(say("### 📅 This week") if weekly else say("### 📅 Today")))
    builder.picture(await _picture(found.boards, perspective, posted=posted))
    if found.running:
        lines = [language(say_n("**{n} game is on**", "**{n} games are on**", found.running_in_all))]
        lines += [language(table_line(snapshot, user_id, language), names(snapshot)) for snapshot in found.running]
        if (more := found.running_in_all - len(found.running)) > 0:
            lines.append(language(say_n("-# and {n} more: `/games`", "-# and {n} more: `/games`", more)))
        builder.text("\n".join(lines))
    if found.ended:
        heading = say("**Ended in the last 7 days**") if weekly else say("**Ended since yesterday**")
        lines = [language(heading), *(language(_ended_line(snapshot), names(snapshot)) for snapshot in found.ended)]
        if (more := found.ended_in_all - len(found.ended)) > 0:
            lines.append(language(say_n("-# and {n} more", "-# and {n} more", more)))
        builder.text("\n".join(lines))
    if asking := waiting_words(waiting):
        builder.text(language(join([say("**👋 Who’s up for a game?**"), *asking])))
    if week:
        heading = say("**🏅 Daily bounce: {span}**", span=SPANS[Span.WEEK])
        builder.text("\n".join([language(heading), *table_lines(week[:SOLVERS], Span.WEEK, language, people=len(week))]))


def _ended_line(snapshot: Snapshot) -> Text:
    """Return an ended game as one line, with the result, and everybody's rating."""
    table, changes = snapshot.table, snapshot.rating_changes
    who = [join(seat, " ") for seat in zip(marks(snapshot), names_with_levels(snapshot, names(snapshot)), strict=True)]
    for seat, (before, after) in ((seat, change) for seat, change in enumerate(changes) if change is not None):
        who[seat] = join([who[seat], plain(f"{before} → {after} ({with_sign(after - before)})")], " ")
    title = join([plain(f"**#{table.id}"), join([GAMES[table.game].title, "**"], "")], " ")
    return say("{title} {where}: {result} {who}", title=title, where=plain(link(snapshot)), result=_verdict(snapshot),
               who=join(who, ", "))  # fmt: skip


def _verdict(snapshot: Snapshot) -> Text:
    """Say who has won, or that the game is drawn. Without its board, a draw by the rules reads as a game without a winner."""
    ended = snapshot.table.outcome
    assert ended is not None, "the game is over"
    drawn = ended.how is Ending.AGREED if snapshot.history is None else snapshot.is_drawn
    return verdict(ended.winners, drawn=drawn)


async def _picture(boards: Sequence[Snapshot], perspective: Perspective, *, posted: bool) -> Picture | None:
    """Return the boards in one picture, as spectators see them, or None if there are no boards."""
    if not boards:
        return None
    tiles = [_tile(snapshot, perspective) for snapshot in boards]
    slow, language = in_background(), perspective.language
    png = await CACHE.picture(
        tuple((shown(tile.game_id, tile.view, tile.scene), tile.number, tile.note) for tile in tiles),
        lambda: drawing(draw_mosaic, tiles, slow=slow, yielding=posted), hurry=(slow, posted), kind="today",
    )  # fmt: skip
    alt = " ".join(language(_description(snapshot, snapshot.names), snapshot.names) for snapshot in boards)

    def words() -> str:
        return "\n".join(language(_description(snapshot, names(snapshot)), names(snapshot)) for snapshot in boards)

    return picture_or_words("today.png", png, alt, language, words)


def _tile(snapshot: Snapshot, perspective: Perspective) -> Tile:
    """Return a game as spectators see it, with its last action and, if it ended without a winner, with the reason."""
    history, language = snapshot.playing, perspective.language
    last, finale = history.log.last, finale_of(snapshot.position)
    events = () if last is None else tuple(event for event in last.events if event.known_to(None))
    scene = Scene(
        names=snapshot.names, computers=snapshot.computers, events=events, high_contrast=perspective.high_contrast,
        translate=language, finale=finale,
    )  # fmt: skip
    note = "" if finale is None or finale.winners else language(_verdict(snapshot))
    return Tile(
        game_id=history.game.id, view=history.view(None), scene=scene, title=language(history.game.title),
        number=f"#{snapshot.table.id}", note=note,
    )  # fmt: skip


def _description(snapshot: Snapshot, called: Sequence[str]) -> Text:
    """Describe one of the picture's games: the game, its players, and whose turn it is or who has won."""
    table, who = snapshot.table, join([plain(name) for name in names_with_levels(snapshot, called)], ", ")
    what = _verdict(snapshot) if table.outcome is not None else turn_text(snapshot)
    return say("{game} #{n} with {who}. {what}", game=GAMES[table.game].title, n=table.id, who=who, what=what)
