"""Operators at a running service: over the socket in its data folder, and from elsewhere with a token."""

import json
import os
import stat
import subprocess

import pytest
import requests
from processes import BINARY
from roads import start_gateway, start_service
from test_cli import run

TOKEN = "an operator's token of 32 letters"


@pytest.fixture(scope="module")
def road(tmp_path_factory):
    """A gateway and a service that pushes to it."""
    folder = tmp_path_factory.mktemp("operators")
    gateway, box = start_gateway(folder / "gateway")
    settings = folder / "settings.json"
    settings.write_text(json.dumps({"operator": {"token": TOKEN}}))
    service, url = start_service(folder / "data", box, "--config", settings)
    yield folder, box, url
    assert [service.stop(), gateway.stop()] == [0, 0]


def bundle(folder, bundle_id, environment):
    """A .p12 as a developer makes it at the gateway."""
    data = ["--data", folder / "gateway"]
    run("appid", "create", bundle_id, "--push", "on", *data)
    file = folder / f"{bundle_id}.p12"
    run(
        "cert", "issue", "--new", "--app-id", bundle_id, "--environment", environment, "--p12", file, *data,
        POSTHORN_PASSWORD="secret",
    )
    return file


def test_a_command_asks_the_running_service(road):
    folder, _, url = road
    data = ["--data", folder / "data"]
    socket = folder / "data" / "run" / "operator.sock"
    app = json.loads(run("app", "create", *data, "--name", "A", "--bundle-id", "com.example.a", "--json"))
    assert stat.S_ISSOCK(socket.stat().st_mode) and socket.stat().st_mode & 0o777 == 0o600
    auth = (app["app_key"], app["master_secret"])
    assert requests.get(f"{url}/posthorn/v1/app", auth=auth, timeout=10).json()["environment"] == "production"
    run("app", "set", app["app_key"], "--environment", "development", "--quiet-hours", "22:00-07:00", *data)
    shown = requests.get(f"{url}/posthorn/v1/app", auth=auth, timeout=10).json()
    assert shown["environment"] == "development" and shown["quiet_hours"]["from"] == "22:00"
    assert "no quiet hours" in run("app", "set", app["app_key"], "--no-quiet-hours", *data)
    assert "Say what to set" in run("app", "set", app["app_key"], *data, status=1)
    assert app["app_key"] in run("app", "list", *data)


def test_a_credential_from_file_to_trial(road):
    folder, box, _ = road
    data = ["--data", folder / "data"]
    app = json.loads(run("app", "create", *data, "--name", "B", "--bundle-id", "com.example.b", "--json"))["app_key"]
    assert "cannot push to production" in run("app", "show", app, *data)
    run("credential", "test", app, *data, status=1)
    assert "has no credential" in trial(app, data)
    file = bundle(folder, "com.example.b", "production")
    refused = run("credential", "add", app, "--p12", file, *data, status=1, POSTHORN_PASSWORD="wrong")
    assert "pass phrase does not open" in refused
    refused = run("credential", "add", app, "--p12", file, "--environment", "development", *data, status=1, POSTHORN_PASSWORD="secret")
    assert "is for production and cannot be used for development" in refused
    added = run("credential", "add", app, "--p12", file, *data, POSTHORN_PASSWORD="secret")
    assert "com.example.b" in added and "can push to production; the certificate ends in" in added
    assert "accepts the credential" in trial(app, data, "--environment", "production")
    passwords = folder / "password"
    passwords.write_text("secret\n")
    run("credential", "add", app, "--p12", file, "--password-file", passwords, *data)
    (listed,) = [row for row in json.loads(run("credential", "list", "--json", *data)) if row["app"] == app]
    assert listed["kind"] == "certificate" and listed["days_left"] > 300
    assert "has no credential" in run("credential", "remove", app, "--certificate", *data)
    assert "no such credential" in run("credential", "remove", app, "--p8", *data, status=1)
    run("credential", "add", app, "--p8", box["keyFile"], "--key-id", box["keyID"], "--team-id", box["teamID"], *data)
    results = json.loads(trial(app, data, "--json"))["results"]
    assert [result["environment"] for result in results] == ["development", "production"]


def trial(app, data, *flags):
    """What the trial prints, whatever its status is."""
    words = [BINARY, "credential", "test", app, *data, *flags]
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=60, env=os.environ).stdout


def test_an_operator_elsewhere_needs_the_token(road):
    folder, _, url = road
    elsewhere = ["--url", url]
    assert "POSTHORN_OPERATOR_TOKEN" in run("app", "list", *elsewhere, status=1)
    assert "missing or wrong" in run("app", "list", *elsewhere, "--token", "wrong", status=1)
    run("app", "list", *elsewhere, POSTHORN_OPERATOR_TOKEN=TOKEN)
    path = f"{url}/posthorn/v1/operator/app.list"
    assert requests.post(path, json={}, timeout=10).status_code == 401
    answer = requests.post(path, json={}, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=10)
    assert answer.status_code == 200 and "apps" in answer.json()
    unknown = requests.post(path.replace("list", "fly"), json={}, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=10)
    assert unknown.status_code == 404 and unknown.json()["error"]["code"] == "unknown_operation"
    assert "20 or more" in run("serve", "--data", folder / "other", "--port", 0, status=1, POSTHORN_OPERATOR_TOKEN="short")
