"""Where private threads in Discord differ from simcord's."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from simcord.http import router
from simcord.http.router import RequestContext
from simcord.http.routes.channels import remove_thread_member

PRIVATE_THREAD = 12


@contextmanager
def makers_may_remove() -> Iterator[None]:
    """Whoever made a private thread may remove people from it. simcord demands Manage Threads from everybody."""
    routes = [(path, _remove if known is remove_thread_member else known) for path, known in router._ROUTES["DELETE"]]
    with mock.patch.dict(router._ROUTES, {"DELETE": routes}):
        yield


def _remove(context: RequestContext) -> None:
    thread = context.backend.get_thread(context.int_arg("channel_id"))
    made_by_the_bot = thread.owner_id == context.backend.bot_user.id and int(thread.type) == PRIVATE_THREAD
    context.require_channel_permissions(thread.id, *(() if made_by_the_bot else ("manage_threads",)))
    context.backend.remove_thread_member(thread.id, context.int_arg("user_id"))
