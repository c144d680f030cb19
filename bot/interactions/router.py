"""Every click of every message comes in here, and goes to the one function for its verb."""

from collections.abc import Mapping
from typing import Any, Final

from bot.interactions import account, consent, ending, lobby, looking, playing, records
from bot.interactions.context import Handler, Responder
from bot.interactions.reply import Interaction, in_panel
from bot.messages.click import Click
from bot.sessions.errors import Refused
from engines.text import say

HANDLERS: Final[Mapping[str, Handler]] = {
    **lobby.HANDLERS,
    **playing.HANDLERS,
    **looking.HANDLERS,
    **ending.HANDLERS,
    **consent.HANDLERS,
    **account.HANDLERS,
    **records.HANDLERS,
}
"""What each verb of a `Click` does."""


async def route(responder: Responder, interaction: Interaction) -> None:
    """Answer a click on a button or a select; one in a private message, a table's first message or an offer in its place.

    An action played with a button under the board is answered by the next board alone.
    """
    data: Mapping[str, Any] = interaction.data or {}
    click = Click.read(str(data.get("custom_id", "")))
    if click is None:
        return
    values = data.get("values", [])
    if isinstance(values, list) and values:
        click = click.then(*(str(value) for value in values))
    private = in_panel(interaction)
    update = private or click.verb in lobby.HANDLERS or click.verb in consent.ANSWERS
    silent = not private and click.verb == "act"
    async with responder.answer(interaction, update=update, silent=silent) as context:
        handler = HANDLERS.get(click.verb)
        if handler is None:
            raise Refused(say("This button is from an older version of the bot. `/board` shows the present board."))
        await handler(context, click)
