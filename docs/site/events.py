"""An event for the gallery, made up from who is stronger: so that its tables, its bracket and its winners fit together."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final

from renderers.summaries.bracket import Bracket, Match, Stage
from renderers.summaries.chips import Cell, Kind
from renderers.summaries.event_table import EventTable, Line
from renderers.summaries.ladder import Ladder, Rung

PEOPLE: Final = ("Ann", "Ben", "Cleo", "Dev", "Émile", "田中", "Farid", "Дева")
"""Who takes part, the strongest first."""
_UPSETS: Final = {("Ann", "Cleo"), ("Dev", "Farid")}
_DRAWS: Final = {("Ben", "Dev"), ("Émile", "田中"), ("Cleo", "Дева")}
"""Who has lost against somebody weaker, and who has drawn."""
_HALF: Final = Fraction(1, 2)
LEGEND: Final = ((Kind.WON, "won"), (Kind.DRAWN, "drawn"), (Kind.LOST, "lost"))


def score(one: str, other: str) -> Fraction:
    """What a player has scored against another one."""
    first, second = sorted((one, other), key=PEOPLE.index)
    if (first, second) in _DRAWS:
        return _HALF
    winner = second if (first, second) in _UPSETS else first
    return Fraction(one == winner)


def points_words(points: Fraction) -> str:
    """Points as people write them: "2½"."""
    whole, half = divmod(points, 1)
    return f"{whole or '' if half else whole}{'½' if half else ''}"


def _cell(text: str, points: Fraction) -> Cell:
    return Cell(text, {Fraction(1): Kind.WON, Fraction(0): Kind.LOST}.get(points, Kind.DRAWN))


def _places(totals: Mapping[str, Fraction]) -> dict[str, int]:
    """The place of each player, the best first. Equal points share a place."""
    order = sorted(totals, key=lambda name: (-totals[name], PEOPLE.index(name)))
    return {name: 1 + sum(other > totals[name] for other in totals.values()) for name in order}


def crosstable() -> EventTable:
    """A round robin of six that is over."""
    names = PEOPLE[:6]
    totals = {one: sum((score(one, other) for other in names if other != one), Fraction()) for one in names}
    places = _places(totals)
    lines = tuple(
        Line(
            places[one], one, points_words(totals[one]),
            tuple(
                Cell(kind=Kind.OWN) if one == other else _cell(points_words(score(one, other)), score(one, other))
                for other in places
            ),
            has_medal=places[one] <= 3,
        )
        for one in places
    )  # fmt: skip
    heads = tuple(str(number) for number in range(1, len(lines) + 1))
    return EventTable(
        title="Autumn Round", subtitle="Puck Bumpers · round robin", lines=lines, heads=heads, is_crosstable=True,
        points="Points", legend=LEGEND, nameless="a player",
    )  # fmt: skip


def swiss() -> EventTable:
    """A Swiss event of eight after three of its four rounds: in each, players with about as many points meet."""
    totals = dict.fromkeys(PEOPLE, Fraction())
    met: set[frozenset[str]] = set()
    courses: dict[str, list[str]] = {name: [] for name in PEOPLE}
    for _ in range(3):
        for one, other in _pairing(list(_places(totals)), met):
            met.add(frozenset((one, other)))
            courses[one].append(other)
            courses[other].append(one)
        totals = {name: sum((score(name, other) for other in courses[name]), Fraction()) for name in PEOPLE}
    places = _places(totals)
    lines = tuple(
        Line(
            places[name], name, points_words(totals[name]),
            tuple(_cell(str(places[other]), score(name, other)) for other in courses[name]),
        )
        for name in places
    )  # fmt: skip
    return EventTable(
        title="Spring Open", subtitle="Bouncers · Swiss · round 3 of 4", lines=lines, heads=("1", "2", "3"), points="Points",
        legend=LEGEND, nameless="a player",
    )  # fmt: skip


def _pairing(left: Sequence[str], met: set[frozenset[str]]) -> list[tuple[str, str]]:
    """Pairs of players who have not met; each with the next one in the order, where that is possible."""
    if not left:
        return []
    first, *others = left
    for other in others:
        if frozenset((first, other)) not in met:
            rest = _pairing([name for name in others if name != other], met)
            if 2 * len(rest) == len(others) - 1:
                return [(first, other), *rest]
    return []


def bracket() -> Bracket:
    """A knockout of eight, in which one semi-final is still going on."""
    order = [PEOPLE[number] for number in (0, 7, 3, 4, 1, 6, 2, 5)]
    quarters = [_match(one, other) for one, other in zip(order[::2], order[1::2], strict=True)]
    through = [match.names[match.winner or 0] for match in quarters]
    semis = [_match(str(through[0]), str(through[1])), Match((through[2], through[3]))]
    final = Match((semis[0].names[semis[0].winner or 0], None))
    stages = (Stage("Quarter-finals", tuple(quarters)), Stage("Semi-finals", tuple(semis)), Stage("Final", (final,)))
    return Bracket(
        title="Puddle Cup", subtitle="Bounce Bunny Bounce · knockout", stages=stages, bye="bye",
        note="3 of 8 players are left", nameless="a player",
    )  # fmt: skip


def _match(one: str, other: str) -> Match:
    """A match of two games, and of a third one after a draw, which the stronger wins."""
    mine = score(one, other)
    if mine == _HALF:
        return Match((one, other), ("1½", "½"), 0)
    return Match((one, other), ("2", "0") if mine else ("0", "2"), 0 if mine else 1)


def ladder() -> Ladder:
    """A ladder of eight, with the games that they have played on it."""
    pairs = list(combinations(PEOPLE, 2))[::2]
    results = [(one, score(one, other)) for one, other in (*pairs, *(pair[::-1] for pair in pairs))]
    rungs = tuple(
        Rung(place, name, results.count((name, Fraction(1))), results.count((name, Fraction(0))))
        for place, name in enumerate(PEOPLE, 1)
    )
    return Ladder(
        title="Bouncers", subtitle="Ladder · until 31 December", rungs=rungs, won="won", lost="lost", nameless="a player"
    )


def bracket_words(shown: Bracket) -> str:
    """A bracket in words, round by round."""
    lines = [f"{shown.title}. {shown.subtitle}."]
    for stage in shown.stages:
        told = (
            f"{match.names[0] or 'open'} – {match.names[1] or 'open'}"
            + ("" if match.winner is None else f": {match.scores[0]}–{match.scores[1]}, {match.names[match.winner]} goes on")
            for match in stage.matches
        )
        lines.append(f"{stage.title}: {'; '.join(told)}.")
    return " ".join(lines)


def table_words(shown: EventTable) -> str:
    """A table in words, as the bot describes it."""
    return " ".join(
        [f"{shown.title}. {shown.subtitle}.", *(f"{line.place}. {line.name}: {line.points}." for line in shown.lines)]
    )
