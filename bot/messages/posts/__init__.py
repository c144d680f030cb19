"""The messages of the posts of servers: what each kind says while its day goes on, and once it is closed."""

from collections.abc import Mapping
from typing import Final

from bot.messages.posts.content import Contents
from bot.messages.posts.daily import closed_daily, open_daily
from bot.messages.posts.seeks import open_seeks
from bot.messages.posts.today import open_today
from storage.schema.records import PostKind

CONTENTS: Final[Mapping[PostKind, Contents]] = {
    PostKind.DAILY: Contents(open_daily, closed_daily),
    PostKind.SEEKS: Contents(open_seeks, lasts=False),
    PostKind.TODAY: Contents(open_today),
}
"""What the posts of each kind say."""
