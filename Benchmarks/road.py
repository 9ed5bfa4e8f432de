"""The path of a push on this machine: a gateway, a service with apps, and their counts. Needs requests."""

import atexit
import dataclasses
import json
import pathlib
import socket
import subprocess
import time

import requests

import processes

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOPIC = "com.example.app"
# The maximum number of tokens the gateway issues, and of rows the service imports, in one request.
MADE_AT_ONCE = 100_000
IMPORTED_AT_ONCE = 5000


class Started:
    """A process whose first line of output says that it is ready."""

    def __init__(self, *command):
        self.process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True)
        # Stops it even if a measurement fails.
        atexit.register(self.stop)
        self.line = self.process.stdout.readline()
        if not self.line:
            raise SystemExit(f"{command[1]} ended with status {self.process.wait(30)} before it was ready")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.process.stdout.close()


@dataclasses.dataclass
class Counts:
    """The pushes the gateway has received since it started."""

    answered: int  # with 200
    stored: int
    delivered: int

    @property
    def repeated(self):
        """Pushes that were answered, but already known by their apns-ids."""
        return self.answered - self.stored - self.delivered


class Gateway:
    def __init__(self, posthorn, folder, mail="disk"):
        self.process = Started(
            posthorn, "gateway", "--data", folder / "gateway", "--mail", mail, "--development-port", 0,
            "--production-port", 0, "--courier-port", 0, "--control-port", 0, "--json", "--log-level", "error",
        )
        self.box = json.loads(self.process.line)
        self.control = self.box["control"].rstrip("/")

    def tokens(self, count, topic=TOPIC):
        """Returns tokens of offline devices."""
        made = []
        while len(made) < count:
            answer = requests.post(
                f"{self.control}/tokens", timeout=120,
                json={"topic": topic, "environment": "production", "count": min(MADE_AT_ONCE, count - len(made))},
            )
            answer.raise_for_status()
            made += answer.json()["tokens"]
        return made

    def counts(self, settled=True):
        """Returns the counts at once or, if settled, when they no longer change."""
        before = None
        while True:
            told = requests.get(f"{self.control}/counts", timeout=60).json()
            answered = sum(item["count"] for item in told["answers"] if item["status"] == 200)
            refused = [item for item in told["answers"] if item["status"] != 200]
            if refused:
                raise SystemExit(f"The gateway refused pushes: {refused}")
            now = Counts(answered, told["stored"], told["delivered"])
            if now == before or not settled:
                return now
            before = now
            time.sleep(0.1)

    def waiting(self, tokens):
        """Returns the number of waiting pushes of each offline device, in groups of a hundred requests."""
        host, _, port = self.control.rpartition("/")[2].rpartition(":")
        found = []
        with socket.create_connection((host, int(port)), timeout=60) as link, link.makefile("rb") as answers:
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for start in range(0, len(tokens), 100):
                some = tokens[start:start + 100]
                link.sendall("".join(f"GET /tokens/{token} HTTP/1.1\r\nHost: {host}\r\n\r\n" for token in some).encode())
                found += [self.answer(answers)["waiting"] for _ in some]
        return found

    @staticmethod
    def answer(answers):
        length = 0
        while (line := answers.readline()) != b"\r\n":
            if not line:
                raise SystemExit("The gateway closed its control connection in the middle of an answer")
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(answers.read(length))


class Service:
    """`posthorn serve` with its own data folder; apps are created before it starts."""

    def __init__(self, posthorn, folder, gateway, settings=None):
        self.posthorn, self.folder, self.gateway = posthorn, folder, gateway
        self.port = processes.free_port()
        self.settings = []
        if settings:
            file = folder.with_suffix(".json")
            file.write_text(json.dumps(settings))
            self.settings = ["--config", file]

    def app(self, topic=TOPIC):
        box = self.gateway.box
        made = json.loads(subprocess.run(
            [self.posthorn, "app", "create", "--data", self.folder, "--name", topic, "--bundle-id", topic, "--p8",
             box["keyFile"], "--key-id", box["keyID"], "--team-id", box["teamID"], "--json"],
            check=True, capture_output=True, text=True,
        ).stdout)
        return App(self, (made["app_key"], made["master_secret"]))

    def start(self):
        box = self.gateway.box
        self.process = Started(
            self.posthorn, "serve", "--data", self.folder, "--port", self.port, "--apns-host", box["host"],
            "--apns-development-port", box["developmentPort"], "--apns-production-port", box["productionPort"],
            "--apns-ca", box["ca"], "--log-level", "error", "--json", *self.settings,
        )


class App:
    def __init__(self, service, auth):
        self.service = service
        # One connection for consecutive requests.
        self.session = requests.Session()
        self.session.auth = auth

    def call(self, path, body):
        answer = self.session.post(f"http://127.0.0.1:{self.service.port}{path}", json=body, timeout=120)
        if answer.status_code != 200:
            raise SystemExit(f"{path} was answered with {answer.status_code}: {answer.text}")
        return answer.json()

    def take_in(self, tokens, members=lambda token: {}):
        """Imports devices; `members` gives further members of a device's row."""
        for start in range(0, len(tokens), IMPORTED_AT_ONCE):
            rows = [
                {"token": token, "environment": "production"} | members(token)
                for token in tokens[start:start + IMPORTED_AT_ONCE]
            ]
            self.call("/posthorn/v1/devices/import", {"devices": rows})

    def push(self, audience, alert, more=None):
        return self.call("/v3/push", {
            "platform": "all", "audience": audience, "options": {"apns_production": True, "time_to_live": 86400},
            "notification": {"ios": {"alert": alert} | (more or {})},
        })["msg_id"]

    def broadcast(self, alert, more=None):
        return self.push("all", alert, more)
