"""Settings as they come from Compose files, files of secrets and shells: empty, with line ends and blanks, with brackets."""

import json
import os
import pathlib
import re
import subprocess

import postgres
import pytest
import requests
from processes import BINARY, Process

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = (ROOT / "Documentation/Operations/Run.md").read_text()
TOKENS = {"POSTHORN_OPERATOR_TOKEN": "a token of an operator", "POSTHORN_METRICS_TOKEN": "a-token-for-metrics-alone"}

pytestmark = pytest.mark.one_node("settings are those of a process")


def rows(heading):
    """The variables in the table of a section."""
    section = PAGE[PAGE.index(f"## {heading}"):].split("\n## ")[0]
    columns = ["".join(line.split("|")[1:3]) for line in section.splitlines() if line.startswith("| ")]
    return [name for column in columns for name in re.findall(r"`(POSTHORN_[A-Z_]+)`", column)]


class Service:
    """A service with variables of the environment, and its URL."""

    def __init__(self, folder, *flags, **variables):
        environment = os.environ | {"POSTHORN_HTTP_PORT": "0", "POSTHORN_DATA": str(folder / "data"), "POSTHORN_LOG_LEVEL": "critical"}
        self.process = Process("serve", "--json", *flags, env=environment | variables)
        self.facts = json.loads(self.process.line())
        self.url = self.facts["url"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        assert self.process.stop() == 0


def refusal(*words, **variables):
    done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=60, env=os.environ | variables)
    assert done.returncode != 0, done.stdout
    return done.stdout + done.stderr


@pytest.mark.parametrize("value", ["", " ", "\n"])
def test_an_empty_variable_counts_as_not_set(tmp_path, value):
    names = rows("`posthorn serve`")
    assert len(names) > 45 and "POSTHORN_RETENTION_EVENTS" in names and "POSTHORN_STORE" in names
    kept = {"POSTHORN_HTTP_PORT", "POSTHORN_DATA"}
    with Service(tmp_path, **{name: value for name in names if name not in kept}) as service:
        assert service.url.startswith("http://127.0.0.1:") and service.facts["store"] is None
        assert requests.get(f"{service.url}/health", timeout=60).status_code == 200
        assert requests.get(f"{service.url}/metrics", timeout=60).status_code == 401


def test_an_empty_flag_and_an_empty_key_of_the_file_count_as_not_set(tmp_path):
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"store": "", "http": {"host": " ", "proxies": ["", "127.0.0.1"]}, "metrics": {"token": "\n"}}))
    with Service(tmp_path, "--config", file, "--store", "", "--host", "", "--apns-host", " ") as service:
        assert service.url.startswith("http://127.0.0.1:") and service.facts["store"] is None


@pytest.mark.parametrize("end", ["\r\n", "\n", " ", "\t"])
def test_blanks_and_line_ends_around_a_token_are_ignored(tmp_path, end):
    given = {name: f"{' ' if end == ' ' else ''}{value}{end}" for name, value in TOKENS.items()}
    with Service(tmp_path, POSTHORN_TIME_ZONE=f"Europe/Berlin{end}", POSTHORN_RETENTION_EVENTS=f"3{end}", **given) as service:
        headers = {"Authorization": f"Bearer {TOKENS['POSTHORN_METRICS_TOKEN']}"}
        assert requests.get(f"{service.url}/metrics", headers=headers, timeout=60).status_code == 200
        done = subprocess.run(
            [BINARY, "app", "list", "--url", service.url, "--json"], capture_output=True, text=True, timeout=60,
            env=os.environ | {"POSTHORN_OPERATOR_TOKEN": given["POSTHORN_OPERATOR_TOKEN"]},
        )
        assert (done.returncode, json.loads(done.stdout)) == (0, []), done.stderr


@pytest.mark.parametrize("inner", ["\n", "\r\n", "\t"])
def test_a_token_with_control_characters_is_refused(tmp_path, inner):
    said = refusal("serve", "--data", tmp_path / "data", POSTHORN_METRICS_TOKEN=f"first-half-of-it{inner}second-half-of-it")
    assert "'metrics.token' is 'a text with control characters'; expected one line" in said


@pytest.mark.parametrize(("variable", "value", "key"), [("RETENTION_EVENTS", "7 d", "retention.events"), ("HTTP_PORT", "80a", "http.port")])
def test_the_error_for_a_number_names_what_was_written(tmp_path, variable, value, key):
    said = refusal("serve", "--data", tmp_path / "data", **{f"POSTHORN_{variable}": value})
    assert f"'{key}' is '{value}'; expected a whole number from " in said


def test_a_line_end_after_the_url_of_a_database_is_ignored(tmp_path):
    server = postgres.Server()
    try:
        url = server.url(server.create(), password=False)
        with Service(tmp_path, POSTHORN_STORE=f"{url}\r\n", PGPASSWORD=server.PASSWORD) as service:
            assert service.facts["store"]
    finally:
        server.close()


@pytest.mark.parametrize("proxies", ["127.0.0.1,", ",127.0.0.1", " 127.0.0.1 , ,10.0.0.0/8\n"])
def test_a_list_may_have_empty_members(tmp_path, proxies):
    with Service(tmp_path, POSTHORN_HTTP_PROXIES=proxies, POSTHORN_HTTP_FAILED_LOGINS="1") as service:
        def status(client):
            headers = {"X-Forwarded-For": client}
            return requests.post(f"{service.url}/v3/push", json={}, auth=("0" * 24, "x"), headers=headers, timeout=60).status_code

        # The proxy is trusted: failed logins are counted for the address that it names.
        assert [status("192.0.2.1"), status("192.0.2.1"), status("192.0.2.2")] == [401, 429, 401]


def test_an_address_may_have_brackets(tmp_path):
    with Service(tmp_path, "--host", "[::1]") as service:
        assert service.url.startswith("http://[::1]:")
        assert requests.get(f"{service.url}/health", timeout=60).status_code == 200
    with Service(tmp_path, POSTHORN_HTTP_HOST="[::1]") as service:
        assert requests.get(f"{service.url}/health", timeout=60).status_code == 200
    ports = ("--development-port", 0, "--production-port", 0, "--courier-port", 0, "--control-port", 0)
    gateway = Process("gateway", "--data", tmp_path / "gateway", "--json", *ports, "--host", "[::1]", "--control-host", "[::1]")
    box = json.loads(gateway.line())
    assert box["host"] == "::1" and box["courier"].startswith("ws://[::1]:")
    assert requests.get(f"{box['control']}/pushes", timeout=60).json() == {"pushes": []}
    said = refusal(
        "send", "--host", "[::1]", "--port", box["productionPort"], "--ca", box["ca"], "--p8", box["keyFile"], "--key-id", box["keyID"],
        "--team-id", box["teamID"], "--topic", "com.example.app", "--token", "00" * 32, "--alert", "Hello", "--new-token",
    )
    assert "BadDeviceToken" in said, said
    assert gateway.stop() == 0


def test_the_variables_of_commands_are_trimmed_and_may_be_empty(sandbox, tmp_path):
    api = sandbox["api"]
    environment = {
        "POSTHORN_URL": f" {api['url']}\r\n", "POSTHORN_APP_KEY": f"{api['appKey']}\n", "POSTHORN_MASTER_SECRET": f"{api['masterSecret']} ",
        "POSTHORN_CA": "", "POSTHORN_STORE": " ", "POSTHORN_CONTROL_TOKEN": "", "POSTHORN_PROXY": "",
    }
    done = subprocess.run(
        [BINARY, "devices", "show", sandbox["devices"][0]["registrationID"]], capture_output=True, text=True, timeout=60,
        env=os.environ | environment,
    )
    assert done.returncode == 0, done.stderr
    # An empty one is missing, as if it was not there.
    for name, expected in (("POSTHORN_APP_KEY", "--app-key is missing"), ("POSTHORN_MASTER_SECRET", "--master-secret is missing")):
        assert expected in refusal("devices", "show", "1", **environment | {name: ""})
    assert "--url needs --token" in refusal("app", "list", "--url", "http://127.0.0.1:9", POSTHORN_OPERATOR_TOKEN=" ")
    assert "--to is missing" in refusal("migrate", POSTHORN_STORE="")
    wrong = {"POSTHORN_COURIER_TOKEN": " ", "POSTHORN_CONTROL_TOKEN": "\n"}
    said = refusal("gateway", "--data", tmp_path / "gateway", "--host", "0.0.0.0", **wrong)
    assert "set a courier token" in said
    said = refusal("gateway", "--data", tmp_path / "gateway", "--control-host", "0.0.0.0", "--control-port", 0, **wrong)
    assert "set a control token" in said
    device = ("device", "run", "--courier", "ws://127.0.0.1:9/courier")
    assert "--app-key is missing" in refusal(*device, POSTHORN_APP_KEY="", POSTHORN_DEVICE_KEY=" ")


def test_the_page_has_each_variable_that_a_command_reads():
    """Those of tests, of work on the portal and of the app's port are on other pages."""
    read = set()
    for file in (ROOT / "Sources/App/posthorn").rglob("*.swift"):
        text = re.sub(r"//.*", "", file.read_text())
        read |= set(re.findall(r"\b(POSTHORN_[A-Z_]+[A-Z])\b", text))
    named = set(rows("`posthorn serve`")) | set(rows("Variables of other commands"))
    assert read - named == {"POSTHORN_BUILD", "POSTHORN_PORTAL_FILES"}
