"""The jobs for servers' posts: posting the day's message, editing or closing it, and telling an owner of refusals."""

from collections.abc import Mapping
from hashlib import sha256

import discord

from bot.core.table.snapshot import Snapshot
from bot.features.posts.messages import Contents
from bot.features.posts.settings import refused_message
from bot.outbox.access import Access
from bot.outbox.jobs import Jobs
from bot.outbox.permissions import lacking_in
from bot.outbox.refusals import is_refusal
from storage.schema.jobs import post_of
from storage.schema.records import Job, JobKind, Post, PostKind


class _PostJobs:
    """The functions that carry out the jobs for posts, using the content of each kind."""

    def __init__(self, contents: Mapping[PostKind, Contents]) -> None:
        self._contents = contents

    async def post(self, access: Access, job: Job) -> None:
        """Post today's message, or update it if already posted, unless there is nothing to say. Close the previous one."""
        contents = self._contents[post_of(job)]
        core, posts = access.core, access.core.service(contents.posts)
        post = await posts.get(job.guild_id, post_of(job))
        if post is None or post.due is None:
            return
        if post.day == (today := posts.day_for(post)):
            await posts.owe_edit(post)
            return
        role = role_of(access.client, post) if posts.is_on_time(post, job.created_at) else None
        content = await contents.open(core, post.guild_id, today, await access.language_of(post.guild_id), role)
        if content is None:
            await posts.record_nothing(post.guild_id, post.kind)
            return
        channel = access.client.get_partial_messageable(post.channel_id, guild_id=post.guild_id)
        # It is the same for every attempt at a day's message, and has at most 25 characters.
        nonce = f"d{sha256(f'{post.guild_id}-{post.kind}-{today}'.encode()).hexdigest()[:20]}"
        try:
            message = await access.send(channel, job, content.builder, nonce, _mention(role))
        except discord.HTTPException as error:
            if is_refusal(error):
                guild = access.client.get_guild(post.guild_id)
                await posts.note_refusal(post, error.code, None if guild is None else guild.owner_id)
            raise
        await posts.record(post, today, message.id, content.shown)

    async def edit(self, access: Access, job: Job) -> None:
        """Edit a message. The newest message is updated while its day goes on; any other is closed or deleted."""
        contents = self._contents[post_of(job)]
        core, posts = access.core, access.core.service(contents.posts)
        message_id, day = job.payload["message"], job.payload["day"]
        post = await posts.get(job.guild_id, post_of(job))
        spoken = await access.language_of(job.guild_id)
        message = access.message(job.payload["channel"], message_id)
        is_newest = post is not None and post.message_id == message_id
        if post is not None and is_newest and post.due is not None and posts.goes_on(post):
            role = role_of(access.client, post)
            content = await contents.open(core, post.guild_id, day, spoken, role)
            if content is not None and content.shown != post.shown:
                await access.edit(message, content.builder, _mention(role))
                await posts.record_edit(post, content.shown, pressed=False)
        elif not contents.lasts:
            await message.delete()
        elif contents.closed is not None:
            closed = await contents.closed(core, job.guild_id, day, spoken)
            if closed is not None:
                await access.edit(message, closed)
                await posts.record_closed(job.guild_id, post_of(job), message_id)

    async def tell_owner(self, access: Access, job: Job) -> None:
        """Tell a server's owner that its posts are refused, if they take direct messages and the problem persists."""
        posts, to = access.core.service(self._contents[post_of(job)].posts), job.payload["to"]
        post = await posts.get(job.guild_id, post_of(job))
        if post is None or post.refused is None:
            return
        where = job.payload["channel"]
        own, lacking = await access.language_for(to, job.guild_id), lacking_in(access.client, where)
        server = access.server_name(job.guild_id)
        builder = refused_message(post, server, where, job.payload["code"], lacking, own)
        await access.write_to(to, job, builder, f"w{job.id}-{int(job.created_at)}")

    async def stop(self, access: Access, job: Job, snapshot: Snapshot | None, code: int) -> None:
        """Stop a server's posts of a kind that Discord refuses for good."""
        del snapshot, code
        await access.core.service(self._contents[post_of(job)].posts).stop(job.guild_id, post_of(job))


def jobs(contents: Mapping[PostKind, Contents]) -> Jobs:
    """Return the jobs for all posts, using the content of each kind."""
    made = _PostJobs(contents)
    return Jobs(
        about_none={JobKind.POST: made.post, JobKind.POST_EDIT: made.edit, JobKind.POST_REFUSED: made.tell_owner},
        refused={JobKind.POST: made.stop},
    )


def _mention(role: int | None) -> discord.AllowedMentions:
    return discord.AllowedMentions(everyone=False, users=False, roles=[] if role is None else [discord.Object(role)])


def role_of(client: discord.Client, post: Post) -> int | None:
    """Return the role that a post mentions, or None if it mentions no role or the role was deleted."""
    guild = client.get_guild(post.guild_id)
    gone = guild is not None and post.role_id is not None and guild.get_role(post.role_id) is None
    return None if gone else post.role_id
