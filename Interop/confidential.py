"""The logs of every server of a run, at the level trace, and the secrets that must not stand in them.

Each server that a test starts logs to a file of its own in LOGS. What is secret is collected where it passes: in what commands
print and are given, in what links are told, in the files that servers and tests keep. test_logs.py, which runs last, searches the
logs for it.

A run may have several processes: workers, or one after the other. They share the folder that POSTHORN_INTEROP_RUN names, where each
writes the secrets that it has collected when it ends.
"""

import base64
import contextlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading

SERVERS = {"serve", "gateway", "sandbox", "demo"}
# Without one from outside, the run's folder is this process's, which removes it; its workers get the variable from it.
OWN_RUN = not os.environ.get("POSTHORN_INTEROP_RUN")
RUN = pathlib.Path(os.environ.get("POSTHORN_INTEROP_RUN") or tempfile.mkdtemp(prefix="posthorn-run-"))
os.environ["POSTHORN_INTEROP_RUN"] = str(RUN)
LOGS, COLLECTED = RUN / "logs", RUN / "secrets"
for folder in LOGS, COLLECTED:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
# Shorter texts stand in logs by chance.
LEAST = 8
# The password of each bundle that a gateway hands out, and what every log calls the program.
KNOWN_TO_ALL = {"posthorn"}
# Members of JSON objects, flags and variables whose values are secret, without case and punctuation.
SECRET_WORDS = re.compile(r"(secret|password|passphrase|authorization|controltoken)$")
SECRET_FILES = {"secret.key", "token.secret", "password", "authorization"}
PRIVATE_KEY = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)-----END", re.S)
# What no log has to say, whoever's it is: web tokens, credentials of HTTP, private keys, values with all that they hold.
FORMS = re.compile(
    r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}|\bbasic [A-Za-z0-9+/=]{16,}|\bbearer [\w.~+/=-]{16,}|PRIVATE KEY-----|\bSymmetricKey\(",
    re.IGNORECASE,
)

_secrets = {}
_lock = threading.Lock()
_numbers = itertools.count(1)


def remember(value, where):
    if isinstance(value, str) and len(value.strip()) >= LEAST and value.strip() not in KNOWN_TO_ALL:
        with _lock:
            _secrets.setdefault(value.strip(), where)


def remember_members(value, where):
    """What the secret members of a JSON value hold, at any depth."""
    if isinstance(value, dict):
        for key, member in value.items():
            if SECRET_WORDS.search(_plain(key)):
                remember(member, f"{where}, {key}")
            remember_members(member, where)
    elif isinstance(value, list):
        for member in value:
            remember_members(member, where)


def remember_text(text, where):
    """The same for a JSON document, or for lines of which some are JSON."""
    if "{" not in text:
        return
    for part in [text, *text.splitlines()]:
        try:
            remember_members(json.loads(part), where)
        except ValueError:
            continue


def remember_command(arguments, environment):
    words = [str(word) for word in arguments]
    for flag, value in zip(words, words[1:]):
        if flag.startswith("--") and SECRET_WORDS.search(_plain(flag)):
            remember(value, f"the flag {flag}")
    for name, value in (environment or {}).items():
        if name.startswith("POSTHORN_") and SECRET_WORDS.search(_plain(name)):
            remember(value, f"the variable {name}")


def remember_files(folder):
    """The lines of private keys, device tokens, and the files that are secret as a whole."""
    for file in folder.rglob("*"):
        # What a process that still runs removes meanwhile is none.
        try:
            if not file.is_file() or file.is_symlink() or not 0 < file.stat().st_size < 1 << 20:
                continue
            content = file.read_bytes()
        except OSError:
            continue
        for key in PRIVATE_KEY.findall(content):
            for line in key.decode("ascii", "ignore").replace("\\n", "\n").split():
                # The last line of a key may be short. All keys of a kind begin with the same line.
                if len(line) >= 40 and not line.startswith("M"):
                    remember(line, file)
        if file.name in SECRET_FILES:
            remember(content.hex(), file)
            remember(base64.b64encode(content).decode(), file)
            remember(content.decode("utf-8", "ignore").removeprefix("bearer "), file)
        if file.name == "tokens":
            for token in content.decode("ascii", "ignore").split():
                remember(token, file)
        if file.suffix == ".json":
            remember_text(content.decode("utf-8", "ignore"), file)


def hand_over():
    """Writes what this process has collected to the run's folder, for the process that searches the logs."""
    with _lock:
        text = json.dumps({value: str(where) for value, where in _secrets.items()})
    unfinished = COLLECTED / f"{os.getpid()}.unfinished"
    unfinished.write_text(text)
    unfinished.replace(COLLECTED / f"{os.getpid()}.json")


def ended():
    """The processes that have handed over what they have collected, as in the names of the logs."""
    return {file.stem for file in COLLECTED.glob("*.json")}


def secrets():
    """What this process and those that have ended have collected."""
    found = {}
    for file in sorted(COLLECTED.glob("*.json")):
        found |= json.loads(file.read_text())
    return found | _secrets


@contextlib.contextmanager
def traced(arguments, options):
    """The arguments and options with which a server is started that logs everything to a file; others as they are."""
    words = [str(word) for word in arguments]
    remember_command(words, options.get("env"))
    if not words or words[0] not in SERVERS or "stderr" in options:
        yield words, options
        return
    if "--log-level" in words:
        words[words.index("--log-level") + 1] = "trace"
    else:
        words += ["--log-level", "trace"]
    with open(LOGS / f"{os.getpid()}-{next(_numbers)} {words[0]}.log", "w") as log:
        yield words, options | {"stderr": log}


def watch_commands():
    """Has `subprocess.run` remember what commands are given and print."""
    run = subprocess.run

    def watched(arguments, *more, **options):
        if isinstance(arguments, (list, tuple)):
            remember_command(arguments, options.get("env"))
        done = run(arguments, *more, **options)
        if isinstance(done.stdout, str):
            remember_text(done.stdout, "what a command printed")
        return done

    subprocess.run = watched


def leaks(folder, values):
    """Each place in the logs of a folder where something secret stands: the file, the line, and what it is."""
    found = []
    for file in sorted(folder.iterdir()):
        text = file.read_text(errors="replace")
        present = {value: where for value, where in values.items() if value in text}
        for number, line in enumerate(text.splitlines(), 1):
            if match := FORMS.search(line):
                found.append(f"{file.name}:{number}: looks like a credential: {match.group()[:24]}…")
            found += [f"{file.name}:{number}: {where}: {value[:8]}…" for value, where in present.items() if value in line]
    return found


def _plain(text):
    return re.sub(r"[^a-z]", "", text.lower())
