"""Two PostgreSQL servers in a temporary folder: a primary, and a standby that every commit waits for."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import time

import processes

USER = "posthorn"
# Seconds for a server to start, to stop, or to catch up.
LIMIT = 60


class Failure(Exception):
    pass


def programs():
    """The folder with Debian's newest server, or None."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parent.parent.name))
    return found[-1].parent if found else None


class Server:
    """One PostgreSQL server. Its settings are outside its data, so that they stay when the data is made anew from the other server."""

    def __init__(self, folder, name, host, allowed):
        self.folder, self.name, self.host = folder, name, host
        self.data, self.settings, self.log = folder / name, folder / f"{name}.conf", folder / f"{name}.log"
        self.port = processes.free_port()
        self.access = folder / "access.conf"
        self.access.write_text(f"host all {USER} {allowed} trust\nhost replication {USER} {allowed} trust\n")
        self.configure()

    def configure(self, primary=None, synchronous=None):
        """Writes the settings: the server to follow, and the standby that commits wait for."""
        lines = {
            "data_directory": self.data, "hba_file": self.access, "listen_addresses": self.host, "port": self.port,
            "unix_socket_directories": "", "max_connections": 200, "wal_level": "replica", "wal_log_hints": "on",
            "max_wal_senders": 10, "wal_keep_size": "1GB", "hot_standby": "on", "synchronous_commit": "on", "fsync": "on",
            "synchronous_standby_names": synchronous or "", "cluster_name": self.name,
            "log_line_prefix": "%m %p %a ", "log_min_duration_statement": "2s", "log_lock_waits": "on", "checkpoint_timeout": "1min",
            # A client that has vanished, with its locks, is noticed after ten seconds.
            "tcp_keepalives_idle": 5, "tcp_keepalives_interval": 2, "tcp_keepalives_count": 3, "tcp_user_timeout": "10s",
            "client_connection_check_interval": "5s", "wal_receiver_timeout": "10s", "wal_sender_timeout": "10s",
        }
        if primary:
            lines["primary_conninfo"] = (
                f"host={primary.host} port={primary.port} user={USER} application_name={self.name} connect_timeout=5"
            )
        self.settings.write_text("".join(f"{key} = '{value}'\n" for key, value in lines.items()))

    def run(self, program, *arguments, check=True):
        """Runs a program of PostgreSQL as its user: the server does not run as root."""
        user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        # The log keeps what a server prints: a pipe would stay open as long as it runs.
        with open(self.folder / "programs.log", "a") as log:
            done = subprocess.run(
                [*user, str(programs() / program), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=self.folder, timeout=300,
            )
        if check and done.returncode:
            raise Failure(f"{program} {arguments} of server '{self.name}' ended with {done.returncode}; see {self.folder}")
        return done.returncode == 0

    def ask(self, statement, database="postgres"):
        done = subprocess.run(
            [programs() / "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", statement,
             f"postgres://{USER}@{self.host}:{self.port}/{database}?connect_timeout=5"],
            capture_output=True, text=True, timeout=60,
        )
        if done.returncode:
            raise Failure(f"server '{self.name}': {statement}: {done.stderr.strip()}")
        return done.stdout.strip()

    def start(self):
        deadline = time.monotonic() + LIMIT
        # After SIGKILL the memory of the old server may be in use for another moment.
        while not self.run("pg_ctl", "-D", self.data, "-w", "-t", LIMIT, "-l", self.log, "-o", f"-c config_file={self.settings}", "start", check=False):
            if time.monotonic() > deadline:
                raise Failure(f"server '{self.name}' does not start in {LIMIT} s; see {self.log}")
            time.sleep(0.3)

    def id(self):
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def kill(self):
        """SIGKILL to the postmaster; its children end when they notice."""
        process = self.id()
        os.kill(process, signal.SIGKILL)
        wait_for(lambda: not pathlib.Path(f"/proc/{process}").exists(), f"server '{self.name}' to end")

    def stop(self, mode):
        self.run("pg_ctl", "-D", self.data, "-w", "-t", LIMIT, "-m", mode, "stop")

    def reload(self):
        self.run("pg_ctl", "-D", self.data, "reload")


class Pair:
    """`primary` and `standby` change places by `promote`."""

    def __init__(self, folder, host="127.0.0.1", allowed="127.0.0.0/8"):
        if programs() is None:
            raise Failure("PostgreSQL is not installed: apt-get install postgresql")
        folder.mkdir()
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        self.folder = folder
        self.primary, self.standby = (Server(folder, name, host, allowed) for name in ("a", "b"))
        for server in (self.primary, self.standby):
            if os.getuid() == 0:
                shutil.chown(server.settings, "postgres")
        self.primary.run("initdb", "-D", self.primary.data, "-U", USER, "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        self.primary.start()
        self.primary.ask(f"CREATE DATABASE {USER}")
        self.attach()

    @property
    def url(self):
        """Names both servers; clients take the one that accepts writes."""
        servers = ",".join(f"{server.host}:{server.port}" for server in sorted((self.primary, self.standby), key=lambda server: server.name))
        return f"postgres://{USER}@{servers}/{USER}?target_session_attrs=read-write"

    def attach(self):
        """Makes the second server a standby of the first, from its data if it has some, and lets commits wait for it."""
        standby, primary = self.standby, self.primary
        standby.configure(primary=primary)
        kept = standby.data.exists() and standby.run(
            "pg_rewind", "-D", standby.data, "--config-file", standby.settings,
            "--source-server", f"host={primary.host} port={primary.port} user={USER} dbname=postgres", check=False,
        )
        if not kept:
            shutil.rmtree(standby.data, ignore_errors=True)
            standby.run(
                "pg_basebackup", "-D", standby.data, "-X", "stream", "-c", "fast", "--no-sync", "-h", primary.host, "-p", primary.port,
                "-U", USER,
            )
        (standby.data / "standby.signal").touch()
        standby.start()
        self.wait_for_standby("streaming", "state")
        primary.configure(synchronous=standby.name)
        primary.reload()
        self.wait_for_standby("sync", "sync_state")

    def wait_for_standby(self, value, column):
        wait_for(
            lambda: self.primary.ask(f"SELECT {column} FROM pg_stat_replication WHERE application_name = '{self.standby.name}'") == value,
            f"{column} of standby '{self.standby.name}' to become {value}",
        )

    def crash(self, by_signal=True):
        """Kills the primary with SIGKILL, or with an immediate stop, which does not write its memory either."""
        self.primary.kill() if by_signal else self.primary.stop("immediate")

    def restart(self):
        self.primary.start()

    def promote(self):
        """Makes the standby the primary, in the place of one that has ended. No commit waits until `attach`."""
        self.primary, self.standby = self.standby, self.primary
        self.primary.configure()
        self.primary.run("pg_ctl", "-D", self.primary.data, "-w", "-t", LIMIT, "promote")
        # pg_rewind reads the new timeline from the control file.
        self.primary.ask("CHECKPOINT")

    def close(self):
        for server in (self.standby, self.primary):
            with contextlib.suppress(Failure, OSError):
                server.stop("immediate")


def wait_for(holds, condition, limit=LIMIT):
    deadline = time.monotonic() + limit
    while not holds():
        if time.monotonic() > deadline:
            raise Failure(f"waited {limit} s in vain for {condition}")
        time.sleep(0.1)
