"""Personal settings on the panel of `/settings`, and being forgotten."""

from typing import Any

import pytest

from bot.core.people import Users
from bot.core.table.settings import PersonSettings
from bot.features.settings import own_panel, server_panel
from bot.i18n.language import language as language_of
from bot.i18n.language import languages
from bot.messages.builder import OPTION_LIMIT, TITLE_LIMIT
from bot.messages.click import Click
from bot.messages.form import ABOUT_LIMIT, OneOf, SomeOf
from tests.bot.kit import World, button, buttons, reply, select
from tests.bot.present import present
from tests.bot.seated import core_of, open_table
from tests.bot.settings_panels import (
    act,
    action_click,
    assert_fits,
    come_back,
    control,
    fill,
    forged_click,
    forged_form,
    form,
    form_click,
    go_away,
    open_panel,
    remind,
    send,
    speak,
    standing,
    switch,
    value_at,
)
from tests.bot.unsaid import unsaid


async def own(world: World, user_id: int) -> PersonSettings:
    """A person's settings."""
    return await core_of(world).service(Users).settings(user_id)


async def test_one_private_panel_shows_all_settings(world: World) -> None:
    shown = await open_panel(world, world.ann)
    assert reply(shown).ephemeral
    said = world.text(shown)
    for section in own_panel.PANEL.sections:
        assert f"**{section.title}**" in said
    assert not unsaid(said, "**Quiet hours**\nNone\n", "Quiet heads-up when you’re next: Off")
    assert "(a picture of the board after your move): On" in said
    assert "Your side at the bottom (Flip board for me): Off" in said
    assert [one.label for one in buttons(shown)] == [
        "Change", "Change", "Go on vacation", "Change", "Change", "Export my data", "Forget me …",
    ]  # fmt: skip


async def test_a_panel_tells_what_has_changed_and_changes_nothing_else(world: World) -> None:
    contrast = world.text(await fill(world, world.ann, "settings", "pictures", high_contrast="high-contrast"))
    assert "**✅ Boards and pictures · saved**\nPalette: High contrast\n" in contrast
    assert contrast.count("✅") == 1
    assert "**Boards and pictures**" not in contrast, "the section that was changed says so itself"
    assert "after your move): Off\n" in world.text(await switch(world, world.ann, preview=False))
    turned = world.text(await switch(world, world.ann, turn_board=True, practise_openly=True))
    assert "(Flip board for me): On\nOthers can watch you practise: On\n" in turned
    assert "after your move): Off\n" in turned
    assert "Palette: High contrast" in turned
    again = world.text(await fill(world, world.ann, "settings", "pictures"))
    assert "**Boards and pictures · nothing has changed**" in again
    assert "✅" not in again
    chosen = await own(world, world.ann.id)
    assert chosen == PersonSettings(high_contrast=True, preview=False, turn_board=True, practise_openly=True)


async def test_quiet_hours_are_typed_freely_and_nonsense_is_refused(world: World) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"begin": "25:00", "until": "7:00", "zone": "UTC"}, "“25:00” isn’t a time. Write it like 22:30 or 10:30 pm."),
        ({"begin": "22:00", "until": "late", "zone": "UTC"}, "“late” isn’t a time."),
        ({"begin": "22:00", "until": "7", "zone": "Mars/Olympus"}, "There’s no time zone “Mars/Olympus”. Try a large city"),
    ]
    for given, words in wrong:
        refused = await fill(world, world.ann, "settings", "quiet-hours", **given)
        assert f"**⚠️ Quiet hours · not saved**\n{words}" in world.text(refused)
        assert reply(refused).ephemeral
        assert not refused.followups, "nothing stays below the panel when another try succeeds"
    assert await own(world, world.ann.id) == PersonSettings()
    changed = await fill(world, world.ann, "settings", "quiet-hours", begin="22:30", until="7", zone="munich")
    assert "**✅ Quiet hours · saved**\n22:30 to 7:00, Europe/Berlin" in world.text(changed)
    asked = await form(world, world.ann, "settings", "quiet-hours")
    assert [standing(control(asked, name)) for name in ("from", "until", "zone")] == [["22:30"], ["7:00"], ["Europe/Berlin"]]
    assert "22:30 to 7:00, UTC+2" in world.text(await send(world, world.ann, asked, zone="UTC+2"))
    gone = await act(world, world.ann, "settings", "quiet-hours", "none")
    assert "**✅ Quiet hours · switched off**\nNone\n" in world.text(gone)
    assert "Switch off" not in [one.label for one in buttons(gone)]


async def test_all_faults_are_told_at_once_and_nothing_is_typed_twice(world: World) -> None:
    given: dict[str, Any] = {"begin": "25:99", "until": "10:30 pm", "zone": "Mars/Olympus"}
    refused = await fill(world, world.ann, "settings", "quiet-hours", **given)
    assert not unsaid(world.text(refused), "“25:99” isn’t a time.", "There’s no time zone “Mars/Olympus”.")
    asked = await world.ann.click(reply(refused), label="Try again")
    assert [standing(control(asked, name)) for name in ("from", "until", "zone")] == [[typed] for typed in given.values()]
    again = await send(world, world.ann, asked, begin="25:98", zone="Berlin")
    assert "“25:98” isn’t a time." in world.text(again)
    assert "Mars" not in world.text(again)
    asked = await world.ann.click(reply(again), label="Try again")
    assert [standing(control(asked, name)) for name in ("from", "until", "zone")] == [["25:98"], ["10:30 pm"], ["Berlin"]]
    saved = await send(world, world.ann, asked, begin="7 Uhr")
    assert "**✅ Quiet hours · saved**\n7:00 to 22:30, Europe/Berlin" in world.text(saved)
    assert "⚠️" not in world.text(saved)
    assert "Try again" not in [one.label for one in buttons(saved)]


async def test_an_ambiguous_time_zone_is_listed_beside_other_faults(world: World) -> None:
    refused = await fill(world, world.ann, "settings", "quiet-hours", begin="late", until="7", zone="USA")
    assert not unsaid(world.text(refused), "“late” isn’t a time.", "USA has several time zones. Which one? New York (UTC-")
    asked = await world.ann.click(reply(refused), label="Try again")
    shown = await world.ann.select(reply(await send(world, world.ann, asked, begin="22 Uhr")), ["America/Chicago"])
    assert "22:00 to 7:00, America/Chicago" in world.text(shown)


async def test_a_panel_drops_the_longest_entries_that_do_not_fit(world: World) -> None:
    refused = await fill(world, world.ann, "settings", "quiet-hours", begin="25:99", until="7 Uhr", zone="ä" * 100)
    assert "“25:99” isn’t a time." in world.text(refused)
    asked = await world.ann.click(reply(refused), label="Try again")
    assert [standing(control(asked, name)) for name in ("from", "until", "zone")] == [["25:99"], ["7 Uhr"], []]


async def test_entries_of_one_form_do_not_appear_in_another(world: World) -> None:
    refused = await fill(world, world.ann, "settings", "quiet-hours", begin="late", until="7", zone="UTC")
    asked = await world.ann.click(reply(refused), custom_id=_click_of(refused, "pictures"))
    changed = await send(world, world.ann, asked, high_contrast="high-contrast")
    assert "**✅ Boards and pictures · saved**" in world.text(changed)
    assert "late" not in world.text(changed)
    assert await own(world, world.ann.id) == PersonSettings(high_contrast=True)


def _click_of(shown: Any, section: str) -> str:
    """The custom_id of the button that opens a section’s form, also in a panel with a draft."""
    found = [one.custom_id for one in buttons(shown) if one.custom_id and one.custom_id.startswith("sb|settings-form|")]
    return next(one for one in found if section in one.rpartition("|")[2].split())


async def test_every_button_of_a_refused_panel_does_what_it_says(world: World) -> None:
    await fill(world, world.ann, "settings", "quiet-hours", begin="22:00", until="7:00", zone="UTC")
    refused = await fill(world, world.ann, "settings", "quiet-hours", begin="late")
    gone = await world.ann.click(reply(refused), label="Switch off")
    assert "**✅ Quiet hours · switched off**" in world.text(gone)
    assert "Try again" not in [one.label for one in buttons(gone)]


@pytest.mark.parametrize("end", ["22:30", "10.30 PM", "2230"])
async def test_empty_quiet_hours_are_refused(world: World, end: str) -> None:
    refused = await fill(world, world.ann, "settings", "quiet-hours", begin="22.30 Uhr", until=end, zone="Berlin")
    assert "Your quiet hours can’t begin and end at the same time" in world.text(refused)
    assert await own(world, world.ann.id) == PersonSettings()


async def test_a_blank_is_not_a_time_zone(world: World) -> None:
    asked = await fill(world, world.ann, "settings", "quiet-hours", begin="22", until="7", zone=" ")
    assert "A time zone is needed." in world.text(asked)
    assert await own(world, world.ann.id) == PersonSettings()
    assert "22:00 to 7:00, Europe/Berlin" in world.text(await world.ann.select(reply(asked), ["Europe/Berlin"]))


async def test_one_of_several_time_zones_is_picked_and_the_times_are_kept(world: World) -> None:
    asked = await fill(world, world.ann, "settings", "quiet-hours", begin="22:30", until="7", zone="USA")
    assert "USA has several time zones. Which one?" in world.text(asked)
    assert len(select(asked).options) == 25
    assert "Indiana: Tell City" in " ".join(select(asked).options)
    assert "_" not in "".join(select(asked).options)
    assert await own(world, world.ann.id) == PersonSettings(), "nothing is kept before it is clear"
    shown = await world.ann.select(reply(asked), ["America/Chicago"])
    assert "**✅ Quiet hours · saved**\n22:30 to 7:00, America/Chicago" in world.text(shown)
    near = await fill(world, world.ann, "settings", "quiet-hours", zone="Munhcen")
    assert "There’s no time zone “Munhcen”. Did you mean one of these?" in world.text(near)
    back = await world.ann.click(reply(near), label="Back to the settings")
    assert "22:30 to 7:00, America/Chicago" in world.text(back)


async def test_a_vacation_begins_with_a_number_of_days_and_ends_with_a_press(world: World) -> None:
    away = await go_away(world, world.ann, 3)
    assert "**✅ Vacation · your clocks are paused. Enjoy!**\nOn vacation until <t:" in world.text(away)
    assert "Go on vacation" not in [one.label for one in buttons(away)]
    stale = await forged_click(world, world.ann, away, form_click("settings", "vacation"))
    assert "### Your settings" in stale, "who is on vacation sees the panel instead of the form"
    back = await come_back(world, world.ann)
    assert "**✅ Vacation · welcome back! Your clocks are running again.**" in world.text(back)
    asked = await form(world, world.ann, "settings", "vacation")
    assert "You have 21 of 21 days left this year." in str(asked.modal), "none of the three was used up"
    assert "You can go on vacation again" in world.text(await go_away(world, world.ann, 2))


async def test_the_answer_is_in_the_chosen_language(world: World) -> None:
    german = world.text(await speak(world, world.ann, "de"))
    assert "### Deine Einstellungen" in german
    assert "**✅ Sprache · gespeichert**\nSprache privater Nachrichten: Deutsch" in german
    assert "**Ruhezeit**\nKeine" in german
    assert button(await open_panel(world, world.ann), "In Urlaub gehen")
    asked = await form(world, world.ann, "settings", "reminders")
    assert present(asked.modal)["title"] == "Erinnerungen"
    assert "Language of private messages: Same as Discord" in world.text(await speak(world, world.ann, "auto"))


async def test_a_form_changes_only_touched_fields(world: World) -> None:
    asked = await form(world, world.ann, "settings", "reminders")
    await remind(world, world.ann, half=False, where="direct")  # on another device, while the form is open
    await send(world, world.ann, asked, when=["remind_half", "remind_late", "remind_next"])
    assert await own(world, world.ann.id) == PersonSettings(remind_half=False, remind_next=True, notify="direct")
    asked = await form(world, world.ann, "settings", "quiet-hours")
    await fill(world, world.ann, "settings", "quiet-hours", begin="22:00", until="7:00", zone="Europe/Berlin")
    await act(world, world.ann, "settings", "quiet-hours", "none")
    late = await send(world, world.ann, asked, begin="21:00", until="6:00", zone="Europe/Berlin")
    assert "21:00 to 6:00, Europe/Berlin" in world.text(late)


async def test_half_of_the_quiet_hours_cannot_be_set(world: World) -> None:
    await fill(world, world.ann, "settings", "quiet-hours", begin="22:00", until="7:00", zone="UTC")
    asked = await form(world, world.ann, "settings", "quiet-hours")
    await act(world, world.ann, "settings", "quiet-hours", "none")
    refused = await send(world, world.ann, asked, begin="23:00")
    assert "Set both the beginning and the end of your quiet hours, or neither." in world.text(refused)
    assert (await own(world, world.ann.id)).quiet_from is None


def _without_fields(data: dict[str, Any]) -> None:
    data["components"] = data["components"][:1]


def _of(section: str) -> Any:
    def change(data: dict[str, Any]) -> None:
        data["custom_id"] = Click("settings-save", tokens=(section,)).custom_id

    return change


@pytest.mark.parametrize(
    ("section", "change", "words"),
    [
        ("reminders", value_at(0, ["remind_never"]), "There’s no “remind_never”. Pick from: When half your time is gone,"),
        ("reminders", value_at(1, "pigeon"), "There’s no “pigeon”. Pick from: A ping in the channel, A direct message."),
        ("pictures", value_at(0, "loud"), "There’s no “loud”."),
        ("language", value_at(0, "tlh"), "There’s no “tlh”. Pick from: Same as Discord, English"),
        ("vacation", value_at(0, ["400"]), "There’s no “400”."),
        ("vacation", value_at(0, []), "Pick how many days you’ll be away."),
        ("vacation", value_at(0, ["1", "2"]), "Pick one of: 1 day"),
        ("quiet-hours", value_at(0, "2" * 99), "is too long. At most 20 characters fit."),
        ("quiet-hours", value_at(2, "x" * 4000), "is too long. At most 100 characters fit."),
        ("reminders", _without_fields, "This form is too old for me."),
        ("reminders", _of("language"), "This form is too old for me."),
        ("reminders", _of("data"), "This form is too old for me."),
        ("reminders", _of("nonsense"), "This form is too old for me."),
    ],
)
async def test_forged_values_are_refused(world: World, section: str, change: Any, words: str) -> None:
    asked = await form(world, world.ann, "settings", section)
    assert words in await forged_form(world, world.ann, asked, change)
    assert await own(world, world.ann.id) == PersonSettings()


@pytest.mark.parametrize(
    "custom_id",
    [
        form_click("settings", "nonsense"), form_click("settings", "data"), action_click("settings", "data", "nonsense"),
        Click("settings-zone", tokens=("quiet-hours",)).custom_id,
        Click("settings-zone", tokens=("quiet-hours", "-", "UTC")).custom_id,
        Click("settings-zone", tokens=("reminders", "-", "UTC")).custom_id, Click("settings-form").custom_id,
    ],
)  # fmt: skip
async def test_forged_clicks_are_refused(world: World, custom_id: str) -> None:
    shown = await open_panel(world, world.ann)
    assert "too old for me" in await forged_click(world, world.ann, shown, custom_id)
    assert await own(world, world.ann.id) == PersonSettings()


async def test_a_forged_time_zone_is_read_as_if_it_were_typed(world: World) -> None:
    asked = await fill(world, world.ann, "settings", "quiet-hours", begin="99:99", until="7:00", zone="USA")
    asked = await send(world, world.ann, await world.ann.click(reply(asked), label="Try again"), begin="22:00")
    click = str(select(asked).custom_id)
    assert "There’s no time zone" in await forged_click(world, world.ann, asked, click, "Mars/Olympus")
    assert "too old for me" in await forged_click(world, world.ann, await open_panel(world, world.ann), click, "UTC")
    assert "too old for me" in await forged_click(world, world.ann, asked, click, "UTC", "Europe/Berlin")
    assert await own(world, world.ann.id) == PersonSettings()


@pytest.mark.parametrize("code", sorted(languages()))
def test_no_form_text_is_cut_in_any_language(code: str) -> None:
    speak_in = language_of(code)
    fields = [
        setting.field
        for panel in (own_panel.PANEL, server_panel.PANEL)
        for section in panel.sections
        for setting in section.settings
    ]
    assert len(fields) > 20
    assert [one.label for one in fields if len(speak_in(one.label)) > TITLE_LIMIT] == []
    assert [one.about for one in fields if one.about is not None and len(speak_in(one.about)) > ABOUT_LIMIT] == []
    words = [one for field in fields if isinstance(field, OneOf | SomeOf) for one in field.options.values()]
    assert [one for one in words if len(speak_in(one)) > OPTION_LIMIT] == []
    titles = [section.title for panel in (own_panel.PANEL, server_panel.PANEL) for section in panel.sections]
    assert [one for one in titles if len(speak_in(one)) > TITLE_LIMIT] == []


async def test_a_panel_fits_into_a_message_in_every_language(world: World) -> None:
    await fill(world, world.ann, "settings", "quiet-hours", begin="22:30", until="7", zone="Europe/Berlin")
    for language in ("de", "en"):
        shown = await speak(world, world.ann, language)
        assert_fits(shown)


async def test_a_heads_up_is_silent(world: World) -> None:
    for member, where in ((world.cleo, "channel"), (world.ann, "direct")):
        assert "Quiet heads-up when you’re next: On" in world.text(await remind(world, member, coming=True, where=where))
    table = await open_table(world, "trampoline", world.ann, world.ben, world.cleo, seats=3)
    await world.ann.click(table.board(), label="Roll 3 dice")
    said = world.last()
    assert f"<@{world.cleo.id}>, you’re next in **BOUNCE #1**, after" in world.text(said)
    assert said.flags.suppress_notifications
    await world.ben.click(table.board(), label="Roll 3 dice")
    assert ["you’re next in **BOUNCE #1**" in told for told in world.direct_messages(world.ann)] == [True]


@pytest.mark.slow
async def test_forgetting_shows_in_games(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await open_table(world, "trampoline", world.ben, world.cleo, seats=3)
    await world.cleo.slash(world.channel, "watch", game="1", what="turn")
    asked = await act(world, world.ben, "settings", "data", "forget")
    assert "### Your settings" in world.text(await world.ben.click(reply(asked), label="Back to the settings"))
    assert not await table.over()
    asked = await act(world, world.ben, "settings", "data", "forget")
    assert "I’ve forgotten everything about you" in world.text(await world.ben.click(reply(asked), label="Forget me"))
    ended = [message for message in world.messages() if "Rematch" in {one.label for one in buttons(message)}]
    assert len(ended) == 1
    assert "Former player" in world.text(ended[0])
    assert "Ben" not in world.text(ended[0])
    await world.restart()
    kept = (world.folder / "springboard.sqlite3").read_bytes()
    assert world.ann.id.to_bytes(8) in kept
    assert str(world.ben.id).encode() not in kept
    assert world.ben.id.to_bytes(8) not in kept
    assert "You’re in! Table #3." in world.text(await world.ann.click(ended[0], label="Rematch"))
    assert "one seat open" in world.text(world.last())
    assert f"Bouncers #1 is over. Former player resigned. Ann wins! <@{world.cleo.id}>" in world.text(world.messages()[-2])


async def test_an_earlier_versions_forget_button_still_works(world: World) -> None:
    await switch(world, world.ann, preview=False)
    shown = await open_panel(world, world.ann)
    assert "I’ve forgotten everything about you" in await forged_click(world, world.ann, shown, "sb|forget-me|0|0|0|")
    assert await own(world, world.ann.id) == PersonSettings()
