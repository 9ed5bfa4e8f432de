"""Documentation/Guide/APNsInYourCI.md: what it quotes are the files of Examples/APNsInYourCI, and its commands work."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import yaml
from gateways import start
from peers import need
from processes import BINARY
from test_httpx import REASONS

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Examples/APNsInYourCI"
GUIDE = (ROOT / "Documentation/Guide/APNsInYourCI.md").read_text()
# Interop/test_fixtures.py has what comes before.
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", GUIDE[GUIDE.index("## 1. "):], re.M | re.S)
FILES = {"python/push.py", "node/push.js", "go/push.go", "swift/Sources/Push/Push.swift", "curl/push.sh"}
COMMANDS = [text for kind, text in BLOCKS if kind == "sh"][0].splitlines()
# What every sample prints, but for the lines that begin with a blank.
PRINTED = ["tokens: 200", "unregistered: 410 Unregistered", "otherEnvironment: 400 BadDeviceToken"]


def test_what_the_guide_quotes_are_the_files():
    found = [path for path in FOLDER.rglob("*") if path.is_file() and ".build" not in path.parts]
    files = {str(path.relative_to(FOLDER)): path.read_text() for path in found if path.name != "Package.resolved"}
    assert set(files) == FILES | {"with-apns", "ci.yml", "swift/Package.swift"}
    quoted = [text for kind, text in BLOCKS if kind not in ("sh", "text")]
    assert sorted(quoted) == sorted(files.values())


@pytest.fixture(scope="module")
def programs(tmp_path_factory, go_environment):
    """The environment of a machine on which `posthorn` and the samples' languages are installed."""
    folder = tmp_path_factory.mktemp("programs")
    sample = ROOT / ".build/debug/PushSample"

    def install(name, text):
        (folder / name).write_text("#!/bin/sh\n" + text + "\n")
        (folder / name).chmod(0o755)

    install("posthorn", f'exec "{BINARY}" "$@"')
    install("python3", f'exec "{sys.executable}" "$@"')
    # The package of the sample would build all of APNs once more; ./test has built its one file.
    install("swift", f'[ "$*" = "run --package-path swift" ] && exec "{sample}"; exit 99')
    if not sample.exists():
        reason = f"{sample} is not there: swift build --product PushSample"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    return os.environ | go_environment | {"PATH": f"{folder}:{os.environ['PATH']}"}


def samples(commands):
    """The commands as parameters."""
    mark = pytest.mark.release("compiles Go's HTTP client")
    return [pytest.param(command, marks=mark) if "go run " in command else command for command in commands]


def run(command, environment, status=0):
    """What came of it; `status` may be None for any but 0."""
    done = subprocess.run(
        ["bash", "-euc", command], cwd=FOLDER, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == status if status is not None else done.returncode != 0, done
    return done


def lines(done):
    return [line for line in done.stdout.splitlines() if not line.startswith(" ")]


def tool(command):
    """The command; the test is skipped, or fails, when the sample's language is not installed."""
    for name in ["go", "node", "curl"]:
        if re.search(rf"\b{name}\b", command):
            need(name)
    return command


@pytest.mark.parametrize("command", samples(COMMANDS))
def test_a_sample_gets_the_answers_it_expects(programs, command):
    assert lines(run(tool(command), programs)) == PRINTED


def test_there_is_a_command_for_every_sample():
    folders = [name.split("/")[0] for name in FILES]
    assert [sum(folder in command.replace("/", " ").split() for command in COMMANDS) for folder in folders] == [1] * 5
    assert len(COMMANDS) == 5


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    process, gateway = start(tmp_path_factory.mktemp("gateway"), tokens=1)
    yield gateway
    assert process.stop() == 0


@pytest.fixture(scope="module")
def another_authority(tmp_path_factory):
    process, other = start(tmp_path_factory.mktemp("other"), tokens=1)
    assert process.stop() == 0
    return other.ca


@pytest.mark.parametrize("command", samples(command.removeprefix("./with-apns ") for command in COMMANDS))
@pytest.mark.parametrize(
    "surprise, printed", [("a dead token is alive", ["tokens: 200", "unregistered: 200"]), ("another authority", None)]
)
def test_a_sample_fails_when_something_else_happens(
    programs, gateway, another_authority, tmp_path, command, surprise, printed
):
    folder = tmp_path / "apns"
    shutil.copytree(gateway.folder, folder)
    if surprise == "another authority":
        shutil.copy(another_authority, folder / "ca.pem")
    else:
        shutil.copy(folder / "tokens", folder / "unregistered")
    done = run(tool(command), programs | {"APNS": str(folder)}, status=None)
    if printed:
        assert lines(done) == printed
    else:
        assert not {"tokens: 200"} & set(lines(done))


def words_of(process):
    try:
        return process.read_text(errors="replace")
    except OSError:
        # It has ended between the look and the reading.
        return ""


def test_a_command_has_an_apns_of_its_own_until_it_ends(programs):
    done = run('''./with-apns bash -c 'echo "$APNS"; cat "$APNS/port"; ls "$APNS"' ''', programs)
    folder, port, *names = done.stdout.split()
    told = set(re.findall(r"`(\w[\w.]*)`", "".join(re.findall(r"^\| (`.*?) \|", GUIDE.split("## 1. ")[1].split("## 2.")[0], re.M))))
    assert set(names) == told
    assert not pathlib.Path(folder).exists()
    # Whoever listens on its port now is another one.
    assert not [process for process in pathlib.Path("/proc").glob("[0-9]*/cmdline") if folder in words_of(process)]


def test_its_status_is_the_commands_and_a_gateway_that_does_not_start_says_why(programs, tmp_path):
    run("./with-apns bash -c 'exit 7'", programs, status=7)
    told = run("POSTHORN=./nowhere ./with-apns true", programs, status=70).stderr
    assert "the gateway has ended" in told and "nowhere" in told


def test_the_line_of_json_says_what_the_guide_shows(programs, tmp_path):
    command = [text for kind, text in BLOCKS if kind == "sh"][1].strip()
    shown = [text for kind, text in BLOCKS if kind == "text"][0].strip().removesuffix(",…")
    process = subprocess.Popen(
        command.split(), cwd=tmp_path, env=programs, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    facts = json.loads(process.stdout.readline())
    process.terminate()
    assert process.wait(60) == 0
    expected = json.loads(shown + "}")
    assert set(expected) <= set(facts)
    same = set(expected) - {"productionPort", "ca", "keyFile"}
    assert {name: facts[name] for name in same} == {name: expected[name] for name in same}
    for name in ["ca", "keyFile"]:
        assert (tmp_path / facts[name]).samefile(tmp_path / expected[name])


def test_every_reason_of_its_table_is_one_that_a_test_brings_about():
    table = re.findall(r"^\| (\d{3}) `(\w+)` \|", GUIDE.split("## 7.")[1].split("## 8.")[0], re.M)
    tested = {(str(status), reason) for reason, (status, _) in REASONS.items()}
    # Those of more than one push are in test_httpx, too.
    assert set(table) == tested | {("429", "TooManyProviderTokenUpdates"), ("403", "UnrelatedKeyIdInToken")}
    assert len(table) == len(set(table))


def test_the_steps_of_the_pipeline_run(programs):
    steps = yaml.safe_load((FOLDER / "ci.yml").read_text())["jobs"]["push"]["steps"]
    scripts = [step["run"] for step in steps if "run" in step]
    assert scripts and all(lines(run(script, programs)) == PRINTED for script in scripts)


def test_the_swift_sample_is_a_package_that_depends_on_what_is_built_for_it():
    done = subprocess.run(
        ["swift", "package", "--package-path", FOLDER / "swift", "dump-package"],
        capture_output=True, text=True, check=True, timeout=600,
    )
    manifest = json.loads(done.stdout)
    assert [target["name"] for target in manifest["targets"]] == ["Push"]
    products = [dependency["product"][0] for dependency in manifest["targets"][0]["dependencies"]]
    assert products == ["APNSProvider"]
    path = manifest["dependencies"][0]["fileSystem"][0]["path"]
    assert pathlib.Path(path).resolve() == ROOT
