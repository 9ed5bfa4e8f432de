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
from processes import BINARY

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

    return asyncio.run(asyncio.wait_for(run(), 300))


def text(answer):
    (content,) = answer.content
    return content.text


def commands_that_touch_a_device():
    """The commands of `posthorn device` without subcommands of their own; `run` starts one."""
    printed = subprocess.run([BINARY, "--experimental-dump-help"], capture_output=True, text=True, check=True, timeout=60).stdout
    (device,) = [command for command in json.loads(printed)["command"]["subcommands"] if command["commandName"] == "device"]
    return [
        command["commandName"] for command in device["subcommands"]
        if command["commandName"] not in ("run", "help") and all(child["commandName"] == "help" for child in command.get("subcommands", []))
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
    assert reading == {"pushes", "wait_for", "why", "doctor", "matrix", "when"}


def test_the_conversation_of_the_page():
    async def conversation(client):
        ids, answers, secrets, file = {}, [], [], None
        for name, arguments, expected in CONVERSATION:
            for key, value in ids.items():
                arguments = arguments.replace(f'"{key}"', json.dumps(value))
            answer = await client.call_tool(name, json.loads(arguments))
            said = text(answer)
            assert not answer.is_error and expected in said, f"{name} {arguments}: {said}"
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


def test_a_sandbox_ends_with_the_client():
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
    assert "MSG_ID and REGISTRATION_ID, or --apns-id" in missing
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
        return text(await client.call_tool("wait_for", ids))

    assert "--allow-changes" in converse(conversation, **service)
    assert '"state":"shown"' in converse(conversation, "--allow-changes", **service)


def test_what_is_no_request_gets_an_error_of_the_protocol():
    lines = [
        "no JSON", '{"jsonrpc":"2.0","method":"notifications/initialized"}', '{"jsonrpc":"2.0","id":"a","method":"prompts/list"}',
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"rm"}}',
        '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01"}}}',
        '{"jsonrpc":"2.0","id":4,"method":"ping"}',
    ]
    done = subprocess.run([BINARY, "mcp"], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("error", {}).get("code") for answer in answers] == [-32700, -32601, -32602, -32022, None]
    assert [answer["id"] for answer in answers] == [None, "a", 2, 3, 4]
    assert answers[3]["error"]["data"] == {"supported": ["2026-07-28"], "requested": "2030-01-01"}
