"""The job that tells the players that their table has been set aside, from the little that can be told of such a table."""

import discord

from bot.messages.builder import NOBODY, MessageBuilder
from bot.outbox.access import Access
from bot.sessions.quarantine import CLOSED
from engines.text import Text, join, plain, say
from storage.records import Job


class AsideNotice:
    """Tells the players of tables that cannot be read.

    Args:
        access: the way to Discord and to the service.
    """

    def __init__(self, access: Access) -> None:
        self._access = access

    async def announce(self, job: Job) -> None:
        """Tell the players of a table once that it has been set aside, or closed after that, where it is played.

        In a channel where others read along, nothing is said of a private table but its number.
        """
        there = await self._access.sessions.quarantine.whereabouts(job.table_id)
        if there is None or there.channel_id is None or (there.reason is None and job.key != CLOSED):
            return  # gone, nowhere, or back again
        place = there.thread_id or there.channel_id
        channel = self._access.client.get_partial_messageable(place, guild_id=there.guild_id)
        hushed = there.private and there.thread_id is None
        called = () if hushed else there.seated
        language = await self._access.language_of(there.guild_id)
        mentions = NOBODY
        if called:
            users = [discord.Object(user) for user in called]
            mentions = discord.AllowedMentions(everyone=False, roles=False, users=users)
        builder = MessageBuilder().text(language(_words(job, called)))
        await self._access.send(channel, job, builder, f"n{job.id}-{int(job.created_at)}", mentions)


def _words(job: Job, called: tuple[int, ...]) -> Text:
    if job.key == CLOSED:
        text = say("A moderator closed table #{n}, which I couldn’t read. It has no result.", n=job.table_id)
    else:
        text = say(
            "Table #{n} is on hold: I can’t read it right now. Its clock has stopped, and whoever runs "
            "this bot knows. A server manager can also close it.",
            n=job.table_id,
        )
    if not called:
        return text
    return say("{who}: {text}", who=join([plain(f"<@{user}>") for user in called], ", "), text=text)
