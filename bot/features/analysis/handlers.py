"""Handles clicks in analyses: opening one, playing all sides, going back and forth, asking the expert, sharing a position."""

from collections.abc import Callable
from typing import Final

from discord import app_commands

from bot.core.jobs import Outbox
from bot.core.listing import Lists
from bot.core.shares import in_share
from bot.core.table.errors import Refused
from bot.core.table.request import SETUPS, require_game
from bot.core.table.snapshot import Snapshot
from bot.features.analysis.jobs import analysis_nonce
from bot.features.analysis.messages import (
    STARTS,
    AnalysisPanel,
    advice_message,
    analysis_message,
    analysis_panel,
    beginnings_message,
    branch_label,
    branches_message,
    code_in,
    share_preview,
    start_words,
)
from bot.features.analysis.origin import Origin, read_analysis_token
from bot.features.analysis.service import MOST_ANALYSES, Analyses
from bot.features.analysis.tree import MOST_PLAYED, Analysed, following, with_action, with_another_draw, with_line
from bot.features.openings.service import PlayedBefore, ServerOpenings
from bot.features.reviews.service import Reviews
from bot.interactions.context import Context, respond, responder_of
from bot.interactions.handlers import Tokens, handles, is_word
from bot.interactions.heavy import ask_expert
from bot.interactions.reply import Command, Interaction
from bot.interactions.sharing import check_postable, hindrance, tell_where
from bot.interactions.suggestions import suggestions
from bot.interactions.tables import FINISHED_GAMES, table_number
from bot.messages.builder import clip
from bot.messages.click import Click, is_number
from bot.outbox.access import shown_texts
from engines.actions import Action
from engines.game import is_whole
from engines.text import Text, join, say, say_n
from opponents.reviewing import consult
from storage.schema.records import Analysis, Status


def is_analysis(token: str) -> bool:
    """Whether a token names an analysis, with or without where it was opened."""
    return read_analysis_token(token) is not None


OWN: Final = Tokens((is_analysis,))
"""The token of a click in an analysis, which names the analysis. The click's version is the number of the position."""

PICKED: Final = Tokens((is_analysis,), more=is_word)
"""The tokens of a click on a move: the analysis, then the tokens picked so far."""


# --- opening ------------------------------------------------------------------------------------------------------------------


async def open_beginnings(context: Context) -> None:
    """Show the user the ways to open an analysis."""
    kept = await context.core.service(Analyses).of_person(context.user.id, context.guild_id)
    last = context.core.service(Lists).summaries(
        guild_id=context.guild_id, seen_by=context.user.id, user_id=context.user.id, statuses=(Status.FINISHED,), limit=1
    )
    tables = [summary.table.id async for summary in last]
    await context.reply.show(beginnings_message(context.language, kept, next(iter(tables), None)))


async def open_code(context: Context, text: str, origin: Origin | None = None) -> None:
    """Open an analysis of the code or line in `text`, with buttons back to `origin`. Raises Refused if `text` is neither."""
    beginning = context.core.service(Analyses).beginning(context.user.id, context.guild_id)
    await _open(context, lambda: beginning.of_code(text), origin)


async def open_start(context: Context, game_id: str, variant: str | None = None, seats: int | None = None) -> None:
    """Open an analysis of a game from its start. Raises Refused if the game, variant or number of players is unknown."""
    require_game(game_id)
    analyses, setup = context.core.service(Analyses), SETUPS.get(game_id, {})
    beginning, chance = analyses.beginning(context.user.id, context.guild_id), analyses.chance()
    await _open(context, lambda: beginning.of_start(game_id, chance, variant, seats, setup))


async def open_game(
    context: Context, table_id: int, place: int | None = None, point: int = 0, origin: Origin | None = None
) -> None:
    """Open an analysis of a finished game after its first `place` moves, or after all of them if `place` is None.

    `point` is the number of a turning point of the game's review, counting from 1, or 0 for none. If it is given, the analysis
    opens just before the turning point, with the better move as a branch.
    """
    snapshot = await context.snapshot(table_id)
    beginning = context.core.service(Analyses).beginning(context.user.id, context.guild_id)
    reviewed = await context.core.service(Reviews).finished_review(snapshot) if point else None
    points = () if reviewed is None else reviewed.course.turning_points(reviewed.review)
    turned = context.settings.turn_board

    def begin() -> Analysis:
        if not 0 < point <= len(points):
            return beginning.of_game(snapshot, place, turned=turned)
        turning = points[point - 1]
        made = beginning.of_game(snapshot, turning.moment.place, turned=turned)
        return with_line(made, made.current, turning.found.line)

    await _open(context, begin, origin)


async def _open(context: Context, begin: Callable[[], Analysis], origin: Origin | None = None) -> None:
    at, dropped = await context.core.service(Analyses).open(begin)
    notes: list[Text] = []
    if dropped:
        notes.append(say_n(
            "-# Your oldest analysis is gone: I keep {most}.", "-# Your {n} oldest analyses are gone: I keep {most}.",
            dropped, most=MOST_ANALYSES,
        ))  # fmt: skip
    if at.analysis.place or at.analysis.played == MOST_PLAYED:
        first, last = at.analysis.place + 1, at.analysis.place + at.analysis.played
        notes.append(say("-# It’s a long game: here are moves {first} to {last}.", first=first, last=last))
    added = [number for number in at.branches if number > at.analysis.played > 0]
    better = following(at, added[0]) if added else None
    panel = _panel(context, at, origin)
    await _show(context, panel, note=context.language(join(notes, "\n")) if notes else "", better=better)


@handles("analyse")
async def _analyse(context: Context, click: Click) -> None:
    """Open a finished game before the turning point that the page names, or at its end. Without a table, ask what to open."""
    if not click.table:
        await open_beginnings(context)
    else:
        await open_game(context, click.table, point=click.page, origin=Origin(page=click.page))


@handles("analysis-start", tokens=Tokens((is_word,)))
async def _start(context: Context, click: Click) -> None:
    await open_start(context, click.tokens[0])


@handles("analysis-resume", tokens=OWN)
async def _resume(context: Context, click: Click) -> None:
    analysis_id, origin = _opened(click)
    at = await context.core.service(Analyses).get(analysis_id, context.user.id, context.guild_id)
    await _show(context, _panel(context, at, origin))


@handles("analysis-open")
async def _open_shared(context: Context, _: Click) -> None:
    """Open an analysis of the position in the message that was clicked, for the person who clicked."""
    message = context.interaction.message
    code = None if message is None else code_in(shown_texts(message))
    if code is None:
        raise Refused(say("There’s no code in this message any more. `/analyse code:` opens one that you have."))
    await open_code(context, code)


# --- in an analysis -----------------------------------------------------------------------------------------------------------


def _opened(click: Click) -> tuple[int, Origin | None]:
    read = read_analysis_token(click.tokens[0])
    assert read is not None, "the tokens were checked"
    return read


async def _at(context: Context, click: Click) -> AnalysisPanel:
    """Return the panel at a click's position. Raises Refused unless that position exists in an analysis of the user's."""
    analysis_id, origin = _opened(click)
    at = await context.core.service(Analyses).get(analysis_id, context.user.id, context.guild_id, click.version)
    return _panel(context, at, origin)


def _panel(context: Context, at: Analysed, origin: Origin | None) -> AnalysisPanel:
    return analysis_panel(at, context.language, origin=origin, high_contrast=context.settings.high_contrast)


async def _show(
    context: Context,
    panel: AnalysisPanel,
    tokens: Action = (),
    *,
    page: int = 0,
    note: str = "",
    better: Analysed | None = None,
) -> None:
    before = None if tokens else await _played_before(context, panel.at)
    picked = panel.pick(tokens)
    await context.reply.show(await analysis_message(panel, picked, page=page, note=note, better=better, before=before))


async def _played_before(context: Context, at: Analysed) -> PlayedBefore | None:
    """Return what was played from this position in earlier games, or None if nothing is known or advice is not allowed."""
    found = await context.core.service(ServerOpenings).at(at.analysis.guild_id, at.history, at.moves)
    lists, position = context.core.service(Lists), at.position
    if found is None or not await lists.may_have_advice(context.user.id, position.game.id, position.variant):
        return None
    return found


async def _go_to(context: Context, click: Click, number: int) -> None:
    analysis_id, origin = _opened(click)
    at = await context.core.service(Analyses).go(analysis_id, context.user.id, context.guild_id, number)
    await _show(context, _panel(context, at, origin))


@handles("analysis", tokens=OWN)
async def _go(context: Context, click: Click) -> None:
    await _go_to(context, click, click.version)


@handles("analysis-choose", tokens=Tokens((is_analysis, is_number)))
async def _choose(context: Context, click: Click) -> None:
    await _go_to(context, click, int(click.tokens[1]))


@handles("analysis-pick", tokens=PICKED)
async def _pick(context: Context, click: Click) -> None:
    """Pick a token, and play a complete action at once. If a token is no longer legal, only those before it stay picked."""
    panel, tokens = await _at(context, click), click.tokens[1:]
    picked = panel.pick(tokens)
    if picked is not None and picked.whole and picked.prefix[: len(tokens)] == tokens and tokens:
        await _play(context, panel, picked.seat, picked.prefix)
    else:
        await _show(context, panel, tokens, page=click.page)


@handles("analysis-play", tokens=PICKED)
async def _play_picked(context: Context, click: Click) -> None:
    panel, tokens = await _at(context, click), click.tokens[1:]
    at = panel.at
    if at.seat is not None and is_whole(at.history.game, at.history.state, at.seat, tokens):
        await _play(context, panel, at.seat, tokens)
    else:
        await _show(context, panel, tokens)


async def _play(context: Context, panel: AnalysisPanel, seat: int, action: Action) -> None:
    await _change(context, panel, lambda there: with_action(there, seat, action))


async def _change(context: Context, panel: AnalysisPanel, change: Callable[[Analysed], Analysis]) -> None:
    at = await context.core.service(Analyses).change(panel.at, change)
    await _show(context, _panel(context, at, panel.origin))


@handles("analysis-draw", tokens=OWN)
async def _draw(context: Context, click: Click) -> None:
    await _change(context, await _at(context, click), with_another_draw)


@handles("analysis-branches", tokens=OWN)
async def _branches(context: Context, click: Click) -> None:
    panel = await _at(context, click)
    at = panel.at

    def labels() -> list[tuple[int, str]]:
        return [(number, branch_label(panel, following(at, number))) for number in at.branches]

    await context.reply.show(await branches_message(panel, await in_share(labels)))


@handles("analysis-advice", tokens=OWN)
async def _advise(context: Context, click: Click) -> None:
    """Show an expert's choice. Whether advice is allowed is checked before and after, as a rated game may begin meanwhile."""
    panel, analyses = await _at(context, click), context.core.service(Analyses)
    at = panel.at
    await analyses.check_advisable(at)
    if at.seat is None:
        raise Refused(say("The game is over here, so there’s no move to suggest."))
    advice, chances = await ask_expert(context, consult, *await in_share(lambda: at.question))
    await analyses.check_advisable(at)
    await context.reply.show(await advice_message(panel, advice, chances))


# --- sharing ------------------------------------------------------------------------------------------------------------------


async def _table_of(context: Context, at: Analysed) -> Snapshot | None:
    """Return the table that an analysis comes from, or None if there is none. Raises NoSuchTable if the user may not see it."""
    return None if at.analysis.table_id is None else await context.snapshot(at.analysis.table_id)


@handles("analysis-share", tokens=OWN)
async def _share(context: Context, click: Click) -> None:
    """Show the user privately what *Post here* would post, with the code to copy."""
    panel = await _at(context, click)
    refused = hindrance(context, await _table_of(context, panel.at))
    await context.reply.show(await share_preview(panel, refused))


@handles("post-analysis", tokens=OWN)
async def _post(context: Context, click: Click) -> None:
    at = (await _at(context, click)).at
    check_postable(context, await _table_of(context, at))
    channel = context.interaction.channel_id or 0
    job = await context.core.service(Outbox).share_analysis(at.analysis, at.number, channel)
    await tell_where(context, job, analysis_nonce(at.analysis.id, at.number, channel))


HANDLERS: Final = (
    _analyse, _start, _resume, _open_shared, _go, _choose, _pick, _play_picked, _draw, _branches, _advise, _share, _post,
)  # fmt: skip


@suggestions
async def _starts(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    language = await responder_of(interaction).private_language(interaction)
    found = {f"{game.id}/{variant}/{seats}": language(start_words(game, variant, seats)) for game, variant, seats in STARTS}
    return [
        app_commands.Choice(name=clip(words, 100), value=value)
        for value, words in found.items()
        if current.casefold() in words.casefold() or current.casefold() in value
    ][:25]


@app_commands.command(name="analyse", description="Think about a position on a board of your own")
@app_commands.guild_only()
@app_commands.describe(
    code="A code, with moves after it if you like",
    game="A game from its start",
    table="A finished game",
    move="After how many of its moves: of a long game only a part is opened",
)
@app_commands.autocomplete(game=_starts, table=FINISHED_GAMES.suggest)
async def analyse(
    interaction: Interaction,
    code: str | None = None,
    game: str | None = None,
    table: str | None = None,
    move: app_commands.Range[int, 0, 10_000] | None = None,
) -> None:
    """Open an analysis of a code, of a finished game, or of a game from its start; without any of these, ask what to open."""
    async with respond(interaction) as context:
        if code is not None:
            await open_code(context, code)
        elif table is not None:
            await open_game(context, table_number(table), move)
        elif game is not None:
            await open_start(context, *_start_named(game))
        else:
            await open_beginnings(context)


def _start_named(named: str) -> tuple[str, str | None, int | None]:
    """Split a start such as `bouncers/8x8-16/2` into game and, if given, variant and number of players. Raises Refused."""
    game, variant, seats, *more = (*named.strip().casefold().split("/"), "", "")
    if any(more) or not (seats == "" or is_number(seats)):
        raise Refused(say("Pick one of the games that are suggested."))
    return game, variant or None, int(seats) if seats else None


COMMANDS: Final[tuple[Command, ...]] = (analyse,)
