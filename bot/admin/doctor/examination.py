"""The whole examination, which collects the findings about the settings and those of all other modules."""

import time
from collections.abc import Callable, Iterator

from bot.admin.doctor import databases, discord_side, machine, processes
from bot.admin.doctor.finding import Finding, Mark, bad, good, note
from bot.config import HTTP, LOG, LOG_FORMAT, SANDBOX_PORT, SHARD_IDS, SHARDS, TOKEN, TOKEN_FILE, Settings, has_sandbox
from bot.invitation import PERMISSIONS, RIGHTS, application_id, invitation_link


async def examine(
    settings: Settings, *, channel: int | None = None, offline: bool = False, now: Callable[[], float] = time.time
) -> list[Finding]:
    """Return all findings, in the order in which the bot needs what they are about.

    Args:
        settings: the settings.
        channel: the id of a channel in which the bot's permissions are examined, if any.
        offline: whether Discord is not asked.
        now: returns the time, in seconds since the epoch.
    """
    asked = [] if settings.token is None else await discord_side.ask(settings, channel, offline=offline, now=now)
    form = settings.log_format or "console on a terminal, json elsewhere"
    return [
        *_token(settings),
        *asked,
        *_skipped_channel(settings, channel),
        *await databases.examine(settings),
        *databases.backups(settings, now()),
        *machine.disk(settings),
        *_shards(settings),
        *await processes.running(settings),
        *await machine.http(settings.http),
        machine.zones(),
        *machine.fonts(),
        good(f"Log: {settings.log} ({LOG}), as {form} ({LOG_FORMAT})."),
        *_invitation(settings),
    ]


def _token(settings: Settings) -> Iterator[Finding]:
    if settings.token is not None:
        source = f"from the file {settings.token_file}" if settings.token_file else f"from {TOKEN}"
        application = application_id(settings.token.get_secret_value())
        yield good(f"Token: set ({source}), of application {application}.")
        if settings.http is None:
            yield note(
                "Token: if another process uses it, too, the running bot notices, and its log says `another process uses the "
                f"token`; so does this page, if it can ask the bot ({HTTP})."
            )
    elif has_sandbox():
        yield note(f"Token: none. Set {TOKEN} or {TOKEN_FILE} to connect to Discord; until then, run is the sandbox.")
        yield note(f"Sandbox: its page would be on port {settings.sandbox_port} of this machine ({SANDBOX_PORT}).")
    else:
        yield bad(f"Token: none, and the sandbox is not installed. Set {TOKEN} or {TOKEN_FILE}.")


def _skipped_channel(settings: Settings, channel: int | None) -> Iterator[Finding]:
    if settings.token is None and channel is not None:
        yield note(f"Channel {channel}: not looked at: without a token, Discord tells nothing.")


def _shards(settings: Settings) -> Iterator[Finding]:
    """Report how the shards are shared out. With SQLite, there is only one."""
    if not settings.on_server:
        return
    total = "as many as Discord recommends" if settings.shards is None else str(settings.shards)
    if settings.shard_ids is None:
        yield good(f"Shards: {total} ({SHARDS}), shared out among all processes.")
        return
    of = settings.shards
    if of is not None and not any(settings.shard_ids.covers(shard) for shard in range(of)):
        yield bad(f"Shards: there are {of} ({SHARDS}), numbered from 0, and none of them is for this process ({SHARD_IDS}).")
        return
    yield good(f"Shards: {total} ({SHARDS}), of which this process runs only those of {SHARD_IDS}.")


def _invitation(settings: Settings) -> Iterator[Finding]:
    rights = ", ".join(name.replace("_", " ") for name in RIGHTS)
    yield note(f"Permissions: {PERMISSIONS.value} ({rights}). No privileged gateway intent.")
    application = application_id(settings.token.get_secret_value()) if settings.token is not None else None
    if application is not None:
        yield note(f"Invitation: {invitation_link(application)}")
    else:
        link = invitation_link(0).replace("client_id=0", "client_id=APPLICATION_ID")
        yield note(f"Invitation: {link}, with the application id from Discord's developer portal, or set a token.")


def would_start(findings: list[Finding]) -> bool:
    """Whether no finding keeps the bot from starting."""
    return all(finding.mark is not Mark.BAD for finding in findings)
