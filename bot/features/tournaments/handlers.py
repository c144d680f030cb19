"""Clicks in tournaments: entering, checking in, leaving and coming back, looking around, and what organisers do."""

from collections.abc import Sequence
from typing import Any, Final

from bot.core.people import Users
from bot.core.table.errors import Refused, SessionError
from bot.core.table.settings import DAY
from bot.core.table.snapshot import User
from bot.features.tournaments.change import games_of
from bot.features.tournaments.messages import answered_message
from bot.features.tournaments.organising import cancel_question, manage_panel, player_panel, result_panel
from bot.features.tournaments.panels import PAGES, confirmation, leave_question, list_panel, tournament_panel
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentRequest, TournamentView
from bot.interactions.checks import Place, check_channel, check_permissions, check_seen
from bot.interactions.context import Context, person
from bot.interactions.handlers import Answer, Tokens, handles, is_word, too_old
from bot.messages.click import Click, is_number
from bot.messages.notices import address
from engines.text import Text, say, seat_name
from storage.schema.kinds import TournamentActor, TournamentStatus

_EVENT: Final = Tokens((is_number,))

LINKS_AT_MOST: Final = 12
"""The most running games that a page links to."""


async def open_tournament(context: Context, place: Place, request: TournamentRequest) -> None:
    """Open a tournament whose messages appear in a place, and show its organiser how to manage it."""
    await check_place(context, place, thread=request.threaded)
    view = await context.core.service(Tournaments).open(context.user, request)
    await context.reply.show(confirmation(view, context.language))


async def show_tournament(context: Context, event_id: int, page: str = "mine", note: Text | None = None) -> None:
    """Show the user a tournament."""
    await _show(context, await context.core.service(Tournaments).get(event_id, context.guild_id), page, note)


async def show_tournaments(context: Context) -> None:
    """Show the user the server's tournaments."""
    events, guild_id = context.core.service(Tournaments), context.guild_id
    on, over = await events.of_guild(guild_id), await events.of_guild(guild_id, over=True)
    await context.reply.show(list_panel(on, over, context.language))


async def _show(context: Context, view: TournamentView, page: str = "mine", note: Text | None = None) -> None:
    organises = _actor(context, view) is not None
    links = {} if page in {"rules", "log"} else await _links(context, view, own=page == "mine")
    await context.reply.show(
        await tournament_panel(
            view, context.user.id, context.language, page=page, organises=organises, note=note, links=links,
            high_contrast=context.settings.high_contrast,
        )
    )  # fmt: skip


async def _links(context: Context, view: TournamentView, *, own: bool) -> dict[int, str]:
    """Return the addresses of running games' boards by table number, up to a limit. `own` limits them to the user's games."""
    mine, found = view.entry_of(context.user.id), dict[int, str]()
    for game in games_of(view.row).values():
        is_own = mine is not None and mine.number in game.seats
        if game.table_id is not None and not game.places and (is_own or not own) and len(found) < LINKS_AT_MOST:
            try:
                found[game.table_id] = address(await context.core.summary(game.table_id, context.guild_id))
            except SessionError:
                continue
    return found


# --- who may do what ------------------------------------------------------------------------------------------------------


async def check_place(context: Context, place: Place, *, thread: bool = False) -> None:
    """Raise Refused unless the user may open tournaments in a place, and the bot may post there (and open threads)."""
    allowed = context.interaction.permissions
    if not (allowed.manage_guild or allowed.manage_events or allowed.create_events):
        raise Refused(say("To open an event, you need the Create Events or Manage Server permission."))
    _check_may_write(context, place)
    check_channel(await context.core.service(Users).server(context.guild_id), context.interaction)
    check_permissions(context.interaction, place, thread=thread)


def _check_may_write(context: Context, place: Place) -> None:
    """Raise Refused unless the user can write where the bot would post and ping for them."""
    theirs = context.interaction.permissions
    if not (theirs.send_messages_in_threads if place.in_thread else theirs.send_messages):
        raise Refused(
            say(
                "The event would be posted in {where}, where you can’t write. Open it in another channel.",
                where=f"<#{place.id}>",
            )
        )


def _actor(context: Context, view: TournamentView) -> TournamentActor | None:
    """Return the role in which the user may organise a tournament, as its organiser or as a server manager, or else None."""
    if view.row.organiser_id == context.user.id:
        return TournamentActor.ORGANISER
    return TournamentActor.MANAGER if context.interaction.permissions.manage_guild else None


async def _view_for_organiser(context: Context, click: Click) -> tuple[TournamentView, TournamentActor]:
    """Return the tournament that an organiser's click names, and their role. Raises Refused for anybody else."""
    view = await context.core.service(Tournaments).get(int(click.tokens[0]), context.guild_id)
    actor = _actor(context, view)
    if actor is None:
        raise Refused(
            say("Only {who} can do that, or somebody who manages the server.", who=seat_name(0)), (view.row.organiser_name,)
        )
    return view, actor


# --- players --------------------------------------------------------------------------------------------------------------


@handles("event-show", tokens=Tokens((is_number,), more=is_word))
async def _details(context: Context, click: Click) -> None:
    """Show a tournament. The second token, if any, names the page."""
    page = click.tokens[1] if len(click.tokens) > 1 else "mine"
    await show_tournament(context, int(click.tokens[0]), page if page in PAGES else "mine")


@handles("event-enter", tokens=_EVENT)
async def _enter(context: Context, click: Click) -> None:
    """Enter the user, check them in or bring them back, whichever is possible now."""
    event_id, events = int(click.tokens[0]), context.core.service(Tournaments)
    before = await events.get(event_id, context.guild_id)
    known, place = before.entry_of(context.user.id), before.row.thread_id or before.row.channel_id
    if await context.core.audience.who_cannot_see(context.guild_id, place, [context.user.id]):
        raise Refused(say("This event is played in {where}, which you can’t see. Ask whoever manages the server to let you in.",
                          where=f"<#{place}>"))  # fmt: skip
    view = await events.enter(event_id, context.guild_id, context.user, context.interaction.id)
    context.responder.outbox.wake()
    running = before.row.status is TournamentStatus.RUNNING
    note = None  # before the start, the page itself says so
    if running:
        note = say("You’re in!") if known is None else say("Welcome back!") if known.has_left else say("You’re already in.")
    await _show(context, view, note=note)


@handles("event-leave", "event-leave-yes", tokens=_EVENT)
async def _leave(context: Context, click: Click) -> None:
    """Let the user leave, after asking them to confirm if they would lose games by that."""
    events, event_id = context.core.service(Tournaments), int(click.tokens[0])
    if click.verb == "event-leave":
        view = await events.get(event_id, context.guild_id)
        if view.row.status is TournamentStatus.RUNNING:
            await context.reply.show(leave_question(view, context.language))
            return
    view = await events.leave(event_id, context.guild_id, context.user)
    context.responder.outbox.wake()
    await _show(context, view, note=say("You’ve left the event."))


# --- organisers -----------------------------------------------------------------------------------------------------------


async def _show_organising(context: Context, view: TournamentView, note: Text | None = None, *, wake: bool = False) -> None:
    """Show an organiser what they can do, and which players cannot see the tournament."""
    if wake:
        context.responder.outbox.wake()
    unseen = await context.core.service(Tournaments).unseen(view)
    await context.reply.show(manage_panel(view, context.language, context.core.now(), note, unseen))


@handles("event-manage", tokens=_EVENT)
async def _manage(context: Context, click: Click) -> None:
    view, _ = await _view_for_organiser(context, click)
    await _show_organising(context, view)


@handles("event-do", tokens=Tokens((is_number, is_word)))
async def _do(context: Context, click: Click) -> None:
    view, actor = await _view_for_organiser(context, click)
    events, where = context.core.service(Tournaments), (view.row.id, context.guild_id, actor)
    match click.tokens[1]:
        case "cancel":
            await context.reply.show(cancel_question(view, context.language))
            return
        case "cancel-yes":
            await _show(context, await events.cancel(*where), note=say("The event is cancelled."))
            context.responder.outbox.wake()
            return
        case "pause":
            view, note = await events.pause(*where), say("The event is paused.")
        case "resume":
            view, note = await events.resume(*where), say("The event continues.")
        case "hurry":
            view, note = await events.hurry(*where), say("It’s starting now.")
        case "prolong":
            view, note = await events.prolong(*where, DAY), say("The round now ends a day later.")
        case "unpair":
            view, note = await events.pair(*where, ()), say("I’ve cleared the picks for the next round.")
        case _:
            raise too_old()
    await _show_organising(context, view, note, wake=True)


@handles("event-player", tokens=Tokens((is_number, is_number)))
async def _player(context: Context, click: Click) -> None:
    view, _ = await _view_for_organiser(context, click)
    entry = next((one for one in view.everybody if one.number == int(click.tokens[1])), None)
    if entry is None:
        raise too_old()
    await context.reply.show(player_panel(view, entry, context.language))


@handles("event-remove", tokens=Tokens((is_number, is_number)))
async def _remove(context: Context, click: Click) -> None:
    view, actor = await _view_for_organiser(context, click)
    view = await context.core.service(Tournaments).remove(view.row.id, context.guild_id, actor, int(click.tokens[1]))
    await _show_organising(context, view, say("They’re out."), wake=True)


@handles("event-replace", tokens=Tokens((is_number, is_number, is_number)))
async def _replace(context: Context, click: Click) -> None:
    """Ask a person to take over from a player. The last token is the person's id; the interaction's data describes them."""
    view, actor = await _view_for_organiser(context, click)
    newcomer = _picked_person(context, int(click.tokens[2]))
    number = int(click.tokens[1])
    await check_seen(context, view.row.thread_id or view.row.channel_id, [newcomer])
    view = await context.core.service(Tournaments).ask(view.row.id, context.guild_id, actor, context.user.id, number, newcomer)
    said = say("I’ll ask them in the event’s channel. They take over once they accept.")
    await _show_organising(context, view, said, wake=True)


@handles("event-let-back", tokens=Tokens((is_number, is_number)))
async def _let_back(context: Context, click: Click) -> None:
    view, actor = await _view_for_organiser(context, click)
    view = await context.core.service(Tournaments).let_back(view.row.id, context.guild_id, actor, int(click.tokens[1]))
    await _show_organising(context, view, say("They can come back now."), wake=True)


@handles("event-accept", "event-decline", tokens=Tokens((is_number, is_number)), answer=Answer.UPDATE)
async def _answer(context: Context, click: Click) -> None:
    (event_id, number), accepts = map(int, click.tokens), click.verb == "event-accept"
    press = context.interaction.id if accepts else None
    view = await context.core.service(Tournaments).answer(event_id, context.guild_id, context.user, number, press)
    context.responder.outbox.wake()
    language = await context.public_language()
    await context.reply.show(answered_message(view, number, context.user.name, language, accepted=accepts))


def _picked_person(context: Context, user_id: int) -> User:
    """Return a person picked in a menu. Raises Refused for bots, and for anybody whom Discord does not name."""
    data: Any = context.interaction.data or {}
    resolved = data.get("resolved", {})
    known = resolved.get("users", {}).get(str(user_id))
    if known is None or known.get("bot") or str(user_id) not in resolved.get("members", {}):
        raise Refused(say("Pick somebody who’s on this server."))
    guild = context.interaction.guild
    member = None if guild is None else guild.get_member(user_id)
    if member is not None:
        return person(member)
    return User(user_id, str(known.get("global_name") or known.get("username") or "…"))


@handles("event-game", tokens=Tokens((is_number, is_word)))
async def _game(context: Context, click: Click) -> None:
    view, _ = await _view_for_organiser(context, click)
    place = _place(view, click.tokens[1].split("-"))
    await context.reply.show(result_panel(view, place, (), context.language))


@handles("event-result", tokens=Tokens((is_number, is_number, is_number), more=is_number))
async def _result(context: Context, click: Click) -> None:
    """Set a game's result, place by place. The tokens after those that name the game are its players, in order."""
    view, actor = await _view_for_organiser(context, click)
    place = _place(view, click.tokens[1:3])
    assert view.event is not None, "it has games"
    seats = view.event.rounds[place[0]].games[place[1]].seats
    order = [int(token) for token in click.tokens[3:]]
    if order == [0]:
        places = [1] * len(seats)
    elif len(set(order)) < len(order) or not set(order) <= set(seats):
        raise too_old()
    elif len(order) < len(seats) - 1:
        await context.reply.show(result_panel(view, place, order, context.language))
        return
    else:
        order += [number for number in seats if number not in order]
        places = [1 + order.index(number) for number in seats]
    view = await context.core.service(Tournaments).decide(view.row.id, context.guild_id, actor, place, places)
    await _show_organising(context, view, say("The result is set."), wake=True)


def _place(view: TournamentView, tokens: Sequence[str]) -> tuple[int, int]:
    """Return the numbers of a round and of a game in it. Raises Refused if there is no such game."""
    if len(tokens) != 2 or not all(map(is_number, tokens)) or view.event is None:
        raise too_old()
    number, index = map(int, tokens)
    if (number, index) not in games_of(view.row):
        raise too_old()
    return number, index


@handles("event-pair", tokens=Tokens((is_number,), more=is_number))
async def _pair(context: Context, click: Click) -> None:
    """Pick a game of the next round by hand. The tokens are its players, in seat order."""
    view, actor = await _view_for_organiser(context, click)
    seats = tuple(int(token) for token in click.tokens[1:])
    others = tuple(one for one in view.row.forced if not set(one) & set(seats))
    view = await context.core.service(Tournaments).pair(view.row.id, context.guild_id, actor, (*others, seats))
    await _show_organising(context, view, say("Picked for the next round."))


HANDLERS: Final = (
    _details, _enter, _leave, _manage, _do, _player, _remove, _let_back, _replace, _answer, _game, _result,
    _pair,
)  # fmt: skip
