"""The programs to measure on this machine, and how to start them."""

import os
import pathlib
import re
import secrets
import shutil
import subprocess
import sys

import host
import program

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DEBIAN = "gcc libnghttp2-dev libssl-dev openssl nghttp2-client nghttp2-server golang-go golang-golang-x-net-dev"
PAYLOAD = '{"aps":{"alert":{"title":"hello","body":"'.ljust(246, "x") + '"}}}'
TOKENS = 20_000
AUTHORIZATION = "bearer " + "j" * 193
TOPIC = "com.example.app"


class Peers:
    """The programs by name. For a missing peer, `missing` has a line that says what to install."""

    def __init__(self, folder, python=None):
        self.folder = pathlib.Path(folder)
        # The file system of the gateway's mail.
        self.disk = host.file_system(self.folder)
        self.missing = []
        self.versions = {}
        self.certificate, self.key = self.folder / "certificate.pem", self.folder / "key.pem"
        self.payload = self.folder / "payload"
        self.payload.write_text(PAYLOAD)
        self._make_certificate()
        self.posthorn = self._posthorn()
        self.server = self._compile("server", "-lnghttp2", "-lssl", "-lcrypto")
        self.idle = self._compile("idle", "-lssl", "-lcrypto")
        self.h2load = self._program("h2load", "nghttp2-client")
        self.nghttpd = self._program("nghttpd", "nghttp2-server")
        self.go = self._go()
        self.python = self._python(python)
        if self.server:
            self.versions["C server"] = f"the C server on {output(self.server, '--version')}"

    def _make_certificate(self):
        if not shutil.which("openssl"):
            raise SystemExit(f"openssl is not installed, and makes the certificate: apt-get install {DEBIAN}")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
            + ["-keyout", self.key, "-out", self.certificate, "-subj", "/CN=localhost"]
            + ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
            check=True,
            capture_output=True,
        )

    def _posthorn(self):
        binary = program.binary()
        self.versions["posthorn"] = "Posthorn " + output(binary, "--version")
        return binary

    def _program(self, name, package):
        path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
        if path:
            self.versions[name] = f"{name} {output(path, '--version').rpartition('/')[2]}"
        else:
            self.missing.append(f"{name} is left out: apt-get install {package}")
        return path

    def _compile(self, name, *libraries):
        program = self.folder / name
        compiler = shutil.which("cc") or shutil.which("gcc")
        command = [compiler, "-O2", "-o", program, HERE / "Peers" / f"{name}.c", *libraries]
        if compiler and subprocess.run(command, capture_output=True).returncode == 0:
            return program
        self.missing.append(f"Peers/{name}.c is left out, it does not compile: apt-get install gcc libnghttp2-dev libssl-dev")
        return None

    def _go(self):
        program = self.folder / "go-client"
        # Debian's package of golang.org/x/net, from the disk: nothing is downloaded.
        modules = {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": ""}
        command = ["go", "build", "-o", program, HERE / "Peers/client.go"]
        if shutil.which("go") and subprocess.run(command, capture_output=True, env=os.environ | modules).returncode == 0:
            library = output("dpkg-query", "-W", "-f", "${Version}", "golang-golang-x-net-dev")
            go = output("go", "version").split()[2].removeprefix("go")
            self.versions["Go net/http2"] = f"Go {go} with x/net {re.sub('^[0-9]+:|[+].*', '', library)}"
            return program
        self.missing.append("Go net/http2 is left out: apt-get install golang-go golang-golang-x-net-dev")
        return None

    def _python(self, chosen):
        # .ci/run installs this environment.
        for python in [chosen] if chosen else [ROOT / "Interop/.venv/bin/python", sys.executable]:
            version = output(python, "-c", "import aioapns, importlib.metadata as m; print(m.version('aioapns'))")
            if version:
                self.versions["aioapns"] = f"aioapns {version} on {output(python, '--version')}"
                return python
        self.missing.append("aioapns is left out: pip install aioapns, and name that Python with --python")
        return None

    # The commands that start each program.

    def clients(self):
        """Returns rows of the name, the divisor of the count (slow clients send fewer), and whether one more push opens the connection."""
        rows = [("Posthorn", 1, True), ("Posthorn, one by one", 1, True)]
        rows += [("h2load", 1, False)] if self.h2load else []
        rows += [("Go net/http2", 5, True)] if self.go else []
        rows += [("aioapns", 20, True)] if self.python else []
        return rows

    def client(self, name, port, count, streams):
        if name.startswith("Posthorn"):
            manner = ["--await"] if name.endswith("one by one") else []
            return [program.bench(), "apns", *manner, "--port", port, "--count", count, "--streams", streams]
        if name == "Go net/http2":
            return [self.go, port, count, streams]
        if name == "aioapns":
            return [self.python, HERE / "Peers/client.py", port, count, streams]
        tokens = [secrets.token_hex(32) for _ in range(TOKENS)]
        return self.load(port, count, streams, tokens)

    def load(self, port, count, streams, tokens, topic=TOPIC, authorization=AUTHORIZATION):
        """Returns the command for h2load, which sends a provider's requests over one connection."""
        addresses = self.folder / "addresses"
        addresses.write_text("".join(f"https://127.0.0.1:{port}/3/device/{token}\n" for token in tokens))
        fields = {"authorization": authorization, "apns-topic": topic, "apns-push-type": "alert", "apns-priority": "10"}
        headers = [word for name, value in fields.items() for word in ("-H", f"{name}: {value}")]
        command = [self.h2load, "-n", count, "-c", 1, "-t", 1, "-m", streams, "-d", self.payload, "-i", addresses]
        return [*command, *headers, "--tls13-ciphers", "TLS_AES_128_GCM_SHA256"]

    def servers(self):
        rows = ["Posthorn gateway", "Posthorn gateway, on disk"]
        rows += ["C server"] if self.server else []
        rows += ["nghttpd"] if self.nghttpd else []
        return rows

    def receivers(self):
        """Returns the servers that Posthorn's client sends realistic traffic to."""
        return ["Posthorn gateway", "Posthorn gateway, on disk", *(["C server"] if self.server else [])]

    def data(self, port):
        """Returns the folder of a gateway's files."""
        return self.folder / f"data-{port}"

    def serve(self, name, port, streams, refuse_every=0, tokens=TOKENS):
        """Returns the command and, if the server judges pushes, the folder of its --hand-out."""
        if name == "C server":
            return [self.server, port, self.certificate, self.key, streams, refuse_every], None
        if name == "nghttpd":
            site = self.folder / "site"
            (site / "3/device").mkdir(parents=True, exist_ok=True)
            (site / "3/device/token").write_text("ok")
            limits = ["-m", streams, "-w", 20, "-W", 24]
            return [self.nghttpd, "-a", "127.0.0.1", *limits, "-d", site, port, self.key, self.certificate], None
        hand_out, data = self.folder / f"hand-out-{port}", self.data(port)
        command = [self.posthorn, "gateway", "--port", port, "--cert", self.certificate, "--key", self.key]
        mail = "disk" if name.endswith("on disk") else "memory"
        # The idle connections are unauthenticated.
        command += ["--provider-connections", 100_000]
        return [*command, "--data", data, "--mail", mail, "--hand-out", hand_out, "--tokens", tokens], hand_out


def output(*command):
    """Returns the output of a command, or nothing if it fails."""
    try:
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    except OSError:
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""
