"""Forged clicks, with tokens that no client makes, get a clear private answer and change nothing."""

from collections.abc import Iterator

import pytest
from simcord.actors import MemberActor

from bot.core.play import Play
from bot.features.analysis.handlers import is_analysis
from bot.interactions.handlers import NO_TOKENS, Tokens, is_word
from bot.messages.click import MARKS_FROM, Click, is_number
from bot.registry import HANDLERS
from tests.bot.forging import chosen, forged
from tests.bot.kit import Message, World, reply
from tests.bot.scripted import Scripted, scripted
from tests.bot.seated import core_of, open_table, resigned_after, user_of
from tests.bot.ways import by_way
from tests.storage.dump import everything

TOO_OLD = "This button is too old for me."
WENT_WRONG = "went wrong"

MOST = str(2**63 - 1)
NO_NUMBERS = ("x", "-1", "+1", "1.5", "1e3", "²", "٣", "１", str(2**63), "9" * 40)
"""Text that the bot never writes for a number, although Python reads some of it as one."""

NUMBERS = (is_number, is_analysis)
"""The forms of number tokens, with or without text after them."""

NO_WORDS = ("", " ", "a b", "a\n", "x" * 101)
"""Text that is no token: a custom_id cannot hold it, but an option of a menu can."""

NASTY = ("nonsense", "²", "٣", "-1", MOST, "9" * 40, "\0", "😀", "{game}", "~0", "#", "sure")
"""Words that mean nothing to most verbs."""


@pytest.mark.parametrize(("verb", "tokens"), [
    ("watch-for", ()), ("watch-for", ("end", "turn")), ("hand-over", ()), ("hand-over", ("1",)), ("hand-over", ("1", "2", "3")),
    ("hand-over", ("x", "y")), ("hand-over", ("²", "٣")), ("hand-over", ("9" * 20, "1")), ("hand-over", ("-1", "-2")),
])  # fmt: skip
async def test_forged_tokens_are_answered_and_change_nothing(world: World, verb: str, tokens: tuple[str, ...]) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    store = core_of(world).store
    before = await everything(store)
    said = await forged(world.ann, table.board(), Click(verb, 1, tokens=tokens))
    assert said.ephemeral
    assert TOO_OLD in world.text(said)
    assert await everything(store) == before


@pytest.mark.parametrize("token", NO_NUMBERS)
def test_tokens_that_are_no_numbers(token: str) -> None:
    assert not is_number(token)
    assert not Tokens((is_number,)).fit((token,))


@pytest.mark.parametrize("token", ["0", "7", "007", MOST])
def test_tokens_that_are_numbers(token: str) -> None:
    assert is_number(token)
    assert int(token) < 2**63


def test_an_analysis_is_a_number_with_or_without_where_it_was_opened() -> None:
    for token in ("7", "7~3", "7~bouncers-12~-a-!", f"{MOST}~{MOST}"):
        assert is_analysis(token)
    for token in ("", "~", "7~", "7~x", "~3", "x~3", "7~²", "7~1~2~3", "-1~3", f"7~{2**63}"):
        assert not is_analysis(token), token


def test_tokens_fit_by_their_number_and_their_form() -> None:
    two, some, any_ = Tokens((is_word, is_number)), Tokens((is_word, is_word), least=1), Tokens((is_number,), more=is_word)
    assert [two.fit(("a", "1")[:n]) for n in range(3)] == [False, False, True]
    assert not two.fit(("a", "1", "b"))
    assert not two.fit(("a", "b"))
    assert [some.fit(("a",) * n) for n in range(4)] == [False, True, True, False]
    assert [any_.fit(("1",) * n) for n in range(4)] == [False, True, True, True]
    assert not any_.fit(("1", "a", ""))
    assert Tokens().fit(())
    assert not Tokens().fit(("a",))


@pytest.mark.parametrize("token", NO_WORDS)
def test_tokens_that_are_no_words(token: str) -> None:
    assert not is_word(token)


def right(tokens: Tokens) -> list[str]:
    """Valid tokens, as many as have a form."""
    return ["1" if form in NUMBERS else "x" for form in tokens.forms]


def wrong(tokens: Tokens) -> Iterator[tuple[str, ...]]:
    """No tokens, too many, and for each token with a form, one in a wrong form."""
    fitting = right(tokens)
    if fitting and tokens.least != 0:
        yield ()
        yield tuple(fitting[: (len(fitting) if tokens.least is None else tokens.least) - 1])
    if tokens.more is None:
        yield (*fitting, "x")
        yield (*fitting, *["1"] * 20)
    for place, form in enumerate(tokens.forms):
        for token in NO_NUMBERS if form in NUMBERS else ():
            yield (*fitting[:place], token, *fitting[place + 1 :])


def nasty(tokens: Tokens) -> dict[tuple[str, ...], None]:
    """Well-formed tokens that mean nothing, without repeats; none for a verb that has no tokens."""
    found: dict[tuple[str, ...], None] = {}
    for word in NASTY if tokens != NO_TOKENS else ():
        filled = tuple(MOST if form in NUMBERS else word for form in tokens.forms)
        further = MOST if tokens.more is is_number else word
        more = () if tokens.more is None else ((*filled, further), (*filled, further, further))
        found.update(dict.fromkeys((filled, *more)))
    return found


ALL = sorted(HANDLERS)


def test_every_verb_accepts_some_tokens_and_refuses_others() -> None:
    for verb in ALL:
        tokens = HANDLERS[verb].tokens
        assert tokens.fit(right(tokens)), verb
        assert not any(tokens.fit(some) for some in wrong(tokens)), verb
        assert all(tokens.fit(some) for some in nasty(tokens)), verb


async def a_board(world: World, stage: str) -> Message:
    """The message of a table that waits for players, has a running game, or is over."""
    if stage == "open":
        return reply(await world.ann.slash(world.channel, "open", game="pucks", seats=3))
    if stage == "pucks":
        return (await open_table(world, "pucks", world.ann, world.ben, seats=2, options="setup:random")).board()
    table = await open_table(world, "bouncers", world.ann, world.ben)
    if stage == "over":
        await core_of(world).service(Play).resign(1, user_of(world.ben))
        await table.show_all()
        await by_way(world.ann, world.channel, "review")  # so that it is there, whoever asks for it again
    return table.board()


@pytest.mark.slow
async def test_no_verb_takes_tokens_other_than_its_own(world: World) -> None:
    """As options of a menu, which can hold what a custom_id cannot."""
    board = await a_board(world, "pucks")
    store = core_of(world).store
    before = await everything(store)
    for verb in ALL:
        tokens = HANDLERS[verb].tokens
        for some in (*wrong(tokens), *((token,) for token in NO_WORDS)):
            said = await chosen(world.ann, board, Click(verb, 1), *some)
            assert said.ephemeral, (verb, some)
            assert TOO_OLD in world.text(said), (verb, some)
        assert await everything(store) == before, verb


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["open", "bouncers", "pucks", "over"])
async def test_odd_tokens_of_any_verb_cause_no_error_and_no_change(world: World, stage: str) -> None:
    board = await a_board(world, stage)
    store = core_of(world).store
    before = await everything(store)
    for verb in ALL:
        for some in nasty(HANDLERS[verb].tokens):
            said = await chosen(world.ann, board, Click(verb, 1), *some)
            assert WENT_WRONG not in world.text(said), (verb, some)
        assert await everything(store) == before, verb


A, B = ("b2", "b3"), ("b7", "b6")
HUGE = 999_999_999_999_999_999
VERBS = (
    "hint", "review", "review-page", "review-line", "review-move", "review-moves", "learn", "learn-pick", "learn-act",
    "learn-skip", "learn-anew", "practise", "computers", "add-computer", "remove-computer", "relieve", "computer-yes",
    "computer-no", "slip", "slip-at", "slip-pick", "slip-play", "slip-show",
)  # fmt: skip
TOKENS: tuple[tuple[str, ...], ...] = (
    (), ("x" * 40,), ("9" * 40,), ("٣",), ("²",), ("\0",), ("before",), ("bouncers", "no-such", "-1", "b2"),
    ("bouncers", "²", "²"), ("9" * 20, "hard"), ("-1", "expert"), ("4000002", "easy"),
)  # fmt: skip


@pytest.fixture(autouse=True)
def thinker() -> Iterator[type[Scripted]]:
    """A computer for Bouncers that calls Ben's only move a mistake."""
    with scripted(lost={B: 0.12}) as told:
        yield told


async def told(world: World, member: MemberActor, click: Click) -> str:
    """The answer to somebody who made up a click."""
    result = await forged(member, world.messages()[0], click)
    await world.settle()
    answer = result.followups[-1] if result.followups else result.response
    return "" if answer is None else world.text(answer)


@pytest.mark.slow
async def test_every_forged_click_is_answered_and_changes_nothing_for_others(world: World) -> None:
    ended = await resigned_after(world, A, B)
    running = await open_table(world, "bouncers", world.ann, world.ben)
    await world.settle()
    before = len(world.messages())
    for verb in VERBS:
        for tokens in TOKENS:
            for table_id in (0, ended.table_id, running.table_id, HUGE):
                text = await told(world, world.ann, Click(verb, table_id, HUGE, 7, tokens))
                assert text, (verb, tokens, table_id)
                assert "went wrong" not in text, (verb, tokens, table_id)
    assert len(world.messages()) == before


@pytest.mark.slow
async def test_no_review_of_a_running_game_is_shared(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, A)
    before = len(world.messages())
    for member in (world.ann, world.cleo):
        assert "The game is still on." in await told(world, member, Click("share-review", table.table_id))
    assert len(world.messages()) == before


@pytest.mark.slow
async def test_a_review_is_shared_when_it_is_done_and_each_of_its_pages_once(world: World) -> None:
    table = await resigned_after(world, A, B)
    before = len(world.messages())
    shown = await forged(world.cleo, world.messages()[0], Click("share-review", table.table_id))
    assert "accuracy" in world.text(reply(shown)), "what is not done yet is made, and shown to who asked"
    assert reply(shown).flags.ephemeral
    await world.pass_time(3)
    assert len(world.messages()) == before
    for page in (1, 2, 3, MARKS_FROM - 1):  # from there on, it would be the mark of a message, and no page
        await told(world, world.cleo, Click("share-review", table.table_id, page=page))
        assert len(world.messages()) == before + (page > 1), "it asks first"
        await told(world, world.cleo, Click("post-review", table.table_id, page=page))
        await world.pass_time(3)
    (shared,) = world.messages()[before:]
    assert "mistake by Ben" in world.text(shared)
