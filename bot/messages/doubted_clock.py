"""The message for the application's owner about a clock that cannot be right."""

from bot.i18n.language import Language
from bot.messages.builder import MessageBuilder
from bot.messages.notification import Notification
from engines.text import say


def doubted_clock_message(now: float, language: Language) -> MessageBuilder:
    """Tell the owner that nobody runs out of time, why, and what helps. `now`: the time by that clock."""
    said = say("Nobody runs out of time at the moment: the clock of the machine that I run on may be wrong.")
    more = say("It has jumped, and shows {now}. If that is right, this message has just proved it, and time goes on in a few "
               "minutes. If not, set it right: then time goes on, too. If nothing else helps, run `springboard resume-clocks`: "
               "everybody whose turn it is gets all of their time again.", now=f"<t:{now:.0f}:F>")  # fmt: skip
    return MessageBuilder().text(language(more)).notify(Notification(language(said)))
