"""Starts the shipped binary, reads what it prints, and ends it by its id."""

import json
import os
import pathlib
import pty
import queue
import signal
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import confidential

# The shipped command, which builds itself; or another build of it.
BINARY = os.environ.get("POSTHORN_BINARY") or pathlib.Path(__file__).resolve().parent.parent / "posthorn"
# The benchmarks' program, which the build of the tests has beside the command.
BENCH = pathlib.Path(os.environ.get("POSTHORN_BINARY") or pathlib.Path(__file__).resolve().parent.parent / ".build/debug/posthorn").with_name(
    "PosthornBench"
)


class Process:
    def __init__(self, *arguments, program=BINARY, **options):
        with confidential.traced(arguments, options) as (words, options):
            self.process = subprocess.Popen([program, *words], stdout=subprocess.PIPE, text=True, **options)
        self.lines = queue.Queue()
        self.seen = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            confidential.remember_text(line, "what a server printed")
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def line(self, matches=lambda line: True, timeout=120):
        """The next line for which `matches` holds."""
        while True:
            try:
                line = self.lines.get(timeout=timeout)
            except queue.Empty:
                raise TimeoutError(f"no line within {timeout} s after {self.seen}") from None
            assert line is not None, f"ended with status {self.process.wait(60)} after {self.seen}"
            self.seen.append(line)
            if matches(line):
                return line

    def event(self, name, timeout=120):
        """The next line of JSON whose event has this name."""
        return json.loads(self.line(lambda line: json.loads(line).get("event") == name, timeout))

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(60)

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def on_terminal(*arguments, program=BINARY, started=lambda command: None, **environment):
    """Runs a command whose standard error is a terminal. Returns its status, the bytes there and the standard output."""
    ours, theirs = pty.openpty()
    command = subprocess.Popen(
        [program, *map(str, arguments)], stdout=subprocess.PIPE, stderr=theirs, text=True, env=os.environ | environment
    )
    os.close(theirs)
    started(command)
    said = b""
    # A command that hangs is ended, which closes its terminal.
    limit = threading.Timer(120, command.kill)
    limit.start()
    with ThreadPoolExecutor(1) as pool:
        printed = pool.submit(command.stdout.read)
        # On Linux the end of a terminal is an error.
        try:
            while piece := os.read(ours, 4096):
                said += piece
        except OSError:
            pass
        os.close(ours)
        status = command.wait()
        limit.cancel()
        return status, said, printed.result()


def start_gateway(data, *flags):
    """A gateway on free ports, and the line of JSON in which it says where it is."""
    gateway = Process(
        "gateway", "--data", data, "--development-port", 0, "--production-port", 0, "--courier-port", 0, "--json", "--log-level", "error",
        # Each start of a service signs a provider token.
        "--provider-tokens", 1000,
        *flags,
    )
    return gateway, json.loads(gateway.line())


def start_service(data, box, *flags):
    """A service that pushes to the gateway, and its URL."""
    service = Process(
        "serve", "--data", data, "--port", 0, "--apns-host", box["host"], "--apns-ca", box["ca"], "--apns-production-port",
        box["productionPort"], "--apns-development-port", box["developmentPort"], "--log-level", "critical", *flags,
    )
    return service, service.line(lambda line: line.startswith("Posthorn listens")).split()[-1]
