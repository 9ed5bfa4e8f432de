"""Watching a service: metrics that a real Prometheus reads and its linter accepts, and whether the service is ready."""

import json
import os
import re
import shutil
import subprocess
import time

import pytest
import requests
from postgres import wait_until
from processes import Process, start_gateway, start_service
from test_cli import run

TOKEN = "a token for metrics alone"
needs_prometheus = pytest.mark.skipif(
    not shutil.which("promtool") and not os.environ.get("CI"), reason="needs Prometheus"
)


@pytest.fixture
def road(tmp_path):
    """A gateway, a service that pushes to it, and an app."""
    gateway, box = start_gateway(tmp_path / "gateway", "--control-port", 0)
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"metrics": {"token": TOKEN}}))
    service, url = start_service(tmp_path / "data", box, "--config", settings)
    flags = ["--p8", box["keyFile"], "--key-id", box["keyID"], "--team-id", box["teamID"], "--data", tmp_path / "data"]
    app = json.loads(run("app", "create", "--name", "A", "--bundle-id", "com.example.pushlab", *flags, "--json"))
    yield gateway, box, url, (app["app_key"], app["master_secret"])
    assert [service.stop(), gateway.stop()] == [0, 0]


def scrape(url, **headers):
    return requests.get(f"{url}/metrics", headers={"Authorization": f"Bearer {TOKEN}", **headers}, timeout=60)


def value(text, name):
    """The sum of a metric's series; None if there is none."""
    found = [line.rsplit(" ", 1)[1] for line in text.splitlines() if line.split("{")[0].split(" ")[0] == name]
    return sum(map(float, found)) if found else None


def push_to_ten(box, url, auth):
    wanted = {"topic": "com.example.pushlab", "environment": "production", "count": 10}
    tokens = requests.post(f"{box['control']}/tokens", json=wanted, timeout=60).json()["tokens"]
    rows = [{"registration_id": f"r{number}", "token": token} for number, token in enumerate(tokens)]
    requests.post(f"{url}/posthorn/v1/devices/import", json={"devices": rows}, auth=auth, timeout=60).raise_for_status()
    body = {"platform": "ios", "audience": "all", "notification": {"alert": "Hi"}}
    requests.post(f"{url}/v3/push", json=body, auth=auth, timeout=60).raise_for_status()


def await_value(read, wanted, what):
    deadline = time.monotonic() + 60
    while (found := read()) != wanted:
        assert time.monotonic() < deadline, f"waited for {what} to be {wanted}, found {found}"
        time.sleep(0.1)


@needs_prometheus
@pytest.mark.one_node("metrics are those of a process")
def test_the_metrics_are_those_of_a_push_and_pass_the_linter(road):
    _, box, url, auth = road
    push_to_ten(box, url, auth)
    await_value(lambda: value(scrape(url).text, "push_service_notifications_total"), 10, "the pushes to devices")
    await_value(lambda: value(scrape(url).text, "push_service_lanes_lag"), 0, "the lag of the lanes")
    page = scrape(url)
    assert page.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert value(page.text, "push_service_pushes_total") == 1
    assert value(page.text, "push_service_audience_sum") == 10
    assert value(page.text, "apns_client_pushes_total") == 10
    assert value(page.text, "process_open_fds") > 5 and value(page.text, "process_resident_memory_bytes") > 1e7
    assert value(page.text, "push_store_transaction_duration_seconds_count") > 0
    linted = subprocess.run(["promtool", "check", "metrics"], input=page.text, capture_output=True, text=True, timeout=60)
    assert linted.returncode == 0, linted.stderr
    assert scrape(url, Accept="application/openmetrics-text; version=1.0.0").text.endswith("# EOF\n")
    assert requests.get(f"{url}/metrics", timeout=60).status_code == 401


@pytest.mark.one_node("metrics are those of a process")
def test_the_size_of_the_database_the_free_space_and_the_version(tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"metrics": {"token": TOKEN}}))
    gateway, box = start_gateway(tmp_path / "gateway")
    service, url = start_service(tmp_path / "data", box, "--config", settings)
    wait_until("the machine is measured", lambda: value(scrape(url).text, "push_store_bytes"))
    page = scrape(url).text
    files = [tmp_path / "data" / f"posthorn.sqlite{suffix}" for suffix in ("", "-wal")]
    # Measured at the start; the log may have grown since.
    assert 4096 <= value(page, "push_store_bytes") <= sum(file.stat().st_size for file in files)
    assert value(page, "push_disk_free_bytes") == pytest.approx(shutil.disk_usage(tmp_path).free, rel=0.2)
    version, build = re.fullmatch(r"(\S+)( \(debug build\))?\n", run("--version")).groups()
    assert f'push_build_info{{push_version="{version}",push_build="{"debug" if build else "release"}"}} 1' in page
    assert [service.stop(), gateway.stop()] == [0, 0]


@needs_prometheus
def test_prometheus_reads_them(road, tmp_path):
    _, box, url, auth = road
    push_to_ten(box, url, auth)
    await_value(lambda: value(scrape(url).text, "push_service_notifications_total"), 10, "the pushes to devices")
    config = tmp_path / "prometheus.yml"
    target = url.removeprefix("http://")
    config.write_text(
        "scrape_configs:\n"
        f"  - {{job_name: posthorn, scrape_interval: 1s, authorization: {{credentials: {TOKEN!r}}}, "
        f"static_configs: [{{targets: ['{target}']}}]}}\n"
    )
    log = tmp_path / "prometheus.log"
    with log.open("w") as output:
        prometheus = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={tmp_path / 'series'}", "--web.listen-address=127.0.0.1:0"],
            stderr=output, stdout=output,
        )
    try:
        address = None
        deadline = time.monotonic() + 60
        while address is None:
            found = [line for line in log.read_text().splitlines() if 'msg="Listening on"' in line and "address=" in line]
            address = found[0].split("address=")[1].split()[0] if found else None
            assert time.monotonic() < deadline and prometheus.poll() is None, log.read_text()
            time.sleep(0.1)

        def read():
            query = {"query": "sum(push_service_notifications_total)"}
            try:
                answer = requests.get(f"http://{address}/api/v1/query", params=query, timeout=60)
            except requests.ConnectionError:
                return None
            result = answer.json()["data"]["result"] if answer.ok else []
            return float(result[0]["value"][1]) if result else None

        await_value(read, 10, "what Prometheus has read")
    finally:
        prometheus.terminate()
        prometheus.wait(60)


def test_a_service_is_ready_as_long_as_apns_can_be_reached(road):
    gateway, _, url, _ = road
    ready = requests.get(f"{url}/ready", timeout=60)
    assert (ready.status_code, ready.json()["status"]) == (200, "ready"), ready.text
    assert gateway.stop() == 0
    # The checks are repeated after ten seconds.
    await_value(lambda: requests.get(f"{url}/ready", timeout=60).status_code, 503, "the status of /ready")
    found = requests.get(f"{url}/ready", timeout=60).json()
    assert found["store"] == "ok" and "cannot be reached" in found["apns"]["production"]
    assert requests.get(f"{url}/health", timeout=60).status_code == 200


def test_a_service_is_ready_at_a_gateway_for_production_only(tmp_path):
    gateway = Process(*map(str, ["gateway", "--data", tmp_path / "gateway", "--port", 0, "--json", "--log-level", "error"]))
    box = json.loads(gateway.line())
    service = Process(*map(str, [
        "serve", "--data", tmp_path / "data", "--port", 0, "--apns-host", box["host"], "--apns-ca", box["ca"],
        "--apns-production-port", box["productionPort"], "--log-level", "critical",
    ]))
    url = service.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    ready = requests.get(f"{url}/ready", timeout=60)
    assert ready.status_code == 200 and ready.json()["apns"] == {"development": "unused", "production": "ok"}, ready.text
    assert [service.stop(), gateway.stop()] == [0, 0]


def test_a_service_that_drains_is_not_ready_and_still_answers(tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"http": {"drainSeconds": 10}}))
    gateway, box = start_gateway(tmp_path / "gateway")
    service, url = start_service(tmp_path / "data", box, "--config", settings)
    assert requests.get(f"{url}/ready", timeout=60).status_code == 200
    service.process.terminate()
    await_value(lambda: requests.get(f"{url}/ready", timeout=60).status_code, 503, "the status of /ready")
    assert requests.get(f"{url}/ready", timeout=60).json()["draining"] is True
    assert requests.get(f"{url}/health", timeout=60).status_code == 200
    assert [service.process.wait(60), gateway.stop()] == [0, 0]
