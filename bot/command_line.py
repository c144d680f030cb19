"""The command-line interface, `springboard`."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from bot import logs
from bot.admin import backups, clocks, moving, voiding
from bot.admin import check as checking
from bot.admin import doctor as examination
from bot.admin import health as alive
from bot.admin import release as releasing
from bot.config import SANDBOX_PORT, CannotRun, ConfigError, Settings, has_sandbox, load
from bot.features.verify import logcheck
from bot.process import asked_to_stop, serve
from engines.position_codes import WrongCode, in_words, read_line
from storage.schema.errors import StorageError
from storage.upkeep import maintenance


@contextmanager
def _errors_reported() -> Iterator[None]:
    """Report errors that the operator can fix in one sentence, with exit status 1 and without a traceback."""
    try:
        yield
    except (ConfigError, StorageError, CannotRun) as error:
        raise click.ClickException(str(error)) from None


def _configured_settings() -> Settings:
    """Load the settings of this process and configure logging accordingly."""
    with _errors_reported():
        settings = load()
    logs.configure(settings.log, settings.log_format, secrets=settings.secrets)
    return settings


NO_TOKEN: Final = """\
No DISCORD_TOKEN is set, and without one the bot cannot connect to Discord.

Where to get it: at https://discord.com/developers/applications make an application; there, under Bot, press Reset Token.
How to give it to the bot:
  docker run:  --env DISCORD_TOKEN=...
  compose:     a line DISCORD_TOKEN=... in the file .env beside compose.yaml
  otherwise:   the environment variable DISCORD_TOKEN, or the same line in a file .env in the working directory
Or write the token into a file, and set DISCORD_TOKEN_FILE to its path. `springboard doctor` says what else is missing."""


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="springboard")
def main() -> None:
    """Springboard: bounce games in Discord, played in one's own time."""


@main.command()
def run() -> None:
    """Run the bot; without a token, the sandbox."""
    settings = _configured_settings()
    if settings.token is None and not has_sandbox():
        raise click.ClickException(NO_TOKEN)
    if settings.token is None:
        click.echo("No DISCORD_TOKEN is set: this is the sandbox. `springboard doctor` tells how to connect to Discord.")
        _run_sandbox(settings.sandbox_port)
        return
    with _errors_reported():
        asyncio.run(serve(settings))


@main.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), help=f"Where to serve the page; 0: any free port. [{SANDBOX_PORT}, or 8642]"
)
def sandbox(port: int | None) -> None:
    """Try the bot in a pretended Discord, in a page on this machine."""
    settings = _configured_settings()
    _run_sandbox(settings.sandbox_port if port is None else port)


def _run_sandbox(port: int) -> None:
    # While it is imported, simcord tries out discord.py without any intents, which discord.py warns about.
    logging.getLogger("discord.state").setLevel(logging.ERROR)
    try:
        from bot.sandbox import open_sandbox  # noqa: PLC0415 the container does without it
        from bot.sandbox.site import PortTaken  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"The sandbox is not part of this installation ({error.name} is missing). Set DISCORD_TOKEN to connect to "
            "Discord, or install springboard[sandbox]."
        ) from None

    async def play() -> None:
        with asked_to_stop() as asked:
            async with open_sandbox(port) as address:
                click.echo(f"The sandbox is open: {address}  (Ctrl-C closes it)")
                await asked.wait()

    try:
        asyncio.run(play())
    except PortTaken as error:
        raise click.ClickException(str(error)) from None


@main.command()
@click.option("--channel", type=click.IntRange(1), metavar="ID", help="Look at the bot's permissions in this channel.")
@click.option("--offline", is_flag=True, help="Ask Discord nothing.")
def doctor(channel: int | None, *, offline: bool) -> None:
    """Say what is set, what is wrong and what to do about it, and how to invite the bot.

    ok: all is well. --: worth knowing. ??: something would not work. !!: the bot would not start.
    """
    with _errors_reported():
        settings = load()
    findings = asyncio.run(examination.examine(settings, channel=channel, offline=offline))
    for finding in findings:
        click.echo(f"{finding.mark}  {finding.text}")
    if not examination.would_start(findings):
        raise SystemExit(1)


@main.command()
def health() -> None:
    """Say whether the bot is alive and connected to Discord; with exit status 1 if it is not. Cheap, for monitors."""
    with _errors_reported():
        settings = load()
    http = None if settings.http is None else "{}:{}".format(*settings.http)
    raise SystemExit(alive.main(settings.database.get_secret_value(), http))


@main.command()
def check() -> None:
    """Check that the database is sound, and replay every game in it. The bot may be running."""
    settings = _configured_settings()
    with _errors_reported():
        problems = list(checking.problems(settings.database.get_secret_value()))
    for problem in problems:
        click.echo(problem)
    if problems:
        raise SystemExit(1)
    click.echo("The database is sound.")


@main.command()
@click.argument("table", type=click.IntRange(1), required=False)
def release(table: int | None) -> None:
    """Bring TABLE back, or all tables that were set aside, if they can be read again. The bot may be running."""
    settings = _configured_settings()
    with _errors_reported():
        tried = releasing.release(settings.database.get_secret_value(), table)
    if not tried:
        click.echo("No table is set aside." if table is None else f"Table {table} is not set aside.")
    for number, reason in tried.items():
        click.echo(f"Table {number} is back." if reason is None else f"Table {number} stays aside: {reason}.")
    if any(tried.values()):
        raise SystemExit(1)


@main.command()
@click.argument("day", type=click.IntRange(1))
def void_day(day: int) -> None:
    """Withdraw the daily puzzle number DAY: it counts for nobody, and is not shown any more. The bot may be running."""
    settings = _configured_settings()
    with _errors_reported():
        name, reports = voiding.void_day(settings.database.get_secret_value(), day)
    if name is None:
        raise click.ClickException(f"Day {day} has no puzzle.")
    click.echo(f"Day {day} is void: its puzzle was {name}. Reports: {reports}.")


@main.command()
@click.argument("log", metavar="FILE|CODE")
@click.option("--link", default="", help="The newest link that the bot has shown, to be compared with the log.")
@click.option(
    "--kept", type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A file that Verify gave while the game was going on, or a log of that time.",
)  # fmt: skip
def verify(log: str, link: str, kept: Path | None) -> None:
    """Check the log of a game in FILE, as /replay gives it: hashes, key, chain, draws, and the rules.

    Or check the CODE of a position or a line, and put the position into words.

    Ends with 0 if all is in order, with 1 if something is wrong or cannot be read, and with 3 if the key of the dice could not
    be checked.
    """
    if not _is_there(log):
        _verify_code(log)
        return
    texts: list[str] = []
    for path in (Path(log), *([] if kept is None else [kept])):
        text, why = logcheck.text_of(path)
        if text is None:
            raise click.ClickException(why)
        texts.append(text)
    report = logcheck.examine(texts[0], link, *texts[1:])
    for sentence in (*report.problems, *report.remarks):
        click.echo(sentence)
    if report.exit_code:
        raise SystemExit(report.exit_code)


def _is_there(path: str) -> bool:
    try:
        return bool(path) and Path(path).exists()
    except OSError:  # a line is longer than the name of a file can be
        return False


def _verify_code(text: str) -> None:
    try:
        line = read_line(text)
    except WrongCode as error:
        missing = f"There is no file {text}, and as a code it cannot be read: " if any(mark in text for mark in "./\\") else ""
        raise click.ClickException(f"{missing}{error}") from None
    for sentence in in_words(line):
        click.echo(sentence)


@main.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--overwrite", is_flag=True, help="Replace an older backup of that name.")
def backup(file: Path, *, overwrite: bool) -> None:
    """Copy the database into FILE. The bot may be running."""
    settings = _configured_settings()
    with _errors_reported():
        maintenance.backup(settings.database.get_secret_value(), file, overwrite=overwrite)
    click.echo(f"The database is copied to {file}.")


@main.command()
@click.argument("backup", required=False, metavar="[latest|NAME|FILE]")
@click.option("--force", is_flag=True, help="Even if the database has games, or anything else, that the backup has not.")
def restore(backup: str | None, *, force: bool) -> None:
    """Put a backup in the place of the database; without one, list those that the bot has made by itself.

    The bot must not be running while a backup is put there.
    """
    settings = _configured_settings()
    with _errors_reported():
        if backup is None:
            for line in backups.listing(settings.backups):
                click.echo(line)
            return
        file, passed = backups.choose(backup, settings.backups)
        for sentence in passed:
            click.echo(sentence)
        before = maintenance.restore(file, settings.database.get_secret_value(), force=force)
    click.echo(f"The database is as it was in {file}." + (f" What was there before is kept as {before}." if before else ""))


@main.command("move-database")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def move_database(source: str, target: str) -> None:
    """Copy everything FROM one database TO another, empty one: SQLite or PostgreSQL. No bot may be running on either.

    Each is the path of a file, or a postgresql:// URL; - is the database that is set. Others may see the arguments of a
    command: a password is better set by SPRINGBOARD_DATABASE, or PGPASSWORD.
    """
    settings = _configured_settings()
    ends = [settings.database.get_secret_value() if end == "-" else end for end in (source, target)]
    with _errors_reported():
        for line in moving.move_database(*ends):
            click.echo(line)


@main.command("resume-clocks")
def resume_clocks() -> None:
    """Let time-outs go on after the clock of the machine had jumped. The bot may be running."""
    settings = _configured_settings()
    with _errors_reported():
        resumed = asyncio.run(clocks.resume(settings.database.get_secret_value()))
    if not resumed:
        click.echo("Time-outs are not stopped.")
        return
    click.echo("Time-outs go on; a running bot notices within a minute. Whoever is awaited has all of their time again.")
