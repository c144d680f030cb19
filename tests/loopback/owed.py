"""Lists the messages that Discord must show in the end, exactly once, whatever went wrong on the way.

It reads the database and the loopback's state, and does not use the bot.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from typing import Any, Final

from loopback.model import Message
from tests.loopback.natures import Nature, nature
from tests.loopback.people import People, tables_named
from tests.loopback.reading import Database, rows

MARKS_FROM = 1 << 30
"""Container ids from here on are the bot's marks: one message, one mark."""


def mark_of(message: Message) -> int | None:
    """A message's mark, from its first version: the id of its container, or the page of its first button."""
    ids = [item["id"] for item in message.history[0] if item.get("id", 0) >= MARKS_FROM]
    pages = [int(found[3]) for found in _MARKED.finditer(str(message.history[0]))]
    return next(iter([*ids, *pages]), None)


_MARKED: Final = re.compile(r"'sb\|[a-z-]+\|(\d+)\|(\d+)\|(\d{10})\|")
"""A button with a mark: table number, version, mark."""


def unmet(people: People, database: Database) -> Iterator[str]:
    yield from twice(people)
    yield from _announcements(people)
    for job in rows(database, "select * from outbox"):
        yield f"Table {job['table_id']} still waits for {job['kind']} {job['key']} (tried {job['tries']} times)."
    for thinking in rows(database, "select * from thinking"):
        yield f"A computer at table {thinking['table_id']} is still asked about version {thinking['version']}."
    shown = {what: _by_table(people, what) for what in (Nature.LOBBY, Nature.BOARD)}
    invited = defaultdict(list)
    for seat in rows(database, "select table_id, user_id from seats where status = 'invited'"):
        invited[seat["table_id"]].append(seat["user_id"])
    asking = _asking(people)
    for table in rows(database, "select * from tables where set_aside is null"):
        yield from _of_questions(people, table, asking[table["id"]])
        yield from _of_table(people, table, shown[Nature.LOBBY][table["id"]], shown[Nature.BOARD][table["id"]])
        for user_id in invited[table["id"]] if table["status"] == "open" else ():
            yield from _of_invitation(people, table, user_id)


def _by_table(people: People, what: Nature) -> dict[int, list[Message]]:
    """Messages of a kind, by the table they name."""
    found = defaultdict(list)
    for message in people.everywhere(what):
        for table in tables_named(message):
            found[table].append(message)
    return found


def pinged_twice(people: People, but: Collection[int] = ()) -> Iterator[str]:
    """People pinged twice for the same position of a table, except at tables in `but`, where seats change hands."""
    calls = Counter(
        (int(found[1]), int(found[2]), user_id)
        for message in people.discord.messages.values()
        if message.pinged
        and nature(message.history[0], message.notified) is Nature.BOARD
        and (found := _MARKED.search(str(message.history[0])))
        for user_id in message.pinged
    )
    for (table, version, user_id), times in calls.items():
        if times > 1 and table not in but:
            yield f"{user_id} was called {times} times to version {version} of table {table}."


def _announcements(people: People) -> Iterator[str]:
    """Plain messages that have not become the boards and lobbies they should."""
    for message in people.discord.messages.values():
        plain = bool(message.content) and not (message.private or message.deleted)
        if plain and nature(message.components, message.content) in {Nature.BOARD, Nature.LOBBY}:
            yield f"Message {message.id} is still what it was created as: {message.content}"


def twice(people: People) -> Iterator[str]:
    public = [one for one in people.discord.messages.values() if not (one.private or one.deleted)]
    marks = Counter((one.channel_id, mark, one.text.partition("\n")[0]) for one in public if (mark := mark_of(one)) is not None)
    for (_, _, text), times in marks.items():
        if times > 1:
            yield f"{times} times the same message: {text}"
    names = Counter(channel.name for channel in people.discord.channels.values() if channel.is_thread and not channel.gone)
    for name, times in names.items():
        if times > 1:
            yield f"{times} threads are called {name}."


def _of_table(people: People, table: dict[str, Any], lobbies: list[Message], boards: list[Message]) -> Iterator[str]:
    number = table["id"]
    unseen = table["matched"] and table["status"] == "closed" and table["lobby_message_id"] is None  # nobody could be asked
    without = unseen or table["event_id"] is not None  # a game of an event begins at once
    if len(lobbies) != 1 and not (without and not lobbies):
        known = _described(people, table["lobby_message_id"])
        yield f"Table {number} ({table['status']}) has {len(lobbies)} first messages, and knows of {known}."
    threads = [one for one in people.discord.channels.values() if one.is_thread and one.name.endswith(f"#{number}")]
    if (
        table["threaded"]
        and table["status"] in ("open", "playing")
        and not any(one.id == table["thread_id"] for one in threads)
    ):
        thread = people.discord.channels.get(table["thread_id"])
        yield f"Table {number} has {len(threads)} threads, and knows of {table['thread_id']}: {thread and thread.name}."
    if table["started_at"] is not None:
        yield from _of_boards(boards, table)


def _described(people: People, message_id: int | None) -> str:
    if (message := people.discord.messages.get(message_id or 0)) is None:
        return f"{message_id}, which there is not"
    states = [state for state in ("private", "deleted", "loading") if getattr(message, state)]
    return f"{message.id} ({', '.join(states) or 'public'}; {len(message.history)} forms): {message.text[:200]!r}"


def _of_boards(boards: list[Message], table: dict[str, Any]) -> Iterator[str]:
    number = table["id"]
    if not boards or boards[-1].id != table["board_message_id"]:
        yield f"The newest of {len(boards)} boards of table {number} is not the one that it knows of."
        return
    if table["status"] == "playing" and (table["board_version"], table["board_turn"]) != (table["version"], table["turn"]):
        yield f"Table {number} shows version {table['board_version']}, and is at {table['version']}."
    live = [board for board in boards[:-1] if board.custom_ids]
    if live:
        yield f"{len(live)} old boards of table {number} still have their buttons."
    unfolded = [board for board in boards[:-1] if not board.custom_ids and not board.text.startswith("-# #")]
    if unfolded:
        yield f"{len(unfolded)} old boards of table {number} are not folded."
    if not boards[-1].custom_ids:
        yield f"The newest board of table {number} has no buttons."


_ACCEPTS: Final = re.compile(r"sb\|(?:accept|move|[a-z_]+-yes)\|(\d+)\|")
"""The button that accepts an offer or invitation, or plays a turn, with the table number."""


def _asking(people: People) -> dict[int, set[int]]:
    """Messages, other than first ones, that ask for an answer by their buttons, by table."""
    found = defaultdict(set)
    for message in people.discord.messages.values():
        if not (message.private or message.deleted) and nature(message.components, message.content) is Nature.NOTICE:
            for meant in filter(None, map(_ACCEPTS.match, message.custom_ids)):
                found[int(meant[1])].add(message.id)
    return found


def _of_questions(people: People, table: dict[str, Any], asking: set[int]) -> Iterator[str]:
    """Every message that asks is on record and still open, and every recorded one asks, unless it was deleted."""
    recorded = {question["message_id"]: question for question in json.loads(table["questions"])}
    offers = json.loads(table["offers"])
    for message in asking - set(recorded):
        yield f"Message {message} asks for something at table {table['id']}, which does not know of it."
    for message, question in recorded.items():
        kind, turn = question.get("offer"), question.get("turn")
        if turn is not None:
            open_to = table["status"] == "playing" and turn == table["turn"]
        else:
            open_to = table["status"] == "open" if kind is None else table["status"] == "playing" and offers.get(kind)
        if not open_to:
            yield f"Table {table['id']} ({table['status']}) takes message {message} ({kind}) for an open question."
        shown = people.discord.messages.get(message)
        if turn is None and message not in asking and shown is not None and not shown.deleted:
            yield f"Message {message} has no buttons, but table {table['id']} takes it for an open question."


def _of_invitation(people: People, table: dict[str, Any], user_id: int) -> Iterator[str]:
    """An invited person is pinged once in the table's channel or thread."""
    where = {table["channel_id"], table["thread_id"]}
    told = [one for one in people.discord.messages.values() if one.channel_id in where and user_id in one.pinged
            and nature(one.components, one.content) is not Nature.BOARD and not one.deleted]  # fmt: skip
    if not told:
        yield f"Nobody told {user_id} of the invitation to table {table['id']}."
