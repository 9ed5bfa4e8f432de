"""Other people's tools: finds them, and starts the small programs in http2/."""

import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent / "http2"
# Where Debian's golang-golang-x-net-dev puts its source.
GO_SOURCE = pathlib.Path("/usr/share/gocode")
PACKAGES = {
    "nghttp": "nghttp2-client", "h2load": "nghttp2-client", "nghttpd": "nghttp2-server", "curl": "curl",
    "node": "nodejs", "javac": "default-jdk-headless", "go": "golang-go golang-golang-x-net-dev", "openssl": "openssl",
    "bash": "bash", "fish": "fish", "zsh": "zsh", "dash": "dash", "man": "man-db", "lexgrog": "man-db",
    "systemd-analyze": "systemd", "tinyproxy": "tinyproxy", "ruby": "ruby ruby-minitest", "nginx": "nginx-light", "caddy": "caddy",
    "valgrind": "valgrind", "cc": "gcc", "php": "php-cli", "jq": "jq", "yamllint": "yamllint",
}


class SayingHandler(http.server.BaseHTTPRequestHandler):
    """Stands behind a proxy: answers each GET with what `said` returns about it."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = self.said().encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def need(tool):
    """The tool's path. Without it the test is skipped; but where CI is set, it fails."""
    found = shutil.which(tool)
    if found and (tool != "go" or (GO_SOURCE / "src/golang.org/x/net/http2").is_dir()):
        return found
    reason = f"{tool} is not installed: apt-get install {PACKAGES[tool]}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def wait_for(port, process, seconds=60):
    """Until something listens."""
    for _ in range(seconds * 20):
        assert process.poll() is None, f"ended with status {process.returncode} before it listened"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"nothing listens on port {port}")


def build_go(folder, environment):
    """http2/go_peer.go as a program."""
    program = folder / "go_peer"
    subprocess.run(
        [need("go"), "build", "-o", program, FOLDER / "go_peer.go"],
        check=True, timeout=900,
        env=os.environ | environment | {"GO111MODULE": "off", "GOPATH": str(GO_SOURCE)},
    )
    return program


def command(peer, role, go):
    """How the peer's client or server is started, but for its options."""
    if peer == "node":
        return [need("node"), FOLDER / f"node_{role}.js"]
    if peer == "go":
        return [go(), role]
    return [sys.executable, FOLDER / f"h2_{role}.py"]


def ask(peer, go, timeout=300, **options):
    """Has a peer's client send pushes; what came back, by status."""
    done = subprocess.run(
        [*command(peer, "client", go), json.dumps(options, default=str)],
        capture_output=True, text=True, timeout=timeout,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Server:
    """A peer's server, until the end of a `with`."""

    def __init__(self, arguments, port, **more):
        self.arguments, self.port, self.more = [str(argument) for argument in arguments], port, more

    def __enter__(self):
        self.process = subprocess.Popen(self.arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **self.more)
        wait_for(self.port, self.process)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.complaints = self.process.communicate()[1].decode()


def asking(peer, go, **options):
    """A peer's client that is sending pushes."""
    return subprocess.Popen(
        [*command(peer, "client", go), json.dumps(options, default=str)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
