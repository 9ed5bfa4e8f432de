"""Settings that change while the service runs: `posthorn reload` and SIGHUP; the log as JSON."""

import http.client
import json
import pathlib
import re
import shutil
import signal
import sqlite3
import ssl
import subprocess
import sys
import time

import pytest
import requests
from processes import Process
from test_cli import run

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Scripts/packaging"))

import settings  # noqa: E402


@pytest.fixture
def service(tmp_path):
    """A service with a file of settings, and a way to write them."""
    file = tmp_path / "settings.json"

    def write(**sections):
        file.write_text(json.dumps(sections))

    write(http={"callsPerMinute": 50}, log={"level": "error"})
    with open(tmp_path / "log", "w") as log:
        process = Process(
            *map(str, ["serve", "--data", tmp_path / "data", "--port", 0, "--config", file, "--log-format", "json"]), stderr=log
        )
    url = process.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    app = json.loads(run("app", "create", "--data", tmp_path / "data", "--name", "R", "--bundle-id", "com.example.r", "--json"))
    yield process, url, (app["app_key"], app["master_secret"]), write, ["--data", tmp_path / "data"]
    assert process.stop() == 0


def limit(url, auth):
    answer = requests.get(f"{url}/posthorn/v1/app", auth=auth, timeout=60)
    return int(answer.headers["X-Rate-Limit-Limit"])


@pytest.mark.one_node("settings are those of a process: each node is told to read its own")
def test_what_can_change_changes_and_the_rest_is_named(service):
    process, url, auth, write, data = service
    assert limit(url, auth) == 50
    write(http={"callsPerMinute": 70, "port": 1}, retention={"messages": 60}, operator={"token": "a secret of twenty letters"})
    answer = json.loads(run("reload", *data, "--json"))
    assert answer["certificate"] is None
    assert answer["applied"] == [
        {"key": "http.callsPerMinute", "from": "50", "to": "70"},
        {"key": "retention.messages", "from": None, "to": "60"},
        {"key": "log.level", "from": "error", "to": None},
    ]
    assert answer["needs_restart"] == [{"key": "operator.token", "from": None, "to": "(secret)"}], "A flag overrides the port."
    assert limit(url, auth) == 70
    output = run("reload", *data)
    assert "No setting that can change" in output and "Needs restart  operator.token: the default → (secret)" in output


@pytest.mark.one_node("settings are those of a process: each node is told to read its own")
def test_the_settings_that_can_change_are_those_of_the_page(service):
    _, _, _, write, data = service
    page = (ROOT / "Documentation/Operations/Run.md").read_text()
    sentence = re.search(r"These take effect at once:\s(.*?)contents of", page, re.S)[1]
    named, excepted = (re.findall(r"`([\w.*]+)`", part) for part in re.match(r"(.*?)except (`[\w.]+`)", sentence, re.S).groups())
    named += re.findall(r"`([\w.*]+)`", sentence.split("except", 1)[1])[1:]
    rows = settings.read(page)
    live = {
        row.key for row in rows for name in named
        if (row.key.startswith(name.removesuffix("*")) if name.endswith("*") else row.key == name) and row.key not in excepted
    }
    assert len(live) > 14 and "retention.events" not in live
    # Settings without a number by default, and some that a number by itself does not change.
    values = {"http.callsPerMinute": 70, "push.broadcastsPerDay": 10, "log.level": "critical", "tracing.percent": 99}
    left_out = {"http.port", "postgres.connections"}
    for row in rows:
        if row.default.isdigit() and row.key not in left_out:
            values.setdefault(row.key, int(row.default) + 1)
    assert live <= values.keys()
    sections = {}
    for key, value in values.items():
        section, name = key.split(".")
        sections.setdefault(section, {})[name] = value
    write(**sections)
    answer = json.loads(run("reload", *data, "--json"))
    assert {change["key"] for change in answer["applied"]} == live
    assert {change["key"] for change in answer["needs_restart"]} == values.keys() - live


def test_a_setting_that_cannot_be_used_changes_nothing(service):
    _, url, auth, write, data = service
    write(http={"callsPerMinute": 80}, retention={"messages": 0})
    refusal = run("reload", *data, status=1)
    assert "Nothing has changed" in refusal and "retention.messages" in refusal and "1 to 3650" in refusal
    write(htpp={})
    write(http={"callPerMinute": 80})
    assert "http.callPerMinute" in run("reload", *data, status=1)
    assert limit(url, auth) == 50


def await_log(log, text):
    deadline = time.monotonic() + 60
    while text not in log.read_text():
        assert time.monotonic() < deadline, f"waited for the log's entry {text!r}"
        time.sleep(0.05)


def test_sighup_does_the_same_and_the_log_has_the_result(service, tmp_path):
    process, url, auth, write, _ = service
    write(http={"callsPerMinute": 90}, log={"level": "notice"})
    process.process.send_signal(signal.SIGHUP)
    log = tmp_path / "log"
    await_log(log, "read again")
    assert limit(url, auth) == 90
    entry = next(entry for entry in map(json.loads, log.read_text().splitlines()) if "read again" in entry["message"])
    assert entry["level"] == "notice" and entry["logger"] == "posthorn" and entry["time"].endswith("Z")
    assert entry["metadata"]["applied"] == "http.callsPerMinute, log.level"


@pytest.mark.one_node("the signal reaches the process that stands in for the nodes")
def test_a_sighup_during_the_start_takes_effect_when_the_service_runs(tmp_path):
    data, file, log = tmp_path / "data", tmp_path / "settings.json", tmp_path / "log"
    app = json.loads(run("app", "create", "--data", data, "--name", "R", "--bundle-id", "com.example.r", "--json"))
    # The start waits for the database, after it has warned of the host.
    database = sqlite3.connect(data / "posthorn.sqlite")
    database.execute("PRAGMA locking_mode = EXCLUSIVE")
    database.execute("BEGIN EXCLUSIVE")
    file.write_text(json.dumps({"http": {"host": "0.0.0.0", "callsPerMinute": 50}}))
    with log.open("w") as output:
        process = Process(*map(str, ["serve", "--data", data, "--port", 0, "--config", file]), stderr=output)
    await_log(log, "without TLS")
    file.write_text(json.dumps({"http": {"host": "0.0.0.0", "callsPerMinute": 60}}))
    process.process.send_signal(signal.SIGHUP)
    database.close()
    url = process.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    await_log(log, "read again")
    assert limit(url.replace("0.0.0.0", "127.0.0.1"), (app["app_key"], app["master_secret"])) == 60
    assert process.stop() == 0


def certificate(folder):
    """A new certificate in place of the one that is there."""
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "90", "-subj",
            "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", folder / "cert.pem",
        ],
        check=True, capture_output=True,
    )


def test_a_renewed_certificate_is_used_at_once(tmp_path):
    certificate(tmp_path)
    log = tmp_path / "log"
    tls = ["--cert", tmp_path / "cert.pem", "--key", tmp_path / "key.pem"]
    with log.open("w") as output:
        process = Process(*map(str, ["serve", "--data", tmp_path / "data", "--port", 0, *tls]), stderr=output)
    port = int(process.line(lambda line: line.startswith("Posthorn listens")).rsplit(":", 1)[1])
    first = ssl.get_server_certificate(("127.0.0.1", port))
    data = ["--data", tmp_path / "data"]
    assert json.loads(run("reload", *data, "--json"))["certificate"] == "unchanged"
    certificate(tmp_path)
    if json.loads(run("reload", *data, "--json"))["certificate"] != "renewed":
        # The service looks every ten seconds, and was first.
        await_log(log, "The certificate of the API was renewed")
    assert ssl.get_server_certificate(("127.0.0.1", port)) != first
    (tmp_path / "cert.pem").write_text("nothing")
    for _ in range(2):
        assert "Nothing has changed" in run("reload", *data, status=1), "Each reload says so."
    assert process.stop() == 0


def test_a_renewed_certificate_is_used_without_a_restart_or_a_reload(tmp_path):
    certificate(tmp_path)
    log = tmp_path / "log"
    tls = ["--cert", tmp_path / "cert.pem", "--key", tmp_path / "key.pem"]
    with log.open("w") as output:
        process = Process(*map(str, ["serve", "--data", tmp_path / "data", "--port", 0, *tls]), stderr=output)
    port = int(process.line(lambda line: line.startswith("Posthorn listens")).rsplit(":", 1)[1])
    first = ssl.get_server_certificate(("127.0.0.1", port))
    open_connection = http.client.HTTPSConnection(
        "localhost", port, timeout=60, context=ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
    )
    open_connection.connect()
    # As certbot's hook does: one file after the other.
    new = tmp_path / "new"
    new.mkdir()
    certificate(new)
    for name in ["cert.pem", "key.pem"]:
        shutil.copy(new / name, tmp_path / name)
    await_log(log, "The certificate of the API was renewed")
    assert ssl.get_server_certificate(("127.0.0.1", port)) == (new / "cert.pem").read_text() != first
    open_connection.request("GET", "/health")
    assert open_connection.getresponse().status == 200, "A connection that is open stays."
    assert "cannot be used" not in log.read_text()
    assert process.stop() == 0


def test_certificates_at_another_path_are_named_at_each_reload(tmp_path):
    old, new, settings = tmp_path / "old", tmp_path / "new", tmp_path / "settings.json"

    def write(folder, **others):
        paths = {"cert": str(folder / "cert.pem"), "key": str(folder / "key.pem")}
        settings.write_text(json.dumps({"http": {**paths, **others}}))

    for folder in [old, new]:
        folder.mkdir()
        certificate(folder)
    write(old)
    data = ["--data", tmp_path / "data"]
    process = Process(*map(str, ["serve", *data, "--port", 0, "--config", settings, "--log-level", "critical"]))
    process.line(lambda line: line.startswith("Posthorn listens"))
    for file in old.iterdir():
        file.unlink()
    write(new, callsPerMinute=70)
    for applied in [["http.callsPerMinute"], []]:
        answer = json.loads(run("reload", *data, "--json"))
        assert [change["key"] for change in answer["applied"]] == applied
        assert [change["key"] for change in answer["needs_restart"]] == ["http.cert", "http.key"]
        assert answer["certificate"] == "unchanged"
    assert process.stop() == 0


def test_without_a_service_there_is_nothing_to_read_again(tmp_path):
    run("app", "create", "--data", tmp_path, "--name", "R", "--bundle-id", "com.example.r")
    assert "'posthorn serve' reads them when it starts" in run("reload", "--data", tmp_path, status=1)
