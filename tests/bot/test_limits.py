"""No breach of Discord's limits goes unseen."""

from typing import Any

import pytest

from loopback.limits import Call, Kind, breaches_of


def row(*components: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(components)}


def push(label: str | None = "Go", custom_id: str = "go", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": label, "custom_id": custom_id, **more}


def menu(*options: str, **more: Any) -> dict[str, Any]:
    return {"type": 3, "custom_id": "menu", "options": [{"label": one, "value": one} for one in options], **more}


def gallery(*words: str | None) -> dict[str, Any]:
    return {
        "type": 12,
        "items": [{"media": {"url": f"attachment://{n}.png"}, "description": one} for n, one in enumerate(words)],
    }


def text(content: str) -> dict[str, Any]:
    return {"type": 10, "content": content}


def sent(*components: dict[str, Any], files: tuple[tuple[str, int], ...] = (), **more: Any) -> Call:
    body = {"components": list(components), "flags": 1 << 15, "allowed_mentions": {"parse": []}, **more}
    return Call(0, Kind.SEND, "POST", "/channels/1/messages", body, files)


def pinging(content: str, flags: int = 0, **mentions: Any) -> Call:
    mentions = {"parse": [], **(mentions or {"users": [1]})}
    body = {"content": content, "flags": flags, "allowed_mentions": mentions}
    return Call(0, Kind.SEND, "POST", "/channels/1/messages", body)


def offered(*choices: str) -> Call:
    data = {"type": 8, "data": {"choices": [{"name": one, "value": one} for one in choices]}}
    return Call(0, Kind.CHOICES, "POST", "/interactions/1/x/callback", data)


def registered(name: str) -> Call:
    command = {"name": name, "description": "Plays.", "type": 1, "options": []}
    return Call(0, Kind.REGISTER, "PUT", "/applications/1/commands", [command])


def asked(*components: dict[str, Any], title: str = "Name") -> Call:
    data = {"type": 9, "data": {"custom_id": "name", "title": title, "components": list(components)}}
    return Call(0, Kind.MODAL, "POST", "/interactions/1/x/callback", data)


def field(label: str = "Name", **more: Any) -> dict[str, Any]:
    return {"type": 18, "label": label, "component": {"type": 4, "custom_id": "name", "style": 1, **more}}


@pytest.mark.parametrize("call", [
    sent(text("x" * 4000)),
    sent(gallery("words"), files=(("0.png", 10 * 2**20),)),
    sent(gallery("words"), attachments=[{"id": "7", "filename": "0.png"}]),
    sent(row(*(push("x" * 80, f"{n}" * 100) for n in range(5)))),
    sent(row(menu(*(f"{n:0100}" for n in range(25))))),
    offered(*(f"{n:0100}" for n in range(25))),
    registered("play"),
    asked(*(field("x" * 45, max_length=4000) for _ in range(5)), title="x" * 45),
    pinging("x" * 146 + " <@1>"),
    pinging("snake_case. <@1> <@2> <@3>\n-# More, in **Markdown**, <t:1:R>"),
    pinging("", flags=1 << 12),
    pinging("", users=[]),
])  # fmt: skip
def test_what_just_fits_is_no_breach(call: Call) -> None:
    assert list(breaches_of(call)) == []


@pytest.mark.parametrize(("call", "said"), [
    (sent(text("x" * 2000), text("x" * 2001)), "4001 characters of text"),
    (sent(text("")), "an empty text"),
    (sent(*(text("x") for _ in range(41))), "41 components"),
    (sent(text("x"), content="beside"), "beside components V2"),
    (sent(row(push(custom_id="x" * 101))), "custom_id"),
    (sent(row(push(), push())), "'go' occurs twice"),
    (sent(row(push("x" * 81))), "81 characters"),
    (sent(row(push(None))), "neither label nor emoji"),
    (sent(row(*(push(custom_id=str(n)) for n in range(6)))), "a row of 6"),
    (sent(row(menu("a"), push())), "with 1 selects"),
    (sent(row(menu(*map(str, range(26))))), "26 options"),
    (sent(row(menu())), "0 options"),
    (sent(row(menu("a", "a"))), "twice"),
    (sent(row(menu("x" * 101))), "101 characters"),
    (sent(row(menu("a", placeholder="x" * 151))), "placeholder"),
    (sent(row(menu("a", "b", max_values=3))), "wants 1 to 3"),
    (sent(gallery("x" * 1025)), "1025 characters"),
    (sent(gallery(None)), "no words"),
    (sent(gallery(*"abcdefghijk")), "a gallery of 11"),
    (sent(text("x"), files=(("0.png", 1),)), "no component shows it"),
    (sent(gallery("x")), "neither brings it nor names it"),
    (sent(gallery("x"), attachments=[{"filename": "0.png"}]), "neither brings it nor names it"),
    (sent(gallery("x"), attachments=[{"id": "7"}]), "neither brings it nor names it"),
    (sent(gallery("x"), files=(("0.png", 10 * 2**20 + 1),)), "more than 10485760"),
    (sent(text("x"), allowed_mentions=None), "who may be pinged"),
    (sent(text("x"), allowed_mentions={"parse": ["everyone"]}), "everyone"),
    (sent({"type": 9, "components": [text("x")] * 4, "accessory": push()}), "a section of 4"),
    (offered(*map(str, range(26))), "26 choices"),
    (offered("x" * 101), "101 characters"),
    (offered(""), "0 characters"),
    (registered("Play"), "'Play' is no name"),
    (asked(field(), title="x" * 46), "title has 46"),
    (asked(*(field() for _ in range(6))), "a modal of 6 parts"),
    (asked(field("x" * 46)), "46 characters"),
    (asked(field(max_length=5, value="x" * 6)), "prefilled"),
    (pinging(""), "a lock screen shows the content alone"),
    (pinging("", roles=[1]), "a lock screen shows the content alone"),
    (pinging("x" * 147 + " <@1>"), "181 characters for a lock screen"),
    (pinging("**Ada** plays. <@1>"), "a lock screen shows '*' as it is"),
    (pinging("a\\_b <@1>"), "a lock screen shows '\\\\' as it is"),
    (pinging("until <t:1:R> <@1>"), "a lock screen shows '<t:' as it is"),
    (pinging("<:red:1> Ada <@1>"), "a lock screen shows '<:' as it is"),
    (pinging("<@1>: Ada plays."), "the mentions do not come last"),
    (Call(0, Kind.THREAD, "POST", "/channels/1/threads", {"name": "x" * 101}), "thread's name"),
])  # fmt: skip
def test_every_limit_of_discord_is_watched(call: Call, said: str) -> None:
    assert any(said in sentence for sentence in breaches_of(call)), list(breaches_of(call))
