"""Published crosstables of three round robins, with their published tie-breaks.

Each row has the scores against every player in the order of the table: 1, = and 0, x for oneself.
"""

from dataclasses import dataclass
from fractions import Fraction

from bot.features.tournaments.rules.formats import Format, RoundRobin
from bot.features.tournaments.rules.rounds import Round, RoundGame
from bot.features.tournaments.rules.tie_breaks import TieBreak
from bot.features.tournaments.rules.tournament import Entry, Tournament

SCORES = {"1": Fraction(1), "=": Fraction(1, 2), "0": Fraction(0)}
PLACES = {"1": (1, 2), "=": (1, 1), "0": (2, 1)}


@dataclass(frozen=True)
class Table:
    """A published table by place: the tie-breaks that led to its order, and their published `values`, if any."""

    tie_breaks: tuple[TieBreak, ...]
    names: tuple[str, ...]
    points: tuple[str, ...]
    values: dict[TieBreak, dict[str, str]]
    rows: tuple[str, ...]

    def cells(self, row: int) -> list[str]:
        return self.rows[row].split()

    def event(self) -> Tournament:
        """The event, whose players are the places in the table from 1, entered the other way round."""
        count = len(self.names)
        games = tuple(
            RoundGame((one + 1, other + 1), PLACES[score])
            for one in range(count)
            for other in range(one + 1, count)
            for score in self.cells(one)[other]
        )
        chosen = Format("published", RoundRobin(len(self.cells(0)[1])), 2, count, self.tie_breaks)
        return Tournament(chosen, tuple(Entry(player) for player in range(count, 0, -1)), b"", (Round(games),))


ZURICH_1953 = Table(
    tie_breaks=(TieBreak.SONNEBORN_BERGER,),
    names=(
        "Smyslov", "Bronstein", "Reshevsky", "Keres", "Petrosian", "Najdorf", "Geller", "Kotov", "Taimanov", "Averbakh",
        "Boleslavsky", "Szabo", "Gligoric", "Euwe", "Stahlberg",
    ),
    points=("18", "16", "16", "16", "15", "14.5", "14.5", "14", "14", "13.5", "13.5", "13", "12.5", "11.5", "8"),
    values={
        TieBreak.SONNEBORN_BERGER: {
            "Bronstein": "224.00", "Reshevsky": "210.75", "Keres": "210.25", "Najdorf": "198.00", "Geller": "197.75",
            "Kotov": "198.75", "Taimanov": "191.75", "Averbakh": "194.00", "Boleslavsky": "185.75",
        },
    },
    rows=(
        "x == =1 11 == == 11 =0 == == == == 1= 11 1=",
        "== x 11 1= == == =0 == 1= == == 01 1= == ==",
        "=0 00 x == == == == 10 == =1 =1 1= =1 11 1=",
        "00 0= == x =1 == =1 == == 0= 11 1= =1 == 11",
        "== == == =0 x 0= == == 00 == == 11 =1 1= 11",
        "== == == == 1= x 00 1= 1= =0 == == == 0= 11",
        "00 =1 == =0 == 11 x =0 01 == 01 1= =1 01 ==",
        "=1 == 01 == == 0= =1 x 10 1= 00 10 1= 0= 01",
        "== 0= == == 11 0= 10 01 x 10 == == =0 0= 11",
        "== == =0 1= == =1 == 0= 01 x == == 0= 11 00",
        "== == =0 00 == == 10 11 == == x =0 == =1 ==",
        "== 10 0= 0= 00 == 0= 01 == == =1 x 1= == 1=",
        "0= 0= =0 =0 =0 == =0 0= =1 1= == 0= x =1 11",
        "00 == 00 == 0= 1= 10 1= 1= 00 =0 == =0 x 1=",
        "0= == 0= 00 00 00 == 10 00 11 == 0= 00 0= x",
    ),
)  # fmt: skip
"""The candidates' tournament of Zurich 1953, by the crosstable of Mark Weeks (The World Chess Championship)."""

BUCHAREST_2022 = Table(
    tie_breaks=(TieBreak.DIRECT, TieBreak.WINS, TieBreak.SONNEBORN_BERGER),
    names=(
        "Aronian", "So", "Vachier-Lagrave", "Dominguez", "Caruana", "Deac", "Nepomniachtchi", "Firouzja", "Mamedyarov",
        "Rapport",
    ),
    points=("5.5", "5.5", "5.5", "4.5", "4.5", "4.5", "4", "4", "3.5", "3.5"),
    values={
        TieBreak.DIRECT: {
            "Aronian": "1.5", "So": "1.0", "Vachier-Lagrave": "0.5", "Dominguez": "1.5", "Caruana": "1.0", "Deac": "0.5",
            "Nepomniachtchi": "1.0", "Firouzja": "0.0", "Mamedyarov": "0.5", "Rapport": "0.5",
        },
        TieBreak.WINS: {
            "Aronian": "2", "So": "2", "Vachier-Lagrave": "3", "Dominguez": "2", "Caruana": "1", "Deac": "1",
            "Nepomniachtchi": "1", "Firouzja": "1", "Mamedyarov": "1", "Rapport": "0",
        },
        TieBreak.SONNEBORN_BERGER: {
            "Aronian": "24.75", "So": "23.50", "Vachier-Lagrave": "23.00", "Dominguez": "19.50", "Caruana": "19.25",
            "Deac": "19.75", "Nepomniachtchi": "18.00", "Firouzja": "18.00", "Mamedyarov": "15.50", "Rapport": "15.75",
        },
    },
    rows=(
        "x = 1 1 = = = = = =",
        "= x = = = = 1 = 1 =",
        "0 = x = 1 = = 1 = 1",
        "0 = = x = 1 = 0 1 =",
        "= = 0 = x = = = 1 =",
        "= = = 0 = x = = = 1",
        "= 0 = = = = x 1 0 =",
        "= = 0 1 = = 0 x = =",
        "= 0 = 0 0 = 1 = x =",
        "= = 0 = = 0 = = = x",
    ),
)  # fmt: skip
"""The Superbet Chess Classic of Bucharest 2022, by the table in the documentation of pgnhelper."""

MADRID_2022 = Table(
    tie_breaks=(TieBreak.SONNEBORN_BERGER, TieBreak.WINS),
    names=("Nepomniachtchi", "Ding", "Radjabov", "Nakamura", "Caruana", "Firouzja", "Duda", "Rapport"),
    points=("9.5", "8", "7.5", "7.5", "6.5", "6", "5.5", "5.5"),
    values={
        TieBreak.WINS: {
            "Nepomniachtchi": "5", "Ding": "4", "Radjabov": "3", "Nakamura": "4", "Caruana": "3", "Firouzja": "2", "Duda": "1",
            "Rapport": "1",
        },
    },
    rows=(
        "x 1= == == == 11 1= 1=",
        "0= x =0 =1 =1 == =1 =1",
        "== =1 x 01 0= == == =1",
        "== =0 10 x 01 =1 =1 ==",
        "== =0 1= 10 x 10 =0 ==",
        "00 == == =0 01 x == =1",
        "0= =0 == =0 =1 == x =0",
        "0= =0 =0 == == =0 =1 x",
    ),
)  # fmt: skip
"""The candidates' tournament of Madrid 2022: Radjabov became third before Nakamura, who had won more games. The wins are those
that chessgames.com counts."""

PUBLISHED = {"Zurich 1953": ZURICH_1953, "Bucharest 2022": BUCHAREST_2022, "Madrid 2022": MADRID_2022}
