"""The expected result of each fault: a line for each scene, a column for each `Fault`, in order.

A cell has a letter for what the player sees, and a sign for when the call is made again. After a slash, the same for a fault
that lasts two hours, if it differs. docs/faults.md, written from here, has it in words.
"""

from collections.abc import Mapping
from typing import Final

from loopback.faults import Fault

_SEEN: Final = {
    "A": "the answer", "W": "the answer, and why the board is not shown", "N": "nothing", "T": "“is thinking”",
    "X": "“did not respond”", "C": "it in the channel", "D": "the message directly",
}  # fmt: skip
_AGAIN: Final = {"0": "again at once", "1": "again soon", "2": "again later", "-": "not again", "=": "not again; given up"}

_TABLE: Final = """
scene                                    | 429    429…   500    503    time   reset  done   403    404    400
reply to a command                       | A0/X0  X1     A0/X0  A0/X0  X-     A0/X0  A0     X-     X-     X-
update of the message with the button    | A0/X0  X1     A0/X0  A0/X0  X-     A0/X0  A0     X-     X-     X-
silent answer to a button                | A0/X0  X1     A0/X0  A0/X0  X-     A0/X0  A0     X-     X-     X-
deferral of a slow answer                | A0     X1     A0/X0  A0/X0  X-     A0     A0     A-     A-     A-
suggestions                              | A0/X0  X1     A0/X0  A0/X0  X-     X-     A-     X-     X-     X-
opening a form                           | A0/X0  X1     A0/X0  A0/X0  X-     A0/X0  A0     X-     X-     X-
answer to a form                         | A0/X0  X1     A0/X0  A0/X0  X-     A0/X0  A0     X-     X-     X-
filling in a deferred answer             | A0/T0  A1/T1  A0/T0  A0/T0  T-     A0/T0  A0     T-     T-     T-
private refusal after a public deferral  | A0/N0  A1/N1  A0/N0  A0/N0  N-     N-     A-     N-     N-     N-
taking the public placeholder away       | A0     A1     A0     A0     A-     A0     A0     A-     A-     A-
sending a board                          | A0     A1     A0     A1     A1     A1     A-     W1     W=     A1
making a board of the announcement       | A0     A1     A0     A1     A1     A1     A1     W1     A1     A1
making an invitation of its announcement | N0     N1     N0     N1     N1     N1     N1     N1     N-     N1
making a lobby of its announcement       | N0     N0     N0     N0     N1     N0     N0     N0     N=     N0
sending an offer                         | A0     A1     A0     A1     A1     A1     A-     W1     W=     A1
sending a replay                         | A0     A1     A0     A1     A1     A1     A-     A1/A2  A=     A=
editing the board of this turn           | A0     A1     A0     A1     A1     A1     A1     W1     A-     A1
retiring the board before                | A0     A1     A0     A1     A1     A1     A1     A1/A2  A=     A=
editing the first message                | A0     A1     A0     A1     A1     A1     A1     W1     A-     A1
posting the puzzle of the day            | C0     C1     C0     C1     C1     C1     C-     C1     N=     C1
closing the post of a day                | C0     C1     C0     C1     C1     C1     C1     C1/C2  N=     N=
asking people who are matched up         | C0     C0     C0     C0     C1     C0     C-     C0     N=     C0
telling players of a round of an event   | C0     C1     C0     C1     C1     C1     C-     C1     N=     C1
opening a thread                         | A0     A0     A0     A0     A1     A0     A0     A-     A0     A-
opening a private thread                 | A0     A0     A0     A0     A1     A0     A-     A-     A-     A-
adding somebody to a thread              | A0     A0     A0     A0     A1     A0     A0     A-     A-     A-
opening a direct conversation            | D0/C0  D1     D0     D1     D1     D1     D1     C-     C-     C-
sending a direct message                 | D0/C0  D1     D0     D1     D1     D1     D-     C-     C-     C-
looking for what may have been sent      | A0     A1     A0     A1     A1     A0     A0     A-     A-     A1
"""


def _read(cell: str) -> tuple[str, str]:
    once, _, lasting = cell.partition("/")
    return _in_words(once), _in_words(lasting or once)


def _in_words(result: str) -> str:
    return f"{_SEEN[result[0]]}; {_AGAIN[result[1]]}"


EXPECTED: Final[Mapping[str, Mapping[Fault, tuple[str, str]]]] = {
    scene.strip(): dict(zip(Fault, map(_read, cells.split()), strict=True))
    for scene, _, cells in (line.partition("|") for line in _TABLE.strip().splitlines()[1:])
}
"""The result of a fault in a scene, once and for two hours."""


def row(scene: str, results: Mapping[Fault, tuple[str, ...]]) -> str:
    """A line of the table. Results without a sign stand there in words."""
    signs = {f"{seen}; {again}": letter + sign for letter, seen in _SEEN.items() for sign, again in _AGAIN.items()}
    cells = ["/".join(dict.fromkeys(signs.get(one, one) for one in result)) for result in results.values()]
    return f"{scene:<40} | " + "  ".join(f"{cell:<5}" for cell in cells).rstrip()
