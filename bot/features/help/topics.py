"""The topics of `/help`: every current or former command, with the words that people might search for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bot.i18n.language import Language
from bot.messages.former_commands import FORMER, by_full_names
from engines.text import Text, say

FOUND_AT_MOST: Final = 5


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic people search for. `about` says what it does and where it is; `words` are other words, separated by commas."""

    about: Text
    words: Text


TOPICS: Final[Mapping[str, Topic]] = by_full_names({
    "": {
        "play": Topic(
            say(
                "`/play` starts a game: with somebody, against a computer, or with whoever joins. "
                "Its panel has variants, the time for a turn and *House rules*, with your own board, too."
            ),
            say(
                "start, new game, table, opponent, invite, challenge, computer, bot, AI, practice, solo, variant, variants, "
                "clock, house rule, house rules, options, board code, own board"
            ),
        ),
        "match": Topic(
            say("`/match` finds you people to play with: you wait, and you’re asked as soon as there’s a game."),
            say("find, opponent, matchmaking, queue, random, wait, search, stranger"),
        ),
        "move": Topic(
            say("`/move` plays a move that you type. *Move* under the board does the same with buttons."),
            say("turn, action, type, roll, pass, capture"),
        ),
        "board": Topic(
            say("`/board` shows a game to you alone, with buttons for all that you can do there."),
            say("position, see, view, picture, cards, turn, in words, screen reader"),
        ),
        "games": Topic(
            say("`/games` lists the games here, yours first. *What’s on today* sums up the day."),
            say("list, my games, my turn, running, on, active, day, news"),
        ),
        "watch": Topic(
            say("`/watch` tells you of the turns of a game that you’re not in, or just how it ends."),
            say("follow, spectate, subscribe, notify"),
        ),
        "rules": Topic(
            say(
                "`/rules` explains a game with pictures, and its house rules, too; you choose those in the panel of `/play`. "
                "*Learn* teaches it to you move by move."
            ),
            say(
                "how to play, tutorial, lesson, teach, explain, manual, instructions, house rule, house rules, variant, "
                "board code"
            ),
        ),
        "help": Topic(
            say("`/help` says what I can do. Its option `about` finds the rest."), say("commands, about, info, support")
        ),
        "replay": Topic(
            say("`/replay` shows a game again, also one that is over, with *Review* and *Verify*."),
            say("history, again, watch, animation, log, finished, export, past games"),
        ),
        "stats": Topic(
            say("`/stats` has wins, ratings and rivals; *Leaderboard* has the best players here."),
            say("rating, Elo, rank, ranking, profile, score, wins, record, me"),
        ),
        "ladder": Topic(
            say("`/ladder` is an order to climb: challenge somebody above you, and take their place if you win."),
            say("rank, season, climb, challenge"),
        ),
        "analyse": Topic(
            say("`/analyse` is a board to think on: from a finished game, a code, or the start."),
            say("analyze, analysis, study, position, code, try, engine, what if"),
        ),
        "puzzle": Topic(
            say("`/puzzle` has puzzles, as many as you like; *Today’s puzzle* is the same for everybody."),
            say("tactics, exercise, training, streak"),
        ),
        "settings": Topic(
            say("`/settings` has your own settings: reminders, quiet hours, vacation, pictures, language, your data."),
            say("notifications, pings, mute, night, holiday, away, colour, contrast, language, data, privacy, delete, options"),
        ),
        "server-settings": Topic(
            say("`/server-settings` is for those who manage the server: channels, threads, clock, posts, moderation."),
            say("admin, manage, moderator, configure, setup, channel, role, close a table, kick"),
        ),
    },
    "event": {
        "create": Topic(
            say("`/event create` plans a tournament: a round robin, Swiss, a knockout, or tables of 3 to 5."),
            say("tournament, cup, league, organise, swiss, knockout, round robin"),
        ),
        "show": Topic(
            say("`/event show` has the tournaments here: your games, the standings, and how they go."),
            say("tournament, cup, standings, bracket, enter, check in, list"),
        ),
    },
})  # fmt: skip

FORMER_WORDS: Final[Mapping[str, Text]] = by_full_names(
    {
        "": {
            "hand": say("cards, my cards, secret"),
            "hint": say("tip, best move, suggestion, advice"),
            "plan": say("premove, conditional move, orders, plan ahead, in advance"),
            "draw": say("tie, offer a draw, remis, agree"),
            "undo": say("take back, takeback, mistake, misclick"),
            "call-off": say("cancel, abort, call off, abandon, delete a game"),
            "substitute": say("replace, hand over, swap, stand-in, take over"),
            "resign": say("give up, forfeit, surrender, concede, quit, leave"),
            "nudge": say("remind, poke, slow, ping, waiting"),
            "rematch": say("again, play again, revenge"),
            "today": say("news, digest, what’s on"),
            "learn": say("tutorial, lesson, beginner"),
            "daily": say("puzzle of the day, today’s puzzle"),
            "leaderboard": say("top, best players, ranking, high score"),
            "review": say("accuracy, mistakes, blunders, turning points"),
            "verify": say("fair, fair dice, random, cheat, proof, seed, rigged"),
        },
        "event": {"list": say("tournaments, all events")},
        "settings": {
            "export": say("my data, download, GDPR"),
            "forget-me": say("delete me, erase, remove my data"),
            "quiet-hours": say("night, sleep, do not disturb, mute"),
            "vacation": say("holiday, away, absent, pause"),
        },
    }
)


@dataclass(frozen=True, slots=True)
class Found:
    """A topic that fits a search: its command's full name, and what the command does, or what has replaced it."""

    name: str
    about: Text


def find(sought: str, language: Language) -> list[Found]:
    """Return the topics that fit a search, best matches first. If any fits by its full name, the others are left out."""
    ranked = _ranked(sought, language)
    # Somebody who types a command's name wants that command; somebody who types any other word may mean several.
    return [found for rank, found in ranked if ranked[0][0] > 0 or rank == 0][:FOUND_AT_MOST]


def suggested(sought: str, language: Language) -> list[Found]:
    """Return the topics to suggest while somebody types: all current ones for an empty text, and otherwise those that fit."""
    if not sought.strip():
        return [Found(name, topic.about) for name, topic in TOPICS.items()]
    return [found for _, found in _ranked(sought, language)]


def _ranked(sought: str, language: Language) -> list[tuple[int, Found]]:
    wanted = " ".join(sought.casefold().replace("/", " ").split())
    ranked = [(rank, found) for found, words in _topics(language) if (rank := _rank(wanted, found, words)) is not None]
    return sorted(ranked, key=lambda one: one[0])


def _topics(language: Language) -> Iterator[tuple[Found, str]]:
    """Yield every topic with its other words, in English and in the reader's language."""
    for name, topic in TOPICS.items():
        yield Found(name, topic.about), f"{topic.words}, {language(topic.words)}, {language(topic.about)}".casefold()
    for name, way in FORMER.items():
        words = FORMER_WORDS.get(name)
        told = language(say("There’s no `/{name}` any more. Instead: {way}", name=name, way=way))
        more = "" if words is None else f"{words}, {language(words)}"
        yield Found(name, way), f"{more}, {told}".casefold()


def _rank(wanted: str, found: Found, words: str) -> int | None:
    """Rank how a topic fits: 0 by its name, 1 by the name's start, 2 by a word, 3 by part of a word, or None if not at all."""
    name = found.name.replace("-", " ")
    wanted = wanted.replace("-", " ")
    if wanted in {name, name.rpartition(" ")[2]}:
        return 0
    if wanted and name.startswith(wanted):
        return 1
    if wanted in {word.strip() for word in words.split(",")}:
        return 2
    return 3 if len(wanted) > 2 and wanted in words else None
