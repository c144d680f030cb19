"""The wording for tournaments: formats, tie-breaks, points, the log, and what happens when something goes wrong."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Final

from bot.core.table.audience import Unseen
from bot.core.table.settings import DAY, HOUR
from bot.features.tournaments.change import is_rated
from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.rules.rounds import Ending, RoundGame
from bot.features.tournaments.rules.standings import Standing
from bot.features.tournaments.rules.tie_breaks import TieBreak
from bot.features.tournaments.view import TournamentView
from bot.messages.builder import escape, escape_name
from bot.messages.lobby import CLOCK_WORDS
from bot.messages.terms import chosen_terms
from bot.messages.unseen import who_words
from engines import GAMES
from engines.text import Text, join, plain, say, say_n
from storage.schema.kinds import TournamentActor, TournamentDeed
from storage.schema.structures import TournamentAct
from storage.schema.tournament_records import StoredTournament

FORMAT_WORDS: Final[Mapping[str, Text]] = {
    "round_robin": say("round robin"), "swiss": say("Swiss"), "knockout": say("knockout"), "pods": say("tables of 3 to 5"),
}  # fmt: skip

HOW_IT_GOES: Final[Mapping[str, Text]] = {
    "round_robin": say("Everybody plays everybody, at most three games at a time."),
    "swiss": say("Each round you play somebody with about as many points as you, and never the same person twice."),
    "knockout": say(
        "A match is two games, one in each seat. If it’s tied, one more game decides, and then a random draw. "
        "Lose a match and you’re out."
    ),
    "pods": say(
        "Each round you share a table with two to four others who have about as many points as you, and "
        "your place earns you points."
    ),
}
"""How each format works, in a sentence or two."""

TIE_BREAK_WORDS: Final[Mapping[TieBreak, Text]] = {
    TieBreak.WINS: say("games won"), TieBreak.DIRECT: say("head-to-head games"),
    TieBreak.SONNEBORN_BERGER: say("points of the opponents you beat (Sonneborn–Berger)"),
    TieBreak.BUCHHOLZ: say("points of all your opponents (Buchholz)"), TieBreak.TIMEOUTS: say("fewest time-outs"),
    TieBreak.LOTS: say("random draw"),
}  # fmt: skip

_AHEAD: Final = {"who": "", "other": "", "mine": "", "theirs": ""}
AHEAD_WORDS: Final[Mapping[TieBreak, Text]] = {
    TieBreak.WINS: say("{who} is ahead of {other} on games won: {mine} to {theirs}.", **_AHEAD),
    TieBreak.DIRECT: say("{who} is ahead of {other} on their head-to-head games.", who="", other=""),
    TieBreak.SONNEBORN_BERGER: say(
        "{who} is ahead of {other} on the points of opponents beaten: {mine} to {theirs}.", **_AHEAD
    ),
    TieBreak.BUCHHOLZ: say("{who} is ahead of {other} on the points of all opponents: {mine} to {theirs}.", **_AHEAD),
    TieBreak.TIMEOUTS: say("{who} is ahead of {other} on fewer time-outs: {mine} to {theirs}.", **_AHEAD),
    TieBreak.LOTS: say("{who} is ahead of {other} by random draw.", who="", other=""),
}
"""What each tie-break says about a player whom it puts ahead of another, with the values of both."""

VALUE_WORDS: Final[Mapping[TieBreak, Text]] = {
    TieBreak.WINS: say("{points}, {value} won", points="", value=""),
    TieBreak.DIRECT: say("{points}, head to head", points=""),
    TieBreak.SONNEBORN_BERGER: say("{points}, Sonneborn–Berger {value}", points="", value=""),
    TieBreak.BUCHHOLZ: say("{points}, Buchholz {value}", points="", value=""),
    TieBreak.TIMEOUTS: say("{points}, time-outs: {value}", points="", value=""),
    TieBreak.LOTS: say("{points}, by random draw", points=""),
}
"""A player's points, followed by what decided between players with equal points, in a few words."""


def format_words(row: StoredTournament) -> Text:
    """Return the name of a tournament's format."""
    return FORMAT_WORDS.get(row.format, plain(row.format))


def game_words(row: StoredTournament) -> Text:
    """Return the game of a tournament, with its variant if the game has several."""
    game = GAMES[row.game]
    if len(game.variants) == 1:
        return plain(game.title)
    return say("{game}: {variant}", game=plain(game.title), variant=game.variant_titles.get(row.variant, plain(row.variant)))


def clock_words(row: StoredTournament) -> Text:
    """Return the time for a turn in a tournament's games."""
    return CLOCK_WORDS.get(row.clock, say("{time} a turn", time=duration_words(row.clock)))


def duration_words(seconds: float) -> Text:
    """Return a duration in days or hours."""
    if seconds >= DAY and seconds % DAY == 0:
        return say_n("{n} day", "{n} days", int(seconds // DAY))
    return say_n("{n} hour", "{n} hours", round(seconds / HOUR))


def title_words(row: StoredTournament) -> Text:
    """Return the heading of all messages about a tournament."""
    return say("### 🏆 {name}", name=plain(escape(row.name)))


def luck_words(row: StoredTournament) -> list[Text]:
    """Return a line that says that luck alone decides in a tournament's game, if that is so."""
    return [say("-# 🎲 It’s all luck: anybody can win, so it isn’t rated.")] if GAMES[row.game].luck_alone else []


def terms_words(row: StoredTournament) -> list[Text]:
    """Say what is played, how, and on which terms."""
    system = FORMATS[row.format].system
    turn = clock_words(row)
    round_ = duration_words(row.round_seconds)
    terms = [
        turn,
        say("{time} for every three games", time=round_) if system.at_once else say("{time} a round", time=round_),
        say("{few} to {many} players", few=FORMATS[row.format].fewest, many=row.most),
        say("rated") if is_rated(row) else say("not rated"),
    ]
    if row.most_late is not None:
        terms.append(say("at most {n}% time-outs", n=row.most_late))
    told: list[Text] = [join([game_words(row), *chosen_terms(row.game, row.options)], " · "), *luck_words(row)]
    told.append(join([format_words(row), *terms], " · "))
    return [*told, HOW_IT_GOES.get(row.format, plain(""))]


def start_words(row: StoredTournament) -> Text:
    """Say when a tournament starts, and when its check-in opens."""
    known = {"at": str(int(row.starts_at)), "from": str(int(row.check_in_at))}
    return say("**Starts** <t:{at}:F>. Check-in opens <t:{from}:f>: you play only if you check in.", **known)


def trouble_words(row: StoredTournament) -> list[Text]:
    """Say what happens when something goes wrong, so that everybody knows beforehand."""
    chosen = FORMATS[row.format]
    late = say("Nobody can enter after the start.")
    if chosen.late_points is not None:
        late = say("You can enter late until it’s half over. A round you’ve missed is worth {points}.",
                   points=points_words(chosen.late_points))  # fmt: skip
        if chosen.system.at_once:
            late = say("You can enter late until half of the games are over, and you’ll still play everybody.")
    several = chosen.system.largest > 2
    told = [
        say("**A game still going when its round ends** is decided on time: whoever has used the least comes first. Play "
            "can go on, but isn’t rated.") if several else
        say("**A game still going when its round ends** is lost by whoever has used more time. Play can go on, but isn’t "
            "rated."),
        say("**The first deadline you miss** gives you overtime, as always. After the second, the event goes on without "
            "you, but you can come back. Deadlines missed within a day count as one."),
        say("**On vacation** your clock stops, but the round doesn’t wait. Up to seven vacation days don’t count as time "
            "used."),
        say("**If you leave**, you lose the games you’re still playing. Your results stand.") if not chosen.stays_from else
        say("**If you leave**, you lose the games you’re still playing. If you’ve played less than half of your games, "
            "your results don’t count for anybody."),
        late,
    ]  # fmt: skip
    if chosen.tie_breaks:
        order = join([TIE_BREAK_WORDS[each] for each in chosen.tie_breaks], ", ")
        told.append(say("**Tie-breaks:** {order}.", order=order))
    return told


_FRACTIONS: Final = {Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}


def points_words(points: Fraction) -> Text:
    """Return points as a table shows them, such as 3, 2½ or ⅔."""
    whole, rest = divmod(points, 1)
    if not rest:
        return plain(str(whole))
    if rest in _FRACTIONS:
        return plain(f"{whole or ''}{_FRACTIONS[rest]}")
    return plain(f"{float(points):.2f}")


def total_words(points: Fraction) -> Text:
    """Return points with their unit, such as “1 point” or “2½ points”."""
    return say("1 point") if points == 1 else say("{n} points", n=points_words(points))


def ahead_words(
    view: TournamentView, *, name: Callable[[int], str], best: int | None = None, of: int | None = None
) -> list[Text]:
    """Return a sentence for each player whom a tie-break puts ahead of the next, up to place `best`, or only about `of`."""
    lines = view.standings
    told = []
    for line, after in pairwise(lines):
        if line.ahead_by is None or not line.points or (best is not None and line.place > best):
            continue
        if of not in {None, line.player, after.player}:
            continue
        number = view.format.tie_breaks.index(line.ahead_by)
        values = {"mine": points_words(line.tie_breaks[number]), "theirs": points_words(after.tie_breaks[number])}
        who = {"who": plain(name(line.player)), "other": plain(name(after.player))}
        told.append(Text.made(AHEAD_WORDS[line.ahead_by].template, who | values))
    return told


def decided_words(view: TournamentView, line: Standing, points: Text) -> Text:
    """Return a player's points, with what decided between them and the next player in the table with equal points."""
    lines = view.standings
    before = next((above.ahead_by for above, below in pairwise(lines) if below.player == line.player), None)
    tie_break = line.ahead_by or before
    if tie_break is None or not line.points:
        return points
    value = points_words(line.tie_breaks[view.format.tie_breaks.index(tie_break)])
    return Text.made(VALUE_WORDS[tie_break].template, {"points": points, "value": value})


def score_words(game: RoundGame, player: int) -> Text:
    """Return a player's score in a game, such as “1” or “½”, or a dot while the game is running."""
    return points_words(game.points(player)) if game.is_over else plain("·")


def names_words(view: TournamentView, numbers: tuple[int, ...], *, mention: bool = False) -> list[Text]:
    """Return the players with these entries, as names or mentions. People who have left the server are not mentioned."""
    users = {entry.number: entry.user_id for entry in view.entries}
    told: list[Text] = []
    for number in numbers:
        name = plain(escape_name(view.name_of(number)))
        if view.has_left_server(number):
            told.append(say("{name} (no longer on this server)", name=name))
        else:
            told.append(plain(f"<@{users[number]}>") if mention and users[number] > 0 else name)
    return told


def unseen_players(view: TournamentView, unseen: Mapping[int, Unseen]) -> list[Text]:
    """Say which players cannot see where a tournament is played, in one sentence for each reason."""
    names = {entry.user_id: entry.name for entry in view.entries}
    return who_words(unseen, names, view.row.thread_id or view.row.channel_id)


def game_line(
    view: TournamentView, seats: tuple[int, ...], table_id: int | None, game: RoundGame | None, *, mention: bool = False,
    link: str | None = None,
) -> Text:  # fmt: skip
    """Return a tournament's game as a line: who plays, at which table (which may be a link), and the result if it is over."""
    who = join(names_words(view, seats, mention=mention), " – ")
    number = f"#{table_id}" if link is None else f"[#{table_id}]({link})"
    where = plain("") if table_id is None else plain(f" · {number}")
    if game is None or not game.is_over:
        return say("{who}{where}", who=who, where=where)
    score = join([score_words(game, number) for number in seats], " : ")
    if game.ending is Ending.ADJUDICATED:
        return say("{who}{where}: **{score}** on time", who=who, where=where, score=score)
    if game.ending is Ending.FORFEITED:
        return say("{who}{where}: **{score}**, because a player left", who=who, where=where, score=score)
    return say("{who}{where}: **{score}**", who=who, where=where, score=score)


_ACTORS: Final[Mapping[TournamentActor, Text]] = {
    TournamentActor.ORGANISER: say("the organiser"), TournamentActor.MANAGER: say("a server manager"),
    TournamentActor.PLAYER: say("the player"), TournamentActor.BOT: say("me"),
}  # fmt: skip

_DEEDS: Final[Mapping[tuple[TournamentDeed, TournamentActor | None], Text]] = {
    (TournamentDeed.OPENED, None): say("opened by {by}", by=""),
    (TournamentDeed.STARTED, None): say("started"),
    (TournamentDeed.ENTERED, None): say("{who} entered late", who=""),
    (TournamentDeed.WITHDREW, None): say("{who} was removed by {by}", who="", by=""),
    (TournamentDeed.WITHDREW, TournamentActor.PLAYER): say("{who} left", who=""),
    (TournamentDeed.WITHDREW, TournamentActor.BOT): say(
        "{who} is out after a second missed deadline, but can come back", who=""
    ),
    (TournamentDeed.CAME_BACK, None): say("{who} came back", who=""),
    (TournamentDeed.ASKED, None): say("{by} asked somebody to take over from {who}", who="", by=""),
    (TournamentDeed.REPLACED, None): say("{who} took over somebody’s place, decided by {by}", who="", by=""),
    (TournamentDeed.REPLACED, TournamentActor.PLAYER): say("{who} took over somebody’s place", who=""),
    (TournamentDeed.LET_BACK, None): say("{who} was let back in by {by}", who="", by=""),
    (TournamentDeed.DECIDED, None): say("{game}: result set by {by}", game="", by=""),
    (TournamentDeed.TIMED, None): say("{game}: decided on time at the end of the round", game=""),
    (TournamentDeed.HURRIED, None): say("check-in or start brought forward by {by}", by=""),
    (TournamentDeed.PAUSED, None): say("paused by {by}", by=""),
    (TournamentDeed.RESUMED, None): say("resumed by {by}", by=""),
    (TournamentDeed.PROLONGED, None): say("round extended by {by}", by=""),
    (TournamentDeed.PAIRED, None): say("games for the next round picked by {by}", by=""),
    (TournamentDeed.CANCELLED, None): say("cancelled by {by}", by=""),
    (TournamentDeed.CANCELLED, TournamentActor.BOT): say("cancelled: too few players"),
    (TournamentDeed.LOST, None): say("cancelled: its channel is gone"),
    (TournamentDeed.FINISHED, None): say("finished"),
}
"""What was done, in words with gaps that `act_words` fills. Some deeds have special words for some actors."""


def act_words(view: TournamentView, act: TournamentAct) -> Text:
    """Return an act from a tournament's log as a line with its time."""
    who = plain("" if act.entry is None else escape_name(view.name_of(act.entry)))
    seats: tuple[int, ...] = ()
    if act.round is not None and act.game is not None and view.event is not None and act.round < len(view.event.rounds):
        games = view.event.rounds[act.round].games
        seats = games[act.game].seats if act.game < len(games) else ()
    words = _DEEDS.get((act.deed, act.by)) or _DEEDS[act.deed, None]
    values = {"who": who, "game": join(names_words(view, seats), " – "), "by": _ACTORS[act.by]}
    told = Text.made(words.template, values)
    return say("<t:{at}:d> {told}", at=str(int(act.at)), told=told)
