"""`posthorn doctor` at a running service with a gateway, and with files as a developer has them."""

import contextlib
import json
import plistlib
import resource
import subprocess

import pytest
import requests
from journeys import await_sent, await_state
from processes import BINARY, Process, start_gateway, start_service
from test_cli import run


@contextlib.contextmanager
def running(folder):
    """A gateway, a service that pushes to it, and an app with a certificate for production."""
    gateway, box = start_gateway(folder / "gateway")
    service, url = start_service(folder / "data", box)
    developer = ["--data", folder / "gateway"]
    run("appid", "create", "com.example.doctor", *developer)
    run(
        "cert", "issue", "--new", "--app-id", "com.example.doctor", "--environment", "production", "--p12", folder / "push.p12",
        *developer, POSTHORN_PASSWORD="secret",
    )
    app = create(folder, "D")
    add_credential(folder, app)
    yield folder, app, url, gateway
    assert service.stop() == 0
    gateway.stop()


def create(folder, name):
    """An app without a credential."""
    return json.loads(run("app", "create", "--data", folder / "data", "--name", name, "--bundle-id", "com.example.doctor", "--json"))


def add_credential(folder, app):
    run("credential", "add", app["app_key"], "--p12", folder / "push.p12", "--data", folder / "data", POSTHORN_PASSWORD="secret")


@pytest.fixture(scope="module")
def road(tmp_path_factory):
    with running(tmp_path_factory.mktemp("doctor")) as road:
        yield road


def doctor(*arguments, status=0):
    """Standard output, which has the findings even if something is wrong."""
    command = [BINARY, "doctor", *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert ended.returncode == status, ended.stdout + ended.stderr
    return ended.stdout


def findings(folder, *arguments, status=0):
    """The states of the checks, and all of the output."""
    output = doctor("--data", folder / "data", "--json", *arguments, status=status)
    answer = json.loads(output)
    assert answer["ok"] == (status == 0)
    return {one["check"]: one["state"] for one in answer["findings"]}, output


def test_an_app_is_wrong_until_it_has_a_credential(road):
    folder, _, _, _ = road
    app = create(folder, "E")
    states, _ = findings(folder)
    assert {states[check] for check in ("service", "store", "database", "disk", "permissions", "tls", "queue")} == {"ok"}
    assert states["apns.development"] == states["apns.production"] == "ok"
    key = app["app_key"]
    states, _ = findings(folder, "--app", key, status=1)
    assert states["credential.production"] == states["setting"] == "wrong" and states["credential.development"] == "ok"
    add_credential(folder, app)
    states, output = findings(folder, "--app", key)
    assert {states[check] for check in ("app", "credential.production", "setting", "clock")} == {"ok"}
    assert "APNs accepts it for com.example.doctor" in output
    assert states["builds"] == "warning", "No device has registered."


def test_names_that_nobody_has_are_findings(road):
    folder, _, _, _ = road
    assert findings(folder, "--device", "nobody", status=1)[0]["device"] == "wrong"
    assert findings(folder, "--message", "12345", status=1)[0]["message"] == "wrong"
    assert "expected a msg_id" in run("doctor", "--data", folder / "data", "--message", "x", status=1)
    assert "There is no app 'x'" in run("doctor", "--data", folder / "data", "--app", "x", status=1)


def test_a_person_reads_marks_and_remedies(road):
    folder, app, _, _ = road
    run("app", "set", app["app_key"], "--environment", "development", "--data", folder / "data")
    output = doctor("--data", folder / "data", "--app", app["app_key"], status=1)
    assert "✘ setting" in output and "→ Add one, or 'posthorn app set" in output and "✔ credential.production" in output
    run("app", "set", app["app_key"], "--environment", "production", "--data", folder / "data")


def test_files_are_held_against_each_other_and_the_app(road):
    folder, app, _, _ = road
    profiles = {}
    for environment in ("development", "production"):
        profiles[environment] = folder / f"{environment}.mobileprovision"
        run(
            "profile", "create", "--app-id", "com.example.doctor", "--environment", environment, "--out", profiles[environment],
            "--data", folder / "gateway",
        )
    password = folder / "password"
    password.write_text("secret\n")
    certificate = ["--p12", folder / "push.p12", "--password-file", password]
    states, _ = findings(folder, "--profile", profiles["production"], *certificate)
    assert states == {check: "ok" for check in ("profile", "certificate", "bundle-id", "environment", "team")}
    # As editors of Windows write a text.
    for encoding in ["utf-8-sig", "utf-16"]:
        password.write_text("secret\r\n", encoding=encoding, newline="")
        assert findings(folder, "--profile", profiles["production"], *certificate)[0]["certificate"] == "ok"
    password.write_text("secret\n")
    states, _ = findings(folder, "--profile", profiles["development"], *certificate, status=1)
    assert states["environment"] == "wrong"
    states, _ = findings(folder, "--profile", profiles["development"], "--app", app["app_key"], status=1)
    assert states["service"] == "ok" and states["environment"] == "wrong"
    password.write_text("wrong\n")
    assert findings(folder, *certificate, status=1)[0] == {"certificate": "wrong"}
    assert "is not a property list" in run("doctor", "--info-plist", password, status=64)
    assert "belong together" in run("doctor", "--p8", password, status=64)
    key = ["--p8", password, "--team-id", "TEAM123456"]
    assert "--key-id is 'short'; expected 10 characters" in run("doctor", *key, "--key-id", "short", status=64)


def signed(file, folder):
    """A provisioning profile as Apple gives it out: the property list in a signed CMS envelope, in DER."""
    key, certificate, envelope = (folder / f"signer.{end}" for end in ("key", "pem", "mobileprovision"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2"]
        + ["-subj", "/CN=Apple iPhone OS Provisioning Profile Signing"],
        check=True, capture_output=True,
    )
    subprocess.run(
        ["openssl", "smime", "-sign", "-nodetach", "-binary", "-outform", "der", "-signer", certificate, "-inkey", key]
        + ["-in", file, "-out", envelope],
        check=True, capture_output=True,
    )
    assert envelope.read_bytes()[0] == 0x30
    return envelope


def test_five_files_agree_or_one_is_of_another_app(road, tmp_path):
    folder, app, _, _ = road
    plain, password = tmp_path / "plain.mobileprovision", tmp_path / "password"
    run(
        "profile", "create", "--app-id", "com.example.doctor", "--environment", "production", "--out", plain,
        "--data", folder / "gateway",
    )
    password.write_text("secret\n")
    team, (key,) = "POSTHORN01", (folder / "gateway").glob("AuthKey_*.p8")
    info, entitlements = tmp_path / "Info.plist", tmp_path / "app.entitlements"
    keys = {"CFBundleIdentifier": "com.example.doctor", "UIBackgroundModes": ["remote-notification"]}
    info.write_bytes(plistlib.dumps(keys, fmt=plistlib.FMT_BINARY))
    rights = {"application-identifier": f"{team}.com.example.doctor", "com.apple.developer.team-identifier": team}
    entitlements.write_bytes(plistlib.dumps({**rights, "aps-environment": "production"}))
    files = [
        "--profile", signed(plain, tmp_path), "--p12", folder / "push.p12", "--password-file", password, "--p8", key, "--key-id",
        key.stem.removeprefix("AuthKey_"), "--team-id", team, "--info-plist", info, "--entitlements", entitlements,
    ]
    alone = ["profile", "certificate", "key", "entitlements", "background-modes"]
    together = ["bundle-id", "environment", "team"]
    states, _ = findings(folder, *files)
    assert states == {check: "ok" for check in alone + together}
    states, _ = findings(folder, *files, "--app", app["app_key"])
    assert all(states[check] == "ok" for check in alone + together)
    info.write_bytes(plistlib.dumps({"CFBundleIdentifier": "com.example.Doctor"}))
    entitlements.write_bytes(plistlib.dumps({**rights, "com.apple.developer.team-identifier": "OTHERTEAM1"}))
    states, output = findings(folder, *files, status=1)
    wrong = {"bundle-id": "wrong", "team": "wrong", "entitlements": "wrong", "background-modes": "warning"}
    assert states == {check: "ok" for check in alone + together} | wrong
    assert "com.example.Doctor" in output and "OTHERTEAM1" in output


def test_a_certificate_without_its_key_is_named(road, tmp_path):
    folder, _, _, _ = road
    opened = subprocess.run(
        ["openssl", "pkcs12", "-in", folder / "push.p12", "-nokeys", "-clcerts", "-passin", "pass:secret"],
        check=True, capture_output=True,
    )
    file, password = tmp_path / "aps.cer", tmp_path / "password"
    password.write_text("secret\n")
    subprocess.run(["openssl", "x509", "-outform", "der", "-out", file], input=opened.stdout, check=True, capture_output=True)
    states, output = findings(folder, "--p12", file, "--password-file", password, status=1)
    assert states == {"certificate": "wrong"} and "a certificate without a private key (.cer)" in output


def test_a_push_is_followed_to_its_device(tmp_path):
    sandbox = Process("sandbox", "--json", "--data", tmp_path / "data", "--log-level", "critical")
    box = json.loads(sandbox.line())
    device, api = box["devices"][0]["registrationID"], box["api"]
    auth = (api["appKey"], api["masterSecret"])
    push = {"platform": "ios", "audience": {"registration_id": [device]}, "notification": {"ios": {"alert": "Hi"}}}
    messages = {}
    for production in (True, False):
        body = {**push, "options": {"apns_production": production}}
        messages[production] = requests.post(f"{api['url']}/v3/push", json=body, auth=auth, timeout=60).json()["msg_id"]
    await_state(box, messages[True], device, "shown")
    await_sent(box, messages[True])
    await_state(box, messages[False], device, "suppressed")
    states, _ = findings(tmp_path, "--device", device, "--message", messages[True])
    assert states["message"] == states["journey"] == "ok"
    assert {states[check] for check in ("device", "token", "build", "switch", "badge", "builds")} == {"ok"}
    assert states["names"] == "warning", "The device has neither alias nor tags."
    output = doctor("--data", tmp_path / "data", "--device", device, "--message", messages[True])
    assert states["payload"] == "warning" and "It has no sound." in output and "no mutable-content" in output
    states, output = findings(tmp_path, "--device", device, "--message", messages[False], status=1)
    assert states["journey"] == states["message"] == "wrong" and "development" in output
    assert sandbox.stop() == 0


@pytest.mark.parametrize("files, state", [(1000, "warning"), (4096, "ok")])
def test_too_few_open_files_for_the_settings_are_found(tmp_path, files, state):
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"http": {"connections": 2000}}))
    service = Process(
        *map(str, ["serve", "--data", tmp_path / "data", "--port", 0, "--config", settings, "--log-level", "critical"]),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)),
    )
    service.line(lambda line: line.startswith("Posthorn listens"))
    found = subprocess.run([BINARY, "doctor", "--data", tmp_path / "data", "--json"], capture_output=True, text=True, timeout=60)
    states = {one["check"]: one["state"] for one in json.loads(found.stdout)["findings"]}
    assert states["open-files"] == state
    assert service.stop() == 0


@pytest.mark.one_node("the findings are those of SQLite")
def test_without_a_service_or_a_gateway_it_says_so(tmp_path):
    run("app", "create", "--data", tmp_path / "data", "--name", "E", "--bundle-id", "com.example.e")
    states, _ = findings(tmp_path, status=1)
    assert states == {"service": "wrong", "database": "ok", "disk": "ok", "permissions": "ok"}
    (tmp_path / "data" / "secret.key").chmod(0o644)
    assert findings(tmp_path, status=1)[0]["permissions"] == "wrong"
    assert "only the service knows its devices" in run("doctor", "--data", tmp_path / "data", "--device", "x", status=1)
    with running(tmp_path / "own") as (folder, app, _, gateway):
        gateway.stop()
        states, _ = findings(folder, "--app", app["app_key"], status=1)
        assert states["credential.production"] == "wrong"
