"""What people choose for themselves, and how they are forgotten."""

from tests.bot.kit import World, buttons, reply
from tests.bot.seated import open_table


async def test_settings_are_shown_and_nonsense_is_refused(world: World) -> None:
    shown = world.text(await world.ann.slash(world.channel, "settings show"))
    assert "Quiet hours: none" in shown
    for options, words in (
        ({"begin": "25:00", "end": "7:00"}, "isn’t a time"),
        ({"begin": "22:00"}, "both the beginning and the end"),
        ({"begin": "22:00", "end": "7", "zone": "Mars/Olympus"}, "no time zone"),
        ({"begin": "22:00", "end": "7", "zone": "USA"}, "several time zones in USA. Pick one of those I suggest"),
    ):
        assert words in world.text(await world.ann.slash(world.channel, "settings quiet-hours", **options))
    changed = world.text(
        await world.ann.slash(world.channel, "settings quiet-hours", begin="22:30", end="7", zone="Europe/Berlin")
    )
    assert "Quiet hours: 22:30 to 7:00, Europe/Berlin" in changed
    contrast = world.text(await world.ann.slash(world.channel, "settings palette", palette="high-contrast"))
    assert "high contrast" in contrast
    assert "Preview before you play: yes" in shown
    assert "Flip board for me: off" in shown
    assert "Preview before you play: no" in world.text(await world.ann.slash(world.channel, "settings preview", on=False))
    turned = world.text(await world.ann.slash(world.channel, "settings turn-board", on=True))
    assert "Flip board for me: on" in turned
    assert "Preview before you play: no" in turned, "one setting changes no other"
    german = world.text(await world.ann.slash(world.channel, "settings language", language="de"))
    assert "Sprache: Deutsch" in german, "the answer is in the new language"
    english = world.text(await world.ann.slash(world.channel, "settings language", language="auto"))
    assert "Language: same as Discord" in english


async def test_who_wants_to_know_is_told_silently_that_they_are_next(world: World) -> None:
    for member, where in ((world.cleo, "channel"), (world.ann, "direct")):
        shown = await member.slash(world.channel, "settings reminders", next=True, where=where)
        assert "Silent word when you’re next: yes" in world.text(shown)
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3)
    await world.ann.click(table.board(), label="Roll 3 dice")
    said = world.last()
    assert f"<@{world.cleo.id}>, you’re next in **BOUNCE #1**, after" in world.text(said)
    assert said.flags.suppress_notifications
    await world.ben.click(table.board(), label="Roll 3 dice")
    assert ["you’re next in **BOUNCE #1**" in told for told in world.direct_messages(world.ann)] == [True]


async def test_who_wants_to_be_forgotten_is_and_games_say_so(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await open_table(world, "trampoline", world.ben, world.cleo, seats=3)
    await world.cleo.slash(world.channel, "watch", game="1", what="turn")
    asked = await world.ben.slash(world.channel, "settings forget-me")
    await world.ben.click(reply(asked), label="Never mind")
    assert not await table.over()
    asked = await world.ben.slash(world.channel, "settings forget-me")
    await world.ben.click(reply(asked), label="Forget me")
    assert "I’ve forgotten everything about you" in world.text(asked)
    ended = [message for message in world.messages() if "Rematch" in {one.label for one in buttons(message)}]
    assert len(ended) == 1
    assert "Former player" in world.text(ended[0])
    assert "Ben" not in world.text(ended[0])
    await world.restart()
    kept = (world.folder / "springboard.sqlite3").read_bytes()
    assert world.ann.id.to_bytes(8) in kept
    assert str(world.ben.id).encode() not in kept
    assert world.ben.id.to_bytes(8) not in kept
    rematch = await world.ann.click(ended[0], label="Rematch")
    assert "You’re in! Table #3." in world.text(rematch)
    assert "one seat open" in world.text(world.last())
    assert f"Bouncers #1 is over. Former player resigned. Ann wins! <@{world.cleo.id}>" in world.text(world.messages()[-2])
