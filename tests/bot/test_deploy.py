"""The files in deploy/ and for compose, as far as they can be checked without their engines."""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from bot.__main__ import main
from bot.config import Settings, load
from bot.runtime.metrics import REGISTRY

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
COMPOSE = [ROOT / "compose.yaml", ROOT / "compose.cluster.yaml"]
SETTINGS = {str(field.validation_alias) for field in Settings.model_fields.values()}
WANTED = os.environ.get("CI") == "true"
"""Whether the checking programs must be there, as in continuous integration."""
ALERTS = DEPLOY / "prometheus" / "alerts.yml"
DASHBOARD = DEPLOY / "grafana" / "springboard.json"


def written() -> list[Path]:
    """Everything in which somebody may look up a setting or command."""
    files = [path for path in DEPLOY.rglob("*") if path.is_file()]
    files += [*COMPOSE, ROOT / ".env.example", ROOT / "Dockerfile", ROOT / "README.md"]
    return [*files, *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("path", written(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_setting_that_is_named_is_one(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:SPRINGBOARD_[A-Z_]+[A-Z]|DISCORD_TOKEN(?:_FILE)?)\b", text))
    named -= {"SPRINGBOARD_TEST_POSTGRESQL", "SPRINGBOARD_DATABASE_URL"}
    assert named <= SETTINGS


@pytest.mark.parametrize("path", written(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_command_that_is_named_is_one(path: Path) -> None:
    """That is, `springboard …` at the start of a line, in backticks or after a path."""
    text = path.read_text(encoding="utf-8")
    named = set(re.findall(r"(?:^|`|bin/|“)springboard ([a-z][a-z-]+)", text, flags=re.MULTILINE))
    assert named <= set(main.commands)


def test_what_the_units_start_is_there() -> None:
    for path in UNITS:
        (line,) = re.findall(r"^ExecStart=(.+)$", path.read_text(), flags=re.MULTILINE)
        program, *words = shlex.split(line)
        assert (Path(program).name, CliRunner().invoke(main, [*words, "--help"]).exit_code) == ("springboard", 0)


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_the_units_are_such_that_systemd_takes_them(path: Path, tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None and not WANTED:
        pytest.skip("systemd-analyze is not there (Debian: apt-get install systemd)")
    assert analyze is not None
    # The program is not installed where the units expect it, so another one stands in for it.
    copy = tmp_path / path.name.replace("@", "@1")
    copy.write_text(path.read_text().replace("/opt/springboard/bin/springboard run", "/bin/true"))
    done = subprocess.run([analyze, "verify", str(copy)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (0, "")


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_the_units_give_the_bot_its_token_in_secret_and_time_to_stop(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = [line.split("=", 1) for line in path.read_text().splitlines() if "=" in line and not line.startswith("#")]
    keys = dict(said)
    assert keys["LoadCredential"].startswith("token:")
    assert float(keys["TimeoutStopSec"]) > 20, "the time that the bot gives itself"
    environment = dict(value.split("=", 1) for key, value in said if key == "Environment")
    assert environment.pop("DISCORD_TOKEN_FILE") == "%d/token"
    for name, value in environment.items():
        monkeypatch.setenv(name, value.replace("%i", "1"))
    assert load(None).http is not None


def services(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text())["services"]
    return found


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.name)
def test_no_service_is_published_to_the_world_and_the_bots_may_do_nothing_else(path: Path) -> None:
    for name, service in services(path).items():
        assert all(str(port).startswith("127.0.0.1:") for port in service.get("ports", ()))
        if name.startswith("springboard"):
            assert service["read_only"] is True
            assert service["cap_drop"] == ["ALL"]
            assert "ports" not in service
            assert set(service["environment"]) <= SETTINGS
        else:
            assert re.search(r":v?\d", service["image"]), "a version, so that an update is meant"


def test_the_cluster_is_three_bots_that_wait_for_the_database_and_one_name_for_all_of_them() -> None:
    there = services(COMPOSE[1])
    bots = [service for name, service in there.items() if name.startswith("springboard")]
    assert len(bots) == 3
    assert all(bot == bots[0] for bot in bots)
    assert bots[0]["depends_on"] == {"postgresql": {"condition": "service_healthy"}}
    assert bots[0]["networks"]["default"]["aliases"] == ["springboard"]
    assert bots[0]["environment"]["SPRINGBOARD_DATABASE"].startswith("postgresql://springboard:")
    assert float(bots[0]["stop_grace_period"].rstrip("s")) > 20
    for name, service in there.items():
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert not source.startswith("./") or (ROOT / source).exists(), f"{name}: {source}"


def test_prometheus_asks_the_bots_where_the_container_answers() -> None:
    (port,) = re.findall(r"SPRINGBOARD_HTTP=0\.0\.0\.0:(\d+)", (ROOT / "Dockerfile").read_text())
    (job,) = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())["scrape_configs"]
    (found,) = job["dns_sd_configs"]
    assert (job["job_name"], found["names"], found["port"]) == ("springboard", ["springboard"], int(port))


def kubernetes() -> dict[str, dict[str, Any]]:
    return {one["kind"]: one for one in yaml.safe_load_all((DEPLOY / "kubernetes" / "springboard.yaml").read_text())}


def test_the_stateful_set_selects_its_own_pods_and_is_found_by_its_service() -> None:
    there = kubernetes()
    assert {kind: one["apiVersion"] for kind, one in there.items()} == {
        "Service": "v1", "StatefulSet": "apps/v1", "PodDisruptionBudget": "policy/v1",
    }  # fmt: skip
    bots, service, budget = there["StatefulSet"]["spec"], there["Service"], there["PodDisruptionBudget"]["spec"]
    labels = bots["template"]["metadata"]["labels"]
    assert bots["selector"]["matchLabels"] == service["spec"]["selector"] == budget["selector"]["matchLabels"] == labels
    assert (bots["serviceName"], service["spec"]["clusterIP"]) == (service["metadata"]["name"], "None")
    assert bots["template"]["spec"]["terminationGracePeriodSeconds"] > 20


def test_the_pods_are_probed_where_the_bot_answers_and_are_not_ended_because_discord_is_gone() -> None:
    pod = kubernetes()["StatefulSet"]["spec"]["template"]["spec"]
    (bot,) = pod["containers"]
    ports = {port["name"]: port["containerPort"] for port in bot["ports"]}
    environment = {one["name"]: one.get("value") for one in bot["env"]}
    assert environment["SPRINGBOARD_HTTP"] == f"0.0.0.0:{ports['http']}"
    probes = {name: bot[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert {name: get["path"] for name, get in probes.items()} == {
        "startupProbe": "/health/live", "livenessProbe": "/health/live", "readinessProbe": "/health/ready",
    }  # fmt: skip
    assert {get["port"] for get in probes.values()} <= set(ports)
    assert environment["DISCORD_TOKEN_FILE"] == f"{bot['volumeMounts'][0]['mountPath']}/token"
    assert bot["securityContext"]["readOnlyRootFilesystem"] is True
    assert bot["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert {mount["name"] for mount in bot["volumeMounts"]} == {volume["name"] for volume in pod["volumes"]}
    assert CliRunner().invoke(main, [*bot["args"], "--help"]).exit_code == 0


def known() -> dict[str, set[str]]:
    """Prometheus's names of the metrics, and the labels of each."""
    found: dict[str, set[str]] = {
        "up": {"instance", "job"}, "process_cpu_seconds_total": {"instance"}, "process_resident_memory_bytes": {"instance"},
    }  # fmt: skip
    for collector in {id(one): one for one in REGISTRY._names_to_collectors.values()}.values():
        for name in REGISTRY._get_names(collector):
            found[name] = {"instance", "job", "le", *getattr(collector, "_labelnames", ())}
    return found


def expressions() -> Iterator[tuple[str, str]]:
    for rule in yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]:
        yield rule["alert"], rule["expr"]
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        for target in panel.get("targets", ()):
            if target["expr"] != "vector(0)":  # a line where there is nothing else to be seen
                yield panel["title"], target["expr"]


@pytest.mark.parametrize(("where", "expression"), list(expressions()))
def test_what_is_asked_for_is_measured(where: str, expression: str) -> None:
    metrics = known()
    names = set(re.findall(r"\b((?:springboard|process)_[a-z_]+|up)\b(?!\s*\()", expression))
    assert names, f"{where} asks for nothing"
    assert names <= set(metrics)
    allowed = set().union(*(metrics[name] for name in names))
    by = {label.strip() for group in re.findall(r"\bby \(([^)]*)\)", expression) for label in group.split(",")}
    assert by | set(re.findall(r"[{,]\s*([a-z_]+)\s*=~?", expression)) <= allowed


def test_alerts_say_what_is_wrong_and_what_to_do() -> None:
    rules = yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]
    assert len({rule["alert"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["description"]


@pytest.mark.parametrize(("what", "file"), [("rules", "alerts.yml"), ("config", "prometheus.yml")])
def test_prometheus_takes_its_files(what: str, file: str) -> None:
    promtool = shutil.which("promtool")
    if promtool is None and not WANTED:
        pytest.skip("promtool is not there (Debian: apt-get install prometheus)")
    assert promtool is not None
    done = subprocess.run(
        [promtool, "check", what, str(DEPLOY / "prometheus" / file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_panels_of_the_dashboard_do_not_overlap_and_have_units() -> None:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    taken: dict[tuple[int, int], str] = {}
    for panel in panels:
        at = panel["gridPos"]
        for x in range(at["x"], at["x"] + at["w"]):
            for y in range(at["y"], at["y"] + at["h"]):
                assert x < 24
                assert (x, y) not in taken, f"{panel['title']} lies on {taken[x, y]}"
                taken[x, y] = panel["title"]
        if panel["type"] != "row":
            assert panel["fieldConfig"]["defaults"]["unit"]
    assert len({panel["id"] for panel in panels}) == len(panels)
