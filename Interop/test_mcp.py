"""`posthorn mcp` and the Model Context Protocol's official client for Python: the conversation of Documentation/Assistants.md, and refusals."""

import asyncio
import json
import os
import pathlib
import re
import subprocess
import urllib.request

import confidential
import pytest
from mcp import Client, StdioServerParameters
from mcp.client import stdio
from processes import BINARY, Process

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = (ROOT / "Documentation/Assistants.md").read_text()
CONVERSATION = re.findall(r"^(\w+) (\{.*\})\n    (.+)$", PAGE[PAGE.index("## A conversation"):], re.M)
# Passwords that no answer may have; the service that it is for does not exist.
SERVICE = {
    "POSTHORN_URL": "http://user:password-in-a-url@127.0.0.1:9", "POSTHORN_APP_KEY": "0123456789abcdef01234567",
    "POSTHORN_MASTER_SECRET": "fedcba9876543210fedcba98",
}


def converse(conversation, *options, mode="auto", **environment):
    """Runs a conversation with a client that has started the server. Returns what it returns."""

    async def run():
        server = StdioServerParameters(command=str(BINARY), args=["mcp", *options], env=dict(os.environ) | environment)
        async with Client(server, mode=mode, read_timeout_seconds=120) as client:
            return await conversation(client)

    return asyncio.run(asyncio.wait_for(run(), 600))


class Raw:
    """A server of which a test writes and reads the lines; with the handshake of a revision, if one is given."""

    def __init__(self, revision=None):
        self.server = Process("mcp", stdin=subprocess.PIPE)
        if revision:
            client = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
            self.send(id="handshake", method="initialize", params=client)
            self.handshake = self.answer()
            self.send(method="notifications/initialized")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def write(self, *lines):
        self.server.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.server.process.stdin.flush()

    def send(self, **message):
        self.write(json.dumps({"jsonrpc": "2.0"} | message))

    def call(self, number, tool, arguments, **parameters):
        self.send(id=number, method="tools/call", params={"name": tool, "arguments": arguments} | parameters)

    def call_and_cancel(self, number, tool, arguments):
        """In one write, so that the server has both before the call can end."""
        call = {"id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        cancellation = {"method": "notifications/cancelled", "params": {"requestId": number}}
        self.write(*(json.dumps({"jsonrpc": "2.0"} | message) for message in (call, cancellation)))

    def answer(self):
        return json.loads(self.server.line())

    def end(self):
        """Closes standard input. Returns the lines that are still printed."""
        if self.server.process.stdin.closed:
            return []
        self.server.process.stdin.close()
        assert self.server.process.wait(120) == 0
        return [json.loads(line) for line in iter(lambda: self.server.lines.get(timeout=120), None)]


def said(answer):
    """The text of an answer to a call, which has succeeded."""
    assert not answer["result"].get("isError"), answer
    return answer["result"]["content"][0]["text"]


def text(answer):
    (content,) = answer.content
    return content.text


def commands_that_touch_a_device():
    """The commands of `posthorn device` without subcommands of their own, and those for calls; `run` starts one."""
    printed = subprocess.run([BINARY, "--experimental-dump-help"], capture_output=True, text=True, check=True, timeout=300).stdout
    (device,) = [command for command in json.loads(printed)["command"]["subcommands"] if command["commandName"] == "device"]
    return [
        command["commandName"] for command in device["subcommands"]
        if command["commandName"] not in ("run", "help")
        and (command["commandName"] == "call" or all(child["commandName"] == "help" for child in command.get("subcommands", [])))
    ]


@pytest.mark.parametrize(("mode", "revision"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
def test_both_kinds_of_clients_get_the_tools(mode, revision):
    async def conversation(client):
        return client.protocol_version, (await client.list_tools()).tools

    found, tools = converse(conversation, mode=mode)
    assert found == revision
    names = {tool.name for tool in tools}
    documented = set(re.findall(r"`(\w+)`", PAGE[PAGE.index("## The tools"):PAGE.index("Each tool has")]))
    assert names <= documented and {name for name, _, _ in CONVERSATION} == names
    for tool in tools:
        schema = tool.input_schema
        assert schema["type"] == "object" and set(schema["required"]) <= set(schema["properties"])
        assert all(entry["description"] for entry in schema["properties"].values())
    (orders,) = [tool.input_schema["properties"]["order"]["enum"] for tool in tools if tool.name == "device"]
    assert orders == commands_that_touch_a_device()
    reading = {tool.name for tool in tools if tool.annotations.read_only_hint}
    assert reading == {"pushes", "wait_for", "why", "doctor", "explain", "matrix", "when"}
    assert {tool.name for tool in tools if tool.annotations.destructive_hint} == {"stop_sandbox"}
    # Those without a schema answer in words.
    assert {tool.name for tool in tools if not tool.output_schema} == {"stop_sandbox", "device", "end_faults"}
    (states,) = [tool.input_schema["properties"]["state"]["enum"] for tool in tools if tool.name == "wait_for"]
    source = (ROOT / "Sources/Model/PushModel/Journey/Verdict.swift").read_text()
    assert states == re.findall(r"^        case (\w+)$", source[: source.index("struct Context")], re.M)


def test_the_conversation_of_the_page():
    async def conversation(client):
        ids, answers, secrets, file = {}, [], [], None
        for name, arguments, expected in CONVERSATION:
            for key, value in ids.items():
                arguments = arguments.replace(f'"{key}"', json.dumps(value))
            # The default is for an assistant that waits; a slow machine takes longer.
            longer = {"within": 60} if name == "wait_for" else {}
            answer = await client.call_tool(name, json.loads(arguments) | longer)
            said = text(answer)
            assert not answer.is_error and expected in said, f"{name} {arguments}: {said}"
            # The client compares the object with the tool's schema.
            assert bool(answer.structured_content) == (name not in ("stop_sandbox", "device", "end_faults"))
            answers.append(said)
            if name == "start_sandbox":
                facts = json.loads(said)
                ids["REGISTRATION_ID"], file = facts["devices"][0]["registrationID"], pathlib.Path(facts["file"])
                assert file.stat().st_mode & 0o777 == 0o600
                confidential.remember_text(file.read_text(), "the file of the sandbox of posthorn mcp")
                whole = json.loads(file.read_text())
                secrets = [whole["api"][key] for key in ("masterSecret", "devSecret", "groupSecret")] + [whole["apns"]["p12"]["password"]]
            elif name == "send_push":
                ids["MSG_ID"] = json.loads(said)["msg_id"]
        return answers, secrets, file

    answers, secrets, file = converse(conversation)
    assert len(CONVERSATION) > 10
    # Short ones could be a part of another word.
    for secret in (secret for secret in secrets if len(secret) >= 16):
        assert not any(secret in answer for answer in answers)
    assert not file.parent.exists()


def test_a_sandbox_ends_with_the_client(monkeypatch):
    # The client kills a server that has not ended some seconds after its input.
    monkeypatch.setattr(stdio, "PROCESS_TERMINATION_TIMEOUT", 60)

    async def conversation(client):
        return json.loads(text(await client.call_tool("start_sandbox", {"devices": 0})))

    facts = converse(conversation)
    assert not pathlib.Path(facts["file"]).exists()
    with pytest.raises(OSError):
        urllib.request.urlopen(facts["api"]["url"] + "/health", timeout=5)


def test_refusals_say_what_was_expected():
    async def conversation(client):
        async def refused(name, arguments):
            answer = await client.call_tool(name, arguments)
            assert answer.is_error, text(answer)
            return text(answer)

        return [
            await refused("pushes", {}),
            await refused("device", {"order": "run"}),
            await refused("when", {"trigger": "hour=8", "colour": "red"}),
            await refused("when", {"trigger": 8}),
            await refused("when", {"trigger": "second=0", "repeats": True, "count": 5_000_000}),
            await refused("why", {}),
            await refused("when", {"trigger": "--help"}),
            await refused("wait_for", {"msg_id": "1", "registration_id": "2", "target": "service"}),
        ]

    none, order, unknown, kind, many, missing, option, away = converse(conversation, **SERVICE)
    assert none == "No sandbox runs; start_sandbox starts one."
    assert order.startswith("'order' is \"run\"; expected one of tap, ")
    assert unknown.startswith("'colour' is not known; expected some of trigger, ")
    assert kind == "'trigger' is 8; expected string."
    assert "expected a number from 1 to 1000" in many
    assert missing == "Say which push: 'msg_id' and 'registration_id', or 'apns_id'."
    # A value is never an option.
    assert "USAGE" not in option and "--help" in option
    assert "127.0.0.1:9 does not answer" in away and SERVICE["POSTHORN_MASTER_SECRET"] not in away
    for said in (none, order, unknown, kind, missing, option, away):
        assert "password-in-a-url" not in said, said


def test_a_real_service_is_only_read(sandbox):
    api = sandbox["api"]
    service = {"POSTHORN_URL": api["url"], "POSTHORN_APP_KEY": api["appKey"], "POSTHORN_MASTER_SECRET": api["masterSecret"]}
    push = {"platform": ["ios"], "audience": "all", "notification": {"ios": {"alert": "From an assistant"}}}

    async def conversation(client):
        answer = await client.call_tool("send_push", {"push": push})
        if answer.is_error:
            return text(answer)
        ids = {"msg_id": json.loads(text(answer))["msg_id"], "registration_id": sandbox["devices"][0]["registrationID"]}
        return text(await client.call_tool("wait_for", ids | {"within": 60}))

    assert "--allow-changes" in converse(conversation, **service)
    assert '"state":"shown"' in converse(conversation, "--allow-changes", **service)


@pytest.mark.filterwarnings("ignore:ping is removed")
def test_a_slow_tool_a_ping_and_a_cancellation_at_once():
    push = {"platform": ["ios"], "audience": "all", "notification": {"ios": {"alert": "Lunch is ready"}}}

    async def conversation(client):
        await client.call_tool("start_sandbox", {})
        ticks, heard = asyncio.Event(), []

        async def progress(done, total, message):
            heard.append((done, message))
            ticks.set()

        slow = asyncio.create_task(client.call_tool("pushes", {"text": "never", "wait": 60}, progress_callback=progress))
        waiting = asyncio.create_task(client.call_tool("pushes", {"text": "Lunch", "wait": 60}))
        await asyncio.wait_for(ticks.wait(), 60)
        await client.send_ping()
        # A change does not wait for calls that only read.
        assert not (await client.call_tool("send_push", {"push": push})).is_error
        found = (await waiting).structured_content["pushes"]
        assert not slow.done()
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        await client.send_ping()
        return heard, found

    heard, found = converse(conversation, mode="legacy")
    assert heard[0] == (1, "'pushes' has taken 1 s.") and [done for done, _ in heard] == sorted({done for done, _ in heard})
    assert [push["status"] for push in found] == [200]


def test_a_ping_is_answered_while_pushes_waits():
    with Raw("2025-06-18") as assistant:
        assistant.call(1, "start_sandbox", {"devices": 0})
        said(assistant.answer())
        assistant.call(2, "pushes", {"wait": 60})
        assistant.send(id=3, method="ping")
        assert assistant.answer() == {"jsonrpc": "2.0", "id": 3, "result": {}}
        # When the input ends, a call that waits answers with what is there.
        (last,) = assistant.end()
        assert last["id"] == 2 and json.loads(said(last)) == {"pushes": []}


@pytest.mark.release("waits for longer than a client of HTTP")
def test_pushes_waits_for_longer_than_a_client_of_http():
    with Raw() as assistant:
        assistant.call(1, "start_sandbox", {"devices": 0})
        assistant.call(2, "pushes", {"wait": 33})
        assert json.loads(said(assistant.answer()))["devices"] == []
        assert json.loads(said(assistant.answer())) == {"pushes": []}


def test_a_cancelled_call_gets_no_answer():
    with Raw() as assistant:
        assistant.call(1, "start_sandbox", {"devices": 0})
        said(assistant.answer())
        assistant.call("slow", "pushes", {"wait": 60})
        for cancelled in ("slow", "unknown", None):
            assistant.send(method="notifications/cancelled", params={"requestId": cancelled})
        # What is cancelled while it starts leaves nothing behind.
        assistant.call(2, "stop_sandbox", {})
        assert said(assistant.answer()) == "stopped"
        assistant.call_and_cancel(3, "start_sandbox", {})
        assistant.call(4, "stop_sandbox", {})
        assert said(assistant.answer()) == "No sandbox was running."
        assert assistant.end() == []


def test_changes_are_made_in_the_order_of_their_calls():
    """Lines that are written at once, as by a script."""
    with Raw() as assistant:
        assistant.call(1, "start_sandbox", {"devices": 0})
        assistant.call(2, "turn_clock", {"seconds": 60})
        assistant.call(3, "pushes", {})
        assistant.call(4, "turn_clock", {"seconds": 60})
        assistant.call(5, "stop_sandbox", {})
        answers = {answer["id"]: answer for answer in assistant.end()}
    assert [json.loads(said(answers[number]))["turned"] for number in (2, 4)] == [60, 120]
    assert answers[5]["result"]["content"][0]["text"] == "stopped" and len(answers) == 5


def test_null_counts_as_not_given():
    with Raw() as assistant:
        assistant.call(1, "when", {"trigger": "hour=8", "zone": "Europe/Berlin", "from": "2026-03-01", "count": None, "repeats": None})
        assert json.loads(said(assistant.answer()))["firings"] == ["2026-03-01T08:00:00+01:00"]
        assistant.call(2, "matrix", {"state": "foreground", "do": None, "local": None, "os": None})
        assert json.loads(said(assistant.answer()))["callbacks"]
        assistant.call(3, "stop_sandbox", None, _meta=None)
        assert said(assistant.answer()) == "No sandbox was running."
        assistant.send(id=4, method="tools/list", params={"cursor": None})
        assert assistant.answer()["result"]["tools"]
        assistant.send(id=5, method="ping", params=None)
        assert assistant.answer()["result"] == {}
        assistant.call(6, "when", {"trigger": None})
        assert assistant.answer()["result"]["content"][0]["text"].startswith("'trigger' is missing: ")


def test_values_may_be_written_as_text():
    push = {"platform": ["ios"], "audience": "all", "notification": {"ios": {"alert": "Lunch", "mutable-content": True}}}
    with Raw() as assistant:
        assistant.call(1, "start_sandbox", {"devices": "1"})
        assert len(json.loads(said(assistant.answer()))["devices"]) == 1
        assistant.call(2, "send_push", {"push": json.dumps(push)})
        assert json.loads(said(assistant.answer()))["msg_id"]
        assistant.call(3, "pushes", {"text": "Lunch", "wait": "60", "count": "1"})
        assert len(json.loads(said(assistant.answer()))["pushes"]) == 1
        assistant.call(4, "set_fault", {"fault": json.dumps({"kind": "answer", "reason": "BadDeviceToken", "next": 1})})
        assert json.loads(said(assistant.answer()))["reason"] == "BadDeviceToken"
        assistant.call(5, "turn_clock", {"seconds": " 60 "})
        assert json.loads(said(assistant.answer()))["turned"] == 60
        for number, arguments in enumerate((["off"], "off", '["off"]'), 6):
            assistant.call(number, "device", {"order": "network", "arguments": arguments})
            assert said(assistant.answer()) == "done: network off"
        assistant.call(9, "when", json.dumps({"trigger": "hour=8", "repeats": "true", "count": "2"}))
        assert len(json.loads(said(assistant.answer()))["firings"]) == 2
        for wrong in ({"devices": "many"}, {"devices": "1.5"}, {"devices": "[1]"}, {"devices": ""}, {"devices": "null"}, {"ios": 26}):
            assistant.call(10, "start_sandbox", wrong)
            assert "; expected " in assistant.answer()["result"]["content"][0]["text"]


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("wait_for", {"msg_id": "1", "registration_id": "2", "state": "seen"}, '\'state\' is "seen"; expected one of unknown, waiting, '),
        ("wait_for", {"msg_id": "1", "registration_id": "2", "within": 61}, "'within' is 61; expected a number from 0 to 60."),
        ("start_sandbox", {"ios": "99"}, '\'ios\' is "99"; expected a version of iOS from 7 to 18, 26 or 27, such as 26.4.'),
        ("start_sandbox", {"ios": "19.0"}, "expected a version of iOS from 7 to 18"),
        ("start_sandbox", {"ios": "17.x"}, "expected a version of iOS from 7 to 18"),
        ("start_sandbox", {"devices": 11}, "'devices' is 11; expected a number from 0 to 10."),
        ("pushes", {"wait": -1}, "'wait' is -1; expected a number from 0 to 60."),
        ("turn_clock", {"seconds": -1}, "'seconds' is -1; expected a number from 0 to "),
        ("matrix", {"state": "foreground", "os": "99"}, "'os' is '99'; expected a version of iOS from 7 to 18"),
        ("matrix", {"state": "foreground", "os": "9", "mutable": True}, "'mutable' needs 'os' 10 or later"),
        ("matrix", {"state": "foreground", "local": True, "silent": True}, "'local' cannot be combined: 'silent', 'content_available' and"),
        ("when", {"trigger": "hour=8", "zone": "Berlin"}, "'zone' is 'Berlin'; expected "),
        ("when", {"trigger": "hour=8", "from": "soon"}, "'from' is 'soon'; expected a date"),
        ("doctor", {"info_plist": "/nowhere"}, "'info_plist' "),
        ("doctor", {}, "No service is named: start_sandbox starts one, and 'posthorn mcp' finds others by POSTHORN_URL, "),
        ("why", {"apns_id": "1"}, "No service is named: "),
        ("wait_for", {"msg_id": "1", "registration_id": "2"}, "No service is named: "),
    ],
)
def test_an_error_names_arguments_and_variables_and_no_option(tool, arguments, expected, tmp_path, monkeypatch):
    # A folder without data of a service.
    monkeypatch.chdir(tmp_path)
    with Raw() as assistant:
        assistant.call(1, tool, arguments)
        answer = assistant.answer()["result"]
        message = answer["content"][0]["text"]
        assert answer["isError"] and expected in message and "--" not in message, message


@pytest.mark.parametrize("words", [("matrix", "--state", "foreground"), ("device", "run", "--courier", "ws://127.0.0.1:9/courier")])
@pytest.mark.parametrize("version", ["99", "6.1", "19", "new", "17.", "26.0.1.2"])
def test_commands_refuse_versions_that_do_not_exist_too(words, version):
    done = subprocess.run([BINARY, *words, "--os", version], capture_output=True, text=True, timeout=60)
    assert done.returncode == 64 and f"--os is '{version}'; expected a version of iOS from 7 to 18, 26 or 27" in done.stderr


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_a_revision_with_a_handshake_gets_no_members_of_later_ones(revision):
    with Raw(revision) as assistant:
        assert assistant.handshake["result"]["protocolVersion"] == revision
        assert set(assistant.handshake["result"]) == {"protocolVersion", "capabilities", "serverInfo", "instructions"}
        assistant.send(id=1, method="ping")
        assert assistant.answer() == {"jsonrpc": "2.0", "id": 1, "result": {}}
        assistant.call(2, "stop_sandbox", {})
        assert set(assistant.answer()["result"]) == {"content"}
        modern = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}
        assistant.send(id=3, method="ping", params=modern)
        assert assistant.answer()["result"]["resultType"] == "complete"


def test_a_batch_is_taken_in_the_revision_that_has_them():
    pings = [{"jsonrpc": "2.0", "id": number, "method": "ping"} for number in (1, 2)]
    notice = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    with Raw("2025-03-26") as assistant:
        assistant.write(json.dumps([*pings, notice, 7]))
        answers = [assistant.answer() for _ in range(3)]
        assert [(answer["id"], "result" in answer) for answer in answers] == [(1, True), (2, True), (None, False)]
        assistant.write("[]", json.dumps(pings * 51), json.dumps([notice]), json.dumps(pings[:1]))
        answers = [assistant.answer() for _ in range(3)]
        assert [answer.get("error", {}).get("code") for answer in answers] == [-32600, -32600, None]
    for revision in ("2024-11-05", "2025-06-18", "2025-11-25", None):
        with Raw(revision) as assistant:
            assistant.write(json.dumps(pings))
            assert assistant.answer()["error"]["code"] == -32600


def test_what_is_no_message_gets_no_answer():
    with Raw() as assistant:
        response = {"jsonrpc": "2.0", "id": 1, "result": {}}
        failure = {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "No"}}
        assistant.write("", "   ", "\t", "\r", json.dumps(response), json.dumps(failure), '{"jsonrpc":"2.0","method":"unknown"}')
        assistant.send(id="first", method="ping")
        assert assistant.answer()["id"] == "first"
        assert assistant.end() == []


def test_a_line_has_a_limit():
    push = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"long": "x" * 1_048_576}}
    with Raw() as assistant:
        assistant.write(json.dumps(push))
        assistant.send(id=2, method="ping", params={"long": "x" * 1_000_000})
        refused, answered = assistant.answer(), assistant.answer()
        assert refused["error"] == {"code": -32600, "message": "The line has more than 1048576 bytes."} and refused["id"] is None
        assert answered["id"] == 2 and answered["result"] == {}
        # The last line needs no end.
        assistant.server.process.stdin.write('{"jsonrpc":"2.0","id":3,"method":"ping"}')
        assert [answer["id"] for answer in assistant.end()] == [3]


def test_calls_in_progress_have_a_limit():
    with Raw() as assistant:
        assistant.call("begin", "start_sandbox", {"devices": 0})
        said(assistant.answer())
        for number in range(101):
            assistant.call(number, "pushes", {"wait": 60})
        refused = assistant.answer()
        assert refused["id"] == 100 and refused["error"]["code"] == -32603
        # An id is free when its request is answered.
        assistant.call(7, "pushes", {})
        assert assistant.answer()["error"]["message"] == "A request with this id is in progress."
        assert {answer["id"] for answer in assistant.end()} == set(range(100))


def test_what_is_no_request_gets_an_error_of_the_protocol():
    lines = [
        "no JSON", '{"jsonrpc":"2.0","method":"notifications/initialized"}', '{"jsonrpc":"2.0","id":"a","method":"prompts/list"}',
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"rm"}}',
        '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01"}}}',
        '{"jsonrpc":"2.0","id":4,"method":"ping"}',
        '{"jsonrpc":"1.0","id":5,"method":"ping"}', '{"id":6,"method":"ping"}', '{"jsonrpc":"2.0","id":null,"method":"ping"}',
        '{"jsonrpc":"2.0","id":[7],"method":"ping"}', '{"jsonrpc":"2.0","id":8,"method":"ping","params":[1]}',
        '{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":"2"}}', '7', '{"jsonrpc":"2.0","id":10}',
    ]
    done = subprocess.run([BINARY, "mcp"], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("error", {}).get("code") for answer in answers] == [
        -32700, -32601, -32602, -32022, None, -32600, -32600, -32600, -32600, -32602, -32602, -32600, -32600,
    ]
    assert [answer["id"] for answer in answers] == [None, "a", 2, 3, 4, 5, 6, None, None, 8, 9, None, 10]
    assert answers[3]["error"]["data"] == {"supported": ["2026-07-28"], "requested": "2030-01-01"}
