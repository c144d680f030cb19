"""The features as Discord meets them: the handlers of their buttons, the words of their posts, and their outbox jobs."""

from collections.abc import Mapping
from typing import Final

from bot.features.analysis import handlers as analysis
from bot.features.analysis.jobs import JOBS as ANALYSIS
from bot.features.challenges import handlers as challenges
from bot.features.computers import handlers as computers
from bot.features.help import handlers as help_
from bot.features.house_rules import handlers as house_rules
from bot.features.ladders import handlers as ladders
from bot.features.lessons import handlers as lessons
from bot.features.lobby import handlers as lobby
from bot.features.lobby import rematch
from bot.features.lobby import setup_handlers as setup
from bot.features.matchmaking import handlers as matchmaking
from bot.features.matchmaking import post as seek_post
from bot.features.matchmaking.jobs import JOBS as MATCHMAKING
from bot.features.offers import handlers as offers
from bot.features.plans import handlers as plans
from bot.features.plans import order_handlers as orders
from bot.features.playing import handlers as playing
from bot.features.playing import hint_handlers as hints
from bot.features.playing import looking
from bot.features.posts.jobs import jobs as jobs_of_posts
from bot.features.posts.messages import Contents
from bot.features.privacy import handlers as privacy
from bot.features.puzzles import handlers as puzzles
from bot.features.puzzles import post as daily_post
from bot.features.replays import handlers as replays
from bot.features.reviews import handlers as reviews
from bot.features.reviews import slip_handlers as slips
from bot.features.settings import handlers as settings
from bot.features.sharing import handlers as sharing
from bot.features.sharing.jobs import JOBS as SHARING
from bot.features.stats import handlers as stats
from bot.features.today import handlers as today
from bot.features.today import messages as today_post
from bot.features.tournaments import handlers as tournaments
from bot.features.tournaments import plan_handlers as tournament_plans
from bot.features.tournaments.jobs import JOBS as TOURNAMENTS
from bot.features.verify import handlers as verify
from bot.features.watching import handlers as watching
from bot.interactions.handlers import ClickHandler
from bot.outbox.jobs import Jobs
from storage.schema.records import PostKind

MODULES: Final = (
    analysis, challenges, computers, help_, house_rules, ladders, lessons, lobby, rematch, setup, matchmaking, offers,
    plans, orders, playing, hints, looking, privacy, puzzles, replays, reviews, slips, settings, sharing, stats, today,
    tournaments, tournament_plans, verify, watching,
)  # fmt: skip

HANDLERS: Final[Mapping[str, ClickHandler]] = {
    verb: handler for module in MODULES for handler in module.HANDLERS for verb in handler.verbs
}

POSTS: Final[Mapping[PostKind, Contents]] = {
    PostKind.DAILY: daily_post.CONTENTS,
    PostKind.SEEKS: seek_post.CONTENTS,
    PostKind.TODAY: today_post.CONTENTS,
}
"""The contents of each kind of post."""

JOBS: Final[tuple[Jobs, ...]] = (
    ANALYSIS, jobs_of_posts(POSTS), replays.JOBS, SHARING, TOURNAMENTS, MATCHMAKING, offers.JOBS, watching.JOBS,
)  # fmt: skip
"""What the outbox carries out for the features, besides the boards."""
