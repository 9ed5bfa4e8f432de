"""Users of the portal and the audit log, as operators manage and read them."""

import contextlib
import json
import os
import pty
import re
import subprocess

import confidential
import pytest
import requests
from processes import BINARY, Process
from test_cli import run

TOKEN = "an operator's token of 32 letters"
PASSWORD = "correct horse battery staple"
OTHER = "another horse battery staple"


@pytest.fixture(scope="module", autouse=True)
def secrets():
    """Passwords that pass in files and at terminals must not stand in logs either."""
    for password in PASSWORD, OTHER:
        confidential.remember(password, "the password of a user")


@pytest.fixture(scope="module")
def passwords(tmp_path_factory):
    """The paths of two files with a password each."""
    folder = tmp_path_factory.mktemp("passwords")
    files = folder / "password", folder / "other"
    for file, password in zip(files, (PASSWORD, OTHER)):
        file.write_text(password + "\n")
    return files


@contextlib.contextmanager
def running(folder):
    """The folder and the URL of a service that has an operator token."""
    settings = folder / "settings.json"
    settings.write_text(json.dumps({"operator": {"token": TOKEN}}))
    process = Process("serve", "--data", folder / "data", "--port", 0, "--config", settings)
    url = process.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
    yield folder / "data", url
    assert process.stop() == 0


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with running(tmp_path_factory.mktemp("users")) as service:
        yield service


@pytest.fixture
def another_service(tmp_path):
    with running(tmp_path) as service:
        yield service


def operate(url, operation, **parameters):
    return requests.post(
        f"{url}/posthorn/v1/operator/{operation}", json=parameters, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60
    )


def test_a_user_from_creation_to_removal(service, passwords):
    folder, url = service
    data = ["--data", folder]
    password, other = passwords
    made = json.loads(run("user", "create", "ana@example.com", "--role", "admin", "--password-file", password, "--json", *data))
    assert made.keys() == {"name", "role", "created_at", "version"} and made["role"] == "admin"
    assert "already" in run("user", "create", "ana@example.com", "--role", "viewer", "--password-file", password, *data, status=1)
    run("user", "create", "ben", "--role", "viewer", "--password-file", password, *data)
    # Other tests have users here, too.
    assert [
        (user["name"], user["role"]) for user in json.loads(run("user", "list", "--json", *data)) if user["name"] in ("ana@example.com", "ben")
    ] == [("ana@example.com", "admin"), ("ben", "viewer")]
    listed = run("user", "list", *data)
    assert "ana@example.com" in listed and "ben" in listed and "viewer" in listed

    def verified(name, password):
        answer = operate(url, "user.verify", name=name, password=password)
        return answer.status_code, answer.json()

    assert verified("ben", PASSWORD)[1]["role"] == "viewer"
    wrong, unknown = verified("ben", OTHER), verified("nobody", OTHER)
    assert wrong[0] == 401 and wrong == unknown and wrong[1]["error"]["code"] == "unauthorized"
    run("user", "set", "ben", "--role", "sender", "--password-file", other, *data)
    assert verified("ben", PASSWORD)[0] == 401 and verified("ben", OTHER)[1]["role"] == "sender"
    # The variable is there for other commands too.
    run("user", "set", "ben", "--role", "viewer", *data, POSTHORN_PASSWORD=PASSWORD)
    assert verified("ben", PASSWORD)[0] == 401 and verified("ben", OTHER)[1]["role"] == "viewer"
    run("user", "set", "ben", *data, POSTHORN_PASSWORD=PASSWORD)
    assert verified("ben", PASSWORD)[1]["role"] == "viewer"
    run("user", "remove", "ben", *data)
    assert "There is no user 'ben'" in run("user", "remove", "ben", *data, status=1)
    assert "There is no user 'ben'" in run("user", "set", "ben", "--role", "admin", *data, status=1)


def test_the_last_administrator_stays(tmp_path, passwords):
    """On a folder on which no service runs."""
    data = ["--data", tmp_path / "data"]
    run("user", "create", "ana", "--role", "admin", "--password-file", passwords[0], *data)
    assert "only administrator" in run("user", "remove", "ana", *data, status=1)
    assert "only administrator" in run("user", "set", "ana", "--role", "viewer", *data, status=1)
    run("user", "create", "ben", "--role", "admin", "--password-file", passwords[0], *data)
    run("user", "remove", "ana", *data)
    entries = audit(data)
    assert [(entry["action"], entry["subject"], entry["ok"]) for entry in entries] == [
        ("user.remove", "ana", True), ("user.create", "ben", True), ("user.set", "ana", False),
        ("user.remove", "ana", False), ("user.create", "ana", True),
    ]
    assert {entry["actor"] for entry in entries} == {"command line"}


def test_what_is_no_name_role_or_password_is_refused(tmp_path, passwords):
    data = ["--data", tmp_path / "data"]
    short = tmp_path / "short"
    short.write_text("too short\n")
    assert "9 bytes" in run("user", "create", "ana", "--password-file", short, *data, status=1)
    assert "64 letters" in run("user", "create", "a b", "--password-file", passwords[0], *data, status=1)
    assert "viewer" in run("user", "create", "ana", "--role", "owner", "--password-file", passwords[0], *data, status=1)
    assert "cannot be read" in run("user", "create", "ana", "--password-file", tmp_path / "none", *data, status=1)
    assert "--password-file" in run("user", "create", "ana", *data, status=1, stdin=""), "There is no terminal to ask at."
    assert json.loads(run("user", "list", "--json", *data)) == []


def test_a_password_is_asked_for_and_not_shown(tmp_path):
    data = ["--data", str(tmp_path / "data")]
    ours, theirs = pty.openpty()
    command = subprocess.Popen(
        [BINARY, "user", "create", "ana", "--role", "admin", *data], stdin=theirs, stdout=subprocess.PIPE, stderr=theirs, text=True
    )
    seen = b""
    while b"assword" not in seen or not seen.endswith(b": "):
        seen += os.read(ours, 4096)
    os.write(ours, PASSWORD.encode() + b"\n")
    output, _ = command.communicate(timeout=60)
    os.close(theirs)
    assert command.returncode == 0 and "ana" in output
    try:
        while piece := os.read(ours, 4096):
            seen += piece
    except OSError:
        # On Linux the end of a terminal is an error.
        pass
    os.close(ours)
    assert PASSWORD.encode() not in seen
    assert [user["name"] for user in json.loads(run("user", "list", "--json", *data))] == ["ana"]


def test_the_audit_log_has_the_offset_of_its_times(tmp_path):
    data = ["--data", tmp_path]
    run("app", "create", *data, "--name", "A", "--bundle-id", "com.example.a")
    assert re.match(r"20[-\dT:]+[+]08:00  .*app[.]create", run("audit", *data))
    assert re.match(r"20[-\dT:]+Z  .*app[.]create", run("audit", *data, POSTHORN_TIME_ZONE="UTC"))


def audit(data, *flags):
    return json.loads(run("audit", "--json", *flags, *data))["entries"]


def test_each_change_is_in_the_audit_log_with_the_way_it_came(service):
    folder, url = service
    data = ["--data", folder]
    last = audit(data, "--limit", 1)
    before = last[0]["id"] if last else 0
    app = json.loads(run("app", "create", *data, "--name", "A", "--bundle-id", "com.example.a", "--json"))
    assert operate(url, "app.set", app=app["app_key"], environment="development").status_code == 200
    assert operate(url, "app.set", app="nobody").status_code == 404
    assert operate(url, "app.list").status_code == 200
    record = {"actor": "ana", "address": "192.0.2.7", "action": "POST /v3/push", "subject": app["app_key"], "ok": True}
    assert operate(url, "audit.record", **record).json() == {}
    entries = [entry for entry in audit(data) if entry["id"] > before]
    assert [(entry["actor"], entry["address"], entry["action"], entry["subject"], entry["ok"]) for entry in entries] == [
        ("ana", "192.0.2.7", "POST /v3/push", app["app_key"], True),
        ("operator token", "127.0.0.1", "app.set", "nobody", False),
        ("operator token", "127.0.0.1", "app.set", app["app_key"], True),
        ("operator socket", None, "app.create", app["app_key"], True),
    ]
    assert "There is no app" in entries[1]["detail"]
    assert app["master_secret"] not in json.dumps(entries)
    assert [entry["id"] for entry in audit(data, "--limit", 1, "--before", entries[0]["id"])] == [entries[1]["id"]]
    shown = run("audit", "--limit", 2, *data).splitlines()
    assert len(shown) == 2 and "POST /v3/push" in shown[0] and "There is no app 'nobody'" in shown[1]
    assert "--limit" in run("audit", "--limit", 0, *data, status=1)


def test_an_entry_cannot_forge_another_line_or_reach_the_terminal(service):
    folder, url = service
    data = ["--data", folder]
    forged = "nobody\n2026-01-01T00:00:00Z  ana  user.remove\x1b[2J"
    assert operate(url, "user.remove", name=forged).status_code == 404
    (line,) = run("audit", "--limit", 1, *data).splitlines()
    assert "\x1b" not in line and "\\n2026" in line


def test_refusals_do_not_empty_the_log_and_are_counted(another_service):
    folder, url = another_service
    data = ["--data", folder]
    marker = {"actor": "marker", "action": "first", "ok": True}
    assert operate(url, "audit.record", **marker).status_code == 200
    (first,) = audit(data, "--limit", 1)
    for number in range(220):
        assert operate(url, "user.remove", name="nobody").status_code == 404
        assert operate(url, "app.show", app="nobody").status_code == 404, "Reading leaves no entry."
    for number in range(100):
        assert operate(url, "app.set", app=f"none{number}").status_code == 404
    entries = [entry for entry in audit(data, "--limit", 1000) if entry["id"] >= first["id"]]
    assert entries[-1]["actor"] == "marker"
    refused = [entry for entry in entries if not entry["ok"]]
    # Sixty of them, and the entry for the rest.
    assert len(refused) == 61 and sum(entry["count"] for entry in refused) == 320
    many = next(entry for entry in refused if entry["action"] == "user.remove" and entry["subject"] == "nobody")
    assert many["count"] == 220 and many["last_at"] >= many["at"]
    rest = next(entry for entry in refused if entry["action"] == "other requests")
    assert rest["count"] == 41 and rest["subject"] is None
    assert "refused 220 times until" in run("audit", "--limit", 1000, *data)


def use_passwords(service, passwords, name):
    """Gives passwords in all ways, also wrong ones. Returns the audit log as text."""
    folder, url = service
    data = ["--data", folder]
    run("user", "create", name, "--password-file", passwords[0], *data)
    operate(url, "user.set", name=name, password=OTHER)
    operate(url, "user.set", name="nobody", password=OTHER)
    operate(url, "user.create", name=name, role="viewer", password=4_815_162_342)
    return json.dumps(audit(data))


def test_no_password_is_in_the_audit_log(service, passwords):
    entries = use_passwords(service, passwords, "eve")
    assert not [secret for secret in (PASSWORD, OTHER, "4815162342", "$scrypt$") if secret in entries]


@pytest.mark.one_node("the test reads the files of SQLite")
def test_no_password_is_in_clear_in_the_database(service, passwords):
    use_passwords(service, passwords, "ezra")
    stored = b"".join(file.read_bytes() for file in service[0].glob("posthorn.sqlite*"))
    assert not [secret for secret in (PASSWORD, OTHER, "4815162342") if secret.encode() in stored]
    assert b"$scrypt$ln=15,r=8,p=3$" in stored
