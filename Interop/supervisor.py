"""A service manager for tests: starts a systemd unit as its [Service] section says, and reads what it is told over NOTIFY_SOCKET."""

import os
import pathlib
import queue
import resource
import shlex
import signal
import socket
import struct
import subprocess
import threading
import time

# Has the kernel note when a datagram was sent (asm-generic/socket.h); Python has no name for it.
SO_TIMESTAMP = 29


def service_section(text):
    """The settings of [Service]. Those that are there more than once have their last value."""
    section, settings = None, {}
    for line in text.splitlines():
        if line.startswith("["):
            section = line
        elif section == "[Service]" and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            settings[name] = value
    return settings


class Unit:
    """A running unit. With `root` it runs there, by chroot(2), as its user."""

    def __init__(self, text, root="/", log=None, environment=(), command=None):
        self.settings, self.root = service_section(text), pathlib.Path(root)
        assert self.settings["Type"] == "notify", "the unit does not tell when it is ready"
        self.user = self._user() if self.root != pathlib.Path("/") else None
        self.told, self.times = queue.Queue(), []
        # A short path, and one that is the same in the root.
        self.path = f"/run/notify-{os.getpid()}-{id(self)}" if self.root != pathlib.Path("/") else os.path.join(log, "notify")
        self.place = str(self.root / self.path.lstrip("/"))
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMP, 1)
        self.socket.bind(self.place)
        os.chmod(self.place, 0o666)
        threading.Thread(target=self._read, daemon=True).start()
        variables = {"PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": self.path, "LANG": "C.UTF-8"} | self._file() | dict(environment)
        self.interval = _seconds(self.settings["WatchdogSec"])
        variables["WATCHDOG_USEC"] = variables.get("WATCHDOG_USEC", str(self.interval * 1_000_000))
        self.log = open(os.path.join(log or self.root / "var/log", f"unit-{id(self)}.log"), "w+b")
        self.process = subprocess.Popen(
            command or self._command(variables), env=variables, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            preexec_fn=self._enter, start_new_session=True,
        )

    def _user(self):
        """The ids of the user and of its group, from the root's own table."""
        for line in (self.root / "etc/passwd").read_text().splitlines():
            name, _, user, group, *_ = line.split(":")
            if name == self.settings["User"]:
                return int(user), int(group)
        raise AssertionError(f"{self.root} has no user {self.settings['User']}")

    def _file(self):
        """The variables of EnvironmentFile=."""
        name = self.settings.get("EnvironmentFile", "").removeprefix("-")
        path = self.root / name.lstrip("/")
        lines = path.read_text().splitlines() if name and path.is_file() else []
        return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))

    def _command(self, variables):
        words = shlex.split(self.settings["ExecStart"])
        # As systemd does: a variable alone is split at spaces.
        return [part for word in words for part in (variables.get(word[1:], "").split() if word.startswith("$") else [word])]

    def _enter(self):
        if self.root == pathlib.Path("/"):
            return
        user, group = self.user
        os.chroot(self.root)
        folder = f"/var/lib/{self.settings['StateDirectory']}"
        os.makedirs(folder, mode=int(self.settings["StateDirectoryMode"], 8), exist_ok=True)
        os.chown(folder, user, group)
        os.chdir(self.settings["WorkingDirectory"])
        # A machine may allow less than the unit asks for.
        files = min(int(self.settings["LimitNOFILE"]), resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        os.setgroups([])
        os.setgid(group)
        os.setuid(user)
        os.umask(int(self.settings["UMask"], 8))

    def _read(self):
        while True:
            try:
                message, noted, *_ = self.socket.recvmsg(4096, socket.CMSG_SPACE(16))
            except OSError:
                return
            if not message:
                return
            for line in message.decode().splitlines():
                if line == "WATCHDOG=1":
                    # When it was sent: this thread may read late, and then several at once.
                    seconds, microseconds = struct.unpack("ll", noted[0][2])
                    self.times.append(seconds + microseconds / 1_000_000)
                self.told.put(line)

    def forget(self):
        """Throws away all that the unit has said until now: what comes before a word of our own, as datagrams keep their order."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as own:
            own.sendto(b"FORGET=1", self.place)
        self.wait_for("FORGET=1")

    def text(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text(errors="replace")

    def wait_for(self, line, limit=120):
        """Waits until the unit has said a line that begins so. What it said before it ended may still be unread."""
        end = time.monotonic() + limit
        while True:
            has_ended = self.process.poll() is not None
            try:
                said = self.told.get(timeout=max(0.1, min(1, end - time.monotonic())))
            except queue.Empty:
                said = ""
                assert not has_ended, f"ended with {self.process.returncode} before {line}: {self.text()}"
            if said.startswith(line):
                return said
            assert time.monotonic() < end, f"no {line} in {limit} s: {self.text()}"

    def stop(self):
        """Ends the unit as systemd does. Returns its status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(120)
        self._close()
        return status

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(60)
        self._close()

    def _close(self):
        self.socket.close()
        pathlib.Path(self.place).unlink(missing_ok=True)


def _seconds(text):
    return int(text.removesuffix("min")) * 60 if text.endswith("min") else int(text.removesuffix("s"))
