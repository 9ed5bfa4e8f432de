"""A PostgreSQL server of the tests' own, in a temporary folder. It stops when the test process ends, however it ends."""

import contextlib
import fcntl
import glob
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import confidential
from ports import free_port

# Runs the server until its standard input is closed, then stops it and removes the folder. Each line is a call of pg_ctl.
SCRIPT = r"""
cd "$1" || exit 1
initdb -D data -U posthorn --auth-local=trust --auth-host=scram-sha-256 --pwfile=password -E UTF8 --locale=C.UTF-8 --no-sync >log 2>&1 || exit 1
printf "listen_addresses = '127.0.0.1'\nport = %s\nunix_socket_directories = '%s'\nmax_connections = 100\n%s\n" "$2" "$1" "$3" >>data/postgresql.conf
pg_ctl -D data -w -l log start >/dev/null 2>&1 </dev/null || exit 1
echo ready
while read -r words; do
    pg_ctl -D data -w -l log $words >/dev/null 2>&1 </dev/null && echo done || echo failed
done
pg_ctl -D data -m immediate stop >/dev/null 2>&1
cd /
rm -rf "$1"
"""


def programs():
    """The folder of initdb, pg_ctl and psql: Debian's newest, or that of the PATH."""
    folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    return folders[-1] if folders else os.path.dirname(shutil.which("initdb") or "/usr/bin/initdb")


def as_user(*words):
    """PostgreSQL does not run as root; Debian's package has a user for it."""
    return ["/usr/sbin/runuser", "-u", "postgres", "--", *words] if os.getuid() == 0 else list(words)


def parent():
    """The folder of servers' folders: in memory, if there is room for hundreds of databases of 8 MB."""
    memory = "/dev/shm"
    has_room = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= 8 << 30
    return memory if has_room else "/tmp"


class Server:
    """A server. Over TCP it asks for the password, over its socket in `folder` it does not."""

    PASSWORD = "pg-Secret/9"

    def __init__(self, *settings):
        # Short, because the path of a socket has at most 107 bytes.
        self.folder = tempfile.mkdtemp(prefix="posthorn-pg-", dir=parent())
        self.port = free_port()
        self.databases = 0
        confidential.remember(self.PASSWORD, "the password of a database")
        confidential.remember(self.PASSWORD.replace("/", "%2F"), "the password of a database in a URL")
        password = pathlib.Path(self.folder, "password")
        password.write_text(self.PASSWORD + "\n")
        if os.getuid() == 0:
            for path in (self.folder, password):
                shutil.chown(path, "postgres")
        environment = {"PATH": f"{programs()}:/usr/bin:/bin", "LANG": "C.UTF-8"}
        self.shell = subprocess.Popen(
            as_user("/bin/sh", "-c", SCRIPT, "sh", self.folder, str(self.port), "\n".join(settings)),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd="/",
        )
        # No other process may hold this end: the shell waits until it is closed.
        fcntl.fcntl(self.shell.stdin.fileno(), fcntl.F_SETFD, fcntl.FD_CLOEXEC)
        line = self.shell.stdout.readline()
        assert line == "ready\n", f"PostgreSQL does not start (package postgresql): {self.log()}"

    def log(self):
        log = pathlib.Path(self.folder, "log")
        return log.read_text(errors="replace")[-4000:] if log.exists() else "no log"

    def create(self):
        """Creates an empty database. Returns its name."""
        self.databases += 1
        name = f"test{self.databases}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE template0", "postgres")
        return name

    def url(self, database, password=True):
        """The URL over TCP; without `password`, PGPASSWORD or PGPASSFILE must have it."""
        secret = f":{self.PASSWORD.replace('/', '%2F')}" if password else ""
        return f"postgres://posthorn{secret}@127.0.0.1:{self.port}/{database}"

    def socket_url(self, database):
        return f"postgres:///{database}?host={self.folder}&port={self.port}&user=posthorn"

    def sql(self, text, database):
        """Runs statements. Returns the rows as lists of text."""
        words = ["psql", "-X", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-p", str(self.port), "-U", "posthorn"]
        words[0] = os.path.join(programs(), "psql")
        done = subprocess.run([*words, database, "-c", text], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{text}: {done.stderr}"
        return [line.split("\t") for line in done.stdout.splitlines() if line]

    def control(self, words):
        """Runs pg_ctl and waits for it: "-m immediate stop", "start", "promote"."""
        self.shell.stdin.write(f"{words}\n")
        self.shell.stdin.flush()
        answer = self.shell.stdout.readline()
        assert answer == "done\n", f"pg_ctl {words} has {answer!r}: {self.log()}"

    def stop(self, mode="fast"):
        """Stops the server; `immediate` is like a crash."""
        self.control(f"-m {mode} stop")

    def start(self):
        self.control("start")

    def signal(self, number):
        """Sends a signal to all processes of the server: SIGSTOP stops them with their connections open, SIGCONT lets them go on."""
        first = int(pathlib.Path(self.folder, "data", "postmaster.pid").read_text().split()[0])
        for line in subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True).stdout.splitlines()[1:]:
            process, parent = map(int, line.split())
            if first in (process, parent):
                # The process of a connection ends with it, perhaps meanwhile.
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, number)

    def connections(self, database):
        """The number of connections of services to a database."""
        query = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}' AND application_name = 'posthorn'"
        return int(self.sql(query, "postgres")[0][0])

    def close(self):
        """Stops the server and removes its folder."""
        self.shell.stdin.close()
        self.shell.wait(120)


def wait_until(what, condition, limit=60):
    """Waits for a condition of other processes that tell nobody, and returns its value."""
    end = time.monotonic() + limit
    while True:
        if value := condition():
            return value
        assert time.monotonic() < end, f"not within {limit} s: {what}"
        time.sleep(0.05)
