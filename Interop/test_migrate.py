"""`posthorn migrate`: a data folder with real pushes moves to PostgreSQL, and everything answers as before."""

import datetime
import json
import os
import signal
import subprocess
import uuid

import pytest
from link import Client
from nodes import TOPIC, Cluster, answer, command, receive
from postgres import Server, wait_until
from processes import BINARY, on_terminal


@pytest.fixture(scope="module")
def server():
    server = Server()
    yield server
    server.close()


@pytest.fixture
def service(tmp_path):
    """A service on SQLite."""
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.close()


def fill(cluster, node):
    """Uses the service: devices, tags, aliases, pushes, a schedule, a file, a group, a user, a developer, a custom message."""
    device = cluster.device(node)
    client = Client(node.link, cluster.app, TOPIC)
    client.open()
    found = node.post(f"/v3/devices/{client.registration_id}", {"alias": "anna", "tags": {"add": ["vip", "北京"]}})
    assert found.status_code == 200, found.text
    cids = [f"{cluster.app}-{uuid.uuid4()}" for _ in range(2)]
    pushed = node.push("before", cid=cids[0]).json()
    batch = node.post(
        "/v3/push/batch/alias/single",
        {"pushlist": {cids[1]: {"platform": "all", "target": "anna", "message": {"msg_content": "waits"}}}},
    )
    assert batch.status_code == 200, batch.text
    soon = datetime.date.today() + datetime.timedelta(days=30)
    schedule = node.post("/v3/schedules", {
        "name": "later", "enabled": True, "trigger": {"single": {"time": f"{soon:%Y-%m-%d} 00:00:00"}},
        "push": {"platform": "all", "audience": "all", "notification": {"alert": "scheduled"}},
    })
    assert schedule.status_code == 200, schedule.text
    password = cluster.folder / "password"
    password.write_text("correct horse battery\n")
    assert command("user", "create", "ana", "--role", "admin", "--password-file", password, "--data", node.data).returncode == 0
    assert command("dev", "create", "--name", "Dev", "--data", node.data).returncode == 0
    receive(device, 1)
    client.close()
    return device, client, cids, pushed, batch.json(), schedule.json()["schedule_id"]


def facts(node, pushed, schedule, client):
    """What the service answers about its data."""
    devices = node.get("/posthorn/v1/devices").json()
    for each in devices["devices"]:
        each.pop("last_seen", None), each.pop("online", None), each.pop("last_online_time", None)
    return {
        "devices": sorted(devices["devices"], key=lambda each: each["registration_id"]),
        "device": node.get(f"/v3/devices/{client.registration_id}").json(),
        "tags": node.get("/v3/tags/").json(),
        "schedule": node.get(f"/v3/schedules/{schedule}").json(),
        "message": node.get(f"/posthorn/v1/messages/{pushed['msg_id']}").json(),
        "journey": node.get(
            f"/posthorn/v1/journeys/{pushed['msg_id']}/{devices['devices'][0]['registration_id']}"
        ).json().get("verdict"),
    }


def is_settled(found):
    """Whether the service has heard all there is to hear of the first push: what APNs says, and later the device."""
    return found["message"]["progress"]["waiting"] == 0 and found["journey"]["state"] == "delivered"


def operators(data, *options):
    return {
        "apps": answer("app", "list", "--data", data, *options), "users": answer("user", "list", "--data", data, *options),
        "developers": answer("dev", "list", "--data", data, *options),
    }


def test_a_folder_with_real_pushes_moves(service, server, tmp_path):
    node = service.serve(1)
    device, client, cids, pushed, batch, schedule = fill(service, node)
    wait_until("the first push is delivered", lambda: is_settled(facts(node, pushed, schedule, client)))
    # Asked for again, as the acknowledgement may have come between the parts of the last answer.
    before = facts(node, pushed, schedule, client)
    managed = operators(node.data)
    url = server.url(server.create())
    refused = command("migrate", "--data", node.data, "--to", url)
    assert refused.returncode != 0 and "is in use by another Posthorn process" in refused.stderr, refused.stderr
    assert node.process.stop() == 0
    moved = answer("migrate", "--data", node.data, "--to", url)
    assert moved["apps"] == 1 and moved["devices"] == 2 and moved["pushes"] == 2 and moved["resumed_at"] == 0, moved
    # The folder is that of a node now.
    refused = command("serve", "--data", node.data, "--port", 0)
    assert refused.returncode != 0 and "belongs to a service on postgres://" in refused.stderr, refused.stderr
    assert not (node.data / "posthorn.sqlite").exists() and (node.data / "before-migrate/posthorn.sqlite").exists()
    service.store = url
    assert operators(node.data, "--store", url) == managed
    moved = service.serve(1)
    assert facts(moved, pushed, schedule, client) == before
    # Devices log in with their identity, and get what has waited for them.
    client.url = moved.link
    client.open()
    client.await_messages(1)
    assert "waits" in json.dumps(client.messages)
    # A repeated cid is known; new pushes, devices and ids come after the old ones.
    again = moved.push("before", cid=cids[0]).json()
    assert again["msg_id"] == pushed["msg_id"]
    repeated = moved.post(
        "/v3/push/batch/alias/single",
        {"pushlist": {cids[1]: {"platform": "all", "target": "anna", "message": {"msg_content": "waits"}}}},
    )
    assert repeated.json() == batch, repeated.text
    newer = moved.push("after").json()
    assert int(newer["msg_id"]) > int(pushed["msg_id"])
    assert receive(device, 1) == ["after"]
    other = Client(moved.link, service.app, TOPIC)
    other.open()
    assert other.registration_id not in {each["registration_id"] for each in before["devices"]}
    assert moved.message("to the new one", other.registration_id).status_code == 200
    other.await_messages(1)
    client.close(), other.close()
    assert moved.process.stop() == 0


@pytest.mark.release("moves 40,000 devices")
def test_an_interrupted_migration_continues(service, server, tmp_path):
    node = service.serve(1)
    for part in range(40):
        devices = [
            {"token": os.urandom(32).hex(), "environment": "production", "alias": f"alias_{part}_{number}", "tags": ["all"]}
            for number in range(1000)
        ]
        assert node.post("/posthorn/v1/devices/import", {"devices": devices}, 60).status_code == 200
    assert node.process.stop() == 0
    database = server.create()
    url = server.url(database)
    running = subprocess.Popen([BINARY, "migrate", "--data", node.data, "--to", url], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until(
        "the copy has begun",
        lambda: running.poll() is not None
        or server.sql("SELECT 1 FROM pg_tables WHERE tablename = 'storecopy'", database)
        and server.sql("SELECT 1 FROM storecopy WHERE name = 'device' AND rows > 0", database),
    )
    running.send_signal(signal.SIGKILL)
    running.wait(60)
    assert running.returncode == -signal.SIGKILL, "It has ended before it could be interrupted."
    # Neither side is used meanwhile.
    refused = command("serve", "--data", node.data, "--port", 0)
    assert refused.returncode != 0 and "is not complete" in refused.stderr, refused.stderr
    fresh = tmp_path / "fresh"
    refused = command("app", "create", "--data", fresh, "--store", url, "--name", "X", "--bundle-id", TOPIC)
    assert refused.returncode != 0 and "unfinished copy" in refused.stderr, refused.stderr
    refused = command("migrate", "--data", node.data, "--to", server.url(server.create()))
    assert refused.returncode != 0 and "Continue it" in refused.stderr, refused.stderr
    status, said, printed = on_terminal("migrate", "--data", node.data, "--to", url)
    assert status == 0, (said, printed)
    assert "40000 devices" in printed and "were there from an earlier run" in printed, printed
    assert b"[" in said and b"%" in said
    assert server.sql("SELECT count(*), count(DISTINCT ordinal) FROM device", database) == [["40000", "40000"]]
    service.store = url
    moved = service.serve(1)
    assert moved.get("/posthorn/v1/devices?limit=1").status_code == 200
    assert moved.process.stop() == 0


def test_what_cannot_be_migrated_is_refused(service, server, tmp_path):
    data = service.first
    database = server.create()
    other = tmp_path / "other"
    answer("app", "create", "--data", other, "--store", server.url(database), "--name", "X", "--bundle-id", TOPIC)
    refused = command("migrate", "--data", data, "--to", server.url(database))
    assert refused.returncode != 0 and "is not empty" in refused.stderr, refused.stderr
    refused = command("migrate", "--data", tmp_path / "nowhere", "--to", server.url(server.create()))
    assert refused.returncode != 0 and "There is no posthorn.sqlite" in refused.stderr, refused.stderr
    # Nothing has begun, so SQLite is used as before.
    assert answer("migrate", "--data", data, "--cancel") == {"cancelled": None}
    assert len(answer("app", "list", "--data", data)) == 1
    assert answer("migrate", "--data", data, "--to", server.url(server.create()))["apps"] == 1


def test_a_migration_that_stopped_at_its_end_is_ended(service, server):
    data = service.first
    database = server.create()
    url = server.url(database)
    target = answer("migrate", "--data", data, "--to", url)["store"]
    assert server.PASSWORD not in target
    facts = json.dumps({"source": "THIS", "rows": {"app": 1, "setting": 2}})

    def stop_at_the_end():
        (data / "migration").write_text(f"THIS\n{target}\n")
        server.sql(f"INSERT INTO setting (key, value) VALUES ('copy.done', convert_to('{facts}', 'UTF8'))", database)

    # The SQLite database is aside already, and the answer to the last commit, or the process, was lost.
    stop_at_the_end()
    refused = command("migrate", "--data", data, "--cancel")
    assert refused.returncode != 0 and "Run 'posthorn migrate' again" in refused.stderr, refused.stderr
    ended = answer("migrate", "--data", data, "--to", url)
    assert ended["apps"] == 1 and ended["rows"] == ended["resumed_at"] == 3, ended
    # It is not, and the folder is not yet that of a node.
    stop_at_the_end()
    for name in ["posthorn.sqlite", "posthorn.sqlite-wal", "posthorn.sqlite-shm"]:
        if (data / "before-migrate" / name).exists():
            (data / "before-migrate" / name).rename(data / name)
    (data / "store").unlink()
    assert answer("migrate", "--data", data, "--to", url)["apps"] == 1
    assert (data / "before-migrate/posthorn.sqlite").exists() and not (data / "migration").exists()
    assert server.sql("SELECT key FROM setting WHERE key LIKE 'copy.%'", database) == []
    assert len(answer("app", "list", "--data", data, "--store", url)) == 1
