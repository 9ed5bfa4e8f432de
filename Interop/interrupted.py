"""`posthorn migrate` and `posthorn restore`, killed at random moments and run again: nothing is lost.

Benchmarks/kill-moves runs many rounds of this, and test_restore.py a few.
"""

import datetime
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import uuid

import requests
from processes import BINARY, Process

AT_ONCE = 5000


def run(*words):
    """Runs a command to its end. Returns its status and what it has printed."""
    done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def answer(*words):
    """What a command answers with --json; it has to succeed."""
    status, said = run(*words, "--json")
    assert status == 0, f"{words}: {said}"
    return json.loads(said)


def use(service, auth, devices):
    """Has a service take devices, pushes, custom messages and a schedule."""
    url = service.line(lambda line: line.startswith("Posthorn listens")).split()[-1]

    def post(path, body):
        done = requests.post(url + path, json=body, auth=auth, timeout=120)
        assert done.status_code == 200, done.text

    for first in range(0, devices, AT_ONCE):
        rows = [
            {
                "registration_id": f"r{number}", "token": os.urandom(32).hex(), "environment": "production",
                "alias": f"alias_{number}", "tags": ["all", f"北京_{number % 50}"],
            }
            for number in range(first, min(first + AT_ONCE, devices))
        ]
        post("/posthorn/v1/devices/import", {"devices": rows})
    for number in range(5):
        content = {"notification": {"alert": f"push {number}"}, "cid": f"{auth[0]}-{uuid.uuid4()}"}
        post("/v3/push", {"platform": "ios", "audience": "all"} | content)
        post("/v3/push", {"platform": "ios", "audience": {"registration_id": ["r1"]}, "message": {"msg_content": f"message {number}"}})
    soon = datetime.date.today() + datetime.timedelta(days=30)
    post("/v3/schedules", {
        "name": "later", "enabled": True, "trigger": {"single": {"time": f"{soon:%Y-%m-%d} 00:00:00"}},
        "push": {"platform": "all", "audience": "all", "notification": {"alert": "scheduled"}},
    })


def fill(data, devices):
    """Makes a data folder with everything that a used service has. Its pushes wait: the app has no credential."""
    made = answer("app", "create", "--data", data, "--name", "Interrupted", "--bundle-id", "com.example.interrupted")
    service = Process(
        "serve", "--data", data, "--port", 0, "--apns-host", "127.0.0.1", "--apns-production-port", 1, "--log-level", "critical"
    )
    try:
        use(service, (made["app_key"], made["master_secret"]), devices)
    finally:
        status = service.stop()
    assert status == 0
    return made["app_key"]


def tables(file):
    """The rows of each table of an SQLite database, as dictionaries."""
    database = sqlite3.connect(file)
    database.row_factory = sqlite3.Row
    names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
    found = {name: [dict(row) for row in database.execute(f'SELECT * FROM "{name}"')] for name in names}
    database.close()
    return found


class Killed:
    """A command that is killed at random moments of the time that it takes."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.seconds = 0.0
        self.kills = 0

    def measure(self, *words):
        """Runs the command to its end, to know how long it takes."""
        start = time.monotonic()
        status, said = run(*words)
        self.seconds = time.monotonic() - start
        assert status == 0, said

    def kill(self, *words, after=None, part=1.0):
        """Runs the command and kills it within this part of its time. `after` waits for what has to come first.

        Returns whether it had not ended by itself.
        """
        started = subprocess.Popen([BINARY, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        start = time.monotonic()
        if after:
            after(started)
        left = max(0.05, self.seconds - (time.monotonic() - start))
        try:
            started.wait(self.random.uniform(0, left * part))
        except subprocess.TimeoutExpired:
            started.send_signal(signal.SIGKILL)
        said = started.communicate(timeout=120)[1]
        assert started.returncode in (0, -signal.SIGKILL), said
        self.kills += started.returncode != 0
        return started.returncode != 0


class Restores:
    """Restores of one backup to empty folders. After each kill, the database is absent or whole."""

    def __init__(self, folder, seed, devices):
        self.folder = folder
        data, self.file = folder / "data", folder / "one.backup"
        self.app = fill(data, devices)
        assert answer("backup", "--data", data, "--to", self.file)["devices"] == devices
        self.secret, self.content = (data / "secret.key").read_bytes(), tables(data / "posthorn.sqlite")
        self.killed = Killed(seed)
        self.killed.measure("restore", self.file, "--data", folder / "measured")
        self.absent = self.whole = self.replaced = 0

    def round(self):
        """Kills one restore, looks at the folder, and restores again."""
        data = self.folder / "restored"
        shutil.rmtree(data, ignore_errors=True)
        while not self.killed.kill("restore", self.file, "--data", data, part=1.5):
            shutil.rmtree(data)
        database = data / "posthorn.sqlite"
        if database.exists():
            self.whole += 1
        else:
            self.absent += 1
            if (data / "posthorn.sqlite.restored").exists():
                status, said = run("serve", "--data", data, "--port", 0)
                assert status != 0 and "was interrupted" in said, said
            status, said = run("restore", self.file, "--data", data)
            assert status == 0, said
        assert [app["app_key"] for app in answer("app", "list", "--data", data)] == [self.app]
        assert (data / "secret.key").read_bytes() == self.secret
        assert tables(database) == self.content, "The restored database differs from that of the backup."
        left = {file.name for file in data.iterdir()} - {"posthorn.sqlite", "secret.key", "lock"}
        assert not left, left

    def replacing_round(self):
        """Kills a restore that replaces an earlier database, which is never lost."""
        data = self.folder / "replaced"
        words = ["restore", self.file, "--data", data, "--replace"]
        while True:
            shutil.rmtree(data, ignore_errors=True)
            answer("app", "create", "--data", data, "--name", "Earlier", "--bundle-id", "com.example.earlier")
            earlier = tables(data / "posthorn.sqlite")
            if self.killed.kill(*words, part=1.5):
                break
        database = data / "posthorn.sqlite"
        kept = [tables(file) for file in [database, *data.glob("before-restore-*/posthorn.sqlite")] if file.exists()]
        assert earlier in kept and all(content in (earlier, self.content) for content in kept)
        if not database.exists() and (data / "posthorn.sqlite.restored").exists():
            status, said = run("serve", "--data", data, "--port", 0)
            assert status != 0 and "was interrupted" in said, said
        if not database.exists() or tables(database) == earlier:
            status, said = run(*words)
            assert status == 0, said
        assert tables(database) == self.content and (data / "secret.key").read_bytes() == self.secret
        assert earlier in [tables(file) for file in data.glob("before-restore-*/posthorn.sqlite")]
        self.replaced += 1

    @property
    def counts(self):
        return {"kills": self.killed.kills, "absent": self.absent, "whole": self.whole, "replaced": self.replaced}


class Migrations:
    """Migrations of copies of one folder. Every other kill comes early, the others after the first committed part."""

    def __init__(self, folder, seed, devices, server):
        self.folder, self.server = folder, server
        self.original = folder / "original"
        self.app = fill(self.original, devices)
        self.content = tables(self.original / "posthorn.sqlite")
        self.killed = Killed(seed)
        data, database = self.begin()
        self.killed.measure("migrate", "--data", data, "--to", server.url(database))
        self.check(data, database)
        self.late = self.complete = 0

    def begin(self):
        data = self.folder / "migrated"
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(self.original, data)
        return data, self.server.create()

    def committed(self, database):
        """The number of rows of an unfinished copy that are there for good."""
        if not self.server.sql("SELECT 1 FROM pg_tables WHERE tablename = 'storecopy'", database):
            return 0
        return int(self.server.sql("SELECT coalesce(sum(rows), 0) FROM storecopy", database)[0][0])

    def round(self, kills=2):
        """Begins a migration, kills it, continues it, and compares all rows at its end."""
        data, database = self.begin()
        words = ["migrate", "--data", data, "--to", self.server.url(database)]
        for number in range(kills):
            comes_late = number % 2 == self.complete % 2
            after, part = (self.part_of(database), 1) if comes_late else (None, 0.2)
            if not self.killed.kill(*words, after=after, part=part):
                break
            self.late += self.committed(database) > 0
            kept = [file for file in (data / "posthorn.sqlite", data / "before-migrate/posthorn.sqlite") if file.exists()]
            assert len(kept) == 1 and tables(kept[0]) == self.content, kept
            if (data / "migration").exists():
                status, said = run("serve", "--data", data, "--port", 0)
                assert status != 0 and "is not complete" in said, said
        else:
            # All may be there, and only the answer was lost.
            if (data / "posthorn.sqlite").exists() or (data / "migration").exists():
                status, said = run(*words)
                assert status == 0, said
        self.complete += 1
        self.check(data, database)

    def part_of(self, database):
        def wait(started):
            deadline = time.monotonic() + 120
            while started.poll() is None and not self.committed(database):
                assert time.monotonic() < deadline, "no part was committed within 120 s"
                time.sleep(0.02)
        return wait

    def check(self, data, database):
        """Compares the rows of all tables with those of SQLite, and asks a command."""
        url = self.server.url(database)
        assert [app["app_key"] for app in answer("app", "list", "--data", data, "--store", url)] == [self.app]
        assert self.server.sql("SELECT 1 FROM pg_tables WHERE tablename = 'storecopy'", database) == []
        for name, rows in self.content.items():
            if name in ("grdb_migrations", "cid"):
                continue
            if name == "setting":
                rows = [row for row in rows if row["key"] != "nextMessageID"]
            expected = [self.converted(name, row, database) for row in rows]
            found = [
                {key: value for key, value in json.loads(line).items() if key in expected[0]}
                for line, in self.server.sql(f'SELECT row_to_json(t) FROM "{name.lower()}" t', database)
            ] if expected else []
            expected, found = ({json.dumps(row, sort_keys=True) for row in rows} for rows in (expected, found))
            assert expected <= found and (name == "setting" or expected == found), f"{name}: {list(expected ^ found)[:4]}"
        cids = self.server.sql("SELECT cid FROM usedcid UNION SELECT cid FROM cid", database)
        assert {row["cid"] for row in self.content["cid"]} <= {cid for cid, in cids}

    def converted(self, table, row, database):
        """A row of SQLite as PostgreSQL writes it in JSON."""
        kinds = self.kinds(table, database)
        row = {key.lower(): value for key, value in row.items()}
        if table == "chunk":
            row |= {"leaseowner": None, "leaseduntil": None}
        if table == "message" and row["chunkcount"] is None:
            row["chunkcount"] = 2 ** 63 - 1
        for key, value in row.items():
            if value is None:
                continue
            if kinds[key] == "boolean":
                row[key] = bool(value)
            elif kinds[key] == "bytea":
                row[key] = "\\x" + (value.encode() if isinstance(value, str) else value).hex()
            elif kinds[key] == "text":
                row[key] = str(value)
        return row

    def kinds(self, table, database):
        """The types of the columns of a table, which are the same in all databases."""
        known = self.__dict__.setdefault("known", {})
        if table not in known:
            query = f"SELECT column_name, data_type FROM information_schema.columns WHERE table_name = '{table.lower()}'"
            known[table] = dict(self.server.sql(query, database))
        return known[table]

    @property
    def counts(self):
        return {"kills": self.killed.kills, "after the first committed part": self.late, "complete": self.complete}
