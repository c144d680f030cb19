"""Shows ladders as a picture and in words, together with what somebody can do there."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import discord
from discord import ui

from bot.core.table.snapshot import NAMELESS
from bot.features.ladders.service import LadderView
from bot.i18n.language import Language
from bot.messages.builder import OPTION_LIMIT, OPTIONS_AT_MOST, MessageBuilder, button, clip, escape_name, shown_name
from bot.messages.click import Click
from bot.messages.pictures import or_nothing, picture_or_words
from bot.messages.players import MEDALS, ordinal
from bot.workers.drawing import drawing
from engines import GAMES
from engines.text import Text, join, plain, say, say_n
from renderers.summaries.ladder import Ladder, Rung, draw
from storage.schema.ladder_records import LadderPlace

SHOWN: Final = 10

SURE: Final = "sure"
"""The token that confirms a challenge."""

AROUND: Final = 3
"""How many of the top places are always shown to a viewer further down a long ladder."""


async def ladder_message(
    ladder: LadderView, user_id: int, language: Language, *, high_contrast: bool = False, note: Text | None = None
) -> MessageBuilder:
    """Return the ladder of a game as somebody sees it, with what they can do there. `note` says what has just happened."""
    game, mine = GAMES[ladder.game], ladder.place_of(user_id)
    builder = MessageBuilder().text(language(say("### 🪜 Ladder: {game}", game=game.title)))
    builder.text(language(join([*([] if note is None else [note]), *_told(ladder, mine)])))
    if ladder.places:
        shown = _shown(ladder.places, mine)
        board = _board(ladder, shown, language)
        paint = partial(draw, high_contrast=high_contrast)
        picture = await or_nothing(lambda: drawing(paint, board), len, kind="ladder")
        lines = [_line(place, row, row.name) for place, row in shown]
        alt = language(join([say("Ladder: {game}", game=game.title), *lines]))

        def words() -> str:
            return language(join([_line(place, row, escape_name(row.name)) for place, row in shown]))

        builder.picture(picture_or_words(f"ladder-{ladder.game}.png", picture, alt, language, words))
    if ladder.last:
        winners = [say("{medal} {name}", medal=MEDALS[b.place - 1], name=plain(escape_name(b.name))) for b in ladder.last]
        builder.text(language(say("-# Last season: {winners}", winners=join(winners, " · "))))
    if ladder.reach:
        builder.select(_challenges(ladder, language))
    if mine is None:
        join_in = Click("ladder-join", tokens=(ladder.game,)).custom_id
        return builder.buttons([button(language(say("Join")), join_in, discord.ButtonStyle.success)])
    return builder.buttons([button(language(say("Leave the ladder")), Click("ladder-leave", tokens=(ladder.game,)).custom_id)])


def _told(ladder: LadderView, mine: int | None) -> list[Text]:
    """Return how a ladder works, when the season ends, and which place the viewer has."""
    until = f"<t:{int(ladder.season.ends)}:D>"
    told = [
        say("Beat somebody above you and you take their place; they move down one. The season ends on {until}.", until=until)
    ]
    if mine is None:
        told.append(say("-# Newcomers start at the bottom. If you don’t play for a month, you slowly slip down."))
    elif mine == 1:
        told.append(say("You’re at the top! Others can challenge you."))
    elif ladder.reach:
        told.append(say("You’re in {place} place.", place=ordinal(mine)))
    else:
        told.append(say("You’re in {place} place. There’s nobody you can challenge right now.", place=ordinal(mine)))
    return told


def challenge_question(ladder: LadderView, row: LadderPlace, language: Language) -> MessageBuilder:
    """Ask whether to challenge somebody, before they are pinged."""
    place = ladder.place_of(row.user_id)
    asked = say("### Challenge {who}?\n{place} place: {won} won, {lost} lost. I’ll ping them, and they have three days to "
                "accept.", who=plain(escape_name(row.name)), place=ordinal(place or 0), won=row.won, lost=row.lost)  # fmt: skip
    sure = Click("ladder-challenge", tokens=(ladder.game, str(row.user_id), SURE)).custom_id
    back = Click("ladder", tokens=(ladder.game,)).custom_id
    return MessageBuilder().text(language(asked)).buttons([
        button(language(say("Challenge")), sure, discord.ButtonStyle.primary), button(language(say("Back")), back),
    ])  # fmt: skip


def _shown(places: Sequence[LadderPlace], mine: int | None) -> list[tuple[int, LadderPlace]]:
    """Return the numbered places to show: the top or, for a viewer further down, the first few and those near the viewer."""
    numbered = list(enumerate(places, 1))
    if mine is None or mine <= SHOWN:
        return numbered[:SHOWN]
    window = SHOWN - AROUND
    begins = min(max(AROUND, mine - 1 - window // 2), max(AROUND, len(places) - window))
    return numbered[:AROUND] + numbered[begins : begins + window]


def _board(ladder: LadderView, shown: Sequence[tuple[int, LadderPlace]], language: Language) -> Ladder:
    in_all = say_n("{n} player in all", "{n} players in all", len(ladder.places))
    season = say("Ladder, season {n} of {year}", n=ladder.season.quarter, year=ladder.season.year)
    return Ladder(
        title=language(GAMES[ladder.game].title), subtitle=language(season), won=language(say("Won")),
        lost=language(say("Lost")), nameless=language(NAMELESS), note=language(in_all) if len(ladder.places) > SHOWN else "",
        rungs=tuple(Rung(place, row.name, row.won, row.lost) for place, row in shown),
    )  # fmt: skip


def _line(place: int, row: LadderPlace, name: str) -> Text:
    return say("{place}. {name}: {won} won, {lost} lost", place=place, name=plain(name), won=row.won, lost=row.lost)


def _challenges(ladder: LadderView, language: Language) -> "ui.Select[Any]":
    rows = {row.user_id: row for row in ladder.places}
    options = []
    for one in ladder.reach[:OPTIONS_AT_MOST]:
        label = language(say("{place}. {name}", place=ladder.place_of(one), name=plain(shown_name(rows[one].name))))
        options.append(discord.SelectOption(label=clip(label, OPTION_LIMIT), value=str(one)))
    click = Click("ladder-challenge", tokens=(ladder.game,)).custom_id
    return ui.Select(custom_id=click, placeholder=language(say("Challenge …")), options=options)
