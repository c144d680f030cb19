"""The message for the application's owner about a clock that cannot be right."""

from bot.i18n.language import Language
from bot.messages.builder import MessageBuilder
from bot.messages.notification import Notification
from engines.text import say


def doubted_clock_message(now: float, language: Language) -> MessageBuilder:
    """Tell the owner that nobody runs out of time, why, and what helps. `now` is the time by that clock."""
    said = say("Nobody can run out of time right now: the clock of the machine I run on may be wrong.")
    more = say(
        "It jumped, and now shows {now}. If that’s right, this message has just proved it, and game clocks start again in a "
        "few minutes. If it’s wrong, set it right, and they start again, too. If nothing else helps, run `springboard "
        "resume-clocks`: everybody whose turn it is gets their full time again.", now=f"<t:{now:.0f}:F>")  # fmt: skip
    return MessageBuilder().text(language(more)).notify(Notification(language(said)))
