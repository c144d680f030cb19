"""`springboard doctor`: whether the bot could start here, what it would need, and what is wrong. It changes nothing."""

from bot.admin.doctor.examination import examine, would_start
from bot.admin.doctor.finding import Finding, Mark

__all__ = ["Finding", "Mark", "examine", "would_start"]
