"""The pictures of tournaments: the table or the bracket, and the podium."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Final

from bot.core.table.snapshot import NAMELESS, Snapshot
from bot.features.tournaments.rules.formats import Knockout
from bot.features.tournaments.rules.pairing.knockout import Match as PairedMatch
from bot.features.tournaments.rules.pairing.knockout import bracket
from bot.features.tournaments.rules.rounds import LOSS, WIN
from bot.features.tournaments.rules.standings import Part, RoundScore, course, crosstable
from bot.features.tournaments.rules.tournament import Tournament
from bot.features.tournaments.view import TournamentView
from bot.features.tournaments.words import ahead_words, decided_words, format_words, game_words, points_words, total_words
from bot.i18n.language import Language
from bot.messages.builder import Picture, shown_name
from bot.messages.pictures import CACHE, finale_of, picture_or_words
from bot.workers.drawing import drawing
from engines.text import Text, join, plain, say, say_n
from renderers.scene import Scene
from renderers.summaries.bracket import Bracket, BracketMatch, Stage
from renderers.summaries.bracket import draw as draw_bracket
from renderers.summaries.chips import Cell, CellKind
from renderers.summaries.lines import name_or_words
from renderers.summaries.podium import FINISHERS_AT_MOST, BestGame, Finisher, Podium
from renderers.summaries.podium import draw as draw_podium
from renderers.summaries.tournament_table import ROWS_AT_MOST, TableRow, TournamentTable
from renderers.summaries.tournament_table import draw as draw_table
from storage.schema.kinds import TournamentStatus
from storage.schema.records import Status

BEST: Final = 3
"""The last place on the podium."""

STAGES: Final[Mapping[int, Text]] = {1: say("Final"), 2: say("Semi-finals"), 4: say("Quarter-finals")}
"""The names of a knockout's last rounds, by their number of matches."""


async def standings_picture(view: TournamentView, language: Language, *, high_contrast: bool = False) -> Picture | None:
    """Return a picture of a tournament's table or bracket, or None if the tournament has not started."""
    if view.event is None:
        return None
    shown: Bracket | TournamentTable
    draw: Callable[..., bytes]
    if isinstance(view.format.system, Knockout):
        shown, draw = _bracket(view, view.event, view.format.system, language), draw_bracket
    else:
        shown, draw = _table(view, view.event, language), draw_table
    paint = partial(draw, high_contrast=high_contrast)
    content = await CACHE.picture((shown, high_contrast), lambda: drawing(paint, shown), kind="event")
    lines = [
        say("{place}. {name}: {points}", place=line.place, name=plain(_name(view, line.player, language)),
            points=points_words(line.points))
        for line in view.standings
    ]  # fmt: skip
    why = shown.reasons if isinstance(shown, TournamentTable) else ()
    alt = ". ".join([language(join([plain(shown.title), plain(shown.subtitle), *lines], ". ")), *why])
    return picture_or_words(f"event-{view.row.id}.png", content, alt, language, lambda: language(join(lines)))


def _name(view: TournamentView, number: int, language: Language) -> str:
    """Return a player's name for a picture, where there is little room."""
    name = shown_name(view.name_of(number))
    return language(say("{name} (left)", name=plain(name))) if view.has_left_server(number) else name


def _subtitle(view: TournamentView, event: Tournament, language: Language) -> str:
    parts = [game_words(view.row), format_words(view.row)]
    if view.row.status is TournamentStatus.RUNNING and not event.format.system.at_once:
        parts.append(say("round {n} of {all}", n=len(event.rounds), all=event.length))
    return language(join(parts, " · "))


def _table(view: TournamentView, event: Tournament, language: Language) -> TournamentTable:
    """Return the table, with the results of each round or, in a round robin, against each opponent."""
    active, standings, at_once = set(event.active), view.standings, event.format.system.at_once
    if at_once:
        count, rows = len(standings), [tuple(map(_against, cells)) for cells in crosstable(event).cells]
        rows = [(*row[:number], Cell(kind=CellKind.OWN), *row[number + 1 :]) for number, row in enumerate(rows)]
    else:
        places = {line.player: line.place for line in standings}
        count, rows = len(event.rounds), [tuple(_cell(one, places) for one in course(event, line.player)) for line in standings]
    is_over, nameless, more = view.row.status is TournamentStatus.FINISHED, language(NAMELESS), len(standings) - ROWS_AT_MOST
    why = ahead_words(view, name=lambda number: name_or_words(view.name_of(number), nameless), best=BEST)
    lines = tuple(
        TableRow(
            line.place, _name(view, line.player, language), str(points_words(line.points)), row,
            has_left=line.player not in active, has_medal=is_over and line.counts and line.place <= BEST,
        )
        for line, row in zip(standings, rows, strict=True)
    )  # fmt: skip
    return TournamentTable(
        title=view.row.name, subtitle=_subtitle(view, event, language), points=language(say("Points")), rows=lines,
        heads=tuple(str(number + 1) for number in range(count)), is_crosstable=at_once, legend=_legend(event, rows, language),
        note=language(say_n("and {n} more", "and {n} more", more)) if more > 0 else "", reasons=tuple(map(language, why)),
        nameless=nameless,
    )  # fmt: skip


def _legend(event: Tournament, rows: list[tuple[Cell, ...]], language: Language) -> tuple[tuple[CellKind, str], ...]:
    words = {CellKind.WON: say("won"), CellKind.DRAWN: say("drawn"), CellKind.LOST: say("lost")}
    if event.format.system.largest > 2:
        words = {CellKind.WON: say("first"), CellKind.DRAWN: say("in between"), CellKind.LOST: say("last")}
    words |= {CellKind.OPEN: say("in progress"), CellKind.BYE: say("no game")}
    there = {cell.kind for row in rows for cell in row}
    return tuple((kind, language(text)) for kind, text in words.items() if kind in there)


def _against(scores: tuple[Fraction | None, ...]) -> Cell:
    """Return a cell of a crosstable, with what a player has scored against another."""
    if not scores:
        return Cell(kind=CellKind.ABSENT)
    if any(score is None for score in scores):
        return Cell("·", CellKind.OPEN)
    total = sum((score for score in scores if score is not None), LOSS)
    return Cell(str(points_words(total)), _kind(total / len(scores)))


def _cell(scores: tuple[RoundScore, ...], places: Mapping[int, int]) -> Cell:
    """Return the cell for a round, with the opponent's place or, in a game of more than two, the points."""
    score = scores[0]
    if score.part is Part.BYE or (score.part is Part.LATE and score.points):
        return Cell(str(points_words(score.points or LOSS)), CellKind.BYE)
    if score.part is not Part.GAME:
        return Cell(kind=CellKind.ABSENT)
    if score.points is None:
        return Cell(str(places.get(score.opponents[0], "")) if len(score.opponents) == 1 else "·", CellKind.OPEN)
    text = str(places.get(score.opponents[0], "")) if len(score.opponents) == 1 else str(points_words(score.points))
    return Cell(text, _kind(score.points))


def _kind(points: Fraction) -> CellKind:
    """Return what a result counts as by its points: a win, a loss, or something in between."""
    return {WIN: CellKind.WON, LOSS: CellKind.LOST}.get(points, CellKind.DRAWN)


def _bracket(view: TournamentView, event: Tournament, system: Knockout, language: Language) -> Bracket:
    rounds = bracket(event.players, event.rounds, event.key, system.rules)
    out = {match.loser for matches in rounds for match in matches}
    left = sum(player not in out for player in event.players)
    titles = [STAGES.get(len(matches), say("Round of {n}", n=2 * len(matches))) for matches in rounds]
    stages = (
        Stage(language(title), tuple(_match(view, one, language) for one in matches))
        for title, matches in zip(titles, rounds, strict=True)
    )
    return Bracket(
        title=view.row.name, subtitle=_subtitle(view, event, language), stages=tuple(stages), bye=language(say("bye")),
        note=language(say("{n} of {all} players are left", n=left, all=len(event.players))) if left > 1 else "",
        nameless=language(NAMELESS),
    )  # fmt: skip


def _match(view: TournamentView, match: PairedMatch, language: Language) -> BracketMatch:
    names = tuple(None if player is None else _name(view, player, language) for player in match.players)
    over = [game for game in match.games if game.is_over]
    scores = tuple(
        "" if player is None or not over else str(points_words(sum((game.points(player) for game in over), LOSS)))
        for player in match.players
    )
    winner = None if match.winner is None else match.players.index(match.winner)
    return BracketMatch((names[0], names[1]), (scores[0], scores[1]), winner)


def best_table(view: TournamentView) -> int | None:
    """Return the table of the best game played out, or None: the one whose players came highest, the latest of equals."""
    if view.event is None:
        return None
    places = {line.player: line.place for line in view.standings}
    found = [
        (sum(places[number] for number in game.seats) / len(game.seats), -number, game.table_id)
        for number, each in enumerate(view.row.rounds)
        for game in each.games
        if game.table_id is not None and game.places and game.ending == "played"
    ]
    return min(found)[2] if found else None


async def podium_picture(view: TournamentView, best: Snapshot | None, language: Language) -> Picture | None:
    """Return a picture of a finished tournament's first three players, with the end of its best game."""
    wins = isinstance(view.format.system, Knockout)  # its points are matches won, which nobody counts
    steps = tuple(
        Finisher(
            line.place, view.name_of(line.player),
            "" if wins else language(decided_words(view, line, total_words(line.points))),
        )
        for line in view.standings
        if line.counts and line.place <= BEST
    )[:FINISHERS_AT_MOST]  # fmt: skip
    if view.event is None or not steps:
        return None
    people = say_n("{n} player", "{n} players", len(view.event.players))
    subtitle = language(join([game_words(view.row), format_words(view.row), people], " · "))
    shown, game = None, language(say("Best game"))
    finale = None if best is None or best.history is None else finale_of(best.position)
    if best is not None and best.history is not None and finale is not None and best.table.status is Status.FINISHED:
        scene = Scene(names=best.names, computers=best.computers, translate=language, finale=finale)
        shown = BestGame(
            game_id=best.table.game, view=best.history.view(None), scene=scene, title=f"{game}: #{best.table.id}",
            caption=language(best.result() or plain(""), best.names).replace("**", ""),
        )  # fmt: skip
    podium = Podium(title=view.row.name, subtitle=subtitle, finishers=steps, best_game=shown, nameless=language(NAMELESS))
    key = (view.row.id, steps, subtitle, None if best is None else best.table.id)
    content = await CACHE.picture(key, lambda: drawing(draw_podium, podium), kind="podium")
    lines = [
        language(
            join([say("{place}. {name}", place=one.place, name=plain(shown_name(one.name))), plain(one.points)], " ")
        ).strip()
        for one in steps
    ]
    alt = language(join([plain(view.row.name), plain(subtitle), *map(plain, lines)], ". "))
    return picture_or_words(f"podium-{view.row.id}.png", content, alt, language, lambda: "\n".join(lines))
