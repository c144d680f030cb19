"""The messages of the posts of servers: what each kind says while its day goes on, and once it is closed."""

from collections.abc import Mapping
from typing import Final

from bot.features.matchmaking.post import open_seeks
from bot.features.posts.messages import Contents
from bot.features.puzzles.post import closed_daily, open_daily
from bot.features.today.messages import open_today
from storage.schema.records import PostKind

CONTENTS: Final[Mapping[PostKind, Contents]] = {
    PostKind.DAILY: Contents(open_daily, closed_daily),
    PostKind.SEEKS: Contents(open_seeks, lasts=False),
    PostKind.TODAY: Contents(open_today),
}
"""What the posts of each kind say."""
