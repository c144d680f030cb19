"""The sandbox's windows as its server sees them: the requests of their scripts."""

import asyncio
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tests.bot.sandbox.browser import WAIT_LIMIT


def _keys(item: dict[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a component and those inside it by their ids, or by their paths if the ids are 0."""
    yield str(item.get("id") or path), item
    for number, child in enumerate(item.get("components") or []):
        yield from _keys(child, f"{path}.components.{number}")
    if isinstance(item.get("accessory"), dict):
        yield from _keys(item["accessory"], f"{path}.accessory")


@dataclass
class Page:
    """A window of the sandbox, as its script sees it."""

    site: "Site"
    who: str
    where: str
    context: str = ""
    shown: dict[str, Any] = field(default_factory=dict)
    sequence: int = 0

    async def look(self) -> "Page":
        status, self.shown = await self.site.ask("GET", "/api/state", page=self)
        assert status == 200
        return self

    async def act(self, kind: str, **body: Any) -> dict[str, Any]:
        status, said = await self.site.ask(
            "POST",
            "/api/action",
            page=self,
            json={
                **body,
                "kind": kind,
                "protocol_version": 3,
                "sequence": self.sequence + 1,
                "request_id": uuid.uuid4().hex,
                "generation": self.shown["context"]["generation"],
                "bot_generation": self.shown["botGeneration"],
                "published_revision": self.shown["publishedRevision"],
            },
        )
        assert status == 200, said
        self.sequence = said["expectedSequence"]
        return dict(said)

    async def command(self, name: str, /, **options: str) -> dict[str, Any]:
        _, catalogue = await self.site.ask("GET", "/api/commands", page=self)
        (entry,) = (one for one in catalogue["entries"] if one["invocation"] == name)
        return await self.act(
            "run_command", command_id=entry["commandId"], path=entry["path"], schema_fingerprint=entry["schemaFingerprint"],
            options=options,
        )  # fmt: skip

    async def click(self, label: str) -> dict[str, Any]:
        """Press the last button with this label, as soon as there is one."""
        async with asyncio.timeout(WAIT_LIMIT):
            while not (found := self._buttons(label)):
                await asyncio.sleep(0.05)
                await self.look()
        identity, key = found[-1]
        return await self.act("click", target_id=identity, control_key=f"message:{identity}:component:{key}")

    def _buttons(self, label: str) -> list[tuple[str, str]]:
        return [
            (identity, key)
            for identity, message in self.shown["messages"].items()
            for number, root in enumerate(message["components"])
            for key, item in _keys(root, str(number))
            if item.get("label") == label
        ]

    @property
    def text(self) -> str:
        return str(self.shown["messages"])


@dataclass
class Site:
    address: str
    session: aiohttp.ClientSession
    heard: list[str] = field(default_factory=list)

    async def ask(
        self, method: str, path: str, *, page: Page | None = None, json: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        sent = {**(headers or {})}
        if page is not None:
            sent |= {"X-Simcord-Capability": f"{page.who}.{page.where}"}
            sent |= {"X-Simcord-Context": page.context} if page.context else {}
        async with self.session.request(method, self.address + path.lstrip("/"), json=json, headers=sent) as answer:
            self.heard.append(f"{answer.headers} {await answer.text()}")
            return answer.status, await answer.json() if "json" in answer.content_type else await answer.text()

    async def state(self) -> dict[str, Any]:
        return dict((await self.ask("GET", "/sandbox/state"))[1])

    async def open(self, who: str, where: str) -> Page:
        state = await self.state()
        (person,) = (one["id"] for one in state["people"] if one["name"] == who)
        (place,) = (one["id"] for one in state["places"] if one["name"] == where)
        page = Page(self, person, place)
        status, said = await self.ask("POST", "/api/pages", page=page, json={})
        assert status == 200
        page.context, page.shown = said["context"]["id"], said
        return page


async def until(page: Page, words: str) -> None:
    async with asyncio.timeout(WAIT_LIMIT):
        while words not in (await page.look()).text:
            await asyncio.sleep(0.05)
