"""The measurements. Each round runs every row once; the next round starts with the next row."""

import dataclasses
import itertools
import json
import re
import shutil
import statistics
import subprocess
import time

import peers
import processes
import program


@dataclasses.dataclass
class Sample:
    count: int
    accepted: int = 0
    rate: float = 0
    # CPU microseconds per push.
    client: float = 0
    server: float = 0
    # Megabytes; kilobytes for an idle connection.
    peak: float = 0
    # Bytes per waiting push, and seconds until a gateway that finds them on disk listens.
    memory: float = 0
    log: float = 0
    start: float = 0


class Table:
    """Rows of samples, one per round, and the failures on the way."""

    def __init__(self):
        self.rows = {}
        self.problems = []
        self.failures = 0

    def add(self, name, sample):
        self.rows.setdefault(name, []).append(sample)

    def fail(self, name, problem, count=1):
        self.problems.append(f"{name}: {problem}")
        self.failures += count

    def values(self, name, field):
        return [getattr(sample, field) for sample in self.rows[name] if sample]

    def median(self, name, field):
        return statistics.median(self.values(name, field) or [0])

    def failed(self, name):
        return sum(sample.count - sample.accepted for sample in self.rows[name] if sample)

    def ratios(self, name, field, reference):
        """Returns the ratio of each round in which both were measured, lowest first."""
        pairs = zip(self.rows[name], self.rows.get(reference, []))
        return sorted(
            getattr(one, field) / getattr(other, field) for one, other in pairs if one and other and getattr(other, field)
        )


class Bench:
    def __init__(self, found, options):
        self.peers = found
        self.options = options
        # Server and client have one core each; otherwise the kernel would move them.
        self.server_core, self.client_core = options.cores if options.pin else (None, None)

    def _rounds(self, rows):
        for number in range(self.options.rounds):
            turn = number % len(rows)
            yield from rows[turn:] + rows[:turn]

    def _start(self, name, tokens=peers.TOKENS, port=None):
        port = port or processes.free_port()
        command, hand_out = self.peers.serve(name, port, self.options.streams, self.options.refuse_every, tokens)
        files = [hand_out / "authorization"] if hand_out else []
        return processes.Server(command, port, self.server_core, files), hand_out

    def clients(self):
        """Measures every client against the C server."""
        table = Table()
        for name, slowness, opens in self._rounds(self.peers.clients()):
            count = max(min(1000, self.options.count), self.options.count // slowness)
            server, _ = self._start("C server")
            try:
                command = self.peers.client(name, server.port, count, self.options.streams)
                sample = self._measure(table, name, server, command, count)
            finally:
                server.stop()
            table.add(name, sample)
            if sample:
                self._compare(table, name, sample.accepted, server.output(), opening=1 if opens else 0)
        return table

    def _compare(self, table, name, accepted, words, opening):
        """Checks that the server has counted the client's pushes and `opening` more, over one connection."""
        found = re.search(r"^ACCEPTED (\d+) CONNECTIONS (\d+)$", words, re.M)
        counted, connections = map(int, found.groups()) if found else (0, 0)
        if not accepted <= counted <= accepted + opening:
            table.fail(name, f"counts {accepted} accepted pushes, the server {counted}")
        if connections != 1:
            table.fail(name, f"opened {connections} connections; one was expected")

    def servers(self):
        """Measures every server under h2load."""
        table = Table()
        ciphers = set()
        for name in self._rounds(self.peers.servers()):
            server, hand_out = self._start(name)
            try:
                count = self.options.count
                command = self._load(name, server, hand_out)
                sample = self._measure(table, name, server, command, count, ciphers)
                if sample:
                    sample.peak = processes.status_kilobytes(server.id, "VmHWM") / 1024
            finally:
                server.stop()
            table.add(name, sample)
        for cipher in ciphers - {"TLSv1.3 TLS_AES_128_GCM_SHA256"}:
            table.fail("servers", f"a connection was {cipher or 'not described by h2load'}, dearer or cheaper than the others")
        return table

    def traffic(self):
        """Measures every server under Posthorn's client: each push has an apns-id and its own token."""
        table = Table()
        count = self.options.count
        for name in self._rounds(self.peers.receivers()):
            # One more push opens the connection.
            server, hand_out = self._start(name, count + 1)
            try:
                server.settle()
                before = processes.status_kilobytes(server.id, "VmRSS")
                command = self.peers.client("Posthorn", server.port, count, self.options.streams)
                sample = self._measure(table, name, server, [*command, *(["--hand-out", hand_out] if hand_out else [])], count)
                server.settle()
                if sample and hand_out:
                    sample.memory = (processes.status_kilobytes(server.id, "VmRSS") - before) * 1024 / count
            finally:
                server.stop()
            if sample and name.endswith("on disk"):
                mail = self.peers.data(server.port) / "mail"
                sample.log = sum(file.stat().st_size for file in mail.rglob("*") if file.is_file()) / count
                sample.start = self._restart(server.port)
            table.add(name, sample)
            if hand_out:
                shutil.rmtree(self.peers.data(server.port), ignore_errors=True)
                shutil.rmtree(hand_out, ignore_errors=True)
        return table

    def _restart(self, port):
        """Returns the seconds until a restarted gateway with stored pushes listens again."""
        command = [self.peers.posthorn, "gateway", "--port", port, "--cert", self.peers.certificate, "--key", self.peers.key]
        began = time.monotonic()
        server = processes.Server([*command, "--data", self.peers.data(port), "--mail", "disk", "--courier-port", 0], port)
        seconds = time.monotonic() - began
        server.stop()
        return seconds

    def couriers(self):
        """Measures devices with links: kilobytes per idle device, and the gateway's CPU microseconds per push."""
        table = Table()
        name = f"{self.options.devices:,}"
        for _ in range(self.options.rounds):
            done = processes.run(
                [program.bench(), "couriers", "--devices", self.options.devices, "--json"], limit=self.options.limit * 3
            )
            line = next((line for line in done.output.splitlines() if line.startswith("{")), None)
            if done.status or not line:
                table.fail(name, f"ended with status {done.status}: {done.output.strip()[-300:]}")
                table.add(name, None)
                continue
            told = json.loads(line)
            table.add(name, Sample(
                count=told["delivered"], accepted=told["acknowledged"], rate=told["delivered"] / told["seconds"],
                server=told["cpuMicroseconds"], peak=told["idleBytes"] / 1024,
            ))
        return table

    def channels(self):
        """Measures a message to a channel, and single pushes to its linked devices: the gateway's CPU milliseconds."""
        table = Table()
        for _ in range(self.options.rounds):
            done = processes.run(
                [program.bench(), "channels", "--subscribers", self.options.subscribers,
                 "--linked", self.options.devices, "--json"],
                limit=self.options.limit * 5,
            )
            line = next((line for line in done.output.splitlines() if line.startswith("{")), None)
            if done.status or not line:
                table.fail("channel message", f"ended with status {done.status}: {done.output.strip()[-300:]}")
            told = json.loads(line) if line and not done.status else None
            for name, prefix in [("channel message", ""), ("single pushes", "singlePushes")]:
                table.add(name, told and Sample(
                    count=told["linked"], accepted=told["linked"], rate=told[f"{prefix}Milliseconds" if prefix else "milliseconds"],
                    server=told[f"{prefix}CPUMilliseconds" if prefix else "cpuMilliseconds"],
                    memory=0 if prefix else told["bytesPerSubscriber"],
                ))
        return table

    def _load(self, name, server, hand_out):
        facts = {}
        tokens = ["token" if name == "nghttpd" else "0" * 64]
        if hand_out:
            facts = {fact: (hand_out / fact).read_text().strip() for fact in ("authorization", "topic")}
            tokens = (hand_out / "tokens").read_text().split()
        tokens = list(itertools.islice(itertools.cycle(tokens), peers.TOKENS))
        step = self.options.refuse_every
        if step and name != "C server":
            tokens[step - 1 :: step] = ["f" * 64] * len(tokens[step - 1 :: step])
        return self.peers.load(server.port, self.options.count, self.options.streams, tokens, **facts)

    def _measure(self, table, name, server, command, count, ciphers=None):
        before = processes.Spent.by(server.id)
        client = processes.run(command, self.client_core, self.options.limit)
        spent = processes.Spent.by(server.id).since(before)
        found = result(client.output) or load_result(client.output)
        if not found:
            words = client.output.strip()[-300:] or "nothing"
            table.fail(name, f"no result; status {client.status}, it printed: {words}", count)
            return None
        accepted, seconds = found
        if accepted != count:
            table.fail(name, f"{accepted} of {count} pushes were accepted", count - accepted)
        elif client.status != 0:
            table.fail(name, f"ended with status {client.status}")
        if ciphers is not None:
            ciphers.add(" ".join(re.findall(r"^(?:TLS Protocol|Cipher): (\S+)", client.output, re.M)))
        return Sample(
            count=count,
            accepted=accepted,
            rate=accepted / seconds,
            client=client.processor_seconds / count * 1e6,
            server=spent / count * 1e6,
            peak=client.peak_kilobytes / 1024,
        )

    def idle(self):
        """Measures the kilobytes by which a server grows with each idle connection, as the peak of a sample."""
        table = Table()
        count = self.options.connections
        for name in self._rounds([row for row in self.peers.servers() if row not in ("nghttpd", "Posthorn gateway, on disk")]):
            server, _ = self._start(name)
            try:
                table.add(name, self._idle(table, name, server, count))
            finally:
                server.stop()
        return table

    def _idle(self, table, name, server, count):
        server.settle()
        before = processes.status_kilobytes(server.id, "VmRSS")
        command = processes.pinned([self.peers.idle, server.port, count], self.client_core)
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as opener:
            grown = 0
            if opener.stdout.readline() == "OPEN\n":
                server.settle()
                grown = processes.status_kilobytes(server.id, "VmRSS") - before
            try:
                words, _ = opener.communicate("\n", timeout=self.options.limit)
            except subprocess.TimeoutExpired:
                opener.kill()
                words, _ = opener.communicate()
        found = re.search(r"^RESULT n=\d+ ok=(\d+)$", words, re.M)
        alive = int(found[1]) if found else 0
        if alive != count:
            table.fail(name, f"{alive} of {count} idle connections were open at the end", count - alive)
        return Sample(count=count, accepted=alive, peak=grown / count)


def result(text):
    """Returns the accepted pushes and the seconds of a client that prints a RESULT line."""
    found = re.search(r"^RESULT n=\d+ ok=(\d+) seconds=([\d.e-]+)$", text, re.M)
    return (int(found[1]), float(found[2])) if found else None


def load_result(text):
    """Returns the same from h2load's output: the 2xx responses, minus those that it counts as failed."""
    time = re.search(r"^finished in ([\d.]+)(us|ms|s),", text, re.M)
    good = re.search(r"^status codes: (\d+) 2xx", text, re.M)
    bad = re.search(r"(\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout", text)
    if not (time and good and bad):
        return None
    accepted = min(int(good[1]), int(bad[1]))
    return accepted, float(time[1]) * {"s": 1, "ms": 1e-3, "us": 1e-6}[time[2]]
