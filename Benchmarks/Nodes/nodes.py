"""The gateway, and the nodes of the service: started, killed, paused, cut off, with a wrong clock, and started again when they end."""

import collections
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import threading
import time

import requests

import processes
import road

HERE = pathlib.Path(__file__).resolve().parent
# The port of every node that has an address of its own.
PORT = 8080
TOKEN = "courier"
# Seconds for a node to become ready.
LIMIT = 120


@dataclasses.dataclass
class Counts:
    """The pushes that the gateway has answered with 200, and what it has accepted of them: delivered, ended or waiting.

    `stored` does not count here: a push that is stored because its device's link has just ended is delivered later, too.
    """

    answered: int
    accepted: int
    # Other answers, by reason.
    refused: dict

    @property
    def repeated(self):
        return self.answered - self.accepted


class Gateway(road.Gateway):
    """`posthorn gateway`, where nodes in namespaces can reach it; on the loopback it is the usual one."""

    def __init__(self, posthorn, folder, host):
        options = [] if host == "127.0.0.1" else [
            "--host", host, "--courier-token", TOKEN, "--cert", folder / "gateway.pem", "--key", folder / "gateway.key",
        ]
        if options:
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
                 "-keyout", folder / "gateway.key", "-out", folder / "gateway.pem", "-subj", "/CN=gateway",
                 "-addext", f"subjectAltName=IP:{host}"],
                check=True, capture_output=True,
            )
        self.process = road.Started(
            posthorn, "gateway", "--data", folder / "gateway", "--development-port", 0, "--production-port", 0, "--courier-port", 0,
            "--control-port", 0, "--json", "--log-level", "error", *options,
        )
        self.box = json.loads(self.process.line)
        if options:
            self.box["ca"] = str(folder / "gateway.pem")
        self.control = self.box["control"].rstrip("/")
        self.token = TOKEN if options else None

    def counts(self):
        told = requests.get(f"{self.control}/counts", timeout=60).json()
        answers = collections.Counter()
        for item in told["answers"]:
            answers[item["reason"]] += item["count"]
        return Counts(
            answers.pop(None, 0), told["delivered"] + told["coalesced"] + told["expired"] + told["waiting"], dict(answers),
        )


def clock_library(folder):
    """The library of clock.c, or None if there is no C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        return None
    library = folder / "clock.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, HERE / "clock.c", "-ldl"], check=True)
    return library


class Node:
    """`posthorn serve`. As a service manager does, it starts the process again when that ends."""

    def __init__(self, number, posthorn, folder, gateway, network, settings, flags, library=None):
        self.number, self.posthorn, self.folder, self.network = number, posthorn, folder, network
        self.address = network.addresses[number]
        self.port = PORT if self.address != "127.0.0.1" else processes.free_port()
        self.data, self.log = folder / f"node-{number + 1}", folder / f"node-{number + 1}.log"
        box = gateway.box
        file = folder / f"node-{number + 1}.json"
        file.write_text(json.dumps(settings | {"apns": {"events": box["events"]} | ({"eventsToken": gateway.token} if gateway.token else {})}))
        self.command = [
            *network.prefix(number), posthorn, "serve", "--data", self.data, "--host", self.address, "--port", self.port,
            "--apns-host", box["host"], "--apns-development-port", box["developmentPort"], "--apns-production-port",
            box["productionPort"], "--apns-ca", box["ca"], "--log-level", "info", "--json", "--config", file, *flags,
        ]
        self.environment = dict(os.environ)
        self.offset = None
        if library:
            self.offset = folder / f"node-{number + 1}.offset"
            self.clock(0)
            self.environment |= {"LD_PRELOAD": str(library), "CLOCK_OFFSET": str(self.offset)}
        # The ends that nobody has asked for: status and time.
        self.ended = []
        self.wanted = False
        self.ready = threading.Event()
        self.process = None
        self.lock = threading.Lock()

    @property
    def url(self):
        return f"http://{self.address}:{self.port}"

    def start(self):
        with self.lock:
            self.wanted = True
            self.ready.clear()
            with open(self.log, "a") as log:
                self.process = subprocess.Popen(
                    [*map(str, self.command)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True, env=self.environment,
                )
        threading.Thread(target=self._watch, args=(self.process,), daemon=True).start()

    def _watch(self, process):
        for line in process.stdout:
            if line.startswith("{"):
                self.ready.set()
        status = process.wait()
        if self.wanted and process is self.process:
            self.ended.append((status, time.time()))
            time.sleep(1)
            if self.wanted and process is self.process:
                self.start()

    def share_secret(self, other):
        """Copies the secret of another node, as an operator does for a new node."""
        self.data.mkdir(mode=0o700)
        shutil.copy(other.data / "secret.key", self.data / "secret.key")

    def await_ready(self):
        if not self.ready.wait(LIMIT):
            raise SystemExit(f"Node {self.number + 1} is not ready after {LIMIT} s; its log is {self.log}")

    def kill(self):
        with self.lock:
            self.wanted = False
            self.ready.clear()
            self.process.kill()
            self.process.wait()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def clock(self, seconds):
        """Sets the node's wall clock wrong by so much."""
        with open(self.offset, "r+b" if self.offset.exists() else "w+b") as file:
            file.write(struct.pack("q", int(seconds * 10**9)))

    def stop(self):
        if self.process is None:
            return
        self.wanted = False
        self.resume()
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
