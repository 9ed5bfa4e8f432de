"""Notifications of a Swift program on a real desktop: dunst on a screen of its own (Xvfb), with the user service that the session bus
starts. The program is Examples/DesktopReminder, whose package chooses the trait `Desktop`."""

import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import time
import zlib

import pytest
from processes import BINARY

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Scripts"))

import documented  # noqa: E402

EXAMPLE = ROOT / "Examples/DesktopReminder"
TOOLS = ["dbus-daemon", "dbus-send", "dunst", "dunstctl", "Xvfb", "import", "swift"]
MISSING = [tool for tool in TOOLS if not shutil.which(tool)]
pytestmark = [
    pytest.mark.release("compiles a package with the trait Desktop"),
    pytest.mark.skipif(bool(MISSING) and not os.environ.get("CI"), reason=f"not installed: {', '.join(MISSING)}"),
]

SERVICE = "org.posthorn.Desktop1"
SERVER = "org.freedesktop.Notifications"
# The person in front of the screen, who opens the menu of a notification: chooses what begins with the word in the file.
CHOOSER = """#!/bin/sh
grep -m 1 "$(cat {choice})"
"""
DUNST = """[global]
    origin = top-right
    width = 400
    offset = 20x20
    markup = full
    format = "<b>%s</b>\\n%b"
    idle_threshold = 0
    dmenu = {chooser}
    history_length = 20
[urgency_normal]
    background = "#204060"
    foreground = "#ffffff"
    timeout = 0
"""


def eventually(awaited, look, limit=60):
    end = time.monotonic() + limit
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < end, f"waited {limit} seconds until {awaited}"
        time.sleep(0.05)


@pytest.fixture(scope="session")
def remind():
    """The program, built as a package that depends on this one."""
    given = os.environ.get("POSTHORN_REMIND")
    if given:
        return pathlib.Path(given)
    command = ["swift", "build", "--package-path", str(EXAMPLE), "--scratch-path", str(ROOT / ".build/desktop-reminder")]
    built = subprocess.run(command, capture_output=True, text=True, timeout=1500)
    assert built.returncode == 0, built.stdout + built.stderr
    place = subprocess.run([*command, "--show-bin-path"], capture_output=True, text=True, check=True, timeout=300)
    return pathlib.Path(place.stdout.strip()) / "remind"


class Desktop:
    """A session: a screen, a bus, a notification server, and the folders of a user."""

    def __init__(self, folder, remind):
        self.folder = folder
        self.remind_program = remind
        self.children = []
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_STATE_HOME": str(folder / "state 100%"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_RUNTIME_DIR": str(folder / "run"),
        }
        (folder / "run").mkdir(mode=0o700)
        self.choice = folder / "choice"
        chooser = folder / "chooser"
        chooser.write_text(CHOOSER.format(choice=self.choice))
        chooser.chmod(0o755)
        self.dunstrc = folder / "dunstrc"
        self.dunstrc.write_text(DUNST.format(chooser=chooser))
        applications = folder / "data/applications"
        applications.mkdir(parents=True)
        (applications / "org.example.Remind.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName=Reminders\nIcon=appointment\nExec={remind}\n"
        )

    def begin(self):
        self.posthorn("install", "--program", str(pathlib.Path(BINARY).resolve()))
        self.start_screen()
        self.start_bus()
        self.start_dunst()

    def start(self, *command, **options):
        log = open(self.folder / f"{pathlib.Path(command[0]).name}.log", "ab")
        process = subprocess.Popen(command, env=self.environment, stderr=log, **options)
        self.children.append(process)
        return process

    def start_screen(self):
        ours, theirs = os.pipe()
        self.start("Xvfb", "-displayfd", str(theirs), "-screen", "0", "800x600x24", "-nolisten", "tcp", pass_fds=[theirs])
        os.close(theirs)
        with os.fdopen(ours) as numbers:
            self.environment["DISPLAY"] = ":" + numbers.readline().strip()

    def start_bus(self):
        command = ["dbus-daemon", "--session", "--nofork", "--print-address=1", f"--address=unix:path={self.folder}/bus"]
        daemon = self.start(*command, stdout=subprocess.PIPE)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = daemon.stdout.readline().decode().strip()

    def start_dunst(self):
        self.dunst = self.start("dunst", "-conf", str(self.dunstrc))
        eventually("dunst is on the bus", lambda: self.owner(SERVER))

    def run(self, *command, **options):
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=60, **options
        )

    def posthorn(self, *arguments):
        done = self.run(str(BINARY), "desktop", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def shell(self, script):
        """Runs commands of the guide, on a machine on which both programs are installed."""
        programs = self.folder / "bin"
        if not programs.exists():
            programs.mkdir()
            (programs / "posthorn").symlink_to(pathlib.Path(BINARY).resolve())
            (programs / "remind").symlink_to(self.remind_program)
        done = self.run("sh", "-euc", f'PATH="{programs}:$PATH"\n{script}')
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    def remind(self, *arguments):
        done = self.run(str(self.remind_program), *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def dunstctl(self, *arguments):
        done = self.run("dunstctl", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def bus(self, method, name):
        """The answer of the bus about the owner of a name; None if there is none."""
        command = ["dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"]
        done = self.run(*command, f"org.freedesktop.DBus.{method}", f"string:{name}")
        return done.stdout.split()[-1] if done.returncode == 0 else None

    def owner(self, name):
        return self.bus("GetNameOwner", name)

    def displayed(self):
        return int(self.dunstctl("count", "displayed"))

    def history(self):
        rows = json.loads(self.dunstctl("history"))["data"][0]
        return [{key: value["data"] for key, value in row.items()} for row in rows]

    def choose(self, word):
        """Opens the menu of the notification on the screen, and chooses an entry."""
        self.choice.write_text(word)
        self.dunstctl("context")

    def picture(self):
        """The pixels of the screen."""
        done = subprocess.run(
            ["import", "-display", self.environment["DISPLAY"], "-window", "root", "-depth", "8", "rgb:-"],
            env=self.environment, capture_output=True, timeout=60, check=True,
        )
        return done.stdout

    def kill_service(self):
        os.kill(int(self.bus("GetConnectionUnixProcessID", SERVICE)), signal.SIGKILL)
        eventually("the service has left the bus", lambda: not self.owner(SERVICE))

    def log_in(self):
        """Starts the service as the desktop does at login."""
        text = (self.folder / "config/autostart/posthorn-desktop.desktop").read_text()
        line = next(line for line in text.splitlines() if line.startswith("Exec="))
        self.start(*shlex.split(line.removeprefix("Exec=")))

    def end(self):
        if owner := self.bus("GetConnectionUnixProcessID", SERVICE):
            os.kill(int(owner), signal.SIGTERM)
        for child in reversed(self.children):
            child.terminate()
            child.wait(60)


@pytest.fixture
def desktop(tmp_path, remind):
    assert not MISSING, f"not installed: {', '.join(MISSING)}"
    desktop = Desktop(tmp_path, remind)
    try:
        desktop.begin()
        yield desktop
    finally:
        desktop.end()


def differing(one, other):
    return sum(a != b for a, b in zip(one, other, strict=True))


def test_shown_after_the_program_has_ended(desktop):
    empty = desktop.picture()
    identifier = desktop.remind("10s", "Tea <hot>", "Green & white")
    assert len(identifier) == 8, "the program has ended"
    assert desktop.owner(SERVICE), "the bus has started the service"
    assert identifier in desktop.remind("list")
    eventually("the reminder is on the screen", lambda: desktop.displayed() == 1)
    eventually("its pixels are", lambda: differing(empty, desktop.picture()) > 3000)
    assert desktop.remind("list") == ""
    desktop.dunstctl("close")
    row = eventually("it is in the history", desktop.history)[0]
    assert row["summary"] == "Tea <hot>"
    assert row["body"] == "Green &amp; white", "dunst reads markup"
    assert row["appname"] == "Reminders"
    eventually("the screen is empty again", lambda: differing(empty, desktop.picture()) < 100)


def red_png(path, side):
    """Writes a red square (PNG specification, third edition: signature, IHDR, IDAT, IEND)."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\xff\0\0" * side) * side
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def red(pixels):
    return sum(pixels[place:place + 3] == b"\xff\0\0" for place in range(0, len(pixels), 3))


def test_a_picture_is_shown(desktop):
    """In a folder whose name a URI has to escape."""
    folder = desktop.folder / "my pictures 100%"
    folder.mkdir()
    picture = folder / "red & square.png"
    red_png(picture, 64)
    desktop.remind("1s", "Tea", "The red one", str(picture))
    picture.unlink()
    eventually("the reminder is on the screen", lambda: desktop.displayed() == 1)
    eventually("the picture is", lambda: red(desktop.picture()) > 500)


def test_a_button_starts_the_program(desktop):
    identifier = desktop.remind("1s", "Tea")
    eventually("the reminder is on the screen", lambda: desktop.displayed() == 1)
    desktop.choose("Snooze")
    # The service has started the program, which has added the reminder again, and ended.
    eventually("the reminder is put off", lambda: identifier in desktop.remind("list"))
    eventually("it is off the screen", lambda: desktop.displayed() == 0)


def test_shown_late_after_a_restart(desktop):
    desktop.remind("10s", "Tea")
    desktop.remind("1h", "Coffee")
    desktop.kill_service()
    # Longer than the reminder: its moment passes while nobody is there.
    due = time.monotonic() + 10.5
    eventually("the moment has passed", lambda: time.monotonic() > due)
    assert desktop.displayed() == 0
    desktop.log_in()
    eventually("the reminder is on the screen", lambda: desktop.displayed() == 1)
    assert desktop.remind("list").endswith("Coffee")


def test_another_server_takes_over(desktop):
    desktop.remind("1s", "Tea")
    eventually("the reminder is on the screen", lambda: desktop.displayed() == 1)
    desktop.dunst.terminate()
    desktop.dunst.wait(60)
    eventually("dunst has left the bus", lambda: not desktop.owner(SERVER))
    desktop.start_dunst()
    desktop.remind("1s", "Coffee")
    eventually("the next reminder is on the screen", lambda: desktop.displayed() == 1)


def test_removed_by_the_program(desktop):
    identifier = desktop.remind("1s", "Tea")
    eventually("the reminder is on the screen", lambda: desktop.displayed() == 1)
    desktop.remind("cancel", identifier)
    eventually("it is off the screen", lambda: desktop.displayed() == 0)


def test_the_guide(desktop):
    page = ROOT / "Documentation/Guide/DesktopNotifications.md"
    assert not list(documented.quotation_problems(page))
    blocks = [(kind, text) for kind, text in documented.BLOCK.findall(page.read_text()) if kind in ("sh", "text")]
    assert [kind for kind, _ in blocks] == ["sh", "text"] * 2
    for (_, script), (_, expected) in zip(blocks[::2], blocks[1::2]):
        printed = desktop.shell(script)
        wanted = [re.sub("3F2A91C4", "[0-9A-F]{8}", documented.pattern(line).pattern) for line in expected.splitlines()]
        assert len(printed) == len(wanted) and all(map(re.fullmatch, wanted, printed)), printed
    desktop.posthorn("uninstall")
    assert not (desktop.folder / "config/autostart/posthorn-desktop.desktop").exists()
