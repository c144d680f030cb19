"""Immutable values, made and read quickly. `replace` is a faster `dataclasses.replace` for frozen classes with slots."""

import dataclasses
from collections.abc import Callable
from functools import cache, update_wrapper
from operator import is_
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

if TYPE_CHECKING:
    from dataclasses import replace as replace  # noqa: PLC0414 - type checkers know what it does
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """Return the same value with these fields changed. Raises TypeError for a field that the value does not have."""
        kind = type(value)
        slots = _slots(kind)
        if slots is None or not changes.keys() <= slots.keys():
            return dataclasses.replace(value, **changes)
        made = object.__new__(kind)
        for name, (get, put) in slots.items():
            put(made, changes[name] if name in changes else get(value))
        return made


@cache
def _slots(kind: type[Any]) -> dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], None]]] | None:
    """Return the getter and setter of each field of a dataclass, or None if more is needed to make an instance."""
    members = {field.name: getattr(kind, field.name, None) for field in dataclasses.fields(kind)}
    if hasattr(kind, "__post_init__") or any(not field.init for field in dataclasses.fields(kind)):
        return None
    slots = {name: member for name, member in members.items() if isinstance(member, MemberDescriptorType)}
    return {name: (slot.__get__, slot.__set__) for name, slot in slots.items()} if len(slots) == len(members) else None


class latest(Generic[P, R]):  # noqa: N801 - used as a decorator, like functools.cache
    """A function that remembers its last answer for as long as it is called with the very same objects.

    Use it for a question about a part of a state that is asked again before that part has changed, and whose arguments are too
    large to be looked up by value each time.
    """

    def __init__(self, function: Callable[P, R]) -> None:
        self._function = function
        self._known: tuple[tuple[object, ...], R] | None = None
        update_wrapper(self, function)

    def __call__(self, *values: P.args, **named: P.kwargs) -> R:
        """Return the answer, and remember it if all arguments are positional."""
        if named:
            return self._function(*values, **named)
        known = self._known
        if known is not None and len(known[0]) == len(values) and all(map(is_, known[0], values)):
            return known[1]
        found = self._function(*values)  # type: ignore[call-arg]  # nothing is named
        self._known = (values, found)
        return found

    def cache_clear(self) -> None:
        """Forget the last answer."""
        self._known = None
