"""Operators at a running service: over the socket in its data folder, and from elsewhere with a token."""

import fcntl
import json
import os
import pty
import signal
import socket
import stat
import subprocess
import termios
import time

import pytest
import requests
from processes import BINARY, Process, start_gateway, start_service
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
    path = folder / "data" / "run" / "operator.sock"
    app = json.loads(run("app", "create", *data, "--name", "A", "--bundle-id", "com.example.a", "--json"))
    assert stat.S_ISSOCK(path.stat().st_mode) and path.stat().st_mode & 0o777 == 0o600
    auth = (app["app_key"], app["master_secret"])
    assert requests.get(f"{url}/posthorn/v1/app", auth=auth, timeout=60).json()["environment"] == "production"
    run("app", "set", app["app_key"], "--environment", "development", "--quiet-hours", "22:00-07:00", *data)
    # Another node hears of it in a moment.
    deadline = time.monotonic() + 60
    while True:
        shown = requests.get(f"{url}/posthorn/v1/app", auth=auth, timeout=60).json()
        if shown["environment"] == "development" and shown["quiet_hours"]["from"] == "22:00":
            break
        assert time.monotonic() < deadline, shown
        time.sleep(0.02)
    assert "no quiet hours" in run("app", "set", app["app_key"], "--no-quiet-hours", *data)
    assert "Say what to set" in run("app", "set", app["app_key"], *data, status=1)
    assert app["app_key"] in run("app", "list", *data)


def test_the_socket_listens_before_the_addresses_are_said(tmp_path):
    """A script that reads the line asks the service at once; it was refused in one of twelve starts."""
    path = tmp_path / "data" / "run" / "operator.sock"
    for start in range(12):
        process = Process("serve", "--data", tmp_path / "data", "--port", 0, "--json")
        json.loads(process.line())
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(path))
        assert process.stop() == 0, start


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
    tried = trial(app, data, "--environment", "production")
    assert "accepts the credential" in tried and "topics of the certificate: com.example.b" in tried
    passwords = folder / "password"
    passwords.write_text("secret\n")
    again = run("credential", "add", app, "--p12", file, "--password-file", passwords, *data)
    assert "The app has it already" in again and "nothing was changed" in again
    (listed,) = [row for row in json.loads(run("credential", "list", "--json", *data)) if row["app"] == app]
    assert listed["kind"] == "certificate" and listed["days_left"] > 300 and listed["used"] and listed["warning"] is None
    assert "has no credential" in run("credential", "remove", app, "--certificate", *data)
    assert "no such credential" in run("credential", "remove", app, "--p8", *data, status=1)
    run("credential", "add", app, "--p8", box["keyFile"], "--key-id", box["keyID"], "--team-id", box["teamID"], *data)
    results = json.loads(trial(app, data, "--json"))["results"]
    assert [result["environment"] for result in results] == ["development", "production"]
    assert [result["topics"] for result in results] == [None, None], "A key has no topics of its own."
    added = run("credential", "add", app, "--p12", file, *data, POSTHORN_PASSWORD="secret")
    assert "It is stored and not used" in added and "The key goes first" in added
    assert "It is not used: others go first." in run("credential", "list", *data)
    shown = run("credential", "list", app, *data)
    assert "Sends        production com.example.b.voip: " in shown and box["keyID"] in shown


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
    assert requests.post(path, json={}, timeout=60).status_code == 401
    answer = requests.post(path, json={}, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)
    assert answer.status_code == 200 and "apps" in answer.json()
    unknown = requests.post(path.replace("list", "fly"), json={}, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60)
    assert unknown.status_code == 404 and unknown.json()["error"]["code"] == "unknown_operation"
    assert "20 or more" in run("serve", "--data", folder / "other", "--port", 0, status=1, POSTHORN_OPERATOR_TOKEN="short")


@pytest.mark.one_node("a file is read in the same way by each node")
def test_a_certificate_in_two_files_of_pem(road):
    folder, box, _ = road
    data, developer = ["--data", folder / "data"], ["--data", folder / "gateway"]
    app = json.loads(run("app", "create", *data, "--name", "C", "--bundle-id", "com.example.pem", "--json"))["app_key"]
    key, request, certificate = (folder / f"pem.{end}" for end in ("key", "csr", "crt"))
    new = ["-newkey", "rsa:2048", "-passout", "pass:secret", "-keyout", key, "-out", request, "-subj", "/CN=Me"]
    subprocess.run(["openssl", "req", "-new", *new], check=True, capture_output=True)
    run("appid", "create", "com.example.pem", "--push", "on", *developer)
    run("cert", "issue", "--csr", request, "--app-id", "com.example.pem", "--environment", "both", "--out", certificate, *developer)
    assert "no private key" in run("credential", "add", app, "--pem", certificate, *data, status=1)
    pair = ["--pem", certificate, "--pem-key", key]
    assert "pass phrase" in run("credential", "add", app, *pair, *data, status=1, POSTHORN_PASSWORD="wrong")
    added = json.loads(run("credential", "add", app, *pair, "--json", *data, POSTHORN_PASSWORD="secret"))
    assert [one["environments"] for one in added["credentials"]] == [["development", "production"]]
    assert trial(app, data).count("accepts the credential") == 2
    # The key is in the same file, without a password.
    plain = subprocess.run(["openssl", "rsa", "-in", key, "-passin", "pass:secret"], check=True, capture_output=True).stdout
    both = folder / "both.pem"
    both.write_bytes(certificate.read_bytes() + plain)
    run("credential", "add", app, "--pem", both, "--environment", "production", *data)
    assert trial(app, data).count("accepts the credential") == 2
    # PushSharp #219: a certificate for signing goes before it.
    signing = ["-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "d.key", "-out", folder / "d.pem"]
    subprocess.run(["openssl", "req", *signing, "-subj", "/CN=Apple Distribution: Me"], check=True, capture_output=True)
    several = folder / "several.pem"
    several.write_bytes(b"".join(part.read_bytes() for part in (folder / "d.pem", folder / "d.key", both)))
    added = run("credential", "add", app, "--pem", several, "--environment", "production", *data)
    assert "Left out of the file, because the app needs one certificate: 'Apple Distribution: Me'." in added
    assert trial(app, data).count("accepts the credential") == 2
    assert "is not for pushes" in run("credential", "add", app, "--pem", folder / "d.pem", "--pem-key", folder / "d.key", *data, status=1)
    assert "--pem-key goes with --pem" in run("credential", "add", app, "--p12", both, "--pem-key", key, *data, status=1)


@pytest.fixture
def terminal():
    """Both ends of a terminal: that of the person, and that of the command."""
    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)
    os.close(theirs)


def at(theirs, *arguments):
    """Starts a command whose input is the terminal, so that Ctrl-C there ends it."""

    def take_terminal():
        # A shell that runs these tests in the background has them ignore the signal, and the command would too.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    return subprocess.Popen(
        [BINARY, *map(str, arguments)], stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, text=True, start_new_session=True,
        preexec_fn=take_terminal,
    )


def shown(ours, text):
    """Everything on the terminal up to a text."""
    seen = b""
    while text not in seen:
        seen += os.read(ours, 4096)
    return seen


def echoes(terminal):
    return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)


@pytest.mark.one_node("the terminal is that of the command")
def test_a_password_is_asked_for_and_not_shown(road, terminal):
    folder, _, _ = road
    data = ["--data", folder / "data"]
    ours, theirs = terminal
    app = json.loads(run("app", "create", *data, "--name", "P", "--bundle-id", "com.example.prompt", "--json"))["app_key"]
    file = bundle(folder, "com.example.prompt", "production")
    command = at(theirs, "credential", "add", app, "--p12", file, *data)
    shown(ours, b"Password of the certificate: ")
    assert not echoes(theirs)
    os.write(ours, b"secret\n")
    output, _ = command.communicate(timeout=60)
    assert command.returncode == 0 and "can push to production" in output
    assert echoes(theirs) and b"secret" not in shown(ours, b"\n")


@pytest.mark.one_node("the terminal is that of the command")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_is_ended_at_the_prompt_restores_the_terminal(road, terminal, number):
    folder, _, _ = road
    data = ["--data", folder / "data"]
    ours, theirs = terminal
    file = bundle(folder, f"com.example.{number.name.lower()}", "production")
    before = termios.tcgetattr(theirs)
    command = at(theirs, "credential", "add", "key", "--p12", file, *data)
    shown(ours, b"Password of the certificate: ")
    assert not echoes(theirs)
    if number == signal.SIGINT:
        os.write(ours, b"\x03")
    else:
        command.send_signal(number)
    command.communicate(timeout=60)
    assert command.returncode == -number
    assert termios.tcgetattr(theirs) == before


def test_changes_of_a_group_and_a_developer_take_effect_at_once(road):
    folder, _, url = road
    data = ["--data", folder / "data"]
    first, second = (
        json.loads(run("app", "create", *data, "--name", name, "--bundle-id", "com.example.g", "--json"))["app_key"]
        for name in "GH"
    )
    group = json.loads(run("group", "create", *data, "--name", "Both", "--app", first, "--json"))
    auth = (f"group-{group['group_key']}", group["master_secret"])
    push = {"platform": "ios", "audience": "all", "notification": {"alert": "Hi"}}

    def reached():
        """The apps for which the group's push has an answer; without devices, each answer is an error."""
        answer = requests.post(f"{url}/v3/grouppush", json=push, auth=auth, timeout=60)
        assert answer.status_code == 200, answer.text
        return {key for key in answer.json() if key != "group_msgid"}

    assert reached() == {first}
    assert "has 2 apps" in run("group", "change", group["group_key"], "--add", second, *data)
    assert reached() == {first, second}
    assert "has 1 app." in run("group", "change", group["group_key"], "--remove", first, *data)
    assert reached() == {second}
    developer = json.loads(run("dev", "create", *data, "--name", "D", "--json"))
    auth = (developer["dev_key"], developer["dev_secret"])
    app = {"app_name": "I", "android_package": "com.example.i"}
    assert requests.post(f"{url}/v1/app", json=app, auth=auth, timeout=60).status_code == 200
    run("dev", "disable", developer["dev_key"], *data)
    refused = requests.post(f"{url}/v1/app", json=app, auth=auth, timeout=60)
    assert refused.json()["error"]["code"] == 4007
    run("dev", "enable", developer["dev_key"], *data)
    assert requests.post(f"{url}/v1/app", json=app, auth=auth, timeout=60).status_code == 200


@pytest.mark.one_node("behind a proxy that speaks plain HTTP to them, nodes have no certificate")
def test_an_operator_elsewhere_uses_tls_with_an_authority_of_its_own(tmp_path):
    key, certificate, settings = tmp_path / "key.pem", tmp_path / "certificate.pem", tmp_path / "settings.json"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
        check=True, capture_output=True,
    )
    settings.write_text(json.dumps({"operator": {"token": TOKEN}, "http": {"cert": str(certificate), "key": str(key)}}))
    service = Process("serve", "--data", tmp_path / "data", "--port", 0, "--config", settings, "--log-level", "critical")
    url = service.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    assert url.startswith("https://")
    elsewhere = ["--url", url, "--token", TOKEN]
    made = json.loads(run("app", "create", "--name", "A", "--bundle-id", "a.b", "--json", *elsewhere, "--ca", certificate))
    assert made["app_key"] in run("app", "list", *elsewhere, POSTHORN_CA=str(certificate))
    assert "CERTIFICATE_VERIFY_FAILED" in run("app", "list", *elsewhere, status=1)
    assert service.stop() == 0


def test_a_dry_run_of_retention_counts_and_other_uses_are_refused(tmp_path):
    data = ["--data", tmp_path / "data"]
    service = Process("serve", *map(str, data), "--port", "0", "--log-level", "critical")
    service.line(lambda line: line.startswith("Posthorn listens"))
    assert run("retention", "--dry-run", "--messages", 1, *data).splitlines() == [
        "0 pushes due after 1 day", "0 schedules due after 31 days", "0 devices due after 255 days",
        "0 counts of users due after 92 days",
    ]
    assert json.loads(run("retention", "--dry-run", "--json", *data))["pushes"] == {"count": 0, "days": 31}
    assert "--devices" in run("retention", "--dry-run", "--devices", 10, *data, status=64)
    assert "--dry-run counts it" in run("retention", *data, status=64)
    assert service.stop() == 0
    assert "only the service knows its rules" in run("retention", "--dry-run", *data, status=1)
