"""Lessons in Discord, with the panel that every game has."""

import pytest

from bot.core.people import Users
from bot.features.lessons.courses import COURSES
from bot.features.lessons.service import Lessons
from bot.i18n.language import languages
from bot.messages.click import Click
from storage.schema.records import Level, Status
from tests.bot.forging import forged
from tests.bot.kit import Message, World, button, buttons, labels, press, reply, texts
from tests.bot.seated import core_of
from tests.bot.settings_panels import act, fill
from tests.bot.ways import by_way
from tests.marks import quick_first

BOUNCERS = COURSES["bouncers"].lessons
TACTICS = ["Step 13: Come what may", "Step 14: Bump yourself"]


def verbs(message: Message) -> list[str]:
    """The verbs of a message's buttons."""
    read = [Click.read(one.custom_id or "") for one in buttons(message)]
    return [click.verb for click in read if click is not None]


async def test_the_first_lesson_is_shown_privately(world: World) -> None:
    shown = await by_way(world.ann, world.channel, "learn", game="bouncers")
    assert reply(shown).ephemeral
    assert "Learn Bouncers: step 1 of" in world.text(shown)
    assert BOUNCERS[0].task in world.text(shown)
    assert world.picture(shown).image.width == 1024
    assert "3 pieces on c3, c4, g5" in world.picture(shown).alt
    assert world.messages() == []


async def test_an_action_picked_in_the_panel_is_judged_and_the_next_step_follows(world: World) -> None:
    shown = await by_way(world.ann, world.channel, "learn", game="bouncers")
    panel = reply(shown)
    await world.ann.click(panel, label="c4")
    assert "c4 → c5?" in world.text(panel)
    await world.ann.click(panel, label="Play")
    assert "✅" in world.text(panel)
    assert BOUNCERS[0].well in world.text(panel)
    await world.ann.click(panel, label="Next step")
    assert BOUNCERS[1].task in world.text(panel)


async def test_a_wrong_try_is_explained_and_the_second_one_told_what_is_right(world: World) -> None:
    panel = reply(await by_way(world.ann, world.channel, "learn", game="bouncers"))
    await world.ann.click(panel, label="g5")
    assert "g5 has nothing to bounce off." in world.text(panel)
    assert "Try this" not in world.text(panel)
    heading, _, said, task = texts(panel)
    assert (heading[:2], said[:1]) == ("-#", "✋"), "what was wrong stands below the picture, where the buttons are"
    assert BOUNCERS[0].task in task
    await world.ann.click(panel, label="c3")
    assert "Try this: **c4 → c5**" in world.text(panel)


async def test_a_wrong_try_is_said_to_be_taken_back(world: World) -> None:
    panel = reply(await by_way(world.ann, world.channel, "learn", game="bunny"))
    await world.ann.click(panel, label="a1")
    hint = COURSES["bunny"].lessons[0].hint
    assert f"🤔 Not quite, so I’ve taken it back. {hint}" in world.text(panel)
    assert "Red: Bunny off the field" in world.picture(panel).alt


async def test_a_pick_can_be_taken_back(world: World) -> None:
    panel = reply(await by_way(world.ann, world.channel, "learn", game="bouncers"))
    assert "Back" not in labels(panel)
    for _ in range(5):
        await world.ann.click(panel, label="Skip this step")
    await press(world.ann, panel, "b2", "b3", "Back", "Back")
    assert BOUNCERS[5].text.partition("\n")[0] in world.text(panel)


async def test_progress_is_kept_over_a_restart_and_steps_can_be_skipped_and_gone_back_to(world: World) -> None:
    panel = reply(await by_way(world.ann, world.channel, "learn", game="bouncers"))
    await world.ann.click(panel, label="Skip this step")
    assert BOUNCERS[1].task in world.text(panel)
    await world.ann.click(panel, label="d3")
    await world.restart()
    await press(world.ann, panel, "c4", "Play")
    assert "✅" in world.text(panel)
    shown = await by_way(world.ann, world.channel, "learn", game="bouncers")
    world.says(shown, "step 3 of", "○●◉")
    await world.ann.click(reply(shown), label="Previous step")
    assert BOUNCERS[1].task in world.text(shown)
    await world.ann.click(reply(shown), label="Start over")
    assert "step 1 of" in world.text(shown)
    shown = await by_way(world.ann, world.channel, "learn", game="bouncers")
    assert "◉○○" in world.text(shown)
    assert "step 1 of" in world.text(await by_way(world.ben, world.channel, "learn", game="bouncers"))


async def test_the_end_names_what_was_skipped_and_opens_a_table_to_practise_at(world: World) -> None:
    panel = reply(await by_way(world.ann, world.channel, "learn", game="bouncers"))
    await press(world.ann, panel, "c4", "Play", "Next step")
    for _ in BOUNCERS[1:]:
        await world.ann.click(panel, label="Skip this step")
    assert "The steps you haven’t done yet are below" in world.text(panel)
    assert verbs(panel).count("learn") == len(BOUNCERS) - 1
    practise = Click.read(button(panel, "Play against the computer").custom_id or "")
    assert practise == Click("practise", tokens=("bouncers", "easy"))
    shown = await by_way(world.ann, world.channel, "learn", game="bouncers")
    assert "🎓" in world.text(shown)


async def test_new_steps_are_open_to_people_who_had_finished(world: World) -> None:
    lessons = core_of(world).service(Lessons)
    for name in ("enter", "edge", "gap", "cards", "chain", "loop", "spy", "swap", "shock"):
        await lessons.note(world.ann.id, "bunny", "end", name)
    shown = await by_way(world.ann, world.channel, "learn", game="bunny")
    assert "That was Bounce Bunny Bounce. The steps you haven’t done yet are below." in world.text(shown)
    added = [label for one in buttons(reply(shown)) if (label := one.label or "").startswith("Step ")]
    assert added == ["Step 2: Hop", "Step 5: Shock cards", "Step 6: Bumps", "Step 12: The Bonus Shock", *TACTICS]


async def test_people_at_a_removed_step_go_on_with_the_first_unsolved_one(world: World) -> None:
    for name, following in (("enter", "edge"), ("edge", "gap"), ("gap", "cards")):
        await core_of(world).service(Lessons).note(world.ann.id, "bunny", following, name)
    shown = await by_way(world.ann, world.channel, "learn", game="bunny")
    world.says(shown, "step 2 of", "●◉●●○")


@pytest.mark.parametrize("game", quick_first(1, COURSES))
async def test_the_last_step_opens_a_table_against_the_easy_computer(world: World, game: str) -> None:
    panel = reply(await by_way(world.ann, world.channel, "learn", game=game))
    for _ in COURSES[game].lessons:
        await world.ann.click(panel, label="Skip this step")
    await world.ann.click(panel, label="Play against the computer")
    (table,) = await core_of(world).tables(guild_id=world.guild.id)
    snapshot = await core_of(world).snapshot(table.id)
    assert (table.game, table.status) == (game, Status.PLAYING)
    assert [player.computer for player in snapshot.players] == [None, Level.EASY]


async def test_forgetting_somebody_forgets_their_progress(world: World) -> None:
    panel = reply(await by_way(world.ann, world.channel, "learn", game="bouncers"))
    await world.ann.click(panel, label="Skip this step")
    await fill(world, world.ann, "settings", "pictures", high_contrast="high-contrast")
    assert (await core_of(world).service(Users).settings(world.ann.id)).learning["bouncers"].at == BOUNCERS[1].name
    asked = await act(world, world.ann, "settings", "data", "forget")
    await world.ann.click(reply(asked), label="Forget me")
    assert (await core_of(world).service(Users).settings(world.ann.id)).learning == {}


async def test_lessons_are_offered_by_the_help_and_on_the_rules_pages(world: World) -> None:
    for shown in (await world.ann.slash(world.channel, "help"), await world.ann.slash(world.channel, "rules", game="bouncers")):
        await world.ann.click(reply(shown), label="Learn Bouncers")
        assert "step 1 of" in world.text(shown)


async def test_buttons_of_removed_lessons_lead_to_existing_ones(world: World) -> None:
    message = reply(await by_way(world.ann, world.channel, "learn", game="bouncers"))
    for tokens in ("cartwheel 0 c2", "bounce 0", "bounce 0 z9", "bounce 0 c4"):
        for verb in ("learn-act", "learn-pick"):
            shown = await forged(world.ann, message, Click(verb, tokens=("bouncers", *tokens.split())))
            assert "step 1 of" in world.text(shown)


async def test_a_game_without_lessons_is_answered_with_the_games_that_have_them(world: World) -> None:
    message = reply(await by_way(world.ann, world.channel, "learn", game="bouncers"))
    for verb in ("learn", "learn-pick", "learn-act", "learn-skip", "learn-anew"):
        lesson = () if verb in {"learn", "learn-anew"} else ("castle", "0")
        answer = await forged(world.ann, message, Click(verb, tokens=("chess", *lesson)))
        assert "There are no lessons for “chess”." in world.text(answer)


@pytest.mark.parametrize("code", [code for code in languages() if code != "en"])
async def test_lessons_are_told_in_the_language_of_the_learner(world: World, code: str) -> None:
    await core_of(world).service(Users).change(world.ann.id, language=code)
    shown = await by_way(world.ann, world.channel, "learn", game="bouncers")
    assert languages()[code](BOUNCERS[0].task) in world.text(shown)
