"""The panel of an analysis: a private board on which a person plays all sides, back and forth."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import discord
from discord import ui
from typing_extensions import override

from bot.core.table.snapshot import verdict
from bot.features.analysis.origin import Origin, analysis_token
from bot.features.analysis.tree import Analysed
from bot.features.openings.service import PlayedBefore
from bot.i18n.language import Language
from bot.messages.advice import advised_picture, chances_words, foresee_along
from bot.messages.board import COLOURS, post_button
from bot.messages.builder import LABEL_LIMIT, OPTION_LIMIT, OPTIONS_AT_MOST, Button, MessageBuilder, button, clip
from bot.messages.click import Click, TooLong
from bot.messages.line_board import move_words
from bot.messages.menus import Verbs
from bot.messages.picking import BUTTONS_AT_MOST, Pick
from bot.messages.pictures import Perspective, picture
from bot.messages.players import marks
from bot.messages.private_board import PrivateBoard, add_items
from engines import GAMES
from engines.game import Action, Game, action_words
from engines.text import Text, join, plain, say, say_n, seat_name
from opponents.bouncers.opening_book import Continuation
from opponents.reviewing import Advice
from storage.schema.records import Analysis

CONTINUATIONS_SHOWN: Final = 3
"""The most moves shown of those played from the position in earlier games. The most frequent come first."""

BRANCHES_SHOWN: Final = OPTIONS_AT_MOST
"""The most branches offered at a position. If there are more, the first one and the newest are offered."""


@dataclass(frozen=True)
class AnalysisPanel(PrivateBoard):
    """The panel of an analysis, from the perspective of the seat to act. `origin` is where it was opened, if known."""

    at: Analysed
    origin: Origin | None = None

    verbs: ClassVar[Verbs] = Verbs.of("analysis-pick", play="analysis-play")

    @override
    def click(self, verb: str, tokens: Action = (), page: int = 0) -> Click:
        return Click(verb, 0, self.at.number, page, (analysis_token(self.at.analysis.id, self.origin), *tokens))

    def to(self, number: int) -> Click:
        """Return the click that goes to another position."""
        return Click("analysis", 0, number, 0, (analysis_token(self.at.analysis.id, self.origin),))


def analysis_panel(
    at: Analysed, language: Language, *, origin: Origin | None = None, high_contrast: bool = False
) -> AnalysisPanel:
    """Return the panel of an analysis at a position."""
    perspective = Perspective(seat=at.seat, side=at.analysis.side, language=language, high_contrast=high_contrast)
    return AnalysisPanel(at, perspective, origin)


async def analysis_message(
    panel: AnalysisPanel,
    picked: Pick | None = None,
    *,
    page: int = 0,
    note: str = "",
    better: Analysed | None = None,
    before: PlayedBefore | None = None,
) -> MessageBuilder:
    """Return the message with the position, the line leading to it, the parts of a move, and buttons to other positions.

    `note` is a line above the question. `better` is the position after the better move found by a review. `before` tells what
    was played from the position in earlier games, if this may be shown.
    """
    picked = panel.pick() if picked is None else picked
    builder = panel.framed(_heading(panel))
    if picked is None:
        builder.picture(await picture(panel.position, panel.perspective, events=panel.last_events))
        _add_line(builder, panel)
        builder.text(note).text(_result(panel))
        return builder.buttons(_ways(panel))
    picking = panel.picking(picked, page)
    builder.picture(await picking.picture(panel.last_events if picked.untouched else ()))
    if picked.untouched:
        _add_line(builder, panel)
    played = _before_words(panel, before) if before is not None and picked.untouched else ""
    builder.text("\n".join(filter(None, [played, note])))
    if better is not None:
        found = say("The review’s better move: **{move}**", move=move_words(better.history, better.history.log[-1]))
        show = button(
            panel.on_button(say("Show it")), replace(panel.to(better.number), page=3).custom_id, discord.ButtonStyle.success
        )
        builder.text_with_button(panel.in_words(found), show)
    builder.text(panel.question(picking))
    try:
        add_items(builder, picking, _ways(panel))
        return builder
    except TooLong:
        return _too_long(panel)


# --- the text -----------------------------------------------------------------------------------------------------------------


def _heading(panel: AnalysisPanel) -> str:
    at, title = panel.at, say("Analysis: {game}", game=panel.at.history.game.title)
    lines = [f"**{panel.language(title)}**{panel.variant_words}"]
    if at.analysis.table_id is not None:
        lines.append("-# " + panel.language(say("From game #{n}. Only you see this.", n=at.analysis.table_id)))
    else:
        lines.append("-# " + panel.language(say("Only you see this.")))
    return "\n".join([*lines, _standing(panel)])


def _standing(panel: AnalysisPanel) -> str:
    """Return how far the position is from the beginning, and who is to move, as in "After move 12 · 🔴 Red to move"."""
    at = panel.at
    if not at.moves:
        moves = say("The first position")
    elif at.analysis.table_id is None:  # nobody knows how many moves led to a code
        moves = say_n("{n} move on", "{n} moves on", at.moves)
    else:
        moves = say("After move {n}", n=at.moves)
    if at.seat is None:
        return panel.in_words(join([moves, say("The game is over.")], " · "))
    mark = plain(marks(panel.position)[at.seat])
    return panel.in_words(join([moves, say("{mark} {who} to move", mark=mark, who=seat_name(at.seat))], " · "))


def _add_line(builder: MessageBuilder, panel: AnalysisPanel) -> None:
    """Add the last move in words, with *Draw again* if something was drawn in it, and the line that led there."""
    at, language = panel.at, panel.language
    told = panel.told(panel.last_events)
    if at.node is not None and at.node.drawn:
        is_real = at.number <= at.analysis.played
        note = say("-# Same luck as in the game.") if is_real else say("-# The luck here is just an example.")
        again = button(language(say("Draw again")), panel.click("analysis-draw").custom_id, emoji="🎲")
        builder.text_with_button("\n".join(filter(None, [told, language(note)])), again)
    else:
        builder.text(told)
    builder.text(panel.line_words() if at.history.version > 1 else "")  # a single move has just been told


def _before_words(panel: AnalysisPanel, before: PlayedBefore) -> str:
    """Return which moves were played from the position, on the server and by computers, and how the side to move scored."""
    assert panel.at.seat is not None, "somebody is to move"
    mark, who = plain(marks(panel.position)[panel.at.seat]), seat_name(panel.at.seat)
    lines = [panel.in_words(say("📖 **Played here before**, and how {mark} {who} scored:", mark=mark, who=who))]
    if before.here:
        lines.append(panel.in_words(say("-# On this server: {moves}", moves=_continuations(panel, before.here))))
    if before.computers:
        lines.append(panel.in_words(say("-# Between computers: {moves}", moves=_continuations(panel, before.computers))))
    return "\n".join(lines)


def _continuations(panel: AnalysisPanel, moves: Sequence[Continuation]) -> Text:
    """Return the most frequent moves, each with its number of games and its player's score, and the number of other moves."""
    game, state = panel.at.history.game, panel.at.history.state
    told = [
        say_n(
            "{move} in {n} game ({percent}%)", "{move} in {n} games ({percent}%)", one.games,
            move=action_words(game, state, state.to_move, one.action), percent=round(100 * one.score),
        )
        for one in moves[:CONTINUATIONS_SHOWN]
    ]  # fmt: skip
    others = len(moves) - len(told)
    if others:
        told.append(say_n("{n} other move", "{n} other moves", others))
    return join(told, " · ")


def _result(panel: AnalysisPanel) -> str:
    outcome = panel.at.history.outcome
    if outcome is None:
        return ""
    won = verdict(outcome.winners, drawn=not outcome.winners and panel.at.history.seats > 1)
    return f"**{panel.in_words(join([outcome.reason, won], ' '))}**"


# --- the buttons --------------------------------------------------------------------------------------------------------------


def _ways(panel: AnalysisPanel) -> list[Button]:
    """Return the buttons: to the start, back a move, forward a move, *Expert's move*, *Share*, and those of `_back`."""
    at, branches = panel.at, panel.at.branches
    # Buttons of one message that do the same have to differ: at the first move, a move back leads to the start, too.
    start = replace(panel.to(0), page=1).custom_id
    on = panel.click("analysis-branches") if len(branches) > 1 else panel.to(branches[0] if branches else at.number)
    ways = [
        button("⏮", start, disabled=not at.number),
        button("◀", panel.to(at.before).custom_id, disabled=not at.number),
        button(f"▶ {len(branches)}" if len(branches) > 1 else "▶", replace(on, page=2).custom_id, disabled=not branches),
    ]
    if at.seat is not None:
        ways.append(button(panel.on_button(say("Expert’s move")), panel.click("analysis-advice").custom_id, emoji="💡"))
    return [*ways, button(panel.on_button(say("Share")), panel.click("analysis-share").custom_id), *_back(panel)]


def _back(panel: AnalysisPanel) -> list[Button]:
    """Return the buttons that lead back to the puzzle and on to the next one, back to the review page, or else to the game."""
    origin, table_id = panel.origin, panel.at.analysis.table_id
    if origin is not None and origin.puzzle:
        back = Click("puzzle-at", tokens=(origin.puzzle, origin.wanted)).custom_id
        following = Click("puzzle", tokens=(origin.wanted,)).custom_id
        return [
            button(panel.on_button(say("Back to the puzzle")), back, emoji="🧩"),
            button(panel.on_button(say("Next puzzle")), following),
        ]
    if table_id is None:
        return []
    page = 0 if origin is None else origin.page
    review = button(panel.on_button(say("Review")), Click("review", table_id, page=page).custom_id)
    game = button(panel.on_button(say("Back")), Click("move", table_id).custom_id)
    return ([] if origin is None else [review]) + ([] if page else [game])


def _too_long(panel: AnalysisPanel) -> MessageBuilder:
    typed = say("That’s too long for buttons. Type it: *Share* shows the code, and `/analyse code:` takes moves after it.")
    return panel.framed(_heading(panel)).text(panel.in_words(typed)).buttons([
        button(panel.on_button(say("Back")), panel.to(panel.at.number).custom_id)
    ])  # fmt: skip


# --- branches -----------------------------------------------------------------------------------------------------------------


async def branches_message(panel: AnalysisPanel, labels: Sequence[tuple[int, str]]) -> MessageBuilder:
    """Return a message to choose the next move. `labels` pairs the number of the position after a move with its label."""
    builder = panel.framed(_heading(panel)).picture(await picture(panel.position, panel.perspective, events=panel.last_events))
    which = panel.language(say("Which way?"))
    builder.text(f"**{which}**")
    shown = [*labels[:1], *labels[1:][-BRANCHES_SHOWN + 1 :]]
    if len(shown) <= BUTTONS_AT_MOST:
        builder.buttons([
            button(label, panel.to(number).custom_id, discord.ButtonStyle.primary) for number, label in shown
        ])  # fmt: skip
    else:
        options = [discord.SelectOption(label=clip(label, OPTION_LIMIT), value=str(number)) for number, label in shown]
        choose = panel.click("analysis-choose").custom_id
        builder.select(ui.Select(custom_id=choose, placeholder=panel.language(say("Choose")), options=options))
    back = replace(panel.to(panel.at.number), page=1).custom_id
    return builder.buttons([button(panel.on_button(say("Back")), back)])


def branch_label(panel: AnalysisPanel, after: Analysed) -> str:
    """Return a branch's label: its move, or what was drawn in it. It also says if the move was played in the game."""
    last = after.history.log.last
    assert last is not None, "a branch is no root"
    assert after.node is not None
    move = panel.on_button(move_words(after.history, last))
    if after.node.drawn:
        told = " ".join(panel.on_button(event.text).replace("**", "") for event in last.events[:1])
        move = told or move
    if after.number <= after.analysis.played:
        return clip(panel.on_button(say("{move} (as played)", move=plain(move))), LABEL_LIMIT)
    return clip(move, LABEL_LIMIT)


# --- the expert's move --------------------------------------------------------------------------------------------------------


async def advice_message(panel: AnalysisPanel, advice: Advice, chances: tuple[float, ...]) -> MessageBuilder:
    """Return the expert's choice at a position, each side's chance of winning, and a button that plays the move."""
    at, thought, seat = panel.at, advice.thought, panel.at.seat
    assert seat is not None, "somebody is to act"
    line = thought.line if thought.line and thought.line[0] == (seat, thought.action) else ((seat, thought.action),)
    builder = panel.framed(_heading(panel)).picture(await advised_picture(panel.position, panel.perspective, line))
    action = action_words(at.history.game, at.history.state, seat, thought.action)
    told = [say("💡 **Expert’s move: {action}**", action=action), *([] if advice.reason is None else [advice.reason])]
    expected = foresee_along(panel.position, line).actions[1:]
    if expected:
        told.append(say("-# Expected next: {line}", line=join(expected, "; ")))
    builder.text("\n".join(filter(None, map(panel.in_words, told))))
    builder.text(panel.in_words(say("Win chances: {chances}.", chances=chances_words(chances))))
    buttons = [button(panel.on_button(say("Back")), panel.to(at.number).custom_id)]
    try:
        play = panel.click("analysis-play", thought.action).custom_id
        buttons.insert(0, button(panel.on_button(say("Play it")), play, discord.ButtonStyle.success, emoji="✅"))
    except TooLong:
        pass  # the move has to be picked like any other
    return builder.buttons(buttons)


# --- sharing ------------------------------------------------------------------------------------------------------------------


async def shared_message(panel: AnalysisPanel, shared_by: int | None = None) -> MessageBuilder:
    """Return a message that shows a position to everybody, with its line and code. Without `shared_by` it is a preview."""
    title = f"**{panel.language(say('Analysis: {game}', game=panel.at.history.game.title))}**{panel.variant_words}"
    seat = panel.at.seat
    builder = MessageBuilder(colour=None if seat is None else COLOURS[seat]).text(f"{title}\n{_standing(panel)}")
    builder.picture(await picture(panel.position, panel.perspective, events=panel.last_events))
    builder.text("\n".join(filter(None, [panel.line_words(), code_words(panel.at.line_code, panel.language)])))
    if shared_by is None:
        return builder
    builder.text(panel.language(say("-# Shared by {who}", who=f"<@{shared_by}>")))
    return builder.buttons([button(panel.language(say("Analyse")), Click("analysis-open").custom_id)])


def code_words(code: str, language: Language) -> str:
    """Return a line of text with a code, in the form that `code_in` recognises."""
    return language(say("-# Code: `{code}`", code=code))


def code_in(texts: Sequence[str]) -> str | None:
    """Return the code found in the texts of a `shared_message`, or None if there is none."""
    found = (part for text in texts for part in text.split("`")[1::2] if part.startswith(tuple(GAMES)))
    return next(found, None)


async def share_preview(panel: AnalysisPanel, refused: Text | None) -> MessageBuilder:
    """Return the private answer to *Share*: the position as all would see it, with *Post here* or why it can't be posted."""
    builder = await shared_message(panel)
    back = button(panel.language(say("Back")), panel.to(panel.at.number).custom_id)
    if refused is not None:
        return builder.text(panel.language(refused)).buttons([back])
    return builder.buttons([post_button(panel.click("post-analysis"), panel.language), back])


# --- where to begin -----------------------------------------------------------------------------------------------------------


def beginnings_message(language: Language, kept: Sequence[Analysis], last_game: int | None) -> MessageBuilder:
    """Return the ways to open an analysis: going on with one of `kept`, the person's last game, or the start of each game."""
    builder = MessageBuilder().text(language(say(
        "### A board to think on\n"
        "Play all sides, go back and try something else: every branch is kept, and only you see it. "
        "*Expert’s move* says what a strong computer would do.\n"
        "-# `/analyse code:` opens any position that somebody has shared."
    )))  # fmt: skip
    known = []
    if kept:
        resume = Click("analysis-resume", tokens=(str(kept[0].id),)).custom_id
        known.append(button(language(say("Where I left off")), resume, discord.ButtonStyle.primary))
    if last_game is not None:
        label = say("My last game, #{n}", n=last_game)
        known.append(button(language(label), Click("analyse", last_game).custom_id, discord.ButtonStyle.primary))
    builder.buttons(known)
    if len(kept) > 1:
        options = [
            discord.SelectOption(label=clip(language(_kept_words(analysis)), OPTION_LIMIT), value=str(analysis.id))
            for analysis in kept[:OPTIONS_AT_MOST]
        ]
        choose, placeholder = Click("analysis-resume").custom_id, language(say("My analyses"))
        builder.select(ui.Select(custom_id=choose, placeholder=placeholder, options=options))
    starts = [(game, Click("analysis-start", tokens=(game_id,)).custom_id) for game_id, game in GAMES.items()]
    return builder.buttons([button(language(say("{game} from the start", game=game.title)), click) for game, click in starts])


STARTS: Final = tuple((game, variant, seats) for game in GAMES.values() for variant in game.variants for seats in game.seats)
"""Every way in which a game can start, given by the game, its variant, and the number of players."""


def start_words(game: Game[Any, Any], variant: str, seats: int) -> Text:
    """Return a short label for a start, to be suggested while typing, without what all starts of the game share."""
    words = [plain(game.title)]
    words += [plain(game.variant_titles[variant])] if len(game.variants) > 1 else []
    words += [say_n("for one player", "{n} players", seats)] if len(game.seats) > 1 else []
    return join(words, " · ")


def _kept_words(analysis: Analysis) -> Text:
    title = next((game.title for game_id, game in GAMES.items() if analysis.root.startswith(game_id)), "?")
    count = len(analysis.nodes) + 1
    if analysis.table_id is None:
        return say_n("{game}: {n} position", "{game}: {n} positions", count, game=title)
    return say_n("{game} #{table}: {n} position", "{game} #{table}: {n} positions", count, game=title, table=analysis.table_id)
