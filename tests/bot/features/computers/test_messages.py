"""What messages say of computers: their levels, their mark, and that they think. Only people are mentioned."""

from dataclasses import replace

import pytest

from bot.core.listing import Page
from bot.core.table.computer_players import FIRST_ID
from bot.core.table.errors import Refused
from bot.core.table.history import begin
from bot.core.table.snapshot import Snapshot
from bot.features.computers.messages import ASKED, computers_message, practice_message
from bot.i18n.language import ENGLISH, Language, languages
from bot.messages.board import board_message, heading
from bot.messages.builder import MessageBuilder, Picture
from bot.messages.click import Click
from bot.messages.listing import list_message
from bot.messages.lobby import lobby_message
from bot.messages.players import (
    COMPUTER_MARK,
    LEVEL_LABELS,
    LEVEL_WORDS,
    marks,
    names,
    names_with_levels,
    read_level,
    thinking_text,
    turn_text,
)
from engines import GAMES
from storage.schema.records import (
    Entry,
    EntryKind,
    Job,
    JobKind,
    Level,
    OfferKind,
    Offers,
    Proposal,
    Relief,
    Seat,
    SeatStatus,
    Status,
    Table,
)
from tests.bot.notices import notice

every_language = pytest.mark.parametrize("language", languages().values(), ids=lambda language: language.code)
ANN, BEN, POGO = 200, 300, FIRST_ID


def seated(*levels: Level | None, rolls: int = 0, status: Status = Status.PLAYING, game_id: str = "trampoline") -> Snapshot:
    """A table with people and computers, where everybody has rolled in turn, `rolls` times in all."""
    game = GAMES[game_id]
    table = Table(
        id=7, guild_id=1, channel_id=2, game=game_id, rules=game.rules, variant=game.variants[0],
        wanted=len(levels), opened_by=ANN, seed=bytes(32), stream_key=bytes(32), status=status, version=rolls, turn=1 + rolls,
        rated=False, created_at=0.0,
    )  # fmt: skip
    called, ids = ["Ann", "Ben", "Cleo", "Dan"], [ANN, BEN, 400, 500]
    people = tuple(
        Seat(
            table_id=7, user_id=ids[n] if level is None else POGO + n, place=n, status=SeatStatus.JOINED, asked_at=0.0,
            name=called[n] if level is None else ["Pogo", "Ricochet", "Carom", "Dribble"][n], computer=level,
        )
        for n, level in enumerate(levels)
    )  # fmt: skip
    if status is Status.OPEN:
        return Snapshot(table, people)
    history = begin(game, table, len(levels))
    for number in range(1, rolls + 1):
        (seat,) = history.to_act
        entry = Entry(table_id=7, number=number, kind=EntryKind.PLAY, seat=seat, tokens=("roll",), user_id=ids[seat], at=0.0)
        history = history.with_entry(entry)
    return Snapshot(table, people, history)


def said(builder: MessageBuilder) -> str:
    return "\n".join(getattr(item, "content", "") for item in builder.items)


def labels(builder: MessageBuilder) -> list[str]:
    return [child.label for item in builder.items for child in getattr(item, "children", []) if hasattr(child, "label")]


def board(snapshot: Snapshot, language: Language = ENGLISH) -> MessageBuilder:
    return board_message(snapshot, language, Picture("board.png", b"", "A board."), 0)


def test_a_computer_is_told_from_people_by_its_level_and_its_mark() -> None:
    snapshot = seated(None, Level.HARD, game_id="pucks")
    assert heading(snapshot, ENGLISH).endswith(f"🔴 Ann · 🔵{COMPUTER_MARK} Ricochet (computer, hard)")
    assert marks(snapshot) == ("🔴", f"🔵{COMPUTER_MARK}")


def test_where_luck_alone_decides_no_level_is_told() -> None:
    assert heading(seated(None, Level.HARD), ENGLISH).endswith(f"🔴 Ann · 🔵{COMPUTER_MARK} Ricochet (computer)")


def test_where_luck_alone_decides_no_level_is_asked_for() -> None:
    lobby = seated(None, status=Status.OPEN)
    lobby = replace(lobby, table=replace(lobby.table, wanted=2))
    assert labels(computers_message(lobby, ENGLISH)) == ["Add a computer"]
    assert "How strong" not in said(computers_message(lobby, ENGLISH))
    assert labels(practice_message(ENGLISH, "trampoline")) == ["Play", "Let others watch"]
    assert "How strong" not in said(practice_message(ENGLISH, "trampoline"))
    everything = practice_message(ENGLISH)
    assert labels(everything).count("Easy") == len(GAMES) - 1
    assert labels(everything).count("Play") == 1
    assert "How strong should it be?" in said(everything)


def test_the_levels_have_words_in_german() -> None:
    german = languages()["de"]
    assert [german(LEVEL_WORDS[level]) for level in Level] == ["leicht", "mittel", "schwer", "meisterhaft"]
    assert [german(LEVEL_LABELS[level]) for level in Level] == ["Leicht", "Mittel", "Schwer", "Meisterhaft"]
    assert (
        german(names_with_levels(seated(Level.EXPERT, None, game_id="pucks"), ["Pogo", "Ann"])[0])
        == "Pogo (Computer, meisterhaft)"
    )


def test_a_shorter_game_is_one_press_away_from_the_question_for_the_level_and_so_is_the_usual_one() -> None:
    def clicks(builder: MessageBuilder) -> dict[str, str]:
        found = [child for item in builder.items for child in getattr(item, "children", []) if hasattr(child, "label")]
        return {child.label: child.custom_id for child in found}

    asked = clicks(practice_message(ENGLISH, "bouncers"))
    shorter = Click.read(asked["8×8, 12 pieces each"])
    assert shorter == Click("practise", tokens=("bouncers", ASKED, "8x8-12"))
    of_twelve = clicks(practice_message(ENGLISH, "bouncers", variant="8x8-12"))
    assert Click.read(of_twelve["Hard"]) == Click("practise", tokens=("bouncers", "hard", "8x8-12"))
    assert Click.read(of_twelve["8×8, 16 pieces each"]) == Click("practise", tokens=("bouncers", ASKED, "8x8-16"))
    assert Click.read(of_twelve["Let others watch"]) == Click("practise-openly", tokens=("openly", "bouncers", "8x8-12"))
    assert labels(practice_message(ENGLISH, "bunny")) == ["Easy", "Medium", "Hard", "Expert", "Let others watch"]


def test_an_unknown_level_is_answered_with_the_known_ones() -> None:
    assert read_level("hard") is Level.HARD
    with pytest.raises(Refused, match="Pick from: easy, medium, hard, expert"):
        read_level("godlike")


@every_language
def test_a_board_says_that_computers_think_and_offers_nobody_their_roll(language: Language) -> None:
    asked = board(seated(None, Level.EASY, Level.MEDIUM), language)
    assert f"<@{ANN}>" in said(asked)
    thinking = board(seated(None, Level.EASY, Level.MEDIUM, rolls=1), language)
    assert "<@" not in said(thinking)
    assert "Ricochet" in said(thinking).strip().splitlines()[-1]
    assert [label for label in labels(asked) if label not in labels(thinking)] == [labels(asked)[0]]


def test_computers_think_while_people_wait() -> None:
    thinking = seated(None, Level.EASY, rolls=1)
    assert ENGLISH(thinking_text(thinking), names(thinking)) == "Ricochet is thinking …"
    waiting = seated(None, Level.EASY)
    assert ENGLISH(turn_text(waiting), names(waiting)) == "It’s Ann’s turn."


async def test_a_lobby_shows_its_computers_and_lets_them_come_and_go() -> None:
    def opened(seats: int, *levels: Level | None) -> Snapshot:
        snapshot = seated(*levels, status=Status.OPEN, game_id="pucks")
        return replace(snapshot, table=replace(snapshot.table, wanted=seats))

    lobby = await lobby_message(opened(3, None, Level.HARD), ENGLISH)
    assert f"🔵{COMPUTER_MARK} Ricochet (computer, hard)" in said(lobby)
    assert "Add a computer" in labels(lobby)
    full = opened(3, None, Level.HARD)
    invited = Seat(table_id=7, user_id=BEN, place=2, status=SeatStatus.INVITED, name="Ben", asked_at=0.0)
    assert "Remove a computer" in labels(await lobby_message(replace(full, people=(*full.people, invited)), ENGLISH))


def test_lists_tell_who_is_a_computer() -> None:
    shown = list_message(Page((seated(None, Level.EXPERT, rolls=1),), number=0, more=False, quarantined=()), ANN, ENGLISH)
    assert "Ricochet (computer). Waiting for Ricochet" in said(shown)


def offered(snapshot: Snapshot, offers: Offers, **payload: object) -> tuple[str, tuple[int, ...]] | None:
    table = replace(snapshot.table, offers=offers)
    kind = OfferKind.DRAW if offers.draw is not None else OfferKind.COMPUTER
    job = Job(table_id=7, kind=JobKind.OFFER, key=kind, payload=payload, due=0, created_at=0)
    told = notice(replace(snapshot, table=table), job, ENGLISH)
    if told is None:
        return None
    return said(told.builder).strip() if told.builder.notification is None else told.builder.content(0), told.pinged


def test_offers_ask_only_people_and_a_computers_answer_pings_nobody() -> None:
    alone, both = seated(None, Level.EASY), seated(None, None, Level.EASY)
    draw = Offers(draw=Proposal(by=0, agreed=(0,)))
    assert offered(alone, draw) is None, "computers answer by themselves"
    assert offered(both, draw) == (f"Ann offers you a draw in BOUNCE #7. Do you accept? <@{BEN}>", (BEN,))
    declined = offered(alone, draw, declined=1)
    assert declined == (f"🔵{COMPUTER_MARK} Ricochet declined the draw.", ())
    relief = offered(both, Offers(computer=Relief(by=0, agreed=(0,), version=0, seat=2, level=Level.HARD)))
    assert relief == (f"Ann would like a computer player (hard) in Carom’s seat in BOUNCE #7. OK? <@{BEN}>", (BEN,))
