"""As much of Docker's API as Testcontainers needs, without Docker: a container is the program itself, in a folder of its own.

Of an image there is only its entry point, `posthorn`. /var/lib/posthorn is a temporary folder, and each exposed port another one of
this machine: both are replaced in the words of the command.
"""

import http.server
import io
import json
import os
import pathlib
import re
import socketserver
import subprocess
import tarfile
import tempfile
import threading
import urllib.parse

from ports import free_port
from processes import BINARY

FOLDER = "/var/lib/posthorn"


class Container:
    def __init__(self, number, config):
        self.id = f"{number:064x}"
        self.config = config
        self.folder = tempfile.TemporaryDirectory(prefix="container-")
        self.ports = {port: free_port() for port in config.get("ExposedPorts") or {}}
        self.process = None

    def start(self):
        mapped = {port.split("/")[0]: str(found) for port, found in self.ports.items()}
        words = [mapped.get(word, word).replace(FOLDER, self.folder.name) for word in self.config["Cmd"]]
        environment = os.environ | dict(entry.split("=", 1) for entry in self.config.get("Env") or [])
        with open(f"{self.folder.name}/stdout", "wb") as output, open(f"{self.folder.name}/stderr", "wb") as log:
            self.process = subprocess.Popen([BINARY, *words], stdout=output, stderr=log, env=environment)

    def facts(self):
        state = "created" if self.process is None else "running" if self.process.poll() is None else "exited"
        ports = {port: [{"HostIp": "0.0.0.0", "HostPort": str(found)}] for port, found in self.ports.items()}
        return {
            "Id": self.id, "Name": f"/{self.id[:12]}", "State": {"Status": state, "Running": state == "running"}, "Config": self.config,
            "Image": "posthorn", "NetworkSettings": {"Ports": ports, "Networks": {}}, "HostConfig": self.config.get("HostConfig") or {},
        }

    def logs(self):
        """Both streams, in the frames of a container without a terminal."""
        streams = enumerate((pathlib.Path(self.folder.name, name).read_bytes() for name in ("stdout", "stderr")), 1)
        return {number: bytes([number, 0, 0, 0]) + len(data).to_bytes(4, "big") + data for number, data in streams if data}

    def archive(self, path):
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w") as archive:
            archive.add(path.replace(FOLDER, self.folder.name), pathlib.PurePosixPath(path).name)
        return content.getvalue()

    def remove(self):
        if self.process:
            self.process.terminate()
            self.process.wait(60)
        self.folder.cleanup()


class Engine(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """`url` is for DOCKER_HOST."""

    daemon_threads = True

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="engine-")
        super().__init__(f"{self.folder.name}/docker.sock", Handler)
        self.url = f"unix://{self.folder.name}/docker.sock"
        self.containers, self.made = {}, 0
        threading.Thread(target=self.serve_forever).start()

    def close(self):
        self.shutdown()
        self.server_close()
        for container in self.containers.values():
            container.remove()
        self.folder.cleanup()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return "local"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=None, kind="application/json", **headers):
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        query = dict(urllib.parse.parse_qsl(query))
        path = re.sub(r"^/v[\d.]+", "", path)
        if path in ("/_ping", "/version", "/info"):
            return self.answer(200, {"ApiVersion": "1.44", "MinAPIVersion": "1.24", "Version": "25.0", "Os": "linux", "OperatingSystem": "posthorn"})
        if path.startswith("/images/"):
            return self.answer(200, {"Id": "posthorn", "Config": {}})
        found = re.fullmatch(r"/containers/(\w+)/(json|logs|archive)", path)
        if not found or found[1] not in self.server.containers:
            return self.answer(404, {"message": f"{self.command} {self.path} is not here"})
        container = self.server.containers[found[1]]
        match found[2]:
            case "json":
                self.answer(200, container.facts())
            case "logs":
                asked = [number for number, name in enumerate(("stdout", "stderr"), 1) if query.get(name, "0").lower() in ("1", "true")]
                frames = container.logs()
                self.answer(200, b"".join(frames[number] for number in asked if number in frames), "application/vnd.docker.multiplexed-stream")
            case "archive":
                # The header is read by clients that ask what the path is.
                self.answer(200, container.archive(query["path"]), "application/x-tar", **{"X-Docker-Container-Path-Stat": "e30="})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = re.sub(r"^/v[\d.]+", "", self.path.partition("?")[0])
        if path == "/containers/create":
            self.server.made += 1
            container = Container(self.server.made, json.loads(body))
            self.server.containers[container.id] = container
            return self.answer(201, {"Id": container.id, "Warnings": []})
        found = re.fullmatch(r"/containers/(\w+)/start", path)
        if not found:
            return self.answer(404, {"message": f"{self.command} {self.path} is not here"})
        self.server.containers[found[1]].start()
        self.answer(204)

    def do_DELETE(self):
        self.server.containers.pop(re.search(r"/containers/(\w+)", self.path)[1]).remove()
        self.answer(204)
