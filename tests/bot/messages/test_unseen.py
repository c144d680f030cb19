"""The words for people who cannot see where somebody would have them play."""

from bot.core.table.audience import Unseen
from bot.i18n.language import ENGLISH
from bot.messages.unseen import unseen_words


def test_names_are_shown_as_people_see_them_or_replaced_if_invisible() -> None:
    told = ENGLISH(unseen_words({1: Unseen.CHANNEL, 2: Unseen.LEFT}, {1: "1. *Ann*", 2: "\u3164"}, 77))
    assert told == (
        "Somebody isn’t on this server any more. 1\\. \\*Ann\\* can’t see <#77>. "
        "Pick somebody else, use another channel, or ask a moderator to let them in."
    )
