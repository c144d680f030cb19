"""In another language no English is left, neither in messages nor in pictures."""

import random
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.core.people import Users
from bot.core.pings import WINDOW
from bot.core.table import computer_players
from bot.features.help.topics import TOPICS
from bot.features.lessons.courses import COURSES
from bot.features.lessons.courses.lesson import END, choices, scenery
from bot.i18n.language import languages
from bot.messages.click import Click
from bot.messages.former_commands import FORMER
from engines import GAMES
from engines.game import Orders
from renderers import draw, lettering
from renderers.scene import Scene
from tests.bot.forging import forged
from tests.bot.i18n.speaking import clicks, press, said, seated, the_server_speaks
from tests.bot.kit import World, reply, selects
from tests.bot.pseudo import PSEUDO, Pseudo, leftovers
from tests.bot.seated import Seated, core_of, small_table
from tests.bot.settings_panels import act, fill, forged_click
from tests.bot.ways import by_way
from tests.engines.contract_games import Case, every_case, played

pytestmark = pytest.mark.slow
NAMES = ("Ann", "Ben", "Cleo", "Bounce Club", "English", "Deutsch", "Esperanto", "Europe/Berlin")


def untranslated(world: World, *same: str) -> dict[str, list[str]]:
    """Texts with English left in them, and the English found."""
    found = {text: leftovers(text, (*NAMES, *same)) for text in said(world)}
    return {text: words for text, words in found.items() if words}


@pytest.fixture
def disguised(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**languages(), PSEUDO.code: PSEUDO}
    monkeypatch.setattr("bot.i18n.language.languages", lambda: known)


async def test_english_that_is_left_is_found(world: World) -> None:
    await seated(world, "bouncers")
    assert any("pieces" in words for words in untranslated(world).values())


async def everybody_disguised(world: World) -> None:
    await the_server_speaks(world, PSEUDO.code)
    for member in (world.ann, world.ben, world.cleo):
        await core_of(world).service(Users).change(member.id, language=PSEUDO.code)


async def play_in_panel(table: Seated, member: MemberActor, dice: random.Random) -> None:
    """Open the panel and press anything in it until something is played, if it leads there."""
    version = (await table.snapshot()).table.version
    opens = {click.verb for click in clicks(table.board()).values()}
    panel = await press(member, table.board(), "move" if "move" in opens else "act")
    for _ in range(20):
        if (await table.snapshot()).table.version != version or panel.response is None:
            return
        if menus := selects(panel):
            await member.select(reply(panel), [dice.choice(list(menus[0].options.values()))], custom_id=menus[0].custom_id)
        elif pressed := list(clicks(panel)):
            await member.click(reply(panel), custom_id=dice.choice(pressed))


@pytest.mark.usefixtures("disguised")
@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_played_without_a_word_of_english(world: World, game: str) -> None:
    await everybody_disguised(world)
    dice = random.Random(game)
    table = await seated(world, game, **small_table(game))
    words: set[str] = set()
    for turn in range(8):
        if await table.over():
            break
        member = (await table.awaited())[0]
        action = await table.random_action(member)
        for length in range(len(action)):
            words |= {choice.token for choice in await table.choices(member, action[:length])}
        await member.autocomplete(table.channel, "move", "action", " ".join(action[: turn % 2]))
        if turn % 2:
            await table.type(member, action)
        else:
            await play_in_panel(table, member, dice)
    for member in (world.ann, world.cleo):
        await press(member, reply(await press(member, world.last(), "more")), "words")
        await member.slash(table.channel, "board", game=str(table.table_id))
        await by_way(member, table.channel, "hand", game=str(table.table_id))
    for member in (world.ann, world.ben):  # an error names what is possible instead, in the words of the game's notation
        words |= {choice.token for choice in await table.choices(member, ())}
    await world.ann.slash(table.channel, "move", action="what ever")
    await world.ben.slash(table.channel, "move", action="what ever")
    assert len(list(said(world))) > 100
    assert untranslated(world, *words, "what", "ever") == {}


@pytest.mark.usefixtures("disguised")
async def test_computers_play_without_a_word_of_english(world: World) -> None:
    await everybody_disguised(world)
    ann, ben = world.ann, world.ben
    await press(ann, reply(await ann.slash(world.channel, "help")), "practise")
    await press(ann, reply(await ann.slash(world.channel, "rules", game="bunny")), "practise")
    lobby = reply(await ann.slash(world.channel, "open", game="trampoline", seats=3))
    panel = await press(ann, lobby, "computers")
    await press(ann, reply(panel), "add-computer")
    await press(ann, reply(panel), "remove-computer")
    refused = await press(ben, lobby, "computers")
    await press(ben, reply(refused), "add-computer")
    for level in ("hard", "expert"):
        await ann.slash(world.channel, "open", game="bouncers", computer=level)
        table = Seated(world, (await core_of(world).tables(guild_id=world.guild.id))[0].id, [ann], world.channel)
        game = str(table.table_id)
        await by_way(ann, world.channel, "draw", game=game)
        await world.pass_time(6)
        await table.type(ann, await table.random_action(ann))
        await by_way(ann, world.channel, "nudge", game=game)
        await ann.slash(world.channel, "board", game=game)
        await ann.slash(world.channel, "games")
        await world.pass_time(6)
        await by_way(ann, world.channel, "undo", game=game)
    await ann.slash(world.channel, "open", game="bouncers", computer="easy", seats=1)
    left = await seated(world, "trampoline", seats=3)
    game = str(left.table_id)
    await press(world.cleo, world.last(), "join")
    await press(ben, reply(await by_way(ben, world.channel, "resign", game=game)), "resign-yes")
    for wrong in ({"computer": "easy"}, {"newcomer": world.join("Dev")}):
        await by_way(ann, world.channel, "substitute", game=game, **wrong)
    await by_way(ann, world.channel, "substitute", game=game, leaver=ben, computer="easy")
    assert len(list(said(world))) > 100
    assert untranslated(world, *computer_players.NAMES, "Dev", *"abcdefgh") == {}


@pytest.mark.usefixtures("disguised")
@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if isinstance(game, Orders)])
async def test_orders_are_given_without_a_word_of_english(world: World, game: str) -> None:
    await everybody_disguised(world)
    dice = random.Random(3)
    table = await seated(world, game, **small_table(game))
    panel = await by_way(world.ben, table.channel, "plan")
    for turn in range(60):
        menus, pressed = selects(panel), list(clicks(panel))
        if menus and turn % 3 == 0:
            await world.ben.select(reply(panel), [dice.choice(list(menus[0].options.values()))], custom_id=menus[0].custom_id)
        else:
            await world.ben.click(reply(panel), custom_id=dice.choice(pressed))
    await by_way(world.ben, table.channel, "hand")
    snapshot = await table.snapshot()
    assert snapshot.plan_of(snapshot.own_seat(world.ben.id)).revision > 3, "orders were given and removed"
    assert untranslated(world) == {}


@pytest.mark.usefixtures("disguised")
async def test_everything_about_a_table_is_said_without_a_word_of_english(world: World) -> None:
    await everybody_disguised(world)
    ann, ben, cleo, here = world.ann, world.ben, world.cleo, world.channel
    panel = await ann.slash(here, "play", game="pucks")
    await press(ann, reply(panel), "setup-rules")
    await press(ann, reply(panel), "setup-back")
    for about in ("draw", "rank", "xyz"):
        await ann.slash(here, "help", about=about)
    await ann.slash(here, "open", game="bouncers", opponent=ben, private=True)
    await press(cleo, world.messages()[0], "accept")
    await press(ben, world.messages()[0], "decline")
    await press(ann, world.messages()[0], "leave")
    for wrong in ({"seats": 5}, {"variant": "9x9"}, {"options": "colour:red"}, {"opponent": ann}):
        await ann.slash(here, "open", **({"game": "bouncers"} | wrong))
    table = await seated(world, "bouncers", clock="1d", thread=True)
    here = table.channel
    for member in (ann, cleo):
        for command in ("games", "draw", "undo", "nudge", "watch", "hand", "resign", "board", "verify", "rematch", "stats"):
            await by_way(member, here, command)
    await cleo.slash(here, "watch", what="turn")
    await ann.slash(here, "move", action="b2 b3")
    await press(cleo, table.board(), "more")
    await press(ann, table.board(), "more")
    await by_way(ann, here, "undo")
    await press(ben, world.last(here), "undo-no")
    await world.pass_time(WINDOW)  # nobody is called too often
    await by_way(ann, here, "undo")
    await press(ben, world.last(here), "undo-yes")
    await by_way(ann, here, "substitute", newcomer=cleo)
    await press(cleo, world.last(here), "substitute-no")
    await by_way(ann, here, "call-off")
    await press(ann, world.last(here), "call_off-yes")
    await press(ben, world.last(here), "call_off-no")
    await world.pass_time(13 * 3600)
    await by_way(ben, here, "nudge")
    await world.pass_time(13 * 3600)
    await ann.slash(here, "open", game="bouncers")
    await cleo.slash(world.channel, "replay", game=str(table.table_id))
    await by_way(cleo, world.channel, "verify", game=str(table.table_id))
    await by_way(ann, here, "rematch", game=str(table.table_id))
    await ben.slash(world.channel, "games")
    assert len(list(said(world))) > 100
    # "min" is a symbol like "h" and "d", and the same in every language.
    assert untranslated(world, "colour", "red", "9x9", "min", "draw", "rank", "xyz", *FORMER, *TOPICS) == {}


@pytest.mark.usefixtures("disguised")
async def test_settings_rules_and_records_are_shown_without_a_word_of_english(world: World) -> None:
    await everybody_disguised(world)
    ann, ben, here = world.ann, world.ben, world.channel
    keeper = world.guild.add_member(
        world.env.create_user("keeper"), roles=[world.guild.create_role("keepers", permissions=discord.Permissions(32))]
    )
    await core_of(world).service(Users).change(keeper.id, language=PSEUDO.code)
    await ann.slash(here, "help")
    for game in GAMES:
        await ann.slash(here, "rules", game=game)
    section: str
    options: dict[str, Any]
    for section, options in (
        ("reminders", {"when": [], "notify": "direct"}),
        ("quiet-hours", {"begin": "22:30", "until": "7", "zone": "Europe/Berlin"}),
        ("quiet-hours", {"begin": "soon", "until": "later"}),
        ("quiet-hours", {"zone": "Indonesia"}),
        ("quiet-hours", {"zone": "Munhcen"}),
        ("pictures", {"high_contrast": "high-contrast", "boards": []}),
        ("pictures", {}),
        ("vacation", {"days": "2"}),
    ):
        await fill(world, ann, "settings", section, **options)
    await act(world, ann, "settings", "vacation", "end")
    await fill(world, ann, "settings", "vacation", days="3")
    for name, action in (("quiet-hours", "none"), ("data", "export"), ("data", "forget")):
        await act(world, ann, "settings", name, action)
    for section, options in (
        ("new-tables", {"threads": "yes", "clock": "259200", "most_tables": 3, "absent": "computer", "old_boards": "keep"}),
        ("new-tables", {"threads": "no", "most_tables": "0"}),
        ("channels", {"channels": [here]}),
        ("daily", {"channel": here, "zone": "soon"}),
        ("daily", {"channel": here, "zone": "Munhcen"}),
        ("daily", {"channel": here, "zone": "Europe/Berlin"}),
        ("today", {"channel": here, "day": 2, "zone": "Europe/Berlin"}),
        ("today", {"channel": here, "day": -1, "hour": 8}),
        ("matching", {"channel": here}),
    ):
        await fill(world, keeper, "server-settings", section, **options)
    await act(world, keeper, "server-settings", "daily", "off")
    for _ in range(5):
        table = await seated(world, "bouncers")
        asked = await by_way(ben, here, "resign", game=str(table.table_id))
        await press(ben, reply(asked), "resign-yes")
    await by_way(ann, here, "leaderboard", game="bunny")
    await by_way(ann, here, "leaderboard", game="bouncers")
    await ann.slash(here, "stats")
    await by_way(ann, here, "today")
    await world.pass_time(86460)
    await act(world, keeper, "server-settings", "tables", "pick")
    last = str((await seated(world, "trampoline")).table_id)
    shown = await act(world, keeper, "server-settings", "tables", "pick")
    for verb, *tokens in (
        ("server-table", last),
        ("server-remove", last, str(ann.id)),
        ("server-remove-yes", last, str(ann.id)),
        ("server-close", last),
        ("server-close-yes", last),
        ("server-close-yes", "3"),
        ("server-close-yes", "99"),
    ):
        await forged_click(world, keeper, shown, Click(verb, tokens=tuple(tokens)).custom_id)
    assert len(list(said(world))) > 60
    assert untranslated(world, "keeper", "soon", "later", "Indonesia", "München", "Munhcen", "Berlin", "UTC") == {}


@pytest.mark.usefixtures("disguised")
@pytest.mark.parametrize("game", COURSES)
async def test_lessons_are_told_without_a_word_of_english(world: World, game: str) -> None:
    await everybody_disguised(world)
    course = COURSES[game]
    panel = reply(await by_way(world.ann, world.channel, "learn", game=game))
    words: set[str] = set()
    for lesson in course.lessons:
        state = scenery(course.game, lesson).state
        for length in range(len(lesson.way)):
            words |= {choice.token for choice in choices(course.game, lesson, state, lesson.way[:length])}
            await forged(world.ann, panel, Click("learn-pick", tokens=(game, lesson.name, "1", *lesson.way[:length])))
        wrong = next((choice for choice in choices(course.game, lesson, state, ()) if choice.token != lesson.way[0]), None)
        if wrong is not None:
            await forged(world.ann, panel, Click("learn-pick", tokens=(game, lesson.name, "1", wrong.token)))
        await forged(world.ann, panel, Click("learn-act", tokens=(game, lesson.name, "0", *lesson.way)))
    await forged(world.ann, panel, Click("learn", tokens=(game, END)))
    await by_way(world.ann, world.channel, "learn", game=game)
    assert len(list(said(world))) > 100
    assert untranslated(world, *words) == {}


@every_case
def test_nothing_is_written_in_a_picture_that_is_english_for_every_reader(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out, written = lettering._laid_out, []

    def noted(text: str, *how: Any) -> Any:
        written.append(text)
        return lay_out(text, *how)

    monkeypatch.setattr(lettering, "_laid_out", noted)
    # A language of its own for each case: what was drawn for another one is kept, and would not be drawn again.
    words = Pseudo()
    same: set[str] = set()
    for turn in played(case).some_turns(4):
        offered = tuple(case.game.choices(turn.before, turn.seat))
        view = case.game.view(turn.before, turn.seat)
        draw(case.game_id, view, Scene(names=("",) * case.seats, events=turn.step.events, options=offered, translate=words))
        same |= {choice.token for choice in offered}
        draw(
            case.game_id,
            case.game.view(turn.step.state),
            Scene(names=("Ann",) * case.seats, events=turn.step.events, translate=words),
        )
        assert [text for text in written if leftovers(text, ("Ann", *same))] == []
    assert written
