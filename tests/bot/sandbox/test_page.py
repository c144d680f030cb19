"""The sandbox page in a browser."""

import re

import pytest
from playwright.async_api import Page, expect

from renderers.profile import AVATAR_SIDE
from tests.bot.sandbox.browser import Window

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


async def test_two_people_play_some_turns_in_the_page(sandbox: str, page: Page) -> None:
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)

    await ann.type("play", game="bouncers", opponent="Ben")
    await ben.press("Accept")
    await ann.sees_a_board_with("It’s Ann’s turn")

    await ann.play("c2", "c3", "Play")
    await ben.sees_a_board_with("It’s Ben’s turn")
    await ann.sees_a_board_with("c3")
    await expect(ann.newest.locator("img.custom-emoji").first).to_have_js_property("naturalWidth", 128)
    await expect(ann.frame.locator(".emoji-unavailable")).to_have_count(0)

    await ben.type("move", action="d7 d6")
    await ann.sees_a_board_with("It’s Ann’s turn")
    await ben.sees_a_board_with("d6")

    await ben.play()
    await expect(ben.newest).to_contain_text("Only you can see this")
    await expect(ann.frame.get_by_text("Only you can see this")).to_have_count(2)  # her panel, and the question about threads

    await page.get_by_role("button", name="1 h").click()
    await expect(ann.frame.get_by_text(re.compile(r"up in 23 hours")).last).to_be_visible()

    await page.locator(".who").nth(1).select_option(label="Cleo")
    await page.locator(".where").nth(1).select_option(label="# attic")
    await expect(ben.frame.locator("#channel-name")).to_have_text("attic")
    assert trouble == []


async def test_a_whole_game_is_played_in_the_page_to_its_end_and_looked_back_on(sandbox: str, page: Page) -> None:
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)
    await ann.type("open", game="bouncers", variant="8x8-12-terminal", opponent="Ben")
    await ben.press("Accept")
    await ann.sees_a_board_with("It’s Ann’s turn")
    await ann.type("move", action="a1 a2 b3 b4 a5")
    await ben.sees_a_board_with("It’s Ben’s turn")
    await ben.play("f8", "Play")  # with only one way to go, it goes by itself
    await ann.sees_a_board_with("It’s Ann’s turn")
    await ann.play("a3", "Play")
    await ben.sees_a_board_with("It’s Ben’s turn")
    await ben.type("move", action="h8 h7 g6 h5 g4")
    await ann.sees_a_board_with("It’s Ann’s turn")
    await ann.type("move", action="g3 f4 g5 g6 h6 g7 h8")
    for window in (ann, ben):
        await expect(window.frame.get_by_text("Ann wins!").last).to_be_visible()
    await ben.press("More")
    await ben.press("Verify")
    await expect(ben.frame.get_by_text("It all checks out.").last).to_be_visible()
    await ben.press("Rematch")
    await expect(ann.frame.get_by_text("Bouncers #2").last).to_be_visible()


async def test_a_thread_appears_by_itself_and_can_be_opened(sandbox: str, page: Page) -> None:
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)
    await ann.type("open", game="bouncers", opponent="Ben", thread="True")
    await ben.press("Accept")
    thread = page.locator(".place.thread")
    await expect(thread).to_have_class(re.compile("unread"))
    await thread.click()
    await expect(thread).not_to_have_class(re.compile("unread"))
    await page.reload()
    await expect(page.locator(".place.thread.shown")).to_have_count(1)


async def test_a_panel_shows_what_was_chosen_whatever_menus_come_between(sandbox: str, page: Page) -> None:
    await page.goto(sandbox)
    ann = Window(page, 0)
    await ann.type("play")
    await ann.choose("Computers", "One computer (easy)")
    await ann.choose("Which game?", "Puck Bumpers")  # with a menu of variants and one of seats
    await ann.choose("Which game?", "Bouncers")  # with one of variants alone
    await ann.choose("Invite people (otherwise anyone can join)", "Cleo")
    await expect(ann.menu("Invite people (otherwise anyone can join)")).to_contain_text("Cleo")
    await expect(ann.menu("Computers")).to_have_text("One computer (easy)")
    await expect(ann.menu("Time for a turn")).to_have_text("1 day a turn")
    await expect(ann.menu("Variant")).to_contain_text("Variant: ")
    await expect(ann.menu("Which game?")).to_have_text("Bouncers")
    await expect(ann.newest).not_to_contain_text("none")
    await ann.choose("Computers", "No computers")
    await ann.press("Open the table")
    await expect(ann.frame.get_by_text("Cleo is invited").last).to_be_visible()


WATCH = """() => {
  [window.bare, window.pale, window.pictured, window.without, window.copies] = [[], [], new Set(), new Set(), 0];
  const create = document.createElement;
  document.createElement = (name, ...rest) => {
    window.copies += name === "canvas";
    return create.call(document, name, ...rest);
  };
  const look = () => {
    for (const image of document.querySelectorAll("article.channel-message img.gallery-image")) {
      if (image.checkVisibility() && !image.naturalWidth) window.bare.push(image.alt);
    }
    for (const trigger of document.querySelectorAll("article.channel-message .media-lightbox-trigger")) {
      if (getComputedStyle(trigger).opacity !== "1") window.pale.push(trigger.disabled);
    }
    for (const message of document.querySelectorAll("article.channel-message")) {
      const pictures = message.querySelectorAll(".stand-in, img.gallery-image").length;
      const id = message.dataset.messageId;
      if (message.checkVisibility() && window.pictured.has(id) && !pictures) window.without.add(id);
      if (pictures && window.without.delete(id)) window.bare.push("gone for a while");
      if (pictures) window.pictured.add(id);
    }
    requestAnimationFrame(look);
  };
  look();
}"""
"""Records, frame by frame, pictures that are shown before they are read, are pale, or disappear for a while; and counts
copies."""


async def test_a_message_comes_with_its_picture_and_never_shows_a_gap_in_its_place(sandbox: str, page: Page) -> None:
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)
    await expect(ann.frame.get_by_role("heading", name="Welcome to the Bounce Club")).to_be_visible()
    views = [frame for frame in page.frames if "/view" in frame.url]
    assert len(views) == 2
    for view in views:
        await view.evaluate(WATCH)
    await ann.type("play", game="bouncers", opponent="Ben")
    await ben.press("Accept")
    await ann.sees_a_board_with("It’s Ann’s turn")
    await ann.play("c2", "c3")
    await ann.type("move", action="c2 c3")
    await ben.sees_a_board_with("It’s Ben’s turn")
    for view in views:
        assert await view.evaluate("window.pictured.size") > 0
        assert await view.evaluate("window.bare") == []
        assert await view.evaluate("window.pale") == [], "the picture before stays as it is until the next one is there"
        assert await view.evaluate("window.copies") == 0, "each would take the memory of all its pixels"


TIME_FLIES_OVER_A_BUTTON = """() => {
    const behind = document.getElementById("behind");
    behind.textContent = "time is flying…";
    const note = behind.getBoundingClientRect();
    return [...document.querySelectorAll(".skips button")].some((button) => {
        const box = button.getBoundingClientRect();
        return box.left < note.right && note.left < box.right && box.top < note.bottom && note.top < box.bottom;
    });
}"""
"""Whether the notice of skipped time covers a button that skips it."""


async def test_on_a_phone_one_window_fills_the_screen_and_the_tabs_change_it(sandbox: str, page: Page) -> None:
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)
    await expect(ann.frame.get_by_role("heading", name="Welcome to the Bounce Club")).to_be_visible()
    await ann.type("play", game="bouncers", opponent="Ben")
    await page.get_by_role("tab", name="Ben").click()
    await expect(page.locator(".pane").nth(0)).to_be_hidden()
    await ben.press("Accept")
    await ben.sees_a_board_with("It’s Ann’s turn")
    for time in ("10 min", "1 h", "8 h", "1 day"):
        await expect(page.get_by_role("button", name=f"Skip {time}", exact=True)).to_be_visible()
    board = await ben.frame.locator("img.gallery-image").last.bounding_box()
    assert board is not None
    assert board["width"] > 300
    assert not await page.evaluate(TIME_FLIES_OVER_A_BUTTON)
    for frame in page.frames:
        assert await frame.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    await page.get_by_role("button", name="Add a window").click()
    await expect(page.get_by_role("tab")).to_have_text(["Ann", "Ben", "Cleo"])
    await expect(page.get_by_role("tab", name="Cleo")).to_have_attribute("aria-selected", "true")


async def test_a_window_with_nothing_to_do_is_folded_away_and_tells_when_something_comes(sandbox: str, page: Page) -> None:
    await page.set_viewport_size({"width": 1340, "height": 900})
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)
    panes = page.locator(".pane")
    await page.get_by_role("button", name="Fold Ben’s window").click()
    await expect(panes.nth(1)).to_have_css("width", "44px")
    await expect(page.get_by_role("button", name="Fold Ann’s window")).to_be_hidden()  # somebody has to be there
    await ann.type("open", game="bouncers", opponent="Ben", thread="True")
    await expect(panes.nth(1)).to_have_class(re.compile("unread"))
    await page.reload()
    unfold = page.get_by_role("button", name="Unfold Ben’s window")
    await expect(unfold).to_have_text("Ben")
    await unfold.click()
    await ben.press("Accept")
    first, second = [await panes.nth(number).bounding_box() for number in (0, 1)]
    assert first is not None
    assert second is not None
    assert abs(first["width"] - second["width"]) <= 1, "both have as much room again"


async def test_on_a_phone_the_games_to_practise_are_in_view_at_once(sandbox: str, page: Page) -> None:
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.goto(sandbox)
    ann = Window(page, 0)
    await ann.press("Practise alone")
    await expect(ann.newest.get_by_role("heading", name="Practise alone")).to_be_in_viewport(ratio=1)
    await expect(ann.newest.get_by_role("button", name="Let others watch")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("width", [1500, 390])
async def test_the_bot_has_its_avatar_beside_its_name(sandbox: str, page: Page, width: int) -> None:
    await page.set_viewport_size({"width": width, "height": 844})
    await page.goto(sandbox)
    header = Window(page, 0).newest.locator(".message-header")
    picture = header.locator(".message-avatar-image")
    await expect(picture.locator("img")).to_have_js_property("naturalWidth", AVATAR_SIDE)
    assert await picture.evaluate("element => getComputedStyle(element).borderRadius") == "50%"
    # Both at once: the list of messages may move meanwhile.
    face, name = await header.evaluate(
        """header => {
            const parts = [...header.querySelectorAll("*")];
            const name = parts.find(part => !part.children.length && part.textContent === "Springboard");
            return [header.querySelector(".message-avatar-image"), name].map(part => part.getBoundingClientRect().toJSON());
        }"""
    )
    assert (face["width"], face["height"]) == (40, 40)
    assert face["x"] + face["width"] <= name["x"] < face["x"] + face["width"] + 20
    assert face["y"] <= name["y"] + name["height"] / 2 <= face["y"] + face["height"]


async def test_a_board_of_ones_own_is_typed_mistyped_mended_and_played_on(sandbox: str, page: Page) -> None:
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)
    await ann.type("play", game="pucks", opponent="Ben")
    await ann.press("House rules")
    field = ann.frame.locator(".modal-input")
    for typed, answer in (("BK.X/GeKB", "row 1, place 4"), ("B.K/GeKB", "board B.K/GeKB. Tables")):
        await ann.press("My own board …")
        await field.fill(typed)
        await ann.frame.get_by_role("button", name="Submit").click()
        await expect(ann.frame.get_by_text(answer).last).to_be_visible()
        await expect(ann.frame.locator("pre", has_text=typed)).to_be_visible()
    await ann.press("My own board …")
    await expect(field).to_have_value("B.K/GeKB")
    await ann.frame.get_by_role("button", name="Cancel").click()
    await expect(ben.frame.get_by_text("board B.K/GeKB").last).to_be_visible()
    await ben.press("Accept")
    await expect(ben.frame.get_by_text("have changed since").last).to_be_visible()  # the invitation is from before
    await ben.frame.locator(".component-button", has_text="Accept").first.click()
    await ben.sees_a_board_with("Start layout: B.K/GeKB")
    await ann.press("Place all at random")
    await ben.sees_a_board_with("Ben places a piece")  # in the window of whoever presses next: an older board plays nothing
    await ben.press("Place all at random")
    await ben.sees_a_board_with("Ann: 0 of 4 scored, 5 cards. Pucks: 1")


@pytest.mark.slow
async def test_an_empty_field_suggests_the_first_words_of_a_move_at_once(sandbox: str, page: Page) -> None:
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)
    await ann.type("play", game="bouncers", opponent="Ben")
    await ben.press("Accept")
    await ann.sees_a_board_with("8×8")
    await ann.begin("move")
    await expect(ann.suggestion("b2")).to_be_visible()
    await ann.suggestion("b2").click()


TOO_WIDE = """
window.tooWide = new Set();
const look = () => {
  for (const element of document.body?.querySelectorAll("*") ?? []) {
    const { width, right } = element.getBoundingClientRect();
    const cut = getComputedStyle(element.parentElement).textOverflow === "ellipsis";
    if (width && right > window.innerWidth + 1 && !cut) window.tooWide.add(`${element.tagName}.${element.className}`);
  }
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Records, frame by frame, what extends beyond its window's right edge."""


@pytest.mark.parametrize("width", [1340, 390])
async def test_nothing_is_wider_than_its_window_from_the_first_moment_on(sandbox: str, page: Page, width: int) -> None:
    await page.set_viewport_size({"width": width, "height": 844})
    await page.add_init_script(TOO_WIDE)
    await page.goto(sandbox)
    ann = Window(page, 0)
    await expect(ann.frame.get_by_role("heading", name="Welcome to the Bounce Club")).to_be_visible()
    for panel, last in (("settings", "Forget me …"), ("server-settings", "Pick a table")):
        await ann.begin(panel)
        await ann.frame.locator("#send-message").click()
        await expect(ann.newest.locator(".button-label", has_text=re.compile(f"^{last}$"))).to_be_visible()
        forms = ann.newest.locator(".section-accessory .button-label", has_text=re.compile("^(Change|Go on vacation)$"))
        for number in range(await forms.count()):
            await ann.ready()
            await forms.nth(number).click()
            # The form takes the focus a frame after it is shown, and hears no key before.
            await expect(ann.frame.locator(".modal-dialog :focus")).to_have_count(1)
            await page.keyboard.press("Escape")
            await expect(ann.frame.locator(".modal-dialog")).to_have_count(0)
    for frame in page.frames:
        assert await frame.evaluate("[...window.tooWide]") == []


@pytest.mark.parametrize("width", [1340, 390])
async def test_settings_are_ticked_picked_and_typed_in_forms(sandbox: str, page: Page, width: int) -> None:
    await page.set_viewport_size({"width": width, "height": 844})
    await page.goto(sandbox)
    ann = Window(page, 0)
    await ann.begin("settings")
    await ann.frame.locator("#send-message").click()
    form = ann.frame.locator(".modal-dialog")
    for number, steps, told in (
        (0, ("Quiet heads-up when you’re next", "A direct message"), "Quiet heads-up when you’re next: On"),
        (3, ("High contrast", "Your side at the bottom (Flip board for me)"), "Palette: High contrast"),
    ):
        await ann.ready()
        await ann.newest.locator(".section-accessory .component-button").nth(number).click()
        for step in steps:
            await form.get_by_text(step, exact=True).click()
        await form.get_by_role("button", name="Submit").click()
        await expect(ann.newest).to_contain_text(told)
    await ann.ready()
    await ann.newest.locator(".section-accessory .component-button").nth(1).click()
    for name, typed in (("From", "22:30"), ("Until", "7:00"), ("Your time zone", "Munich")):
        await form.get_by_role("textbox", name=re.compile(f"^{name}")).fill(typed)
    await form.get_by_role("button", name="Submit").click()
    await expect(ann.newest).to_contain_text("22:30 to 7:00, Europe/Berlin")
    await ann.ready()
    await ann.newest.locator(".section-accessory .component-button").nth(2).click()
    await form.locator(".select-trigger").click()
    await ann.frame.get_by_role("option", name="3 days", exact=True).click()
    await form.get_by_role("button", name="Submit").click()
    await expect(ann.newest).to_contain_text("Vacation · your clocks are paused")


async def test_a_picked_option_shows_a_name_and_its_value_only_while_it_is_changed(sandbox: str, page: Page) -> None:
    await page.goto(sandbox)
    ann = Window(page, 0)
    await ann.begin("rules")
    game = ann.frame.locator('input[data-option="game"]')
    await game.fill("puck")
    await ann.suggestion("pucks").click()
    await game.blur()  # it keeps the focus where suggestions for what was typed come only now
    await expect(game).to_have_value(re.compile("^Puck Bumpers: "))
    await game.focus()
    await expect(game).to_have_value("pucks")
    await ann.frame.locator("#send-message").click()
    await expect(ann.newest.get_by_role("button", name="Learn Puck Bumpers")).to_be_visible()


async def test_a_form_offers_channels_that_one_sees_and_no_others(sandbox: str, page: Page) -> None:
    await page.goto(sandbox)
    ann = Window(page, 0)
    await ann.begin("server-settings")
    await ann.frame.locator("#send-message").click()
    await ann.newest.locator(".section-accessory .component-button").first.click()
    await ann.frame.locator(".modal-dialog .select-trigger").click()
    offered = ann.frame.locator(".select-list:visible [role=option]")
    await expect(offered).to_have_text([re.compile(name) for name in ("attic", "bounce-club", "games")])
    # The page asks which channels there are and draws the list anew: a press begun before that is no click.
    await expect(ann.frame.locator(".select-list:visible [role=listbox]")).to_have_attribute("aria-busy", "false")
    await offered.nth(1).click()
    await expect(offered.nth(1)).to_have_attribute("aria-selected", "true")
    await ann.ready()
    await ann.frame.locator(".select-apply:visible").click()
    await expect(ann.frame.locator(".modal-dialog .select-trigger")).to_contain_text("bounce-club")
    await expect(ann.frame.locator(".modal-dialog .is-open")).to_have_count(0)
    await ann.ready()
    await ann.frame.locator(".modal-dialog").get_by_role("button", name="Submit").click()
    await expect(ann.newest).to_contain_text("Games are played in #bounce-club.")


async def test_a_link_to_a_place_has_its_name_and_leads_there(sandbox: str, page: Page) -> None:
    await page.goto(sandbox)
    ann, ben = Window(page, 0), Window(page, 1)
    greeting = ann.frame.locator("article.channel-message").first
    await expect(greeting).to_contain_text("Welcome to the Bounce Club")
    message = await greeting.get_attribute("data-message-id")
    games, club, attic = [str(await place.get_attribute("data-place")) for place in await page.locator(".place").all()]
    links = [f"https://discord.com/channels/1/{place}" for place in (club, attic, f"{games}/{message}")]
    await ann.frame.locator("#channel-composer-input").fill(f"{' '.join(links)} [a club]({links[0]})")
    await ann.frame.locator("#send-message").click()
    names = ["#bounce-club", "#attic", "#games › 💬", "a club"]
    await expect(ann.newest.locator("a")).to_have_text(names)
    await expect(ben.newest.locator("a")).to_have_text([names[0], "#No Access", *names[2:]])
    where = page.locator(".where").nth(1)
    await ben.newest.get_by_text("#No Access").click()
    await ben.newest.get_by_text("#bounce-club").click()
    await expect(where).to_have_value(club)
    await expect(ben.frame.locator("#channel-name")).to_have_text("bounce-club")
    await ben.frame.locator("#channel-composer-input").fill(links[2])
    await ben.frame.locator("#send-message").click()
    await ben.newest.get_by_text("#games › 💬").click()
    await expect(where).to_have_value(games)
    await expect(ben.frame.locator(f'article[data-message-id="{message}"]')).to_be_in_viewport()


NOT_THERE_YET = """() => {
  const message = document.createElement("article");
  message.dataset.messageId = "1";
  message.innerHTML = '<img class="gallery-image" alt="A board"><div class="media-unavailable">unavailable</div>';
  document.getElementById("channel-message-list").append(message);
  const colours = () => [...message.children].map((part) => getComputedStyle(part).color);
  return new Promise((resolve) => requestAnimationFrame(() => resolve(colours())));
}"""
"""Adds a message whose pictures are still loading, and returns the colours of the words in their places."""


async def test_in_the_place_of_a_picture_that_is_on_its_way_no_words_are_shown(sandbox: str, page: Page) -> None:
    await page.goto(sandbox)
    await expect(Window(page, 0).newest).to_contain_text("Welcome to the Bounce Club")
    (view, *_) = [frame for frame in page.frames if "/view" in frame.url]
    assert await view.evaluate(NOT_THERE_YET) == ["rgba(0, 0, 0, 0)"] * 2
