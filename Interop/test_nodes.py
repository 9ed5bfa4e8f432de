"""Two services on one PostgreSQL database: they list each other, share devices and pushes, and hand over their work."""

import json
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import confidential
import pytest
import requests
from link import Client
from nodes import TOPIC, Cluster, answer, command, receive
from postgres import Server, wait_until
from websockets.exceptions import ConnectionClosed


@pytest.fixture(scope="module")
def server():
    server = Server()
    yield server
    server.close()


@pytest.fixture
def cluster(server, tmp_path):
    cluster = Cluster(tmp_path, server.url(server.create()))
    yield cluster
    cluster.close()


def test_a_device_of_one_node_gets_the_pushes_of_the_other(cluster):
    one, two = cluster.serve(1), cluster.serve(2)
    nodes = cluster.nodes(one)
    assert set(nodes) == {1, 2} and all(node["alive"] and not node["draining"] for node in nodes.values()), nodes
    device = cluster.device(one)
    assert two.push("from two", {"registration_id": [registration(one)]}).status_code == 200
    assert one.push("from one").status_code == 200
    assert sorted(receive(device, 2)) == ["from one", "from two"]
    client = Client(two.link, cluster.app, TOPIC)
    client.open()
    assert one.message("by one, at two", client.registration_id).status_code == 200
    client.await_messages(1)
    client.acknowledge()
    client.close()
    assert two.process.stop() == 0
    wait_until("node 2 leaves", lambda: not cluster.nodes(one)[2]["alive"])
    assert one.process.stop() == 0


def registration(node):
    return node.get("/posthorn/v1/devices").json()["devices"][0]["registration_id"]


def test_drain_moves_links_and_work_and_undo_takes_them_back(cluster):
    one, two = cluster.serve(1), cluster.serve(2)
    client = Client(one.link, cluster.app, TOPIC)
    client.open()
    wait_until("node 1 has a link", lambda: cluster.nodes(one)[1]["links"] == 1)
    drained = answer("node", "drain", 1, "--data", two.data)
    assert drained["node"] == 1 and drained["draining"]
    wait_until("node 1 is not ready", lambda: one.get("/ready").json()["draining"])
    with pytest.raises(Exception, match="close|received|sent"):
        client.hear()
    wait_until("node 1 has no links", lambda: cluster.nodes(one)[1]["links"] == 0)
    # It goes on answering requests.
    pushed = one.push("while draining")
    assert pushed.status_code == 200 or pushed.json()["error"]["code"] == 1011, pushed.text
    assert two.get("/ready").json()["draining"] is False
    assert answer("node", "drain", 1, "--undo", "--data", one.data)["draining"] is False
    wait_until("node 1 takes work again", lambda: not one.get("/ready").json()["draining"])
    assert command("node", "drain", 7, "--data", one.data).returncode != 0


def test_sigterm_hands_over_and_loses_no_push(cluster):
    one, two = cluster.serve(1), cluster.serve(2)
    device = cluster.device(one)
    client = Client(one.link, cluster.app, TOPIC)
    client.open()
    wait_until("node 1 has a link", lambda: cluster.nodes(two)[1]["links"] == 1)
    sent = []
    for number in range(20):
        if number == 10:
            one.process.process.send_signal(signal.SIGTERM)
        node = one if number < 10 else two
        found = node.push(f"push {number}")
        assert found.status_code == 200, found.text
        sent.append(f"push {number}")
    assert sorted(receive(device, 20)) == sorted(sent)
    with pytest.raises(Exception, match="close|received|sent"):
        client.hear()
    client.url = two.link
    client.open()
    assert two.message("after", client.registration_id).status_code == 200
    client.await_messages(1)
    assert one.process.process.wait(60) == 0
    assert not cluster.nodes(two)[1]["alive"]
    client.close()


def test_a_key_is_rotated_under_load_without_a_lost_or_doubled_push(cluster, tmp_path):
    """Two keys for production one after the other, as at Apple's site: the second is added beside the first, which is then revoked and removed."""
    one, two = cluster.serve(1), cluster.serve(2)
    device = cluster.device(one)

    def add(node, order, *words):
        key = requests.post(f"{cluster.box['control']}/keys", json={"team": cluster.box["teamID"]} | order, timeout=60).json()
        file = tmp_path / f"AuthKey_{key['id']}.p8"
        file.write_text(key["p8"])
        confidential.remember(key["p8"], "a key of the gateway")
        return key["id"], answer("credential", "add", cluster.app, "--p8", file, "--team-id", key["team"], *words, "--data", node.data)

    old, added = add(one, {"environments": ["production"], "topics": [TOPIC]})
    assert added["note"].startswith("APNs refuses it in development: BadEnvironmentKeyInToken. APNs accepts it in production."), added["note"]
    accepted, stop = [], threading.Event()

    def load(node, name):
        number = 0
        while not stop.is_set():
            number += 1
            if node.push(text := f"{name} {number}").status_code == 200:
                accepted.append(text)

    with ThreadPoolExecutor() as pool:
        running = [pool.submit(load, node, name) for node, name in ((one, "one"), (two, "two"))]
        seen = receive(device, 40)
        new, answered = add(two, {"environments": ["production"], "topics": [TOPIC], "relatedTo": old}, "--environment", "production")
        sends = {row["credential"] for row in answered["choices"] if row["environment"] == "production"}
        assert sends == {answered["id"]}, "The newest key that is for production alone sends what goes there."
        seen += receive(device, 40)
        requests.delete(f"{cluster.box['control']}/keys/{old}", timeout=60).raise_for_status()
        answer("credential", "remove", cluster.app, added["id"], "--data", one.data)
        seen += receive(device, 40)
        stop.set()
        for each in running:
            each.result(60)
    seen += receive(device, len(accepted) - len(seen))
    assert sorted(seen) == sorted(accepted), "Each push that was accepted came, and none came twice."
    with pytest.raises(TimeoutError):
        device.hear("push", 1)


def test_a_node_takes_a_free_number_and_keeps_it(cluster):
    one = cluster.serve(1, given=False)
    two = cluster.serve(2, given=False)
    assert set(cluster.nodes(one)) == {1, 2}
    two.process.kill()
    again = cluster.serve(2, given=False)
    assert set(cluster.nodes(one)) == {1, 2}, "The number is that of before, after its lease has ended."
    assert (again.data / "node").read_text().strip() == "2"


def test_a_number_in_use_is_refused(cluster):
    cluster.serve(1)
    refused = command("serve", "--data", cluster.folder_of(2), "--store", cluster.store, "--node", 1, "--port", 0)
    assert refused.returncode != 0 and "Node 1 is running already" in refused.stderr, refused.stderr


def test_what_does_not_fit_ends_the_start_with_a_sentence(cluster, server, tmp_path):
    database = server.create()
    other = tmp_path / "other"
    # A node without the secret of the others, and one with a secret of its own.
    refused = command("serve", "--data", other, "--store", cluster.store, "--port", 0)
    assert refused.returncode != 0 and "Put back this service's secret.key" in refused.stderr, refused.stderr
    answer("app", "create", "--data", other, "--store", server.url(database), "--name", "Other", "--bundle-id", TOPIC)
    refused = command("serve", "--data", other, "--store", cluster.store, "--port", 0)
    assert refused.returncode != 0 and "is not that of the store" in refused.stderr, refused.stderr
    refused = command("backup", "--data", other)
    assert refused.returncode != 0 and "pg_dump" in refused.stderr, refused.stderr
    # The folder of a store in PostgreSQL does not begin an empty one in SQLite.
    refused = command("serve", "--data", other, "--port", 0)
    assert refused.returncode != 0 and "belongs to a service on postgres://posthorn@" in refused.stderr, refused.stderr
    refused = command("serve", "--data", tmp_path / "alone", "--node", 2, "--port", 0)
    assert refused.returncode != 0 and "--node needs --store" in refused.stderr, refused.stderr
    for url, reason in [
        (server.url("missing"), 'database "missing" does not exist'),
        (server.url(database).replace("pg-Secret", "pg-Wrong"), "password authentication failed"),
        ("postgres://posthorn:pg-Secret/9@127.0.0.1/x", "write @ as %40 and / as %2F"),
        ("postgres://posthorn:pg-Secret%9@127.0.0.1/x", "write % as %25"),
        ("mysql://posthorn:pg-Secret@127.0.0.1/x", "postgres://"),
    ]:
        refused = command("serve", "--data", other, "--store", url, "--port", 0)
        assert refused.returncode != 0 and reason in refused.stderr, refused.stderr
        assert "pg-" not in refused.stderr + refused.stdout, "The password is in no error."


def test_a_node_works_with_as_few_connections_as_it_is_given(cluster, server):
    database = cluster.store.rsplit("/", 1)[1]
    node = cluster.serve(1, env=os.environ | {"POSTHORN_POSTGRES_CONNECTIONS": "2"})
    device = cluster.device(node)
    with ThreadPoolExecutor(8) as pool:
        pushed = list(pool.map(lambda number: node.push(f"push {number}").status_code, range(40)))
    assert pushed == [200] * 40
    assert len(receive(device, 40)) == 40
    # Two for its work, one for its membership, one that listens.
    assert server.connections(database) <= 4
    findings = json.loads(command("doctor", "--data", node.data, "--json").stdout)["findings"]
    (found,) = [finding["found"] for finding in findings if finding["check"] == "postgres.connections"]
    assert "the nodes (1) need at most: 4" in found, found


def test_the_password_is_in_no_log_and_comes_from_where_libpq_reads_it(cluster, server, tmp_path):
    database = cluster.store.rsplit("/", 1)[1]
    file = tmp_path / "pgpass"
    file.write_text(f"*:*:*:*:{server.PASSWORD}\n")
    file.chmod(0o600)
    cluster.store = None
    # Not a pipe, which would be full before anybody reads it.
    with (tmp_path / "log").open("w") as log:
        node = cluster.serve(
            1, "--log-level", "trace", stderr=log,
            env={"PGPASSFILE": str(file), "POSTHORN_STORE": server.url(database, password=False), "PATH": "/usr/bin"},
        )
    assert cluster.nodes(node)[1]["alive"]
    doctor = command("doctor", "--data", node.data)
    assert f"postgres://posthorn@127.0.0.1:{server.port}/{database}" in (node.data / "store").read_text()
    assert node.process.stop() == 0
    logged = (tmp_path / "log").read_text()
    assert logged
    for text in doctor.stdout, doctor.stderr, logged, "\n".join(node.process.seen):
        assert server.PASSWORD not in text and "pg-Secret%2F9" not in text


def test_commands_work_on_the_store_beside_a_running_node(cluster, tmp_path):
    one = cluster.serve(1)
    beside = cluster.folder_of(3)
    made = answer("app", "create", "--data", beside, "--store", cluster.store, "--name", "Later", "--bundle-id", "com.example.later")
    auth = (made["app_key"], made["master_secret"])
    wait_until(
        "node 1 knows the app of the command",
        lambda: requests.get(f"{one.url}/posthorn/v1/app", auth=auth, timeout=60).status_code == 200,
    )
    listed = answer("app", "list", "--data", beside, "--store", cluster.store)
    assert {app["name"] for app in listed} == {"Nodes", "Later"}, listed
    assert [node["node"] for node in answer("node", "list", "--data", beside, POSTHORN_STORE=cluster.store)] == [1]


def test_a_replaced_secret_and_a_deleted_app_end_at_every_node(cluster):
    """Also for callers that a node has verified, and for a command beside the nodes."""
    nodes = [cluster.serve(1), cluster.serve(2)]
    client = Client(nodes[1].link, cluster.app, TOPIC)
    client.open()
    key, old = cluster.auth

    def statuses(secret):
        return [requests.get(f"{node.url}/posthorn/v1/app", auth=(key, secret), timeout=60).status_code for node in nodes]

    def rotate(data, *words):
        secret = answer("app", "secret", "rotate", key, "--data", data, *words)["master_secret"]
        confidential.remember(secret, "a rotated secret")
        return secret

    assert statuses(old) == [200, 200]
    second = rotate(nodes[0].data, "--overlap", "1h")
    wait_until("every node takes both secrets", lambda: statuses(second) == statuses(old) == [200, 200])
    answer("app", "secret", "end", key, "--data", nodes[1].data)
    wait_until("the old secret has ended at every node", lambda: statuses(old) == [401, 401])
    third = rotate(cluster.folder_of(3), "--store", cluster.store)
    wait_until("the second has ended, by a command beside the nodes", lambda: statuses(second) == [401, 401])
    wait_until("the third is taken", lambda: statuses(third) == [200, 200])
    answer("app", "delete", key, "--name", "Nodes", "--data", nodes[0].data)
    wait_until("the app is unknown at every node", lambda: statuses(third) == [401, 401])
    with pytest.raises(ConnectionClosed):
        while True:
            client.hear()


def test_doctor_judges_the_server(cluster, server):
    one = cluster.serve(1)
    findings = {each["check"]: each for each in doctor(one)}
    for check in "version", "durability", "clock", "connections", "schema", "privileges", "tls":
        assert findings[f"postgres.{check}"]["state"] == "ok", findings
    assert findings["postgres.standby"]["state"] == "warning"
    assert "15" in findings["postgres.version"]["found"] or "PostgreSQL 1" in findings["postgres.version"]["found"]
    database = cluster.store.rsplit("/", 1)[1]
    assert one.process.stop() == 0
    server.sql(f"ALTER DATABASE {database} SET synchronous_commit = off", "postgres")
    server.sql(f"ALTER DATABASE {database} CONNECTION LIMIT 15", "postgres")
    offline = {
        each["check"]: each
        for each in doctor(one, "--store", cluster.store)
    }
    assert offline["postgres.durability"]["state"] == "wrong" and "can be lost" in offline["postgres.durability"]["found"]
    assert offline["postgres.connections"]["state"] == "warning", offline["postgres.connections"]
    assert all(each["remedy"] for each in offline.values() if each["state"] == "wrong")
    server.sql(f"ALTER DATABASE {database} RESET synchronous_commit", "postgres")


def doctor(node, *words):
    done = command("doctor", "--data", node.data, "--json", *words)
    return json.loads(done.stdout)["findings"]
