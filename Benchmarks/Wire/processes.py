"""Starts servers and clients, and reads their resource usage from the operating system."""

import atexit
import dataclasses
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def pinned(command, core):
    return [*map(str, command)] if core is None else ["taskset", "--cpu-list", str(core), *map(str, command)]


def status_kilobytes(process, name):
    """Returns a line of /proc/ID/status, such as VmRSS (resident now) or VmHWM (peak resident); 0 once the process has ended."""
    try:
        match = re.search(rf"^{name}:\s+(\d+) kB", pathlib.Path(f"/proc/{process}/status").read_text(), re.M)
    except OSError:
        return 0
    return int(match[1]) if match else 0


@dataclasses.dataclass
class Spent:
    """The CPU time of a running process: of each living thread in nanoseconds, and of all threads in hundredths of a second."""

    threads: dict
    seconds: float

    @classmethod
    def by(cls, process):
        threads = {}
        for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
            try:
                threads[thread.name] = int((thread / "schedstat").read_text().split()[0])
            except (OSError, IndexError):
                continue
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return cls(threads, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))

    def since(self, before):
        """Returns seconds. Threads that ended in between are only in the coarse count, which may be off by 10 ms."""
        fine = sum(spent - before.threads.get(thread, 0) for thread, spent in self.threads.items()) / 1e9
        return max(fine, self.seconds - before.seconds - 0.01)


class Server:
    """A process that listens on a port of 127.0.0.1 until it is stopped. It is ready once `files` exist."""

    def __init__(self, command, port, core=None, files=()):
        self._output = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            pinned(command, core), stdin=subprocess.DEVNULL, stdout=self._output, stderr=subprocess.STDOUT
        )
        self.id = self._process.pid
        # Stops it even if a measurement fails.
        atexit.register(self.stop)
        self.port = port
        deadline = time.monotonic() + 20
        while not (self._listens() and all(file.exists() for file in files)):
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"{command[0]} does not listen on port {port}; it printed: {self.output()}")
            time.sleep(0.02)

    def _listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def output(self):
        self._output.seek(0)
        return self._output.read().strip()

    def settle(self):
        """Waits until the process is idle: less than 2 ms of work in half a second; ten seconds at most."""
        before = Spent.by(self.id)
        for _ in range(20):
            time.sleep(0.5)
            now = Spent.by(self.id)
            if now.since(before) < 0.002:
                return
            before = now

    def stop(self):
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@dataclasses.dataclass
class Finished:
    status: int
    output: str
    processor_seconds: float
    peak_kilobytes: int


def run(command, core=None, limit=120):
    """Runs a client to its end. The usage is the kernel's account of the process, from its first instruction on."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            pinned(command, core), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        deadline = time.monotonic() + limit
        peak, ended = 0, 0
        try:
            while not ended:
                # The kernel's maximum for a child starts with the parent's; this one is only the child's.
                peak = max(peak, status_kilobytes(process.pid, "VmHWM"))
                time.sleep(0.02)
                ended, status, usage = os.wait4(process.pid, os.WNOHANG)
                if not ended and time.monotonic() > deadline:
                    os.kill(process.pid, signal.SIGKILL)
        finally:
            if not ended:
                process.kill()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return Finished(process.returncode, output.read(), usage.ru_utime + usage.ru_stime, peak)
