"""Types of columns whose values may be unreadable: words of an enumeration, and JSON that represents a dataclass."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from typing import Any, Generic, TypeVar, cast

import sqlalchemy as sa
from pydantic import TypeAdapter, ValidationError
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator
from typing_extensions import override

Named = TypeVar("Named", bound=StrEnum)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A value that doesn't fit its column, with the reason and, if it is a text that cannot be decoded, its bytes."""

    reason: str
    raw: bytes | None = None


def as_written(text: Value) -> Value:
    """Return the value of a JSON column as it was written. Only `Structure` reads it, and validates it."""
    return text


def decoded(text: bytes) -> str | Unreadable:
    """Return the value of a SQLite text column, which may contain any bytes."""
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        return Unreadable(f"it is no text ({error})", text)


class Word(TypeDecorator[Named | Unreadable]):
    """A value of an enumeration, stored as its string."""

    impl = sa.String
    cache_ok = True

    def __init__(self, kind: type[Named]) -> None:
        super().__init__()
        self.kind = kind

    @override
    def process_bind_param(self, value: Named | Unreadable | None, dialect: Dialect) -> str | None:
        return None if value is None or isinstance(value, Unreadable) else self.kind(value).value

    @override
    def process_result_value(self, value: str | Unreadable | None, dialect: Dialect) -> Named | Unreadable | None:
        if value is None or isinstance(value, Unreadable):
            return value
        try:
            return self.kind(value)
        except ValueError as error:
            return Unreadable(str(error))

    @override
    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        """Return the function that reads a value, which no driver has to prepare."""
        return partial(self.process_result_value, dialect=dialect)


class Structure(TypeDecorator[Value | Unreadable], Generic[Value]):
    """A value of a type that pydantic knows, such as a dataclass or a tuple, stored as JSON and validated when it is read."""

    impl = sa.JSON(none_as_null=True)
    cache_ok = True

    def __init__(self, kind: type[Value]) -> None:
        super().__init__()
        self.kind = kind

    @override
    def process_bind_param(self, value: Value | Unreadable | None, dialect: Dialect) -> Any:
        if value is None or isinstance(value, Unreadable):
            return None
        return adapter(self.kind).dump_python(value, mode="json", exclude_none=True, warnings="error")  # type: ignore[arg-type]  # a class can be hashed

    @override
    def process_result_value(self, value: Any, dialect: Dialect) -> Value | Unreadable | None:
        if value is None or isinstance(value, Unreadable):
            return value
        if value == "null":
            return None
        try:
            return cast("Value", adapter(self.kind).validate_json(value, strict=True))  # type: ignore[arg-type]  # as above
        except ValidationError as error:
            return Unreadable(_fault(error))

    @override
    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        """Return the function that reads a value. Every driver gives it as it was written, and nothing else prepares it."""
        return partial(self.process_result_value, dialect=dialect)


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """Return what reads and writes values of a type. It is made when first used, since all together take 20 ms of a start."""
    return TypeAdapter(kind)


def _fault(error: ValidationError) -> str:
    first = error.errors()[0]
    if first["type"] in {"json_invalid", "json_type"}:
        return f"it is no JSON ({first['msg']})"
    where = ".".join(map(str, first["loc"]))
    return f"{where}: {first['msg']}" if where else str(first["msg"])


def as_text(column: sa.Column[Any]) -> sa.ColumnElement[str]:
    """Return a JSON column as the text that it contains, readable or not."""
    return sa.cast(sa.type_coerce(column, sa.String), sa.String)
