"""The marks of the seats in texts, which look like the pieces on the boards."""

from collections.abc import Sequence
from typing import Final, overload

from typing_extensions import override

TEXT_MARKS: Final = ("🔴", "🟦", "▲", "◆", "✚", "⭐")
"""Characters of the same shapes, used until the bot's own emoji are known. Only those in the colour of the seat are emoji."""
COMPUTER_MARK: Final = "🤖"
"""The character for a computer."""


class SeatMarks(Sequence[str]):
    """The mark of each seat: an emoji of the bot's own, or a character until that is known.

    There is one for the whole process, since a process serves one application, to which its emojis belong.

    Attributes:
        computer: the mark that a computer has beside that of its seat.
    """

    def __init__(self) -> None:
        self._marks: tuple[str, ...] = TEXT_MARKS
        self.computer = COMPUTER_MARK

    def show_as(self, marks: Sequence[str], computer: str = "") -> None:
        """Use these marks from now on, one for each seat, and `computer` for computers; if empty, the characters."""
        self._marks = tuple(marks) or TEXT_MARKS
        self.computer = computer or COMPUTER_MARK

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    @override
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._marks[index]

    @override
    def __len__(self) -> int:
        return len(self._marks)


MARKS: Final = SeatMarks()
"""The marks in use. They are for texts in Discord's Markdown; in labels and names an emoji would be shown as its code."""
