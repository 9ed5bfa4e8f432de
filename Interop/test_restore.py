"""The restore drill: a backup under load, the service killed, the data restored elsewhere, and the road goes on.

After it, a few rounds of what Benchmarks/kill-moves does many of: `restore` and `migrate` are killed at random moments.
"""

import json
import sqlite3
import threading

import pytest
import requests
from interrupted import Migrations, Restores
from journeys import await_state
from postgres import Server, wait_until
from processes import start_gateway, start_service
from test_cli import run

DEVICES = 200
# The backup copies 4 MB at a time.
BALLAST = 12_000_000
# Of the kills at random moments.
ROUNDS, KILLED_DEVICES = 2, 6_000


@pytest.fixture
def box(tmp_path):
    """A gateway with a control endpoint, at which is counted."""
    gateway, box = start_gateway(tmp_path / "gateway", "--control-port", 0)
    yield box
    assert gateway.stop() == 0


def add_ballast(data):
    """Makes the database of a stopped service larger."""
    database = sqlite3.connect(data / "posthorn.sqlite")
    database.execute("INSERT INTO setting VALUES ('ballast', zeroblob(?))", [BALLAST])
    database.commit()
    database.close()


def stored(box, push):
    """Whether the gateway has stored the push, once; it says so by the apns-id."""
    answer = requests.get(f"{box['control']}/pushes/{push}", timeout=60)
    return answer.ok and [event["event"] for event in answer.json()["events"]].count("stored") == 1


@pytest.mark.one_node("posthorn backup is for SQLite")
def test_what_the_backup_promises_arrives_once(tmp_path, box):
    data, elsewhere, file = tmp_path / "data", tmp_path / "elsewhere", tmp_path / "one.backup"
    flags = ["--p8", box["keyFile"], "--key-id", box["keyID"], "--team-id", box["teamID"]]
    app = json.loads(
        run("app", "create", "--data", data, "--name", "A", "--bundle-id", "com.example.pushlab", *flags, "--json")
    )
    add_ballast(data)
    # Pushes come as fast as the service takes them.
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"http": {"callsPerMinute": 1_000_000}}))
    service, url = start_service(data, box, "--config", settings)
    auth = (app["app_key"], app["master_secret"])
    wanted = {"topic": "com.example.pushlab", "environment": "production", "count": DEVICES}
    tokens = requests.post(f"{box['control']}/tokens", json=wanted, timeout=60).json()["tokens"]
    rows = [{"registration_id": f"r{number}", "token": token} for number, token in enumerate(tokens)]
    requests.post(f"{url}/posthorn/v1/devices/import", json={"devices": rows}, auth=auth, timeout=60).raise_for_status()
    accepted, stops, are_many = [], threading.Event(), threading.Event()

    def push():
        while not stops.is_set():
            body = {"platform": "ios", "audience": {"registration_id": [f"r{len(accepted) % DEVICES}"]}, "notification": {"alert": "Hi"}}
            if len(accepted) >= 100:
                are_many.set()
            accepted.append(requests.post(f"{url}/v3/push", json=body, auth=auth, timeout=60).json()["msg_id"])

    pusher = threading.Thread(target=push)
    pusher.start()
    assert are_many.wait(120), f"{len(accepted)} of 100 pushes were accepted in two minutes"
    before = list(accepted)
    taken = json.loads(run("backup", "--data", data, "--to", file, "--json"))
    wait_until("pushes are accepted after the backup", lambda: len(accepted) > taken["pushes"])
    stops.set()
    pusher.join()
    assert "stop it" in run("restore", file, "--data", data, status=1)
    service.kill()
    assert taken["apps"] == 1 and taken["devices"] == DEVICES and taken["pushes"] >= len(before)
    assert taken["bytes"] > BALLAST and taken["pushes"] < len(accepted)
    assert "--replace" in run("restore", file, "--data", data, status=1)
    assert "The backup is whole" in run("restore", file, "--check")
    run("restore", file, "--data", elsewhere)
    service, url = start_service(elsewhere, box, "--config", settings)
    try:
        restored = {"api": {"url": url, "appKey": app["app_key"], "masterSecret": app["master_secret"]}}
        journeys = [
            await_state(restored, message, f"r{number % DEVICES}", "sent", "stored", "coalesced", "delivered")
            for number, message in enumerate(before)
        ]
        # The ids go on above those that the backup does not have.
        body = {"platform": "ios", "audience": {"registration_id": ["r0"]}, "notification": {"alert": "After"}}
        after = requests.post(f"{url}/v3/push", json=body, auth=auth, timeout=60).json()["msg_id"]
        assert int(after) > max(map(int, accepted))
        await_state(restored, after, "r0", "sent", "stored", "coalesced", "delivered")
        assert all(stored(box, journey["apns_id"]) for journey in journeys)
        counts = requests.get(f"{box['control']}/counts", timeout=60).json()
        assert sum(entry["count"] for entry in counts["answers"] if entry["status"] == 200) >= len(before) + 1
        # The gateway knows by its apns-id a push that both services have sent.
        assert len(before) + 1 <= counts["stored"] <= len(accepted) + 1, counts
        run("restore", file, "--data", data, "--replace")
        assert (next(data.glob("before-restore-*")) / "posthorn.sqlite").exists()
        assert app["app_key"] in run("app", "list", "--data", data)
    finally:
        assert service.stop() == 0


@pytest.fixture(scope="module")
def server():
    server = Server()
    yield server
    server.close()


@pytest.mark.release("kills many commands")
@pytest.mark.one_node("posthorn restore is for SQLite")
def test_a_killed_restore_leaves_nothing_or_all(tmp_path):
    restores = Restores(tmp_path, 43, KILLED_DEVICES)
    for _ in range(ROUNDS):
        restores.round()
        restores.replacing_round()
    assert restores.counts["kills"] == 2 * ROUNDS


@pytest.mark.release("kills many commands")
@pytest.mark.one_node("posthorn migrate reads SQLite")
def test_a_killed_migration_loses_nothing(tmp_path, server):
    migrations = Migrations(tmp_path, 43, KILLED_DEVICES, server)
    # A kill comes after the end of a migration that is faster than the measured one was.
    while migrations.complete < ROUNDS or migrations.late < 2 and migrations.complete < 10 * ROUNDS:
        migrations.round()
    assert migrations.late >= 2, migrations.counts
