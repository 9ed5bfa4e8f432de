"""Runs every command of the README, so that none of them can rot.

A block that begins ```sh runs as one script, in the project's folder. What a block says is to be printed follows it in a
block that begins ```text: its lines, with numbers, hexadecimal digits and ids taken as "any", have to be printed in that
order. A command that runs until it is stopped is ended with SIGTERM as soon as it has printed the block that follows.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import threading

BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.M | re.S)
ENDLESS = re.compile(r"^\./posthorn (demo(?! --exit)|sandbox(?!.*--until-eof)|serve|gateway|device)\b")
# What differs from run to run.
VARIABLE = re.compile(r"[0-9a-f]{8,}…?|\d+(?:\.\d+)?|/\S+")


def pattern(line):
    parts, last = [], 0
    for match in VARIABLE.finditer(line):
        parts.append(re.escape(line[last : match.start()]))
        parts.append(r"\S+")
        last = match.end()
    parts.append(re.escape(line[last:]))
    return re.compile(re.sub(r"(\\ )+", r"\\s+", "".join(parts)).strip())


def expected_lines(text):
    return [line for line in map(str.strip, text.splitlines()) if line and line != "…"]


def run(script, expected):
    endless = any(ENDLESS.match(line) for line in script.splitlines())
    print(f"$ {script.strip()}", flush=True)
    process = subprocess.Popen(
        ["bash", "-euc", script], stdout=subprocess.PIPE, text=True, start_new_session=True, stdin=subprocess.DEVNULL
    )
    watchdog = threading.Timer(1500, lambda: os.killpg(process.pid, signal.SIGKILL))
    watchdog.start()
    waiting = expected_lines(expected)
    printed = []
    for line in process.stdout:
        printed.append(line.rstrip())
        if waiting and pattern(waiting[0]).search(line):
            waiting.pop(0)
        if endless and not waiting:
            os.killpg(process.pid, signal.SIGTERM)
            break
    process.stdout.read()
    status = process.wait()
    watchdog.cancel()
    if waiting:
        shown = "\n".join(printed[-40:])
        sys.exit(f"README: this line was not printed: {waiting[0]!r}\nafter {script!r}, which printed:\n{shown}")
    if status not in ((0, -signal.SIGTERM, 143) if endless else (0,)):
        sys.exit(f"README: {script!r} ended with status {status}")


def main():
    readme = pathlib.Path(sys.argv[1])
    os.chdir(readme.resolve().parent)
    blocks = BLOCK.findall(readme.read_text())
    commands = 0
    for index, (kind, text) in enumerate(blocks):
        # The check that runs this script has run ./test already.
        if kind != "sh" or text.strip() == "./test":
            continue
        following = blocks[index + 1] if index + 1 < len(blocks) else ("", "")
        run(text, following[1] if following[0] == "text" else "")
        commands += 1
    print(f"{commands} passed, 0 failed")


main()
