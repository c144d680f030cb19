"""The pictures of the gallery: each is drawn by the bot's own renderers, and described as the bot describes it."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final

from bot.features.tournaments.pictures import BEST, standings_picture
from bot.features.tournaments.view import TournamentView
from bot.features.tournaments.words import points_words
from bot.i18n.language import language
from bot.messages.advice import chances_words
from bot.messages.builder import Picture as MessagePicture
from bot.messages.pictures import picking_words
from docs.site import tournaments as events
from docs.site.games import Played, play, with_names
from engines import GAMES
from engines.game import Action, hand_of, start_view
from engines.text import seat_name
from opponents import Level, opponent
from renderers import draw, profile
from renderers.poster import Poster, draw_poster
from renderers.replay import WIDTH as REPLAY_WIDTH
from renderers.replay import Limits, replay
from renderers.scene import Finale, Scene
from renderers.summaries import curve as curves
from renderers.summaries import ladder, leaderboard, podium, stats
from renderers.summaries.curve import Curve, TurningPoint
from renderers.summaries.mosaic import Tile, draw_mosaic
from renderers.summaries.result_card import ResultCard, draw_result_card
from renderers.theme import WIDTH

ENGLISH: Final = language("en")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the gallery.

    Attributes:
        name: the name of its file, without its ending.
        caption: what it is, in Markdown.
        words: its description, for people who do not see it.
        draw: draws it, with or without high contrast.
        ending: the ending of its file.
        looks: whether it has both looks; else one is for everybody.
        width: how wide it is drawn, in pixels.
    """

    name: str
    caption: str
    words: str
    draw: Callable[[bool], bytes]
    ending: str = "png"
    looks: bool = True
    width: int = WIDTH


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the gallery: its heading, an introduction in Markdown, and its pictures."""

    title: str
    text: str
    pictures: tuple[Picture, ...]


# --- games ----------------------------------------------------------------------------------------------------------------

SEATS: Final = {"bouncers": 2, "bunny": 2, "trampoline": 4, "pucks": 4}
"""The number of players of a game in the gallery; of a game that is not named, as many as can play it."""
_LEVELS: Final = {"bouncers": Level.HARD, "bunny": Level.MEDIUM}
_SEEDS: Final = {"bunny": "gallery 3"}


@cache
def whole(game_id: str) -> Played:
    """A whole game."""
    seats = SEATS.get(game_id, GAMES[game_id].seats[-1])
    return play(game_id, seats, _SEEDS.get(game_id, "gallery"), level=_LEVELS.get(game_id, Level.EASY))


def midway(game: Played, since: float = 1 / 3, until: float = 2 / 3) -> Played:
    """The game after the action, between these parts of it, in which most happened that everybody may know."""
    first, last = (max(1, round(part * len(game.steps))) for part in (since, until))

    def liveliness(part: Played) -> tuple[int, int]:
        return sum(event.major for event in part.events()), len(part.events())

    return max((game.until(number) for number in range(first, last + 1)), key=liveliness)


def choosing(game: Played) -> Played:
    """The game at its middle, at a moment when somebody has several things to choose from."""
    middle = len(game.steps) // 2
    parts = (game.until(number) for number in range(middle, len(game.steps)))
    return next((part for part in parts if len(part.choices(part.game.to_act(part.state)[0])) > 2), game.until(middle))


def _board(name: str, caption: str, game: Played) -> Picture:
    return Picture(
        name, caption, game.words() if game.words().startswith(game.game.title) else f"{game.game.title}. {game.words()}",
        lambda contrast: draw(game.game.id, game.view(), game.scene(high_contrast=contrast)),
    )  # fmt: skip


def _panel(name: str, caption: str, game: Played, prefix: Action = ()) -> Picture:
    """What the player sees whose turn it is, with what can be chosen."""
    seat = game.game.to_act(game.state)[0]
    options = game.choices(seat, prefix)
    words = with_names(picking_words(game.game, game.state, seat, prefix, options), game.names)
    return Picture(
        name, caption, f"{words} {game.words(seat)}",
        lambda contrast: draw(
            game.game.id, game.view(seat), game.scene(events=(), prefix=prefix, options=options, high_contrast=contrast)
        ),
    )  # fmt: skip


def _hand(game: Played) -> Picture:
    """The cards of the player whose turn it is."""
    seat = game.game.to_act(game.state)[0]
    view = game.view(seat)
    held = hand_of(game.game, view) or ""
    return Picture(
        f"{game.game.id}-hand", f"**{game.game.title}:** a hand of cards, which only its player sees",
        with_names(held, game.names),
        lambda contrast: draw(game.game.id, view, game.scene(events=(), hand=True, high_contrast=contrast)),
    )  # fmt: skip


def _poster(game_id: str) -> Picture:
    game = GAMES[game_id]
    seats, variant = game.seats[-1], game.variants[0]
    view, lines = start_view(game, variant, seats, {}), (f"{seats} players", "1 day a turn")
    words = " · ".join((f"{game.title} at the start", *lines))
    return Picture(
        f"{game_id}-poster", f"A table of **{game.title}** that is open", words,
        lambda _: draw_poster(game_id, view, Poster(game.title, lines, seats)), looks=False,
    )  # fmt: skip


def _replay(game: Played) -> Picture:
    steps = len(game.steps) + 1
    limits = Limits(frames=60, seconds=60)
    scene = Scene(names=game.names)
    return Picture(
        f"{game.game.id}-replay", f"**{game.game.title}:** a whole game as an animation",
        f"{game.game.title} as an animation of {steps} pictures. The last one: {game.words()}",
        lambda _: replay(game.game.id, steps, game.shot, scene, limits=limits).gif, "gif", looks=False, width=REPLAY_WIDTH,
    )  # fmt: skip


def boards() -> Iterator[Picture]:
    """Every game in the middle of a game, some of them as variants."""
    for game_id, game in GAMES.items():
        yield _board(f"{game_id}-board", f"**{game.title}:** {game.summary}", midway(whole(game_id)))
    large = play("bouncers", 2, "large", variant="10x10-20", level=Level.HARD, actions=44)
    yield _board("bouncers-large", "**Bouncers** on ten by ten squares", midway(large, 0.9, 1))
    yield _board("pucks-six", "**Puck Bumpers** for six", midway(play("pucks", 6, "six", actions=160)))
    yield _board(
        "pucks-old-school", "**Puck Bumpers**, old school", midway(play("pucks", 2, "old", variant="old-school"), 0.7, 0.9)
    )


def panels() -> Iterator[Picture]:
    """What a player sees while picking a move, in every game."""
    for game_id, game in GAMES.items():
        part = choosing(whole(game_id))
        yield _panel(f"{game_id}-panel", f"**{game.title}:** what can be chosen is marked", part)
    bouncers = choosing(whole("bouncers"))
    first = bouncers.choices(bouncers.game.to_act(bouncers.state)[0])[0]
    yield _panel(
        "bouncers-picked", "**Bouncers:** a piece is picked, and the squares it can bounce to", bouncers, (first.token,)
    )
    yield _hand(choosing(whole("pucks")))


# --- after a game ---------------------------------------------------------------------------------------------------------


@cache
def _course(game: Played) -> tuple[tuple[int, tuple[float, ...]], ...]:
    """The chances to win along a game, as a computer judges them."""
    judge = opponent(game.game.id, Level.MEDIUM)
    return tuple(
        (number, judge.assess(game.until(number).state, stream=f"gallery {number}")) for number in range(len(game.steps) + 1)
    )


def _curve(game: Played, contrast: bool) -> Curve:
    """The curve of a game, with the moment at which it turned."""
    points, view, finale = _course(game), game.view(), game.finale()
    seat, place = _turned(game)
    return Curve(
        title="Win chances", below="moves", names=game.names, nameless=tuple(map(str, map(seat_name, range(view.seats)))),
        colours=tuple(map(view.colours_of, range(view.seats))), points=points, turns=(TurningPoint(place, seat, 1),),
        winners=() if finale is None else finale.winners, high_contrast=contrast,
    )  # fmt: skip


def _turned(game: Played) -> tuple[int, int]:
    """Who gave away most with a move, and the number of that move."""
    points = _course(game)
    lost = {
        number: points[number - 1][1][seat] - points[number][1][seat] for number, (seat, _) in enumerate(game.steps[:-1], 1)
    }
    place = max(lost, key=lambda number: lost[number])
    return game.steps[place - 1][0], place


def _curve_words(game: Played) -> str:
    points, (_, place) = _course(game), _turned(game)
    told = (("At the start", points[0]), (f"After move {place}", points[place]), ("At the end", points[-1]))
    return " ".join(["Win chances.", *(f"{when}: {with_names(chances_words(at[1]), game.names)}." for when, at in told)])


def _card(game: Played, contrast: bool) -> bytes:
    seat, place = _turned(game)
    curve = _curve(game, contrast)
    result = ResultCard(
        title=f"{game.game.title} #42", curve=replace(curve, turns=(TurningPoint(place, seat, 1),)),
        turned=f"Move {place} of {game.names[seat]} turned the game.",
    )  # fmt: skip
    return draw_result_card(game.game.id, game.view(), game.scene(events=(), high_contrast=contrast), result)


def afterwards() -> Iterator[Picture]:
    """What there is to see when a game is over."""
    bouncers, bunny = whole("bouncers"), whole("bunny")
    for game_id, game in GAMES.items():
        yield _board(f"{game_id}-end", f"The last board of a game of **{game.title}**", whole(game_id))
    yield Picture("curve", "*Review*: the curve of the chances to win, and where the game turned", _curve_words(bouncers),
                  lambda contrast: curves.draw(_curve(bouncers, contrast)))  # fmt: skip
    yield Picture(
        "card", "*Share*: the card of a game", f"{bouncers.words()} {_curve_words(bouncers)}", partial(_card, bouncers)
    )
    yield _replay(bunny)


# --- the server -----------------------------------------------------------------------------------------------------------


def _tile(game: Played, number: int, contrast: bool) -> Tile:
    scene = game.scene(high_contrast=contrast)
    return Tile(game_id=game.game.id, view=game.view(), scene=scene, title=str(game.game.title), number=f"#{number}")


def _today(contrast: bool) -> bytes:
    return draw_mosaic([_tile(game, number, contrast) for number, game in _on_today().items()])


@cache
def _on_today() -> dict[int, Played]:
    """The games of a day, by the numbers of their tables: all but the last one are still going on."""
    *going_on, last = list(GAMES)[:4]
    return {**{42 + number: midway(whole(game_id)) for number, game_id in enumerate(going_on)}, 40: whole(last)}


def _today_words() -> str:
    told = []
    for number, game in _on_today().items():
        finale, names = game.finale(), game.names
        what = f"It’s {names[game.view().to_act[0]]}’s turn." if finale is None else _won(finale, names)
        told.append(f"{game.game.title} #{number} with {', '.join(names)}. {what}")
    return " ".join(told)


def _won(finale: Finale, names: tuple[str, ...]) -> str:
    return f"{' and '.join(names[seat] for seat in finale.winners)} won." if finale.winners else "Nobody won."


_RATINGS: Final = (1312, 1244, 1181, 1120, 1075, 1032, 1004, 968)


def _best() -> leaderboard.Leaderboard:
    lines = tuple(
        leaderboard.LeaderboardRow(place, name, str(rating), str(40 - 4 * place), provisional=place > 7)
        for place, (name, rating) in enumerate(zip(events.PEOPLE, _RATINGS, strict=True), 1)
    )
    return leaderboard.Leaderboard(
        title="Bouncers", subtitle="The best of this server", rating="Rating", games="Games", rows=lines,
        note="? after fewer than 10 rated games", nameless="a player",
    )  # fmt: skip


def _stats(contrast: bool) -> stats.Stats:
    titles = [str(game.title) for game in GAMES.values()]
    games = tuple(
        stats.GameRecord(title, str(rating), provisional, results, place)
        for title, rating, provisional, results, place in (
            (titles[0], 1312, False, "24–3–9", "place 1 of 8"),
            (titles[1], 1138, False, "12–0–10", "place 3 of 6"),
            (titles[2], 1041, True, "4–0–5", ""),
        )
    )
    results: tuple[stats.Result, ...] = ("won", "lost", "won", "won", "drawn", "won", "lost", "won", "won", "won")
    form = tuple((result, result[0].upper()) for result in results)
    return stats.Stats(
        name="Ann", nameless="a player", subtitle="At the Bounce Club", games=games, note="? after fewer than 10 rated games",
        form_title="Form", form=form, pace=(("Answers", "within 45 minutes"), ("Time-outs", "2 of 612 turns")),
        curve_title=f"Rating at {titles[0]}", points=(1000, 1050, 1021, 1068, 1101, 1090, 1145, 1180, 1166, 1224, 1271, 1312),
        lists=(
            stats.Section("Head to head", (("Ben", "12–2–4"), ("Cleo", "7–1–5"), ("田中", "3–0–1"))),
            stats.Section("Best moments", (("6 wins in a row", "#118"), (f"Peak of 1312 at {titles[0]}", "#140"))),
        ),
        badges_title="Computers beaten", badges=(f"{titles[0]}: hard", f"{titles[1]}: expert", f"{titles[3]}: medium"),
        high_contrast=contrast,
    )  # fmt: skip


def _stats_words() -> str:
    shown = _stats(contrast=False)
    rated = (
        f"{game.title}: {game.rating}{'?' if game.provisional else ''}, {game.results}{', ' if game.place else ''}{game.place}."
        for game in shown.games
    )
    lists = (f"{part.title}: {'; '.join(f'{what} {value}' for what, value in part.items)}." for part in shown.lists)
    return " ".join([f"Results of {shown.name}.", *rated, *lists, f"{shown.badges_title}: {', '.join(shown.badges)}."])


def server() -> Iterator[Picture]:
    """What a server sees of its people and of its day."""
    best = _best()
    yield Picture("today", "*What’s on today*, in `/games`", _today_words(), _today)
    yield Picture("stats", "`/stats`: how somebody has done", _stats_words(), lambda contrast: stats.draw(_stats(contrast)))
    words = " ".join([f"The best at {best.title}.", *(f"{one.place}. {one.name}: {one.rating}." for one in best.rows)])
    yield Picture("leaderboard", "*Leaderboard*, in `/stats`: the best of a server", words,
                  lambda contrast: leaderboard.draw(best, high_contrast=contrast))  # fmt: skip


# --- events ---------------------------------------------------------------------------------------------------------------


def _standing(name: str, caption: str, view: TournamentView) -> Picture:
    """The table or the bracket of an event, as the bot shows and describes it."""

    @cache
    def shown(*, contrast: bool) -> MessagePicture:
        picture = asyncio.run(standings_picture(view, ENGLISH, high_contrast=contrast))
        assert picture is not None, "it has started"
        return picture

    return Picture(name, caption, shown(contrast=False).alt, lambda contrast: shown(contrast=contrast).content)


def _podium(view: TournamentView, contrast: bool) -> podium.Podium:
    game = whole("pucks")
    finale = game.finale()
    assert finale is not None, "it was played to its end"
    steps = (
        podium.Finisher(line.place, view.name_of(line.player), f"{points_words(line.points)} points")
        for line in view.standings
        if line.place <= BEST
    )
    return podium.Podium(
        title=view.row.name, subtitle=f"{game.game.title} · Round robin · {len(view.entries)} players", nameless="a player",
        finishers=tuple(steps),
        best_game=podium.BestGame(
            game_id=game.game.id, view=game.view(), scene=game.scene(events=(), high_contrast=contrast),
            title="The best game: #42", caption=_won(finale, game.names),
        ),
    )  # fmt: skip


def competitions() -> Iterator[Picture]:
    """Events and ladders."""
    cross, rungs = events.hold("round_robin", "Autumn Round", "pucks", 6), events.ladder()
    swiss, cup = events.hold("swiss", "Spring Open", "bouncers", 8, 2), events.hold("knockout", "Puddle Cup", "bunny", 8, 1)
    yield _standing("swiss", "A Swiss event: each round against whom, and with which result", swiss)
    yield _standing("crosstable", "A round robin", cross)
    yield _standing("bracket", "A knockout", cup)
    shown = _podium(cross, contrast=False)
    steps = (f"{step.place}. {step.name}, {step.points}." for step in shown.finishers)
    yield Picture("podium", "The end of an event", " ".join([f"{shown.title}. {shown.subtitle}.", *steps]),
                  lambda contrast: podium.draw(_podium(cross, contrast), high_contrast=contrast))  # fmt: skip
    words = " ".join(
        [f"Ladder: {rungs.title}.", *(f"{one.place}. {one.name}: {one.won} won, {one.lost} lost." for one in rungs.rungs)]
    )
    yield Picture("ladder", "A ladder", words, lambda contrast: ladder.draw(rungs, high_contrast=contrast))


# --- all ------------------------------------------------------------------------------------------------------------------


def _bot() -> Iterator[Picture]:
    yield Picture("avatar", "The bot’s avatar", "A puck on a spring.", lambda _: profile.avatar(), looks=False, width=320)
    yield Picture("banner", "Its banner", "A piece of each game bounces along.", lambda _: profile.banner(), looks=False)


def sections() -> tuple[Section, ...]:
    """The whole gallery."""
    return (
        Section(
            "Boards", "In the middle of a game. The trail of what has just happened is drawn, and numbered.", tuple(boards())
        ),
        Section("Panels", "What a player sees while picking a move. Nobody else sees it.", tuple(panels())),
        Section("Tables", "What a channel sees when a table is opened.", tuple(map(_poster, GAMES))),
        Section("After a game", "The last board, and what you can get once a game is over.", tuple(afterwards())),
        Section("A server", "Its day and its people.", tuple(server())),
        Section("Events and ladders", "How they stand, and who has won.", tuple(competitions())),
        Section("The bot itself", "", tuple(_bot())),
    )
