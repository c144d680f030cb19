"""Values with some fields changed: `dataclasses.replace`, several times as fast for frozen dataclasses with slots.

States are such dataclasses, and an action changes a state a handful of times.
"""

import dataclasses
from collections.abc import Callable
from functools import cache
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import replace as replace  # noqa: PLC0414 - type checkers know what it does
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """The same value, except for these fields. Raises TypeError if it has no such field."""
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
    """How each field of a dataclass is read and set; None if that is not all there is to making one."""
    members = {field.name: getattr(kind, field.name, None) for field in dataclasses.fields(kind)}
    if hasattr(kind, "__post_init__") or any(not field.init for field in dataclasses.fields(kind)):
        return None
    slots = {name: member for name, member in members.items() if isinstance(member, MemberDescriptorType)}
    return {name: (slot.__get__, slot.__set__) for name, slot in slots.items()} if len(slots) == len(members) else None
