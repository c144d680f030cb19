"""The lobby message commits to the dice, and whoever sits down mixes something into them, a word of their own if they like."""

import pytest

from bot.core.table.snapshot import User
from bot.features.privacy.service import Privacy
from bot.features.verify.service import Proof
from bot.messages.click import Click
from engines.chance import contribution, seed_hash, stream_key
from loopback.limits import Kind
from storage import queries
from storage.schema.records import Status, Table
from tests.bot.forging import forged
from tests.bot.kit import Button, World, button, buttons, reply
from tests.bot.seated import all_that_is_public, all_that_is_seen, asked_for_a_word, core_of, open_table
from tests.bot.ways import by_way

pytestmark = pytest.mark.slow


async def the_table(world: World) -> Table:
    (table, *_) = await core_of(world).tables(guild_id=world.guild.id, statuses=tuple(Status))
    return table


async def shown_hash(world: World) -> str:
    table = await the_table(world)
    assert table.seed is not None
    return f"Seed hash: `{seed_hash(table.seed)}`"


async def first_digits_stand(world: World) -> bool:
    """Whether the first message has a small line with the first digits of the hash, and *How?* beside it shows the whole."""
    lobby, digits = world.messages()[0], (await shown_hash(world)).removeprefix("Seed hash: ").strip("`")
    assert digits not in world.text(lobby)
    assert digits in world.text(await world.cleo.click(lobby, label="How?"))
    return f"-# Fair dice: `{digits[:16]}…`" in world.text(lobby).splitlines()


async def dice_are_committed(world: World) -> bool:
    """Whether the first message has the hash: its first digits in a small line, and the whole with its picture alone."""
    hashed = (await shown_hash(world)).replace("`", "")
    return await first_digits_stand(world) and world.picture(world.messages()[0]).alt.endswith(hashed)


def clicked(found: Button) -> Click:
    click = Click.read(found.custom_id or "")
    assert click is not None
    return click


async def pressed(world: World) -> list[tuple[int, str]]:
    found = await core_of(world).service(Proof).contributions((await the_table(world)).id)
    return [(one.user_id, one.word) for one in found]


async def test_the_hash_of_the_seed_stands_in_the_first_message_from_the_opening_to_the_end(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bunny")
    first = world.messages()[0]
    assert await dice_are_committed(world)
    await world.ben.click(reply(shown), label="Join")
    assert await first_digits_stand(world)
    asked = await by_way(world.ben, world.channel, "resign")
    await world.ben.click(reply(asked), label="Resign")
    assert (await the_table(world)).status is Status.FINISHED
    assert world.messages()[0].id == first.id
    assert await first_digits_stand(world)


async def test_a_table_that_is_closed_goes_on_showing_the_hash_that_it_never_used(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bunny")
    await world.ann.click(reply(shown), label="Leave")
    assert await first_digits_stand(world)
    assert "This table is closed." in world.text(world.messages()[0])


async def test_a_table_for_one_begins_with_its_first_click(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="trampoline", seats=1)
    assert (await the_table(world)).status is Status.OPEN
    assert await dice_are_committed(world)
    start = await world.ann.click(reply(shown), label="Start")
    table = await the_table(world)
    assert table.status is Status.PLAYING
    assert table.seed is not None
    assert table.stream_key == stream_key(table.seed, [contribution(world.ann.id, start._interaction.id)])


async def test_clicks_are_mixed_in_by_their_interactions(world: World) -> None:
    shown = await world.ann.slash(
        world.channel, "open", game="trampoline", seats=4, opponent=world.cleo, options="order:shuffled"
    )
    join = await world.ben.click(reply(shown), label="Join")
    accept = await world.cleo.click(reply(shown), label="Accept")
    start = await world.ann.click(reply(shown), label="Start")
    table = await the_table(world)
    assert table.seed is not None
    in_order_of_seats = [(world.ann, start), (world.cleo, accept), (world.ben, join)]
    lines = [contribution(who.id, click._interaction.id) for who, click in in_order_of_seats]
    assert table.stream_key == stream_key(table.seed, lines)


async def test_a_word_of_ones_own_is_a_press_like_join(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="trampoline", seats=3)
    asked = await asked_for_a_word(world.ben, shown)
    assert asked._interaction.modal is not None
    said = await world.ben.submit_modal(asked, {"word": "  *lucky*\n<@1>: `seven` "})
    assert "🔴 Ann\n🔵 Ben" in world.text(world.messages()[0])
    assert said.followups == []
    assert reply(said).ephemeral
    assert "lucky" in world.text(said)
    assert await pressed(world) == [(world.ben.id, "*lucky* <@1>: `seven`")]
    asked = await asked_for_a_word(world.ann, shown)
    await world.ann.submit_modal(asked, {"word": "carrot"})
    await world.cleo.click(reply(shown), label="Join")
    assert await pressed(world) == [
        (world.ann.id, "carrot"),
        (world.ben.id, "*lucky* <@1>: `seven`"),
        (world.cleo.id, ""),
    ]
    assert (await the_table(world)).status is Status.PLAYING
    assert "lucky" not in all_that_is_public(world)


async def test_the_form_survives_a_restart(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bunny")
    asked = await asked_for_a_word(world.ben, shown)
    await world.restart()
    await world.ben.submit_modal(asked, {"word": "carrot"})
    assert (await the_table(world)).status is Status.PLAYING
    assert await pressed(world) == [(world.ben.id, "carrot")]


@pytest.mark.parametrize(("word", "why"), [("\u200b", "Type at least"), ("   ", "Type at least")])
async def test_what_is_no_word_is_refused_privately_and_nobody_sits_down(world: World, word: str, why: str) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bunny")
    asked = await asked_for_a_word(world.ben, shown)
    said = await world.ben.submit_modal(asked, {"word": word})
    assert reply(said).ephemeral
    assert why in world.text(said)
    assert await pressed(world) == []
    assert (await the_table(world)).status is Status.OPEN


async def test_a_form_that_is_sent_too_late_says_so(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bunny")
    asked = await asked_for_a_word(world.cleo, shown)
    await world.ben.click(reply(shown), label="Join")
    said = await world.cleo.submit_modal(asked, {"word": "carrot"})
    assert "has already started" in world.text(said)
    assert "carrot" not in all_that_is_seen(world, said)


async def test_a_private_table_takes_words_only_of_those_who_may_see_it(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bunny", opponent=world.ben, private=True)
    said = await world.cleo.click(reply(shown), label="How?")
    assert "There’s no table #1 here." in world.text(said)


async def test_no_digits_of_the_log_stand_in_public_and_more_and_the_last_board_lead_to_them(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    links = []
    for member, action in ((world.ann, ("b2", "b3")), (world.ben, ("c7", "c6")), (world.ann, ("b3", "b4"))):
        links.append(((await table.snapshot()).playing.link or "")[:8])
        verified = await world.cleo.click(reply(await world.cleo.click(table.board(), label="More")), label="Verify")
        assert f"Log: {links[-1]}" in world.text(verified)
        await table.type(member, action)
    assert len(set(links)) == 3
    asked = await by_way(world.ann, world.channel, "resign")
    await world.ann.click(reply(asked), label="Resign")
    links.append(((await table.snapshot()).playing.link or "")[:8])
    over = reply(await world.cleo.click(world.last(), label="More"))
    assert f"Log: {links[-1]}" in world.text(await world.cleo.click(over, label="Verify"))
    assert not any(link in all_that_is_public(world) for link in links)


async def test_a_game_that_began_under_the_first_chain_goes_on_with_its_eight_digits(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    with world.env._bot_scope():
        async with core_of(world).store.write() as writer:
            await queries.tables.change(writer, 1, chain=1)
    await world.restart()
    await table.type(world.ann, ("b2", "b3"))
    link = (await table.snapshot()).playing.link or ""
    said = world.text(await by_way(world.ben, world.channel, "verify"))
    assert f"Log: {link[:8]}\n" in f"{said}\n"


async def test_verify_during_a_game_gives_all_links_in_a_private_file_without_a_word_of_the_actions(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    said = await by_way(world.ben, world.channel, "verify")
    history = (await table.snapshot()).playing
    assert reply(said).ephemeral
    assert f"Log: {(history.link or '')[:16]}" in world.text(said)
    (message,) = [message for message in world.messages(viewer=world.ben) if message.id == reply(said).id]
    (file,) = message.attachments
    content = world.env.backend.cdn.get(file.url)
    assert content is not None
    assert content.decode() == f"Springboard links of table 1\n\n0. {history.start}\n1. {history.link}\n"
    assert file.id not in {one.id for message in world.messages(viewer=world.ann) for one in message.attachments}
    asked = await by_way(world.ann, world.channel, "resign")
    await world.ann.click(reply(asked), label="Resign")
    after = await by_way(world.ben, world.channel, "verify")
    assert f"Log: {((await table.snapshot()).playing.link or '')[:16]}" in world.text(after)
    (message,) = [message for message in world.messages(viewer=world.ben) if message.id == reply(after).id]
    assert not message.attachments, "the whole log is in the replay then"


async def test_nothing_that_anybody_sees_during_a_game_tells_seed_or_key(world: World) -> None:
    table = await open_table(world, "bunny", world.ann, world.ben)
    row = await the_table(world)
    assert row.seed is not None
    assert row.stream_key is not None
    (member,) = await table.awaited()
    await table.type(member, await table.random_action(member))
    answers = [await by_way(world.cleo, world.channel, command) for command in ("verify", "replay", "board")]
    seen = [all_that_is_public(world), *(all_that_is_seen(world, answer) for answer in answers)]
    files = [
        world.env.backend.cdn.get(file.url) for message in world.messages(viewer=world.cleo) for file in message.attachments
    ]
    told = "\n".join(seen).encode() + b"\n".join(file for file in files if file is not None)
    assert any(file is not None and b"Springboard log" in file for file in files)
    for secret in (row.seed, row.stream_key):
        assert secret.hex().encode() not in told
        assert secret not in told


async def test_opening_the_form_is_one_call_and_sending_it_two(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="trampoline", seats=3)
    before = len(world.watch.calls)
    asked = await asked_for_a_word(world.ben, shown)
    assert [call.kind for call in world.watch.calls[before:]] == [Kind.REPLY, Kind.MODAL]
    before = len(world.watch.calls)
    await world.ben.submit_modal(asked, {"word": "carrot"})
    assert sorted(call.kind for call in world.watch.calls[before:]) == [Kind.EDIT, Kind.UPDATE]
    assert "🔵 Ben" in world.text(world.messages()[0])
    again = await asked_for_a_word(world.ben, shown)
    before = len(world.watch.calls)
    await world.ben.submit_modal(again, {"word": "turnip"})
    assert [call.kind for call in world.watch.calls[before:]] == [Kind.UPDATE], "nobody else sees a difference"


async def test_the_page_about_fair_dice_has_the_whole_hash_and_goes_on_without_its_button_in_the_game(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bunny")
    hashed = (await shown_hash(world)).removeprefix("Seed hash: ")
    page = await world.cleo.click(reply(shown), label="How?")
    assert reply(page).ephemeral
    assert hashed in world.text(page)
    assert [one.label for one in buttons(page)] == ["Add your own randomness"]
    lobby = world.messages()[0]
    again = button(lobby, "How?")
    await world.ben.click(reply(shown), label="Join")
    later = await forged(world.cleo, world.messages()[0], clicked(again))
    assert hashed in world.text(later)
    assert buttons(later) == []


async def test_a_lobby_message_of_an_earlier_version_still_takes_words(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="trampoline", seats=3)
    old = Click("word", 1, clicked(button(reply(shown), "How?")).version)
    asked = await forged(world.ben, reply(shown), old)
    await world.ben.submit_modal(asked, {"word": "carrot"})
    assert await pressed(world) == [(world.ben.id, "carrot")]
    assert "🔵 Ben" in world.text(world.messages()[0])


async def test_verify_shows_what_was_mixed_in_and_in_the_end_the_key(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="bunny")
    asked = await asked_for_a_word(world.ben, shown)
    press = await world.ben.submit_modal(asked, {"word": "*lucky* <@1>"})
    row = await the_table(world)
    assert row.stream_key is not None
    text = world.text(await by_way(world.cleo, world.channel, "verify"))
    assert rf"-# 1. `{world.ben.id}:{press._interaction.id}:` \*lucky\* \<@" in text
    assert row.stream_key.hex() not in text
    asked = await by_way(world.ann, world.channel, "resign")
    await world.ann.click(reply(asked), label="Resign")
    verified = await by_way(world.cleo, world.channel, "verify")
    assert "**It all checks out.**" in world.text(verified)
    await world.cleo.click(reply(verified), label="Seed and hashes")
    assert f"Dice key: `{row.stream_key.hex()}`" in world.text(verified)
    with world.env._bot_scope():
        await core_of(world).service(Privacy).forget(User(world.ben.id, "Ben"))
    verified = await by_way(world.cleo, world.channel, "verify")
    assert "**The key couldn’t be checked.** Everything else checks out" in world.text(verified)
    assert "**It all checks out.**" not in world.text(verified)
    await world.cleo.click(reply(verified), label="Seed and hashes")
    assert "-# 1. removed" in world.text(verified)
    assert "1 of these was removed because its owner asked to be forgotten," in world.text(verified)
