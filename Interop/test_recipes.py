"""What is added by a recipe of CONTRIBUTING.md stands in every place that it needs: commands, settings, operations of operators, tools."""

import json
import pathlib
import re
import subprocess
import sys

import pytest
import yaml
from processes import BINARY

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = ROOT / "Sources/App/posthorn"
SERVERS = COMMANDS / "Servers"
sys.path.insert(0, str(ROOT / "Scripts/packaging"))

import settings  # noqa: E402


@pytest.fixture(scope="module")
def root():
    """The tree of the program's commands."""
    printed = subprocess.run([BINARY, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    return json.loads(printed)["command"]


def tree(command, words=()):
    """Yields a command and those below it, without 'help', with their words."""
    yield " ".join(words), command
    for child in command.get("subcommands", []):
        if child["commandName"] != "help":
            yield from tree(child, (*words, child["commandName"]))


# Commands.


def test_each_command_has_a_row_on_the_page_of_commands(root):
    page = (ROOT / "Documentation/Commands.md").read_text()
    rows = [row for row in re.findall(r"(?m)^\| (.*?) \|", page) if row.startswith("`posthorn ")]
    named = re.findall(r"`posthorn (\w+)`", " ".join(rows))
    commands = [child["commandName"] for child in root["subcommands"] if child["commandName"] != "help"]
    assert sorted(named) == sorted(commands) and len(commands) > 35


def problems(command):
    """What is wrong with the help of a command."""
    if not command.get("abstract", "").endswith((".", ":")):
        yield "no sentence about it"
    for argument in command.get("arguments", []):
        names = [argument.get("valueName") or "", *(name["name"] for name in argument.get("names", []))]
        if not argument.get("abstract"):
            yield f"no sentence about {names}"
        # An acronym that was taken apart: message-i-ds, a-p-n-s.
        yield from (name for name in names if len(name) > 1 and re.search(r"(?:^|-)[a-z](?:-|$)", name))


def test_the_help_of_each_command_is_whole(root):
    assert list(problems({"abstract": "Sends.", "arguments": [{"valueName": "message-i-ds", "abstract": "Ids."}]})) == ["message-i-ds"]
    assert list(problems({"arguments": [{"names": [{"name": "to"}]}]})) == ["no sentence about it", "no sentence about ['', 'to']"]
    found = {words: wrong for words, command in tree(root) if (wrong := list(problems(command)))}
    assert found == {} and len(list(tree(root))) > 150


# Settings.


def keys():
    """The keys of the settings, and the names of their cases."""
    cases = re.findall(r'(?m)^    case (\w+)(?: = "([^"]+)")?$', (SERVERS / "SettingKey.swift").read_text())
    return {explicit or name: name for name, explicit in cases}


def variable(key):
    return "POSTHORN_" + re.sub(r"(?<=[a-z])([A-Z])", r"_\1", key).replace(".", "_").upper()


def test_each_setting_is_read_and_on_the_page():
    rows = {row.key: row for row in settings.read((ROOT / "Documentation/Operations/Run.md").read_text())}
    assert rows.keys() == keys().keys() and len(rows) > 45
    assert {key: row.variable for key, row in rows.items()} == {key: variable(key) for key in rows}
    source = (SERVERS / "ServeSettings.swift").read_text()
    reads = set(re.findall(r"(?:reader\.\w+|token|proxy|^ +)\(\.(\w+),?", source, re.M))
    assert set(keys().values()) - reads == set()


def test_each_flag_of_a_setting_is_on_the_page(root):
    (serve,) = (child for child in root["subcommands"] if child["commandName"] == "serve")
    flags = {f"--{name['name']}" for argument in serve["arguments"] for name in argument.get("names", [])}
    rows = settings.read((ROOT / "Documentation/Operations/Run.md").read_text())
    others = {"--config", "--trust-clock", "--json", "--help", "--h", "--version"}
    assert flags - others == {row.flag for row in rows if row.flag}


# Operations of operators.


def operations():
    """The names of the operations in requests, and the names of their cases."""
    source = (ROOT / "Sources/Service/PushService/Operation/Operators/OperatorRequest.swift").read_text()
    listed = source[source.index("enum Operation:"):]
    return {name: case for case, name in re.findall(r'case (\w+) = "([a-z]+\.[a-z_]+)"', listed)}


def test_each_operation_is_described():
    document = yaml.safe_load((ROOT / "Documentation/OpenAPI/posthorn.yaml").read_text())
    table = document["paths"]["/posthorn/v1/operator/{operation}"]["post"]["description"]
    rows = re.findall(r"(?m)^\| ([a-z]+\.[^|]*?) \|", table)
    assert sorted(name for row in rows for name in row.split(", ")) == sorted(operations()) and len(operations()) > 40


def test_each_operation_has_a_command():
    source = "\n".join(file.read_text() for file in sorted(COMMANDS.rglob("*.swift")))
    without = {name for name, case in operations().items() if not re.search(rf"\.{case}\b", source)}
    # For the pages of the portal, which has its own sessions, audit and dashboard.
    assert without == {"credential.inspect", "user.verify", "audit.record", "health.show"}


# Tools for assistants.


def test_each_tool_of_the_list_does_something():
    listed = [tool["name"] for tool in json.loads((ROOT / "Sources/App/CTools/tools.json").read_text())]
    source = (COMMANDS / "Assistants/AssistantSession+Tools.swift").read_text()
    assert sorted(re.findall(r'(?m)^ +case "(\w+)":', source)) == sorted(listed)
