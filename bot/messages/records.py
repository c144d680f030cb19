"""Messages about past games: replays, verdicts on their fairness, results and leaderboards."""

from collections.abc import Collection, Iterator
from typing import Final

from bot.drawing.place import drawing
from bot.i18n.language import Language
from bot.messages.board import heading, names
from bot.messages.builder import ERROR_COLOUR, MessageBuilder, Picture, button, escaped
from bot.messages.click import Click
from bot.messages.computers import known_as
from bot.messages.notices import link
from bot.messages.perspective import Perspective
from bot.messages.replays import Past, animation
from bot.sessions import Snapshot, User
from bot.sessions.dice import draws
from bot.sessions.parties import losses, rated_winners, stands_in, stayed, without_result
from bot.sessions.ratings import PROVISIONAL_BELOW, Results, Standing, counting_seat, shown
from bot.sessions.verify import Verdict
from engines import GAMES
from engines.text import Text, join, plain, say, say_n
from renderers.leaderboard import Leaderboard, Line, draw
from renderers.replay import Replay

MIXED_SHOWN: Final = 18
"""How many contributions to the dice a verdict shows. The log has all of them."""

# --- replays --------------------------------------------------------------------------------------------------------------


async def replay_message(
    snapshot: Snapshot, perspective: Perspective, log: str, *, animated: bool = True, shareable: bool = False
) -> MessageBuilder:
    """The game so far as an animation, if `animated`, and its log as a file; with *Share* if it is `shareable`."""
    language = perspective.language
    builder = MessageBuilder().text(heading(snapshot, language))
    if animated:
        await _animated(builder, snapshot, perspective)
    result = snapshot.result()
    if result is not None:
        builder.text(language(result, names(snapshot)))
    builder.document(f"springboard-{snapshot.table.id}.txt", log.encode())
    if shareable and animated:
        share = Click("share", snapshot.table.id, snapshot.playing.version)
        builder.buttons([button(language(say("Share")), share.custom_id)])
    return builder


async def public_replay_message(
    snapshot: Snapshot, perspective: Perspective, *, shared_by: int | None = None
) -> MessageBuilder:
    """The animation alone, for everybody: after the last board of a game, or because somebody shares it."""
    language = perspective.language
    builder = MessageBuilder().text(heading(snapshot, language))
    await _animated(builder, snapshot, perspective)
    if shared_by is not None:
        builder.text(language(say("-# Shared by {who}", who=f"<@{shared_by}>")))
    return builder


async def _animated(builder: MessageBuilder, snapshot: Snapshot, perspective: Perspective) -> None:
    """Add the animation and what it shows."""
    history, language = snapshot.playing, perspective.language
    made = await animation(Past(snapshot, perspective))
    name = f"{history.game.id}-{snapshot.table.id}-{history.version}.gif"
    alt = language(_alt_text(snapshot, perspective, made), snapshot.names)
    builder.picture(Picture(name, made.gif, alt))
    builder.text(language(_caption(snapshot, perspective, made), names(snapshot)))


def _alt_text(snapshot: Snapshot, perspective: Perspective, made: Replay) -> Text:
    history = snapshot.playing
    view = history.game.revealed(history.state) if perspective.revealed else history.view(perspective.seat)
    end = history.game.describe(view)
    return say_n(
        "{game} as an animation of one picture. {end}", "{game} as an animation of {n} pictures. The last one: {end}",
        len(made.frames), game=history.game.title, end=end,
    )  # fmt: skip


def _caption(snapshot: Snapshot, perspective: Perspective, made: Replay) -> Text:
    """What the animation shows, and what it leaves out."""
    game = snapshot.playing.game
    if perspective.revealed:
        hidden = game.secret or game.memory
        lines = [say("The whole game, with everything revealed.") if hidden else say("The whole game.")]
    elif perspective.seat is not None:
        lines = [say("The game so far, as you see it.")]
    else:
        lines = [say("The game so far, as everybody sees it.")]
    if not Past(snapshot, perspective).retold:
        lines.append(say("What was turned up on the way is left out: remembering it is part of the game."))
    if made.thinned:
        lines.append(
            say("It is too long to be shown step by step: these are {n} of {all} pictures, evenly spread.",
                n=len(made.frames), all=made.steps)
        )  # fmt: skip
    return join([say("-# {line}", line=line) for line in lines])


# --- fairness -------------------------------------------------------------------------------------------------------------


def verdict_message(verdict: Verdict, language: Language) -> MessageBuilder:
    """The seed, its hash, and whether the replayed game ends as the table says."""
    snapshot = Snapshot(verdict.table, verdict.players, verdict.history)
    builder = MessageBuilder(colour=ERROR_COLOUR if verdict.problems else None)
    builder.text(heading(snapshot, language) if verdict.history else f"**#{verdict.table.id}**")
    drawn = draws(verdict.table)
    if drawn:
        builder.text(language(join(_seeds(verdict, snapshot))))
        builder.text(language(join(_mixed_in(verdict))))
    if verdict.problems:
        builder.text(language(join([say("**Something is wrong.**"), *verdict.problems]), names(snapshot)))
    elif verdict.seed is None:
        builder.text(language(say(
            "The seed is shown when the game is over. Then everybody can check that it has this hash, and that dice, coins and "
            "cards came from it and what the players mixed in. So far, all actions obey the rules."
        ) if drawn else say("Nothing is left to luck in this game. So far, every action obeys the rules.")))  # fmt: skip
    else:
        builder.text(language(_in_order(snapshot, drawn=drawn), names(snapshot)))
        if drawn:
            command = f"printf {verdict.seed.hex()} | xxd -r -p | sha256sum"
            builder.text(language(say("-# To compute the hash yourself: `{command}`", command=command)))
    replay = button(language(say("Replay")), Click("replay", verdict.table.id).custom_id)
    return builder.buttons([replay]) if verdict.history else builder


def _seeds(verdict: Verdict, snapshot: Snapshot) -> Iterator[Text]:
    """What the dice came from: the seed and its hash."""
    yield say("SHA-256 of the seed: `{hash}`", hash=verdict.hash)
    if verdict.table.lobby_message_id is not None:
        yield say("It has to be the one that {where} has shown since before the first move.", where=_first_message(snapshot))
    if verdict.seed is not None:
        yield say("Seed: `{seed}`", seed=verdict.seed.hex())
    if verdict.key is not None and verdict.key != verdict.seed:
        yield say("Key of the dice: `{key}`", key=verdict.key.hex())


def _mixed_in(verdict: Verdict) -> Iterator[Text]:
    """What the players mixed into the dice, in the order in which it was mixed in; only the first of them if there are many."""
    if not verdict.contributions:
        return
    yield say("Mixed into the dice (user, press, word):")
    for one in verdict.contributions[:MIXED_SHOWN]:
        if one.removed:
            yield say("-# {number}. removed", number=one.number or 0)
        else:
            pressed = plain(f"`{one.user_id}:{one.interaction_id}:` {escaped(one.word) if one.word else ''}".rstrip())
            yield say("-# {number}. {pressed}", number=one.number or 0, pressed=pressed)
    left_out = len(verdict.contributions) - MIXED_SHOWN
    if left_out > 0:
        yield say_n("-# … and {n} more, in the log of the replay", "-# … and {n} more, in the log of the replay", left_out)
    if verdict.removed:
        yield say_n(
            "{n} of these was removed because its owner wanted to be forgotten. So the key cannot be computed from them any "
            "more; that the dice follow from the key still holds.",
            "{n} of these were removed because their owners wanted to be forgotten. So the key cannot be computed from them "
            "any more; that the dice follow from the key still holds.",
            verdict.removed,
        )


def _first_message(snapshot: Snapshot) -> Text:
    table = snapshot.table
    address = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}/{table.lobby_message_id}"
    return say("[the table's first message]({address})", address=address)


def _in_order(snapshot: Snapshot, *, drawn: bool) -> Text:
    result = snapshot.result()
    if not drawn:
        return say_n(
            "**All is in order.** The one action of the log obeys the rules, and leads to the same end: {result}",
            "**All is in order.** The {n} actions of the log obey the rules, and lead to the same end: {result}",
            snapshot.playing.version, result=result if result is not None else say("the game was closed."),
        )  # fmt: skip
    return say_n(
        "**All is in order.** The seed has this hash. Played again from it, the one action of the log obeys the rules, and "
        "leads to the same end: {result}",
        "**All is in order.** The seed has this hash. Played again from it, the {n} actions of the log obey the rules, and "
        "lead to the same end: {result}",
        snapshot.playing.version, result=result if result is not None else say("the game was closed."),
    )  # fmt: skip


# --- results --------------------------------------------------------------------------------------------------------------


def results_message(user: User, results: Results, language: Language) -> MessageBuilder:
    """Somebody's results on a server."""
    builder = MessageBuilder().text(language(say("### Results of {name}", name=plain(escaped(user.name)))))
    if results.standings:
        builder.text("\n".join(language(_standing(standing)) for standing in results.standings))
    else:
        builder.text(language(say("No rated games yet.")))
    if results.recent:
        lines = [language(_recent(snapshot, user.id), names(snapshot)) for snapshot in results.recent]
        builder.text("\n".join([language(say("**Last games**")), *lines]))
    return builder


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
    title = GAMES[rating.game].listed
    if standing.place is None:
        return say("**{game}**: rating {rating}. {games}", game=title, rating=number, games=games)
    return say("**{game}**: rating {rating}, place {place} of {all}. {games}", game=title, rating=number,
               place=standing.place, all=standing.listed, games=games)  # fmt: skip


def _recent(snapshot: Snapshot, user_id: int) -> Text:
    """A line like "[#12](…) Bouncers with Ben: won, yesterday"."""
    table, mine, lost = snapshot.table, counting_seat(snapshot, user_id), losses(snapshot)
    who = known_as(snapshot, names(snapshot))
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
        return say("{number} {game} with {others}, left to {name}: {result}, {when}", name=plain(who[mine]), **values)
    if mine is not None and mine in lost and lost[mine].user_id == user_id:
        return say("{number} {game} with {others}, left and taken back: {result}, {when}", **values)
    if mine is not None and stands_in(snapshot, mine):
        return say("{number} {game} with {others}, as a stand-in, not rated: {result}, {when}", **values)
    return say("{number} {game} with {others}: {result}, {when}", **values)


def _outcome(snapshot: Snapshot, seat: int | None, user_id: int) -> Text:
    """How a game ended for somebody, in a word or two; and how by rating, where that is something else."""
    if seat is None or without_result(snapshot):
        return say("without a result")
    lost = losses(snapshot)
    if seat in lost and lost[seat].user_id == user_id:
        return say("lost")
    ended = snapshot.table.outcome
    on_board = _ended(() if ended is None else ended.winners, seat, snapshot.present)
    by_rating = _ended(rated_winners(snapshot), seat, stayed(snapshot))
    if not lost or stands_in(snapshot, seat) or str(on_board) == str(by_rating):
        return on_board
    return say("{result}, by rating {rated}", result=on_board, rated=by_rating)


def _ended(winners: Collection[int], seat: int, there: Collection[int]) -> Text:
    """How a game of several ended for a seat: `there` are those who played to the end."""
    if seat in winners:
        return say("**won**")
    return say("drawn") if not winners and seat in there and len(there) > 1 else say("lost")


# --- leaderboards ---------------------------------------------------------------------------------------------------------


async def leaderboard_message(game: str, standings: tuple[Standing, ...], server: str, language: Language) -> MessageBuilder:
    """The leaderboard of a server at a game."""
    board = _leaderboard(game, standings, language, server)
    picture = await drawing(draw, board)
    title = language(say("### The best at {game}", game=GAMES[game].title))
    words = language(join([say("The best at {game}.", game=GAMES[game].title), *(_list_item(s) for s in standings)]))
    return MessageBuilder().text(title).picture(Picture(f"leaderboard-{game}.png", picture, words))


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


def _list_item(standing: Standing) -> Text:
    """A line like "1. Ann: 1642 after 40 games"."""
    rating = standing.rating
    name, number = plain(rating.name), shown(rating)
    if standing.provisional:
        return say_n("{place}. {name}: {rating} (provisional) after {n} game", "{place}. {name}: {rating} (provisional) after "
                     "{n} games", rating.played, place=standing.place, name=name, rating=number)  # fmt: skip
    return say_n("{place}. {name}: {rating} after {n} game", "{place}. {name}: {rating} after {n} games", rating.played,
                 place=standing.place, name=name, rating=number)  # fmt: skip
