"""`python -m benchmarks.dashboard PICTURE`: draws deploy/grafana/springboard.json for three bots under faults.

Three bots run on one PostgreSQL in front of the loopback Discord (tests/loopback/cluster_torment.py) while people play, and a
real Prometheus scrapes them. Prometheus then answers the queries of every panel, and the panels are drawn as Grafana lays them
out. The picture shows data and queries, not Grafana's looks. It needs Prometheus (Debian: `prometheus`) and Chromium.
"""

import asyncio
import contextlib
import html
import json
import math
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import aiohttp
from playwright.async_api import async_playwright

from tests.loopback.cluster import Cluster
from tests.loopback.cluster_torment import Figures, Plan, torment

DASHBOARD: Final = Path(__file__).parents[1] / "deploy" / "grafana" / "springboard.json"
PLAN: Final = Plan(kills=3, freezes=1, stops=3, restarts=1, servers=12, tables=48, concurrency=4)
AFTERWARDS: Final = 5.0
"""The number of seconds after the last blow that are drawn. Then the people leave."""
COLUMN, ROW, WIDTH = 58, 36, 24 * 58
POINTS: Final = 200
COLOURS: Final = ("#73bf69", "#f2cc0c", "#5794f2", "#ff9830", "#f2495c", "#b877d9", "#37872d", "#8ab8ff")
GOOD: Final = {"green": "#73bf69", "orange": "#ff9830", "red": "#f2495c"}
CHROMIUM: Final = "/usr/bin/chromium"

STYLE: Final = """
body { margin: 0; background: #111217; color: #d8d9da; font: 12px Roboto, Arial, sans-serif; }
#all { position: relative; width: WIDTHpx; }
.row, .panel { position: absolute; box-sizing: border-box; }
.row { font-size: 15px; font-weight: 600; padding: 8px 6px; }
.panel { background: #181b1f; border: 1px solid #2a2d33; border-radius: 3px; padding: 6px 8px; overflow: hidden; }
h3 { font-size: 13px; font-weight: 500; margin: 0 0 2px; }
.value { font-size: 34px; font-weight: 600; text-align: center; margin-top: 14px; }
.legend { font-size: 11px; line-height: 15px; max-height: 30px; overflow: hidden; color: #adafb3; }
.legend i { display: inline-block; width: 12px; height: 3px; margin: 0 4px 3px 8px; border-radius: 2px; }
text { fill: #9a9ca1; font-size: 10px; }
"""


@dataclass(frozen=True)
class Curve:
    """A line of a panel: its name, and its points, whose times are in seconds since the epoch."""

    name: str
    points: list[tuple[float, float]]


class Prometheus:
    """A Prometheus that scrapes the bots of a cluster."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._targets = folder / "targets.json"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._address = f"127.0.0.1:{free.getsockname()[1]}"

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["Prometheus"]:
        program = shutil.which("prometheus")
        if program is None:
            raise SystemExit("Prometheus is not there (Debian: apt-get install prometheus).")
        self._targets.write_text("[]")
        config = self._folder / "prometheus.yml"
        found = [{"files": [str(self._targets)], "refresh_interval": "1s"}]
        jobs = [{"job_name": "springboard", "file_sd_configs": found}]
        config.write_text(json.dumps({"global": {"scrape_interval": "2s"}, "scrape_configs": jobs}))
        process = await asyncio.create_subprocess_exec(
            program, f"--config.file={config}", f"--storage.tsdb.path={self._folder / 'data'}",
            f"--web.listen-address={self._address}", "--log.level=error",
        )  # fmt: skip
        try:
            yield self
        finally:
            process.terminate()
            await process.wait()

    async def follow(self, cluster: Cluster) -> None:
        """Scrape the bots that are alive, until cancelled."""
        while True:
            living = [
                {"targets": [f"127.0.0.1:{cluster.port_of(pid)}"], "labels": {"instance": f"bot-{place + 1}"}}
                for place, pid in enumerate(cluster.places)
                if pid is not None
            ]
            fresh = self._targets.with_suffix(".new")
            fresh.write_text(json.dumps(living))
            fresh.replace(self._targets)
            await asyncio.sleep(1)

    async def lines(self, target: dict[str, str], since: float, until: float) -> list[Curve]:
        """Return the lines of a panel's query between two moments, given in seconds since the epoch."""
        step = max(2.0, (until - since) / POINTS)
        # As Grafana does for short periods, rates are taken over less than five minutes.
        query = target["expr"].replace("[5m]", "[30s]").replace("[15m]", "[1m]")
        asked = {"query": query, "start": str(since), "end": str(until), "step": str(step)}
        address = f"http://{self._address}/api/v1/query_range"
        async with aiohttp.ClientSession() as session, session.get(address, params=asked) as answer:
            found = await answer.json()
        if found["status"] != "success":
            raise RuntimeError(f"{target['expr']}: {found['error']}")
        return [
            Curve(_named(target["legendFormat"], one["metric"]), [(at, float(v)) for at, v in one["values"] if v != "NaN"])
            for one in found["data"]["result"]
        ]


def _named(form: str, labels: dict[str, str]) -> str:
    for name, value in labels.items():
        form = form.replace("{{" + name + "}}", value)
    return form


def written(value: float, unit: str) -> str:
    if math.isnan(value):
        return "–"
    match unit:
        case "percentunit":
            return f"{100 * value:.4g} %"
        case "s":
            return f"{value:.3g} s" if value >= 1 or value == 0 else f"{1000 * value:.3g} ms"
        case "bytes":
            size = max(0, min(4, int(math.log(max(value, 1), 1024))))
            return f"{value / 1024**size:.3g} {('B', 'KiB', 'MiB', 'GiB', 'TiB')[size]}"
        case _:
            return f"{value:.3g}"


def drawn(panel: dict[str, Any], lines: list[Curve], since: float, until: float) -> str:
    """Return a panel as HTML."""
    at, unit = panel["gridPos"], panel["fieldConfig"]["defaults"]["unit"]
    inner = _stat(panel, lines, unit) if panel["type"] == "stat" else _graph(at, lines, unit, since, until)
    return f"{_box(at, 'panel')}<h3>{html.escape(panel['title'])}</h3>{inner}</div>"


def _box(at: dict[str, int], kind: str) -> str:
    left, top, width, height = (at[key] * side for key, side in (("x", COLUMN), ("y", ROW), ("w", COLUMN), ("h", ROW)))
    return f'<div class="{kind}" style="left:{left}px;top:{top}px;width:{width - 6}px;height:{height - 6}px">'


def _stat(panel: dict[str, Any], lines: list[Curve], unit: str) -> str:
    last = next((line.points[-1][1] for line in lines if line.points), math.nan)
    colour = "green"
    for step in panel["fieldConfig"]["defaults"]["thresholds"]["steps"]:
        if step["value"] is None or last >= step["value"]:
            colour = step["color"]
    return f'<div class="value" style="color:{GOOD[colour]}">{written(last, unit)}</div>'


def _graph(at: dict[str, int], lines: list[Curve], unit: str, since: float, until: float) -> str:
    width, height = at["w"] * COLUMN - 26, at["h"] * ROW - 80
    top = max((value for line in lines for _, value in line.points if math.isfinite(value)), default=0.0) * 1.08 or 1.0
    if not any(line.points for line in lines):
        return f'<svg width="{width}" height="{height}"><text x="{width / 2 - 20}" y="{height / 2}">No data</text></svg>'
    left, bottom = 52, height - 16

    def place(moment: float, value: float) -> str:
        x = left + (moment - since) / (until - since) * (width - left)
        return f"{x:.1f},{bottom - max(0.0, value) / top * (bottom - 6):.1f}"

    parts = []
    for share in (0.0, 0.5, 1.0):
        y = bottom - share / 1.08 * (bottom - 6)
        parts.append(f'<line x1="{left}" x2="{width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#2a2d33"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 3:.1f}" text-anchor="end">{written(top / 1.08 * share, unit)}</text>')
    for minute in range(0, int((until - since) // 60) + 1, max(1, round((until - since) / 300))):
        x = left + minute * 60 / (until - since) * (width - left)
        parts.append(f'<text x="{x:.1f}" y="{height - 3}" text-anchor="middle">{minute} min</text>')
    legend = []
    for number, line in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(place(*point) for point in line.points if math.isfinite(point[1]))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        legend.append(f'<i style="background:{colour}"></i>{html.escape(line.name)}')
    return f'<svg width="{width}" height="{height}">{"".join(parts)}</svg><div class="legend">{"".join(legend)}</div>'


async def page(prometheus: Prometheus, since: float, until: float) -> tuple[str, int]:
    """Return the dashboard as a page, and its height in pixels."""
    panels = json.loads(DASHBOARD.read_text())["panels"]
    parts = []
    for panel in panels:
        if panel["type"] == "row":
            parts.append(f"{_box(panel['gridPos'], 'row')}{html.escape(panel['title'])}</div>")
        else:
            found = [line for target in panel["targets"] for line in await prometheus.lines(target, since, until)]
            parts.append(drawn(panel, found, since, until))
    height = max(panel["gridPos"]["y"] + panel["gridPos"]["h"] for panel in panels) * ROW
    style = STYLE.replace("WIDTH", str(WIDTH))
    return f'<meta charset="utf-8"><style>{style}</style><div id="all" style="height:{height}px">{"".join(parts)}</div>', height


async def shot(page_: str, height: int, to: Path) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = await browser.new_page(viewport={"width": WIDTH, "height": height})
        await tab.set_content(page_)
        await tab.screenshot(path=to)
        await browser.close()


async def main(to: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="springboard-dashboard-") as name:
        folder = Path(name)
        (folder / "prometheus").mkdir()
        async with Prometheus(folder / "prometheus").running() as prometheus:
            following: list[asyncio.Task[None]] = []
            since = until = time.time()

            def struck(_: Figures) -> None:
                nonlocal until
                until = time.time() + AFTERWARDS

            figures = await torment(
                folder,
                PLAN,
                progress=struck,
                watch=lambda cluster: following.append(asyncio.create_task(prometheus.follow(cluster))),
            )
            for task in following:
                task.cancel()
            found, height = await page(prometheus, since, min(until, time.time()))
        to.with_suffix(".html").write_text(found)
        await shot(found, height, to)
        to.with_suffix(".html").unlink()
    print(*figures.lines(), *figures.problems, sep="\n")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
