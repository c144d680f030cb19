"""Who cannot see a place, and what helps, in words for the person who asks them to play there."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.core.table.audience import Unseen
from bot.messages.builder import escape_name
from engines.text import Text, join, plain, say, say_n

_HELPS: Final[Mapping[Unseen, Text]] = {
    Unseen.LEFT: say("Pick somebody else."),
    Unseen.CHANNEL: say("Pick somebody else, use another channel, or ask a moderator to let them in."),
    Unseen.THREAD: say("Pick somebody else, use another channel, or mention them in the thread, which lets them in."),
}
"""What the person who asks can do instead."""


def who_words(unseen: Mapping[int, Unseen], names: Mapping[int, str], place_id: int = 0) -> list[Text]:
    """Say who cannot see a place, in one sentence for each reason. `names` are people's names by id."""
    where = f"<#{place_id}>"
    sentences: Mapping[Unseen, Callable[[Text, int], Text]] = {
        Unseen.LEFT: lambda who, n: say_n(
            "{who} isn’t on this server any more.", "{who} aren’t on this server any more.", n, who=who
        ),
        Unseen.CHANNEL: lambda who, n: say_n(
            "{who} can’t see {where}.", "{who} can’t see {where}.", n, who=who, where=where
        ),
        Unseen.THREAD: lambda who, n: say_n(
            "{who} isn’t in {where}, which is private.", "{who} aren’t in {where}, which is private.", n, who=who, where=where
        ),
    }  # fmt: skip
    told = []
    for why, sentence in sentences.items():
        if who := [plain(escape_name(names[one])) for one, reason in unseen.items() if reason is why]:
            told.append(sentence(join(who, ", "), len(who)))
    return told


def unseen_words(unseen: Mapping[int, Unseen], names: Mapping[int, str], place_id: int = 0) -> Text:
    """Say why people cannot be asked to play in a place, and what the person who asks can do instead."""
    reasons = set(unseen.values())
    if len(reasons) > 1:  # the advice for the other reasons says this, too
        reasons.discard(Unseen.LEFT)
    helps: Sequence[Text] = [words for why, words in _HELPS.items() if why in reasons]
    return join([*who_words(unseen, names, place_id), *helps], " ")
