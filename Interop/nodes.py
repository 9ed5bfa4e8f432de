"""A gateway, a database and services on it, each a process of its own."""

import json
import os
import shutil
import subprocess
import time

import confidential
import requests
from courier import Device
from ports import free_port
from processes import BINARY, Process

TOPIC = "com.example.nodes"


def command(*words, **environment):
    """Runs a command to its end."""
    return subprocess.run(
        [BINARY, *map(str, words)], capture_output=True, text=True, timeout=120, env=os.environ | environment
    )


def answer(*words, **environment):
    """What a command answers with --json; it has to succeed."""
    done = command(*words, "--json", **environment)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return json.loads(done.stdout)


class Node:
    """A running service."""

    def __init__(self, cluster, number, data, process, port):
        self.cluster, self.number, self.data, self.process, self.port = cluster, number, data, process, port
        self.url = f"http://127.0.0.1:{port}"
        self.link = f"ws://127.0.0.1:{port}/link"

    def get(self, path, timeout=60):
        return requests.get(self.url + path, auth=self.cluster.auth, timeout=timeout)

    def post(self, path, body, timeout=60):
        return requests.post(self.url + path, json=body, auth=self.cluster.auth, timeout=timeout)

    def push(self, text="hello", audience="all", cid=None):
        body = {
            "platform": "all", "audience": audience, "notification": {"ios": {"alert": text}},
            "options": {"apns_production": True},
        }
        return self.post("/v3/push", body | ({"cid": cid} if cid else {}))

    def message(self, text, registration_id):
        """Sends a custom message to a device."""
        return self.post(
            "/v3/push", {"platform": "all", "audience": {"registration_id": [registration_id]}, "message": {"msg_content": text}}
        )


class Cluster:
    """The first command creates app and secret; each further node has a folder with a copy of the secret."""

    def __init__(self, folder, store=None, key_folder=None):
        self.folder, self.store, self.running = folder, store, []
        self.gateway = self.start(
            "gateway", "--data", folder / "gateway", "--development-port", 0, "--production-port", 0, "--courier-port", 0,
            "--control-port", 0, "--json",
            # Each start of a node signs a provider token.
            "--provider-tokens", 1000,
        )
        self.box = json.loads(self.gateway.line())
        self.first = key_folder or folder / "node1"
        box = self.box
        made = answer(
            "app", "create", "--data", self.first, *self.options, "--name", "Nodes", "--bundle-id", TOPIC,
            "--p8", box["keyFile"], "--key-id", box["keyID"], "--team-id", box["teamID"],
        )
        confidential.remember(made["master_secret"], "a master secret")
        self.app, self.auth = made["app_key"], (made["app_key"], made["master_secret"])

    @property
    def options(self):
        return ("--store", self.store) if self.store else ()

    def start(self, *words, **options):
        self.running.append(Process(*words, **options))
        return self.running[-1]

    def folder_of(self, number):
        data = self.folder / f"node{number}"
        if not (data / "secret.key").exists():
            data.mkdir(exist_ok=True)
            shutil.copy(self.first / "secret.key", data / "secret.key")
        return data

    def serve(self, number=1, *words, waits=True, given=True, data=None, **options):
        """Starts a node. Without `given` it chooses its own number; without `waits` it need not be ready."""
        port = free_port()
        data = data or self.folder_of(number)
        numbered = ("--node", number) if given and self.store else ()
        process = self.start(
            "serve", "--data", data, "--port", port, *self.options, *numbered, "--apns-host", self.box["host"],
            "--apns-development-port", self.box["developmentPort"], "--apns-production-port", self.box["productionPort"],
            "--apns-ca", self.box["ca"], "--apns-events", self.box["events"], *words, **options,
        )
        node = Node(self, number, data, process, port)
        if waits:
            process.line(lambda line: line.startswith("Posthorn listens"))
        return node

    def device(self, node, name="phone"):
        """A device at the gateway, imported into the service."""
        device = Device(self.box["courier"], name, TOPIC)
        taken = node.post("/posthorn/v1/devices/import", {"devices": [{"token": device.token, "environment": "production"}]})
        assert taken.status_code == 200, taken.text
        return device

    def nodes(self, node):
        """What `posthorn node list` answers, by number."""
        return {each["node"]: each for each in answer("node", "list", "--data", node.data)}

    def close(self):
        for process in reversed(self.running):
            if process.process.poll() is None:
                process.stop()


def receive(device, count, limit=600):
    """The titles of the next pushes to a device, each once."""
    ids, texts, end = set(), [], time.monotonic() + limit
    while len(texts) < count:
        assert time.monotonic() < end, f"{len(texts)} of {count} pushes within {limit} s: {sorted(texts)}"
        frame = device.hear("push")
        assert frame["apns-id"] not in ids, f"a push came twice: {frame}"
        ids.add(frame["apns-id"])
        device.say(type="ack", **{"apns-id": frame["apns-id"]})
        texts.append(json.loads(frame["payload"])["aps"]["alert"])
    return texts
