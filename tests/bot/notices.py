"""The notices of every game and of all features."""

from collections.abc import Mapping
from typing import Final

from bot.core.table.snapshot import Snapshot
from bot.i18n.language import Language
from bot.messages import notices
from bot.messages.notices import Notice, NoticeBuilder
from bot.registry import JOBS
from storage.schema.records import Job, JobKind

BUILDERS: Final[Mapping[JobKind, NoticeBuilder]] = {
    **notices.BUILDERS, **{kind: build for each in JOBS for kind, build in each.notices.items()}
}  # fmt: skip


def notice(snapshot: Snapshot, job: Job, language: Language, *, direct: bool = False) -> Notice | None:
    """The notice for a job, or None if it is outdated."""
    return notices.notice(BUILDERS[job.kind], snapshot, job, language, direct=direct)
