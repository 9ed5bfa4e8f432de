#!/usr/bin/env python3
"""Stands in for the command `posthorn` in tests: a service is several nodes on one PostgreSQL, behind nginx, which takes them in turn.

POSTHORN_NODES=3 lets a run of the tests use it (conftest.py). `serve` and `sandbox` start the nodes, nginx and, for `sandbox`, a
gateway and devices as processes of their own; other commands get the URL of the store that belongs to their --data. What the
service is asked over HTTP and links goes to each node in turn; the socket in --data is that of the first node.
"""

import ctypes
import hashlib
import json
import os
import pathlib
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading

from ports import free_port

# A request that waits for a node: longer than any test does.
LIMIT = 120
NGINX = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log warn;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream nodes {{
        {servers}
        keepalive 16;
    }}
    # A link has to be the first request of its connection.
    upstream links {{
        {servers}
    }}
    server {{
        listen 127.0.0.1:{port};
        # The tests read the service's own refusal of a body that is larger.
        client_max_body_size 64m;
        proxy_request_buffering off;
        large_client_header_buffers 8 64k;
        proxy_http_version 1.1;
        proxy_read_timeout 90s;
        proxy_send_timeout 90s;
        # nginx itself refuses TRACE, which the nodes answer.
        error_page 405 = @nodes;
        location / {{
            try_files /nothing @nodes;
        }}
        location @nodes {{
            proxy_pass http://nodes;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header Connection "";
        }}
        location /link {{
            proxy_pass http://links;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection "upgrade";
        }}
    }}
}}
"""


# MARK: for conftest.py


def begin():
    """Has the tests of this process use this file as the command. Returns what ends the server."""
    import postgres

    if "POSTHORN_NODES_POSTGRES" in os.environ:
        # A worker: all of them share the server that the process has which started them.
        return lambda: None
    server = postgres.Server("max_connections = 500")
    os.environ["POSTHORN_NODES_BINARY"] = os.environ.get("POSTHORN_BINARY") or str(pathlib.Path(__file__).parent.parent / "posthorn")
    os.environ["POSTHORN_NODES_POSTGRES"] = json.dumps({"folder": server.folder, "port": server.port})
    # Python's path to this file, as a command of one word.
    os.environ["POSTHORN_BINARY"] = str(pathlib.Path(__file__).resolve())
    return server.close


# MARK: the store


def store(data):
    """The URL of the database that belongs to a data folder; it is created if there is none."""
    place = json.loads(os.environ["POSTHORN_NODES_POSTGRES"])
    name = "data_" + hashlib.sha256(str(pathlib.Path(data).resolve()).encode()).hexdigest()[:20]
    words = ["psql", "-XqAt", "-h", place["folder"], "-p", str(place["port"]), "-U", "posthorn", "postgres", "-c"]
    there = subprocess.run([*words, f"SELECT 1 FROM pg_database WHERE datname = '{name}'"], capture_output=True, text=True, check=True)
    if not there.stdout.strip():
        made = subprocess.run([*words, f"CREATE DATABASE {name} TEMPLATE template0"], capture_output=True, text=True)
        assert made.returncode == 0 or "exists" in made.stderr, made.stderr
    return f"postgres:///{name}?host={place['folder']}&port={place['port']}&user=posthorn"


# MARK: processes


def bound():
    """In a child: it ends with this process, however that ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Child:
    def __init__(self, *words, store=None, **options):
        environment = os.environ | ({"POSTHORN_STORE": store} if store else {})
        command = [os.environ["POSTHORN_NODES_BINARY"], *map(str, words)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, preexec_fn=bound, **options)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def line(self, matches=lambda line: True):
        while True:
            line = self.lines.get(timeout=LIMIT)
            if not line:
                sys.exit(self.process.wait())
            if matches(line):
                return line

    def stop(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)

    def wait(self):
        return self.process.wait()


def command(*words, store=None, data):
    """What a command prints, as JSON."""
    done = subprocess.run(
        [os.environ["POSTHORN_NODES_BINARY"], *map(str, words), "--json", "--data", str(data)], stdout=subprocess.PIPE, text=True,
        check=True, env=os.environ | {"POSTHORN_STORE": store},
    )
    return json.loads(done.stdout)


class Nodes:
    """The nodes of a service and nginx before them."""

    def __init__(self, data, words, port=0):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="posthorn-nodes-"))
        self.port = port or free_port()
        url = store(data)
        self.nodes = []
        ports = [free_port() for _ in range(int(os.environ["POSTHORN_NODES"]))]
        for number, one in enumerate(ports, 1):
            own = pathlib.Path(data if number == 1 else f"{data}.node{number}")
            if number > 1 and not own.exists():
                # The first node has made the secret of the service, which all have in common.
                own.mkdir(mode=0o700)
                shutil.copy(pathlib.Path(data) / "secret.key", own / "secret.key")
            self.nodes.append(Child("serve", "--data", own, "--port", one, "--node", number, *words, store=url))
            if number == 1:
                first = self.nodes[0].line()
        self.store = url
        self.lines = [first, *(node.line() for node in self.nodes[1:])]
        self.ports = ports
        servers = "\n        ".join(f"server 127.0.0.1:{one} max_fails=0;" for one in ports)
        (self.folder / "nginx.conf").write_text(NGINX.format(folder=self.folder, servers=servers, port=self.port))
        # What nginx says before it has its log file is about the privileges of the user.
        self.nginx = subprocess.Popen(
            ["nginx", "-p", self.folder, "-c", self.folder / "nginx.conf", "-e", self.folder / "nginx.log"], preexec_fn=bound,
        )
        self._await()

    def _await(self):
        for _ in range(3000):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            try:
                self.nginx.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
            break
        sys.exit(f"nginx does not listen: {(self.folder / 'nginx.log').read_text()}")

    def shown(self, line):
        """A line of the first node, with the port of nginx."""
        return line.replace(f":{self.ports[0]}", f":{self.port}")

    def stop(self, number=signal.SIGTERM):
        for node in self.nodes:
            node.stop(number)

    def wait(self):
        """The status of all nodes: that of one that has failed."""
        statuses = [node.wait() for node in self.nodes]
        self.nginx.kill()
        self.nginx.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        failed = [status for status in statuses if status]
        return failed[0] if failed else 0


# MARK: commands


def taken(words, flag, default=None):
    """Takes a flag with its value out of a command line."""
    if flag not in words:
        return default
    place = words.index(flag)
    value = words[place + 1]
    del words[place:place + 2]
    return value


def serve(words):
    data, port = taken(words, "--data", "posthorn-data"), int(taken(words, "--port", "8080"))
    nodes = Nodes(data, words, port)
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
        signal.signal(number, lambda number, _: nodes.stop(number))
    print(nodes.shown(nodes.lines[0]), end="", flush=True)

    def follow():
        while line := nodes.nodes[0].lines.get():
            print(nodes.shown(line), end="", flush=True)

    threading.Thread(target=follow, daemon=True).start()
    sys.exit(nodes.wait())


def sandbox(words):
    """What `posthorn sandbox --json` starts and prints, in processes of their own."""
    data = pathlib.Path(taken(words, "--data") or tempfile.mkdtemp(prefix="posthorn-sandbox-"))
    environment, count = taken(words, "--environment", "production"), int(taken(words, "--devices", "1"))
    level = ["--log-level", taken(words, "--log-level", "critical")]
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    gateway = Child(
        "gateway", "--data", data / "gateway", "--development-port", 0, "--production-port", 0, "--courier-port", 0, "--control-port", 0,
        # Each start of a node signs a provider token.
        "--provider-tokens", 1000,
        "--hand-out", data / "out", "--tokens", 1, "--mail", "disk", "--json", *level,
        *(["--management-production-port", 0] if "--channels" in words else []),
    )
    box = json.loads(gateway.line())
    config = data / "settings.json"
    config.write_text(json.dumps({"http": {"callsPerMinute": 60000}, "apns": {"events": box["events"]}}))
    nodes = Nodes(data, [
        "--config", config, "--apns-host", box["host"], "--apns-ca", box["ca"], "--apns-production-port", box["productionPort"],
        "--apns-development-port", box["developmentPort"], *level,
    ])
    options = {"data": data, "store": nodes.store}
    app = command(
        "app", "create", "--name", "PushLab", "--bundle-id", "com.example.pushlab", "--environment", environment, "--p8", box["keyFile"],
        "--key-id", box["keyID"], "--team-id", box["teamID"], **options,
    )
    developer = command("dev", "create", "--name", "PushLab", **options)
    group = command("group", "create", "--name", "PushLab", "--app", app["app_key"], **options)
    url = f"http://127.0.0.1:{nodes.port}"
    devices, found = [], []
    for number in range(count):
        device = Child(
            "device", "run", "--courier", box["courier"], "--link", f"ws://127.0.0.1:{nodes.port}/link", "--app-key", app["app_key"],
            "--environment", environment, "--name", f"iPhone {number + 1}" if count > 1 else "iPhone", "--json", stderr=subprocess.DEVNULL,
        )
        line = json.loads(device.line(lambda line: json.loads(line).get("event") == "registered"))
        # With nobody to read it, what it prints would fill the pipe; the thread of Child reads on.
        devices.append(device)
        found.append({"name": line.get("device", f"iPhone {number + 1}"), "registrationID": line["registrationID"], "token": line["token"]})
    out = data / "out"
    tokens = {name: (out / name).read_text().strip() for name in ("unregistered", "otherTopic", "otherEnvironment")}
    print(json.dumps({
        "api": {
            "url": url, "appKey": app["app_key"], "masterSecret": app["master_secret"], "devKey": developer["dev_key"],
            "devSecret": developer["dev_secret"], "groupKey": group["group_key"], "groupSecret": group["master_secret"],
        },
        "link": {"url": f"ws://127.0.0.1:{nodes.port}/link"},
        "apns": {
            "host": box["host"], "port": box[f"{environment}Port"], "ca": box["ca"], "keyFile": box["keyFile"], "keyID": box["keyID"],
            "teamID": box["teamID"], "topic": "com.example.pushlab", "environment": environment, "control": box["control"],
            "courier": box["courier"], "management": box["managementProductionPort"],
            "p12": {kind: str(out / f"{kind}.p12") for kind in ("development", "production")}
            | {"password": (out / "password").read_text().strip()},
            "tokens": tokens | {"valid": (out / "tokens").read_text().split("\n")[0]},
        },
        "devices": found,
    }), flush=True)
    ended = threading.Event()
    for number in signal.SIGTERM, signal.SIGINT:
        signal.signal(number, lambda *_: ended.set())
    if "--until-eof" in words:
        threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    ended.wait()
    for device in devices:
        device.stop()
    nodes.stop()
    status = nodes.wait()
    gateway.stop()
    sys.exit(status or gateway.wait())


def main():
    words = sys.argv[1:]
    # Behind a proxy that speaks plain HTTP to it, a service has no certificate; with one it is a single node.
    if words[:1] == ["serve"] and not {"--help", "--cert"} & set(words):
        serve(words[1:])
    if words[:1] == ["sandbox"] and "--json" in words:
        sandbox(words[1:])
    environment = dict(os.environ)
    if "--data" in words and words[0] not in {"gateway", "appid", "cert", "profile", "send", "demo", "sandbox"}:
        environment["POSTHORN_STORE"] = store(words[words.index("--data") + 1])
    binary = os.environ["POSTHORN_NODES_BINARY"]
    os.execve(binary, [binary, *words], environment)


if __name__ == "__main__":
    main()
