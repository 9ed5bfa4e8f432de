"""PostgreSQL goes away under load and comes back: nothing that was answered with 200 is lost, and everything goes on by itself."""

import json
import os
import signal
import subprocess
import threading
import time

import pytest
import requests
from link import Client
from nodes import TOPIC, Cluster, command, receive
from postgres import Server, wait_until


@pytest.fixture
def server():
    server = Server()
    yield server
    server.close()


@pytest.fixture
def cluster(server, tmp_path):
    cluster = Cluster(tmp_path, server.url(server.create()))
    yield cluster
    cluster.close()


class Pusher(threading.Thread):
    """Pushes one after another, and keeps what was answered."""

    def __init__(self, node):
        super().__init__(daemon=True)
        self.node, self.accepted, self.refused, self.uncertain, self.ends = node, [], [], [], threading.Event()

    def run(self):
        number = 0
        while not self.ends.is_set():
            number += 1
            text = f"push {number}"
            try:
                found = self.node.push(text)
            except requests.RequestException as error:
                self.uncertain.append((text, error))
                continue
            (self.accepted if found.status_code == 200 else self.refused).append((text, found))

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.join(60)


def tells_no_address(found, server):
    """What anyone gets does not say where the database is."""
    for word in ("127.0.0.1", "localhost", str(server.port), str(server.folder), "connection to server"):
        assert word not in found.text, found.text



# A server that is gone says so at once; one whose processes are stopped keeps its connections open, and says nothing.
@pytest.mark.parametrize("is_gone", [True, False])
def test_a_node_stops_during_an_outage(cluster, server, is_gone):
    one, two = cluster.serve(1), cluster.serve(2)
    client = Client(one.link, cluster.app, TOPIC)
    client.open()
    wait_until("the nodes know of each other and of the link", lambda: cluster.nodes(one)[1]["links"] == 1 and len(cluster.nodes(two)) == 2)
    start = time.monotonic()
    if is_gone:
        server.stop("immediate")
    else:
        server.signal(signal.SIGSTOP)
    try:
        # A handed-over link is closed; that takes no answer of the server.
        one.process.process.send_signal(signal.SIGTERM)
        assert one.process.process.wait(120) == 0
        took = time.monotonic() - start
    finally:
        if not is_gone:
            server.signal(signal.SIGCONT)
    # The lease of six seconds, and the time of a connection attempt; a statement has 32 seconds.
    assert took < 25, f"stopping took {took:.1f} s"


# Longer than the lease of a node, too.
@pytest.mark.parametrize("mode, seconds", [("fast", 0), pytest.param("immediate", 8, marks=pytest.mark.release("waits out leases"))])
def test_pushes_during_an_outage(cluster, server, mode, seconds):
    node = cluster.serve(1, env=os.environ | {"POSTHORN_HTTP_CALLS_PER_MINUTE": "1000000"})
    device = cluster.device(node)
    client = Client(node.link, cluster.app, TOPIC)
    client.open()
    with Pusher(node) as pusher:
        wait_until("pushes are accepted", lambda: len(pusher.accepted) >= 20)
        server.stop(mode)
        wait_until("pushes are refused", lambda: len(pusher.refused) >= 3)
        # An answer holds for ten seconds.
        wait_until("/ready names the store", lambda: "away" in node.get("/ready").json()["store"])
        ready = node.get("/ready")
        assert ready.status_code == 503
        tells_no_address(ready, server)
        assert node.get("/health").status_code == 200
        findings = {each["check"]: each for each in json.loads(command("doctor", "--data", node.data, "--json").stdout)["findings"]}
        assert findings["postgres"]["state"] == "wrong" and "Start the server" in findings["postgres"]["remedy"], findings
        assert findings["queue"]["state"] == "unknown", findings
        time.sleep(seconds)
        server.start()
        before = len(pusher.accepted)
        wait_until("pushes are accepted again", lambda: len(pusher.accepted) >= before + 20)
    assert not pusher.uncertain, pusher.uncertain
    for text, found in pusher.refused:
        assert found.status_code == 503, found.text
        tells_no_address(found, server)
        assert 1 <= int(found.headers["Retry-After"]) <= 2 and found.json()["error"]["code"] == 1030
    accepted = {text for text, _ in pusher.accepted}
    # The answer to a lost commit that nobody can be asked about says so.
    doubtful = {text for text, found in pusher.refused if "may be stored" in found.text}
    texts = []
    while not accepted <= set(texts):
        texts += receive(device, len(accepted - set(texts)))
    assert len(set(texts)) == len(texts), sorted(texts)
    assert set(texts) - accepted <= doubtful, (sorted(set(texts) - accepted), sorted(doubtful))
    wait_until("/ready is ready", lambda: node.get("/ready").status_code == 200)
    # The link has stayed, and takes messages.
    assert node.message("after", client.registration_id).status_code == 200
    client.await_messages(1)
    assert "after" in str(client.messages[0])
    client.close()
    assert node.process.stop() == 0


def test_a_start_waits_for_the_server(cluster, server):
    server.stop()
    node = cluster.serve(1, waits=False, stderr=subprocess.PIPE)
    said = []
    while not any("The service starts when PostgreSQL answers" in line for line in said):
        said.append(node.process.process.stderr.readline())
        assert said[-1], f"ended: {said}"
    assert server.PASSWORD not in "".join(said)
    with pytest.raises(requests.RequestException):
        node.get("/health", 2)
    server.start()
    node.process.line(lambda line: line.startswith("Posthorn listens"))
    assert node.get("/health").status_code == 200
    threading.Thread(target=node.process.process.stderr.read, daemon=True).start()


def test_a_command_says_that_the_server_is_away(cluster, server):
    node_folder = cluster.folder_of(1)
    server.stop()
    begin = time.monotonic()
    refused = command("app", "list", "--data", node_folder, "--store", cluster.store)
    assert refused.returncode != 0 and "Connection refused" in refused.stderr, refused.stderr
    assert server.PASSWORD not in refused.stderr and time.monotonic() - begin < 20
    server.start()
    assert command("app", "list", "--data", node_folder, "--store", cluster.store).returncode == 0
