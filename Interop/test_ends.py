"""Ends: secrets that are replaced, and apps, groups and developers that are deleted, also while the service is killed."""

import datetime
import json
import os
import random
import re
import subprocess

import confidential
import pytest
import requests
from ports import free_port
from processes import BINARY, Process
from sentences import assert_sentences

# The rounds of the usual run, and of one before a release.
ROUNDS = 24 if os.environ.get("POSTHORN_RELEASE") else 4
# A command takes some tens of milliseconds until its operation begins, and a few until it is over.
LONGEST = 0.25
# The status for a key that no app has.
GONE = 401


def run(*words, status=0, **options):
    done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=60, **options)
    assert done.returncode == status, done
    return done.stdout


def answer(*words):
    return json.loads(run(*words, "--json"))


class Service:
    """A service whose pushes wait, as its app has no credential, and which is killed and started again."""

    def __init__(self, data):
        self.data, self.port = data, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None
        self.start()

    def start(self):
        self.process = Process(
            "serve", "--data", self.data, "--port", self.port, "--apns-host", "127.0.0.1", "--apns-production-port", 1,
            "--log-level", "critical",
        )
        self.process.line(lambda line: line.startswith("Posthorn listens"))

    def app(self, name):
        return answer("app", "create", "--data", self.data, "--name", name, "--bundle-id", "com.example.ends")

    def status(self, key, secret):
        return requests.get(f"{self.url}/posthorn/v1/app", auth=(key, secret), timeout=60).status_code

    def use(self, key, secret):
        """Imports devices, accepts a push to them, and makes a schedule. Returns the push."""
        devices = [{"registration_id": f"{key[:8]}{number}", "token": os.urandom(32).hex()} for number in range(50)]
        push = {"platform": "ios", "audience": "all", "notification": {"alert": "Hello"}}
        soon = datetime.date.today() + datetime.timedelta(days=30)
        later = {"name": "later", "enabled": True, "trigger": {"single": {"time": f"{soon:%Y-%m-%d} 00:00:00"}}, "push": push}
        for path, body in (("posthorn/v1/devices/import", {"devices": devices}), ("v3/schedules", later), ("v3/push", push)):
            said = requests.post(f"{self.url}/{path}", json=body, auth=(key, secret), timeout=60)
            assert said.status_code == 200, said.text
        return said.json()["msg_id"]

    def kill_during(self, *words):
        """Runs a command of an operator, kills the service at some moment of it, and starts it again.

        Returns what the command has answered; None if it was not answered.
        """
        command = subprocess.Popen(
            [BINARY, *map(str, words), "--data", str(self.data), "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        try:
            command.wait(timeout=random.uniform(0, LONGEST))
        except subprocess.TimeoutExpired:
            pass
        self.process.kill()
        # A command that has lost its service waits for it, or works on the folder itself.
        printed, _ = command.communicate(timeout=60)
        self.start()
        return json.loads(printed) if command.returncode == 0 else None


@pytest.fixture
def service(tmp_path):
    service = Service(tmp_path / "data")
    yield service
    service.process.stop()


@pytest.mark.one_node("the service is one process on a folder, which is killed")
def test_kills_during_rotations_lock_out_no_caller_and_lose_no_push(service):
    app = service.app("Kept")
    key, first = app["app_key"], app["master_secret"]
    pushes, known = [service.use(key, first)], [first]
    for _ in range(ROUNDS):
        rotated = service.kill_during("app", "secret", "rotate", key, "--overlap", "1h")
        if rotated:
            confidential.remember(rotated["master_secret"], "a rotated secret")
            known.append(rotated["master_secret"])
        # Whoever has one of the secrets that were handed out is served, whether or not the last rotation was answered.
        for secret in known:
            assert service.status(key, secret) == 200
        push = {"platform": "ios", "audience": "all", "notification": {"alert": "Hello"}}
        said = requests.post(f"{service.url}/v3/push", json=push, auth=(key, known[-1]), timeout=60)
        pushes.append(said.json()["msg_id"])
        # Makes room for the next: only the newest secret is left.
        end = answer("app", "secret", "rotate", key, "--data", service.data)["master_secret"]
        assert [service.status(key, secret) for secret in (*known, end)] == [401] * len(known) + [200]
        known = [end]
    for push in pushes:
        shown = requests.get(f"{service.url}/posthorn/v1/messages/{push}", auth=(key, known[-1]), timeout=60)
        assert shown.status_code == 200, shown.text


@pytest.mark.one_node("the service is one process on a folder, which is killed")
def test_kills_during_deletions_delete_whole_or_not_at_all_and_nothing_of_another_app(service):
    kept = service.app("Kept")
    pushes = [service.use(kept["app_key"], kept["master_secret"])]
    keys = set()
    for number in range(ROUNDS):
        app = service.app(f"Gone {number}")
        key, secret = app["app_key"], app["master_secret"]
        push = service.use(key, secret)
        gone = service.kill_during("app", "delete", key, "--name", f"Gone {number}")
        status = service.status(key, secret)
        if gone:
            assert (gone["devices"], gone["schedules"]) == (50, 1)
            assert status == GONE, "It was answered, so it is deleted."
        if status == 200:
            # Not deleted, and nothing of it is.
            for path in (f"posthorn/v1/messages/{push}", "posthorn/v1/devices?limit=50"):
                assert requests.get(f"{service.url}/{path}", auth=(key, secret), timeout=60).status_code == 200
            listed = requests.get(f"{service.url}/v3/schedules", auth=(key, secret), timeout=60).json()
            assert listed["total_count"] == 1, listed
            run("app", "delete", key, "--name", f"Gone {number}", "--data", service.data)
        assert service.status(key, secret) == GONE
        assert key not in keys
        keys.add(key)
        listed = [each["app_key"] for each in answer("app", "list", "--data", service.data)]
        assert listed == [kept["app_key"]]
        pushes.append(service.use(kept["app_key"], kept["master_secret"]))
    for push in pushes:
        shown = requests.get(
            f"{service.url}/posthorn/v1/messages/{push}", auth=(kept["app_key"], kept["master_secret"]), timeout=60
        )
        assert shown.status_code == 200, shown.text


def test_a_deletion_asks_for_the_name_says_what_goes_and_is_in_the_log(tmp_path):
    data = ["--data", tmp_path]
    for kind, create in (("app", ["--bundle-id", "a.b"]), ("group", []), ("dev", [])):
        made = answer(kind, "create", *data, "--name", "One", *create)
        key = next(made[name] for name in ("app_key", "group_key", "dev_key") if name in made)
        run(kind, "rename", key, "Two", *data)
        assert "--name is missing" in subprocess.run(
            [BINARY, kind, "delete", key, *map(str, data)], capture_output=True, text=True, stdin=subprocess.DEVNULL
        ).stderr
        run(kind, "delete", key, "--name", "One", *data, status=1)
        assert "Two" in run(kind, "list", *data)
        assert "Two is deleted" in run(kind, "delete", key, "--name", "Two", *data)
        assert "Two" not in run(kind, "list", *data)
        run(kind, "delete", key, "--name", "Two", *data, status=1)
    log = answer("audit", *data)
    deletions = [each for each in log["entries"] if each["action"].endswith(".delete")]
    assert [each["ok"] for each in deletions].count(True) == 3
    assert all('"name":"Two"' in each["detail"] for each in deletions if each["ok"])


def test_a_secret_is_replaced_with_an_overlap_ended_and_replaced_at_once(tmp_path):
    data = ["--data", tmp_path]
    for kind, create in (("app", ["--bundle-id", "a.b"]), ("group", []), ("dev", [])):
        made = answer(kind, "create", *data, "--name", "One", *create)
        key = next(made[name] for name in ("app_key", "group_key", "dev_key") if name in made)
        said = run(kind, "secret", "rotate", key, "--overlap", "24h", *data)
        assert re.search(r"Old secret  valid until 20[-\dT:]+[+]08:00\n", said)
        confidential.remember(said.split()[2], "a rotated secret")
        assert "former_secret_until" in json.dumps(answer(kind, "list", *data))
        assert "Only the current secret is valid." in run(kind, "secret", "end", key, *data)
        assert "former_secret_until" not in json.dumps(answer(kind, "list", *data))
        said = run(kind, "secret", "rotate", key, *data)
        assert "Old secret  ended" in said
        confidential.remember(said.split()[2], "a rotated secret")
        for overlap in ("24", "31d", "-1h", "h", "1w", "9223372036854775807d"):
            run(kind, "secret", "rotate", key, f"--overlap={overlap}", *data, status=64)


def test_output_that_cannot_be_written_is_an_error_of_every_command(tmp_path):
    data = ["--data", str(tmp_path / "data")]
    run("app", "create", *data, "--name", "A", "--bundle-id", "a.b")
    commands = [
        ["--version"], ["--help"], ["app", "--help"], ["app", "list", *data], ["app", "list", "--json", *data], ["audit", *data],
        ["completion", "bash"], ["when", "--help"], ["retention", "--help"],
    ]
    for words in commands:
        with open("/dev/full", "w") as full:
            done = subprocess.run([BINARY, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        assert done.returncode == 1, (words, done)
        assert done.stderr == "Error: The standard output cannot be written: No space left on device.\n", (words, done)
    # The protocol of assistants has no other end to tell.
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [BINARY, "mcp"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
            input='{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
        )
    assert done.returncode == 1 and "cannot be written" in done.stderr, done
    closed = subprocess.run(["sh", "-c", f'"{BINARY}" --version >&-'], capture_output=True, text=True, timeout=60)
    assert closed.returncode == 1 and "Bad file descriptor" in closed.stderr, closed


@pytest.mark.one_node("the output of a service is its start line")
def test_a_service_whose_output_cannot_be_written_ends_with_an_error(tmp_path):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [BINARY, "serve", "--data", str(tmp_path / "data"), "--port", "0", "--log-level", "critical"],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
        )
    assert done.returncode == 1, done
    assert done.stderr.count("The standard output cannot be written: No space left on device.") == 1, done


@pytest.mark.one_node("the service is one process on a folder")
def test_an_export_that_cannot_be_written_is_no_success(service):
    app = service.app("Exported")
    service.use(app["app_key"], app["master_secret"])
    environment = os.environ | {
        "POSTHORN_URL": service.url, "POSTHORN_APP_KEY": app["app_key"], "POSTHORN_MASTER_SECRET": app["master_secret"],
    }
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [BINARY, "devices", "export"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, env=environment
        )
    assert done.returncode == 1 and "devices written" not in done.stderr, done


def test_failures_of_files_and_connections_are_sentences(tmp_path):
    """Nothing that Foundation, SQLite or NIO says of its own errors reaches a person."""
    port = free_port()
    nobody = f"http://127.0.0.1:{port}"
    caller = ["--app-key", "0" * 24, "--master-secret", "0" * 24]
    cases = [
        (["app", "list", "--url", nobody, "--token", "x"], "Connection refused"),
        (["push", "--url", nobody, *caller, "--all", "--alert", "x"], "Connection refused"),
        (["devices", "list", "--url", nobody, *caller], "Connection refused"),
        (["app", "list", "--url", "http://nobody.invalid", "--token", "x"], "is not known"),
        (["app", "list", "--data", tmp_path / "none"], "none"),
        (["push", "--url", nobody, *caller, tmp_path / "none.json"], "none.json"),
    ]
    for words, expected in cases:
        done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=60)
        assert done.returncode != 0, (words, done)
        assert expected in done.stderr, (words, done)
        assert_sentences(done.stderr)
