"""The features as the core knows them, in the order in which they act; see `bot.core.parts`."""

from typing import Final

from bot.core import reminders
from bot.core.parts import Part
from bot.features.analysis import service as analysis
from bot.features.computers import questions as computers
from bot.features.ladders import order as ladders
from bot.features.matchmaking import clock as matchmaking
from bot.features.offers import service as offers
from bot.features.plans import service as plans
from bot.features.posts import clock as posts
from bot.features.puzzles import service as puzzles
from bot.features.stats import ratings as stats
from bot.features.tournaments import clock as tournaments
from bot.features.watching import service as watching

PARTS: Final[tuple[Part, ...]] = (
    plans.PART,
    watching.PART,
    reminders.PART,
    offers.PART,
    computers.PART,
    stats.PART,
    ladders.PART,
    posts.PART,
    matchmaking.PART,
    puzzles.PART,
    tournaments.PART,
    analysis.PART,
)
"""Every part. The order is also that in which locks are taken: the table, ratings, then a ladder or a tournament."""
