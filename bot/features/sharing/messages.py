"""The end of a game, ready to be shared: its card as a picture, and a line of words and emoji to paste elsewhere."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from bot.core.table.snapshot import Snapshot, verdict
from bot.features.reviews.course import Moment, Swing
from bot.features.reviews.messages import curve_of, review_click
from bot.features.reviews.service import Reviewed
from bot.i18n.language import Language
from bot.messages.advice import chances_words
from bot.messages.board import post_button
from bot.messages.builder import BIDI_CONTROLS, FENCE, MessageBuilder, Picture, button, escape
from bot.messages.click import Click
from bot.messages.pictures import CACHE, Perspective, finale_of, picture_or_words, shown, words_of
from bot.messages.players import CIRCLES, COMPUTER_MARK, SQUARES, names
from bot.workers.drawing import drawing
from engines.steps import colours_of
from engines.text import Text, join, plain, say, seat_name
from renderers.lettering import ELLIPSIS, letters_of
from renderers.scene import Scene
from renderers.strip import shown_name
from renderers.summaries.curve import TurningPoint
from renderers.summaries.result_card import ResultCard, draw_result_card

LINE_LIMIT: Final = 120
"""The intended length of a line to paste, in characters. To keep to it, names are cut to as little as `_SHORTEST`."""

SQUARES_AT_MOST: Final = 12
"""The most squares that stand for the curve in a line. Each has the colour of the seat that was ahead."""

LEVEL: Final = 0.05
"""The lead, as a difference between chances to win (0 to 1), below which nobody counts as being ahead."""

_LONGEST: Final = 32
_SHORTEST: Final = 4
"""The fewest characters to which a name in a line is cut. `_LONGEST` is the most that it may have."""
_NOBODY: Final = "⬜"
_ISOLATES: Final = "\u2068{}\u2069"
"""The marks put around a right-to-left name to keep the rest of the line in order."""


# --- messages -------------------------------------------------------------------------------------------------------------


async def card_message(
    snapshot: Snapshot, reviewed: Reviewed | None, perspective: Perspective, hindrance: Text | None = None
) -> MessageBuilder:
    """Return the private answer to *Share*: the card and a line to copy. Any `hindrance` says why it may not be posted."""
    language, table = perspective.language, snapshot.table
    builder = MessageBuilder().picture(await _card_picture(snapshot, reviewed, perspective))
    builder.text(language(say("Copy and share:"))).text(f"{FENCE}\n{share_line(snapshot, reviewed, language)}\n{FENCE}")
    reviewable = snapshot.playing.has_choices
    if reviewed is None and reviewable:
        builder.text(language(say("-# After a *Review* the card also shows the win chances and everybody’s accuracy.")))
    if hindrance is not None:
        builder.text(language(say("-# {line}", line=hindrance)))
    post = post_button(Click("post-card", table.id, table.version), language)
    review = button(language(say("Review")), review_click(snapshot).custom_id)
    return builder.buttons([*([] if hindrance is not None else [post]), *([review] if reviewable else [])])


async def public_card_message(
    snapshot: Snapshot, reviewed: Reviewed | None, perspective: Perspective, *, shared_by: int
) -> MessageBuilder:
    """Return the public message with the shared card and line, and with a button to the replay."""
    language = perspective.language
    builder = MessageBuilder().picture(await _card_picture(snapshot, reviewed, perspective, posted=True))
    builder.text(share_line(snapshot, reviewed, language, escape))
    builder.text(language(say("-# Shared by {who}", who=f"<@{shared_by}>")))
    replay = button(language(say("Replay")), Click("replay", snapshot.table.id).custom_id)
    return builder.buttons([replay] if snapshot.playing.worth_replaying else [])


# --- the card -------------------------------------------------------------------------------------------------------------


async def _card_picture(
    snapshot: Snapshot, reviewed: Reviewed | None, perspective: Perspective, *, posted: bool = False
) -> Picture:
    """Return the card as a picture. It shows the last board as spectators see it, whatever the players held."""
    history, language = snapshot.playing, perspective.language
    view = history.view(None)
    scene = _scene(snapshot, perspective)
    swing = _swing(snapshot, reviewed)
    turned = say("Win chances") if swing is None else _turning_words(swing)
    mark = () if swing is None else (TurningPoint(swing.place, 0, 1),)
    drawable = tuple(shown_name(scene, seat) for seat in range(view.seats))
    result = ResultCard(
        title=_title(snapshot, language),
        accuracy=language(say("accuracy")),
        accuracies=_accuracies(reviewed, view.seats),
        curve=None if reviewed is None else curve_of(reviewed, mark, perspective),
        turned=language(turned, drawable),
    )
    png = await CACHE.picture(
        (shown(history.game.id, view, scene), result),
        lambda: drawing(draw_result_card, history.game.id, view, scene, result, yielding=posted),
        hurry=posted,
        kind="card",
        table=snapshot.table.id,
    )
    facts = _facts(snapshot, reviewed, language)
    alt = language(join([*facts, history.game.describe(view)]), snapshot.names)

    def words() -> str:
        return f"{language(join(facts), names(snapshot))}\n{words_of(snapshot.position, perspective, view)}"

    return picture_or_words(f"result-{snapshot.table.id}-{history.version}.png", png, alt, language, words)


def _scene(snapshot: Snapshot, perspective: Perspective) -> Scene:
    return Scene(
        names=snapshot.names, computers=snapshot.computers, seen_from=perspective.side,
        high_contrast=perspective.high_contrast, translate=perspective.language, finale=finale_of(snapshot.position),
    )  # fmt: skip


def _title(snapshot: Snapshot, language: Language) -> str:
    return f"{language(snapshot.playing.game.title)} #{snapshot.table.id}"


def _accuracies(reviewed: Reviewed | None, seats: int) -> tuple[str, ...]:
    if reviewed is None:
        return ()
    found = [reviewed.course.account(reviewed.review, seat).accuracy for seat in range(seats)]
    return tuple("" if accuracy is None else f"{round(100 * accuracy)}%" for accuracy in found)


def _swing(snapshot: Snapshot, reviewed: Reviewed | None) -> Swing | None:
    ended = snapshot.table.outcome
    return None if reviewed is None or ended is None else reviewed.course.swing(reviewed.review, ended.winners)


def _turning_words(swing: Swing) -> Text:
    """Describe a game's turning point, as in "The game turned at move 12. Ben bounces f7 → e6."."""
    turned = say("The game turned at move {n}.", n=swing.place)
    return turned if swing.moment is None else join([turned, *_main_event(swing.moment)], " ")


def _main_event(moment: Moment) -> list[str]:
    """Return the most telling public event of a moment, preferably one of the moment's own seat, or nothing if it has none."""
    known = [event for event in moment.logged.events if event.known_to(None)]
    own = [event for event in known if event.seat == moment.seat] or known
    ranked = sorted(own, key=lambda event: (event.decisive, event.major, not event.routine))  # the last of equals stays last
    return [ranked[-1].text] if ranked else []


def _facts(snapshot: Snapshot, reviewed: Reviewed | None, language: Language) -> list[Text]:
    """Return everything on the card except the board, one line each."""
    ended, view = snapshot.table.outcome, snapshot.playing.view(None)
    told: list[Text] = [plain(_title(snapshot, language))]
    if ended is not None:
        told.append(verdict(ended.winners, drawn=snapshot.is_drawn))
    accuracies = _accuracies(reviewed, view.seats)
    for seat in range(view.seats):
        facts: list[str] = [view.scores[seat]] if seat < len(view.scores) else []
        if accuracies and accuracies[seat]:
            facts.append(say("accuracy {percent}", percent=accuracies[seat]))
        if facts:
            told.append(say("{who}: {facts}.", who=seat_name(seat), facts=join(facts, ", ")))
    swing = _swing(snapshot, reviewed)
    if swing is not None:
        told.append(_turning_words(swing))
    along = () if reviewed is None else reviewed.course.curve(reviewed.review)
    if along:
        told.append(say("Win chances."))
        told.append(say("At the start: {chances}.", chances=chances_words(along[0][1])))
        before = [chances for place, chances in along if swing is not None and place < swing.place]
        after = [chances for place, chances in along if swing is not None and place == swing.place]
        if before and after and swing is not None:
            told.append(say("Before move {n}: {chances}.", n=swing.place, chances=chances_words(before[-1])))
            told.append(say("After move {n}: {chances}.", n=swing.place, chances=chances_words(after[0])))
    return told


# --- the line -------------------------------------------------------------------------------------------------------------


def share_line(snapshot: Snapshot, reviewed: Reviewed | None, language: Language, written: Callable[[str], str] = str) -> str:
    """Return the result as one line: "🏆 🔴 Ada 3–1 🔵 Ben · Bouncers #42 · 🟥🟦🟥 · turned at move 12".

    The squares show who was ahead. They and the turning point are there only after a review. `written` escapes a name for the
    place where the line is to appear.
    """
    swing, course = _swing(snapshot, reviewed), [] if reviewed is None else _squares(reviewed)
    parts = [_title(snapshot, language), "".join(course)]
    if swing is not None:
        parts.append(language(say("turned at move {n}", n=swing.place)))
    rest = " · ".join(["", *filter(None, parts)])
    scene = _scene(snapshot, Perspective(seat=None, language=language))
    clean = [_clean(shown_name(scene, seat)) for seat in range(len(snapshot.players))]
    for most in range(_LONGEST, _SHORTEST - 1, -1):
        kept = [name if len(name) <= most else _cut_name(name, most - 1) for name in clean]
        if len(_people(snapshot, list(map(_isolate, kept))) + rest) <= LINE_LIMIT:
            break
    return _people(snapshot, [_isolate(written(name)) for name in kept]) + rest


def _people(snapshot: Snapshot, shown: Sequence[str]) -> str:
    """Return the players with their marks, the winners first behind a cup, and their scores if a higher score is better."""
    ended, view, seats = snapshot.table.outcome, snapshot.playing.view(None), len(snapshot.players)
    winners = () if ended is None else ended.winners
    marked = [
        "".join(CIRCLES[colour] for colour in colours_of(seat, seats, view.colours))
        + (COMPUTER_MARK if seat in snapshot.computers else "")
        + f" {name}"
        for seat, name in enumerate(shown)
    ]
    scores = [found[0] if (found := re.match(r"\d+", score)) else "" for score in view.scores]
    order = sorted(range(seats), key=lambda seat: (seat not in winners, seat in view.out, seat))
    sign = "🏆" if winners else "🤝" if snapshot.is_drawn else "🏁"
    if not (snapshot.playing.game.high_score_wins and len(scores) == seats and all(scores)):
        return " · ".join([f"{sign} {marked[order[0]]}", *(marked[seat] for seat in order[1:])])
    if seats == 2:
        first, second = order
        return f"{sign} {marked[first]} {scores[first]}–{scores[second]} {marked[second]}"
    return " ".join([sign, *(f"{marked[seat]} {scores[seat]}" for seat in order)])


def _squares(reviewed: Reviewed) -> list[str]:
    """Return the curve as squares in the colours of the seats that were ahead, evenly spread from start to end."""
    along, view = reviewed.course.curve(reviewed.review), reviewed.course.history.view(None)
    count = min(SQUARES_AT_MOST, len(along))
    steps = [round(step * (len(along) - 1) / max(1, count - 1)) for step in range(count)]
    squares = []
    for step in steps:
        chances = along[step][1]
        ranked = sorted([*enumerate(chances), (-1, max(0.0, 1 - sum(chances)))], key=lambda pair: -pair[1])
        (seat, most), (_, next_most) = ranked[:2]
        ahead = seat >= 0 and most - next_most >= LEVEL
        squares.append(SQUARES[view.colours_of(seat)[0]] if ahead else _NOBODY)
    return squares


def _clean(name: str) -> str:
    """Return a name that is safe in a code block or anywhere else: on one line, without code marks, mentions or links."""
    plainly = " ".join(name.translate(BIDI_CONTROLS).replace("`", "'").split())
    return plainly.replace("@", "@\u200b").replace("://", ":\u200b//")


def _cut_name(name: str, most: int) -> str:
    """Return a name cut between two letters, with an ellipsis at the end."""
    kept = ""
    for letter in letters_of(name):
        if kept and len(kept) + len(letter) > most:
            break
        kept += letter
    return kept.rstrip() + ELLIPSIS


def _isolate(name: str) -> str:
    """Return a name. If it has right-to-left letters, marks keep it from changing the direction of the text around it."""
    return _ISOLATES.format(name) if any(unicodedata.bidirectional(c) in {"R", "AL"} for c in name) else name
