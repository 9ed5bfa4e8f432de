"""What starts Posthorn where others run it: the Compose files, the chart, the GitHub action, the formula, and Scripts/publish.

Without Docker, a cluster or a network: files are checked by the schemas of their formats, and what they run is run by this test.
`python Interop/test_start_lines.py` writes Packaging/kubernetes.yaml, which is the chart with its own values.
"""

import contextlib
import hashlib
import http.server
import importlib.machinery
import importlib.resources
import importlib.util
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import threading
import uuid
from urllib.parse import parse_qsl, urlsplit

import jsonschema
import kubernetes_validate
import postgres
import pytest
import requests
import yaml
from peers import SayingHandler, need, wait_for
from ports import free_port
from processes import BINARY, Process

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Scripts/packaging"))

import homebrew  # noqa: E402
import settings  # noqa: E402

CHART = ROOT / "Packaging/chart"
MANIFESTS = ROOT / "Packaging/kubernetes.yaml"
VERSION = re.search(r'static let version = "(.+)"', (ROOT / "Sources/App/posthorn/Posthorn.swift").read_text())[1]
HEAD = """\
# Three nodes over PostgreSQL: the chart in Packaging/chart with its own values and the name `posthorn`.
# Documentation/Kubernetes.md says how the Secret `posthorn`, which these manifests need, is made.
"""
# Templates of Helm are those of Go's text/template with the functions of Sprig; these are the ones that the chart uses.
RENDER = r"""
package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"text/template"
)

func number(value interface{}) int64 {
	switch value := value.(type) {
	case float64:
		return int64(value)
	case int:
		return int64(value)
	case int64:
		return value
	}
	panic(fmt.Sprintf("%v is no number", value))
}

func main() {
	var values map[string]interface{}
	if err := json.NewDecoder(os.Stdin).Decode(&values); err != nil {
		panic(err)
	}
	functions := template.FuncMap{
		"toJson": func(value interface{}) string { text, _ := json.Marshal(value); return string(text) },
		"quote":  func(value interface{}) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"int":    func(value interface{}) int { return int(number(value)) },
		"add":    func(first, second interface{}) int64 { return number(first) + number(second) },
		"sha256sum": func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) },
		"default": func(other, value interface{}) interface{} {
			if value == nil || value == "" {
				return other
			}
			return value
		},
		"dict": func(pairs ...string) map[string]string {
			made := map[string]string{}
			for i := 0; i < len(pairs); i += 2 {
				made[pairs[i]] = pairs[i+1]
			}
			return made
		},
	}
	made, err := template.New("posthorn.yaml").Option("missingkey=error").Funcs(functions).ParseFiles(os.Args[1])
	if err == nil {
		err = made.Execute(os.Stdout, values)
	}
	if err != nil {
		panic(err)
	}
}
"""


def renderer(folder, environment):
    """A program that renders the chart."""
    (folder / "render.go").write_text(RENDER)
    command = [need("go"), "build", "-o", folder / "render", folder / "render.go"]
    subprocess.run(command, check=True, timeout=300, env=os.environ | environment | {"GO111MODULE": "off"})
    return folder / "render"


def merged(values, changes):
    """Values with those of a user over them, as Helm merges them."""
    result = dict(values)
    for key, value in changes.items():
        result[key] = merged(result[key], value) if isinstance(value, dict) and isinstance(result.get(key), dict) else value
    return result


def rendered(program, **changes):
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    values = merged(yaml.safe_load((CHART / "values.yaml").read_text()), changes)
    root = {"Values": values, "Release": {"Name": "posthorn"}, "Chart": {"AppVersion": chart["appVersion"]}}
    command = [program, CHART / "templates/posthorn.yaml"]
    return subprocess.run(command, input=json.dumps(root), check=True, capture_output=True, text=True).stdout


RENDERS = pytest.mark.release("compiles the chart's templates in Go")


@pytest.fixture(scope="module")
def render(tmp_path_factory, go_environment):
    program = renderer(tmp_path_factory.mktemp("render"), go_environment)
    return lambda **changes: rendered(program, **changes)


def resources(text):
    return {(each["kind"], each["metadata"]["name"]): each for each in yaml.safe_load_all(text) if each}


def schema(name):
    """A schema that check-jsonschema brings along."""
    return json.loads((importlib.resources.files("check_jsonschema") / f"builtin_schemas/vendor/{name}.json").read_text())


# MARK: Kubernetes


@RENDERS
@pytest.mark.parametrize("changes", [
    {},
    {"replicas": 1, "storage": {"className": "fast"}},
    {"ingress": {"enabled": True, "tlsSecret": "tls", "className": "nginx"}, "serviceMonitor": {"enabled": True}},
], ids=["defaults", "one", "everything"])
def test_the_chart_renders_to_what_kubernetes_takes(render, changes):
    found = resources(render(**changes))
    kinds = {kind for kind, _ in found}
    assert kinds >= {"ConfigMap", "Service", "ServiceAccount", "StatefulSet"}
    for (kind, _), resource in found.items():
        # Its schema belongs to the Prometheus Operator.
        if kind != "ServiceMonitor":
            for release in ("1.32", "1.37"):
                kubernetes_validate.validate(resource, release, strict=True)
    assert ("PodDisruptionBudget" in kinds) == (changes.get("replicas", 3) > 1)
    assert ("Ingress" in kinds) == ("ServiceMonitor" in kinds) == ("ingress" in changes)
    pod = found["StatefulSet", "posthorn"]["spec"]["template"]
    (container,) = pod["spec"]["containers"]
    assert pod["spec"]["terminationGracePeriodSeconds"] == 50
    environment = {variable["name"]: variable for variable in container["env"]}
    # One node may be alone over SQLite; several need a database and a number each.
    is_alone = changes.get("replicas") == 1
    assert environment["POSTHORN_STORE"]["valueFrom"]["secretKeyRef"]["optional"] is is_alone
    assert ("POSTHORN_NODE" in environment) is not is_alone


@RENDERS
def test_the_manifests_are_the_chart_with_its_values(render):
    assert MANIFESTS.read_text() == HEAD + render(), f"{MANIFESTS} is another; python {__file__} writes it"


@RENDERS
def test_a_budget_and_a_service_find_the_pods(render):
    found = resources(render())
    labels = found["StatefulSet", "posthorn"]["spec"]["template"]["metadata"]["labels"]
    selectors = [found["Service", name]["spec"]["selector"] for name in ("posthorn", "posthorn-nodes")]
    selectors += [found[kind, "posthorn"]["spec"]["selector"]["matchLabels"] for kind in ("StatefulSet", "PodDisruptionBudget")]
    assert all(selector == labels for selector in selectors)


def test_every_value_of_the_chart_is_documented():
    def paths(values, above=""):
        for key, value in values.items():
            deeper = isinstance(value, dict) and value and key not in ("requests", "limits")
            yield from paths(value, f"{above}{key}.") if deeper else [above + key]

    documented = set(re.findall(r"`([\w.]+)`", (ROOT / "Documentation/Kubernetes.md").read_text()))
    values = set(paths(yaml.safe_load((CHART / "values.yaml").read_text())))
    assert not values - documented, f"Documentation/Kubernetes.md lacks {sorted(values - documented)}"


# MARK: Compose


COMPOSE = {name: yaml.safe_load((ROOT / name).read_text()) for name in ("compose.yaml", "compose.nodes.yaml")}


@pytest.mark.parametrize("name", COMPOSE)
def test_a_compose_file_fits_the_specification(name):
    jsonschema.validate(COMPOSE[name], schema("compose-spec"))
    volumes = {mount.split(":")[0] for service in COMPOSE[name]["services"].values() for mount in service.get("volumes", [])}
    assert volumes == set(COMPOSE[name]["volumes"])


def test_a_container_is_healthy_as_long_as_its_service_answers(tmp_path):
    """The checks of both files and of the Containerfile, at the port of a service here."""
    checks = [
        service["healthcheck"]["test"] for file in COMPOSE.values() for service in file["services"].values()
        if service.get("command", [""])[0] == "serve"
    ]
    (line,) = re.findall(r"^HEALTHCHECK .*? CMD (.+)$", (ROOT / "Containerfile").read_text(), re.M)
    assert len(checks) == 5 and {tuple(check) for check in checks} == {("CMD", *json.loads(line))}
    # Not port 0: when the service has ended, another process could be given that one.
    service = Process("serve", "--data", tmp_path, "--port", free_port(), "--json")
    # The port is 8080 there, which is what the command asks without this variable.
    environment = os.environ | {"POSTHORN_HTTP_PORT": json.loads(service.line())["url"].rpartition(":")[2]}
    _, program, *words = checks[0]
    assert program == "posthorn"

    def status():
        return subprocess.run([BINARY, *words], env=environment, capture_output=True, timeout=60).returncode

    assert status() == 0
    assert service.stop() == 0
    assert status() == 1


def test_versions_and_settings_are_those_of_the_program():
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (VERSION, VERSION)
    known = {setting.variable for setting in settings.read((ROOT / "Documentation/Operations/Run.md").read_text())}
    known |= {"POSTHORN_COURIER_TOKEN", "POSTHORN_IMAGE", "POSTHORN_ADDRESS"}
    for path in [*(ROOT / name for name in COMPOSE), CHART / "templates/posthorn.yaml"]:
        text = path.read_text()
        assert set(re.findall(r"POSTHORN_[A-Z_]+", text)) <= known, path
        assert {found for found in re.findall(r"posthorn:(\d[\w.]*)", text)} <= {VERSION}, path


def configuration(listen, nodes):
    """The configuration of nginx with other addresses."""
    text = COMPOSE["compose.nodes.yaml"]["configs"]["nginx"]["content"].replace("$$", "$")
    text = text.replace("listen 8080", f"listen {listen}")
    for number, address in enumerate(nodes, 1):
        text = text.replace(f"node{number}:8080", address)
    return text


def test_nginx_keeps_no_bodies_and_takes_those_that_the_service_takes():
    # The largest body is that of an uploaded file, with its form around it.
    limits = (ROOT / "Sources/Model/PushModel/JPush/JPushLimits.swift").read_text()
    (file,) = re.findall(r"static let fileBytes = (\d+) \* 1024 \* 1024", limits)
    assert "uploadLimit = JPushLimits.fileBytes + 64 * 1024" in (ROOT / "Sources/Service/PushAPI/PushAPI.swift").read_text()
    site = (ROOT / "Packaging/proxies/nginx.conf").read_text()
    for text in [COMPOSE["compose.nodes.yaml"]["configs"]["nginx"]["content"], (ROOT / "Documentation/Scaling.md").read_text(), site]:
        assert re.findall(r"client_max_body_size (.+);", text) == [f"{int(file) + 1}m"]
        assert re.findall(r"proxy_request_buffering (.+);", text) == ["off"]


@pytest.mark.parametrize("size, status", [(11 << 20, 200), ((11 << 20) + 1, 413)])
def test_nginx_passes_a_body_on_as_it_comes(tmp_path, size, status):
    begun, node = threading.Event(), socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                connection, _ = node.accept()
            except OSError:
                return
            read = connection.recv(1 << 16)
            begun.set()
            while b"\r\n\r\n" not in read or len(read) - read.index(b"\r\n\r\n") - 4 < size:
                read += connection.recv(1 << 20)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            connection.close()

    threading.Thread(target=serve, daemon=True).start()
    port = free_port()
    with proxy(tmp_path, port, [f"127.0.0.1:{node.getsockname()[1]}"] * 3), socket.create_connection(("127.0.0.1", port), timeout=300) as client:
        client.sendall(f"POST /v3/push HTTP/1.1\r\nHost: a\r\nContent-Length: {size}\r\n\r\n".encode() + bytes(100_000))
        if status == 200:
            # The node has the head, and the disk nothing, before the body is complete.
            assert begun.wait(120)
            client.sendall(bytes(size - 100_000))
        assert client.recv(100).startswith(f"HTTP/1.1 {status} ".encode())
        assert begun.is_set() == (status == 200)
        assert sum(file.stat().st_size for file in (tmp_path / "client_body").rglob("*") if file.is_file()) == 0
    node.close()


def test_the_trial_has_no_token_that_everybody_knows_and_none_of_the_gateways_keys():
    text = (ROOT / "compose.yaml").read_text()
    assert set(re.findall(r"\$\{POSTHORN_COURIER_TOKEN([^}]*)\}", text)) == {":-"}
    readers = {name for name, service in COMPOSE["compose.yaml"]["services"].items() if any(mount.startswith("gateway:") for mount in service["volumes"])}
    assert readers == {"gateway", "authority"}
    assert COMPOSE["compose.yaml"]["services"]["authority"]["network_mode"] == "none"
    gateway = COMPOSE["compose.yaml"]["services"]["gateway"]
    with tempfile.TemporaryDirectory() as folder:
        words = [folder if word == "/var/lib/posthorn" else word for word in gateway["command"]]
        done = subprocess.run([BINARY, *words], env=os.environ | {"POSTHORN_COURIER_TOKEN": ""}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 64 and "POSTHORN_COURIER_TOKEN" in done.stderr, done


def test_the_trial_gets_the_authority_alone(tmp_path):
    (script,) = COMPOSE["compose.yaml"]["services"]["authority"]["command"]
    for name in ("gateway", "authority"):
        (tmp_path / name).mkdir()
    for name in ("ca.pem", "ca.key"):
        (tmp_path / "gateway" / name).write_text(name)
    script = re.sub("/(gateway|authority)/", rf"{tmp_path}/\1/", script)
    subprocess.run(["sh", "-euc", script], check=True, timeout=60)
    assert [(file.name, file.read_text()) for file in (tmp_path / "authority").iterdir()] == [("ca.pem", "ca.pem")]


def test_nginx_takes_its_configuration(tmp_path):
    file = tmp_path / "nginx.conf"
    file.write_text("pid nginx.pid;\n" + configuration("127.0.0.1:18080", [f"127.0.0.1:{port}" for port in (1, 2, 3)]))
    done = subprocess.run([need("nginx"), "-t", "-p", tmp_path, "-c", file, "-e", "stderr"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


class Heard(SayingHandler):
    """Answers each request with its headers."""

    def said(self):
        return json.dumps({name.lower(): value for name, value in self.headers.items()})


@contextlib.contextmanager
def proxy(folder, port, nodes):
    """Runs nginx with its configuration in front of nodes."""
    kinds = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    text = configuration(f"127.0.0.1:{port}", nodes).replace("access_log off;", f"access_log off; {kinds}")
    (folder / "nginx.conf").write_text(f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\n{text}")
    nginx = subprocess.Popen([need("nginx"), "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "nginx.log"])
    try:
        wait_for(port, nginx)
        yield
    finally:
        nginx.terminate()
        nginx.wait(60)


@pytest.mark.parametrize("path, asks", [("/v3/push", {}), ("/portal/apps", {}), ("/link", {"Connection": "upgrade", "Upgrade": "websocket"})])
def test_nginx_tells_a_node_which_name_was_called_and_by_whom(tmp_path, path, asks):
    node = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Heard)
    threading.Thread(target=node.serve_forever, daemon=True).start()
    port = free_port()
    with proxy(tmp_path, port, [f"127.0.0.1:{node.server_address[1]}"] * 3):
        said = {"Host": "push.example.com:8080", "X-Forwarded-For": "203.0.113.9"} | asks
        heard = requests.get(f"http://127.0.0.1:{port}{path}", headers=said, timeout=60).json()
    node.shutdown()
    assert (heard["host"], heard["x-forwarded-for"]) == ("push.example.com:8080", "127.0.0.1")
    assert heard.get("upgrade") == asks.get("Upgrade")
    assert heard.get("connection") == asks.get("Connection")


def make_folders(place):
    """Runs the script of the service `folders`, but for the owner of the files."""
    (script,) = COMPOSE["compose.nodes.yaml"]["services"]["folders"]["command"]
    for number in "123":
        (place / number).mkdir(mode=0o700, exist_ok=True)
    script = script.replace("$$", "$").replace("/folders", str(place)).replace("chown 10001:10001", ": ")
    subprocess.run(["bash", "-euc", script], check=True)


def test_the_nodes_get_one_secret(tmp_path):
    found = []
    for _ in range(2):
        make_folders(tmp_path)
        found.append([(tmp_path / number / "secret.key").read_bytes() for number in "123"])
    assert len(set(found[0])) == 1 and found[0] == found[1] and len(found[0][0]) == 32
    assert (tmp_path / "2/secret.key").stat().st_mode & 0o777 == 0o600


@pytest.fixture
def started(tmp_path):
    """The nodes and nginx, started as the file says, with addresses of this machine: the folder, the processes and the URL."""
    make_folders(tmp_path)
    server = postgres.Server()
    services, ports = COMPOSE["compose.nodes.yaml"]["services"], [free_port() for _ in range(4)]
    given = {
        "POSTHORN_STORE": server.url(server.create(), password=False), "PGPASSWORD": server.PASSWORD, "POSTHORN_HTTP_PROXIES": "127.0.0.1",
    }
    here = {"0.0.0.0": "127.0.0.1"}
    nodes = []
    for number, port in enumerate(ports[:3], 1):
        service = services[f"node{number}"]
        words = {"/var/lib/posthorn": tmp_path / str(number), "8080": port} | here
        assert set(service["environment"]) == {*given, "POSTHORN_NODE"}
        environment = os.environ | given | {"POSTHORN_NODE": service["environment"]["POSTHORN_NODE"]}
        nodes.append(Process(*(words.get(word, word) for word in service["command"]), env=environment))
    for node in nodes:
        node.line(lambda line: line.startswith("Posthorn listens"))
    try:
        with proxy(tmp_path, ports[3], [f"127.0.0.1:{port}" for port in ports[:3]]):
            yield tmp_path, nodes, f"http://127.0.0.1:{ports[3]}"
    finally:
        for node in nodes:
            node.stop()
        server.close()


@pytest.mark.release("starts three nodes, PostgreSQL and nginx")
@pytest.mark.one_node("starts its own nodes")
def test_three_nodes_take_pushes_while_one_leaves(started):
    folder, nodes, url = started

    def posthorn(*words, **options):
        done = subprocess.run([BINARY, *words], capture_output=True, text=True, timeout=120, **options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    app = json.loads(posthorn("app", "create", "--data", folder / "1", "--name", "A", "--bundle-id", "com.example.app", "--json"))
    login = (app["app_key"], app["master_secret"])
    environment = os.environ | {"POSTHORN_URL": url, "POSTHORN_APP_KEY": login[0], "POSTHORN_MASTER_SECRET": login[1]}
    posthorn("import", "-", input="registration_id,token\n1a0018970a91c0c8a3f," + "0a" * 32 + "\n", env=environment)

    def push(number):
        body = {
            "platform": ["ios"], "audience": {"registration_id": ["1a0018970a91c0c8a3f"]}, "cid": f"{login[0]}-{uuid.uuid4()}",
            "notification": {"ios": {"alert": str(number)}},
        }
        # A caller repeats a push without an answer with its cid.
        for _ in range(20):
            answer = requests.post(f"{url}/v3/push", json=body, auth=login, timeout=60)
            if answer.status_code not in (502, 503, 504):
                break
        assert answer.status_code == 200, answer.text
        return answer.json()["msg_id"]

    found = [push(number) for number in range(50)]
    nodes[2].process.send_signal(signal.SIGTERM)
    found += [push(number) for number in range(50, 100)]
    assert nodes[2].process.wait(60) == 0
    kept = requests.get(f"{url}/posthorn/v1/messages?limit=1000", auth=login, timeout=60).json()["messages"]
    assert len(set(found)) == 100 and {str(message["msg_id"]) for message in kept} == {str(id) for id in found}
    states = {node["node"]: node["alive"] for node in json.loads(posthorn("node", "list", "--data", folder / "1", "--json"))}
    assert states[1] and states[2] and not states.get(3, False)


# MARK: GitHub Actions


ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
WORKFLOW_TOKEN = "ghs_of_the_workflow"
# A server runs on until the step ends, as that asks whether it does.
PROGRAM = """\
#!/bin/sh
[ -z "$FAILS" ] || { echo "no port is free" >&2; exit 1; }
case $1 in
    gateway) while [ "$1" != --hand-out ]; do shift; done; mkdir -p "$2"; echo bearer >"$2/authorization" ;;
    simulator) echo "$*" ;;
    sandbox) shift; echo "{\\"options\\": \\"$*\\"}" ;;
    explain) echo "$*"; [ -z "$LONG" ] || head -c 70000 /dev/zero | tr '\\0' x; [ "$2" != wrong ]; exit ;;
esac
while kill -0 "$PPID" 2>/dev/null; do sleep 0.1; done
"""


def test_the_action_fits_its_schema():
    jsonschema.validate(ACTION, schema("github-actions"))
    declared = set(ACTION["inputs"])
    assert set(re.findall(r"inputs\.(\w+)", json.dumps(ACTION["runs"]))) == declared


class GitHub(http.server.ThreadingHTTPServer):
    """The comments and files of pull request 7 as the REST API has them.

    Source: GitHub REST API, "Issue comments" and "List pull requests files".
    """

    def __init__(self):
        super().__init__(("127.0.0.1", 0), GitHubHandler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.comments, self.files, self.calls, self.can_write = [], [], [], True
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def add(self, body, login="github-actions[bot]"):
        self.comments.append({"id": len(self.comments) + 1, "user": {"login": login}, "body": body})
        return self.comments[-1]


class GitHubHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        github = self.server
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "null")
        url = urlsplit(self.path)
        path = url.path.removeprefix("/repos/team/app/")
        github.calls.append((self.command, path))
        if self.headers["Authorization"] != f"Bearer {WORKFLOW_TOKEN}":
            return 401, {"message": "Bad credentials"}
        if self.command == "GET" and path in ("issues/7/comments", "pulls/7/files"):
            query = {key: int(value) for key, value in parse_qsl(url.query)}
            size, page = min(query.get("per_page", 30), 100), query.get("page", 1)
            return 200, (github.files if path.startswith("pulls") else github.comments)[size * (page - 1):size * page]
        if not github.can_write:
            return 403, {"message": "Resource not accessible by integration"}
        if len(body["body"]) > 65536:
            return 422, {"message": "Validation Failed"}
        if (self.command, path) == ("POST", "issues/7/comments"):
            return 201, github.add(body["body"])
        if self.command == "PATCH" and (found := re.fullmatch(r"issues/comments/(\d+)", path)):
            github.comments[int(found[1]) - 1] |= body
            return 200, github.comments[int(found[1]) - 1]
        return 404, {"message": "Not Found"}

    def do_GET(self):
        status, body = self.answer()
        written = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)

    do_POST = do_PATCH = do_GET

    def log_message(self, *_):
        pass


def test_yamllint_finds_nothing_in_the_files_of_others_tools():
    rules = "{extends: relaxed, rules: {line-length: disable}}"
    files = ["action.yml", "compose.yaml", "compose.nodes.yaml", "Documentation/alerts.yaml"]
    done = subprocess.run([need("yamllint"), "--strict", "-d", rules, *files], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout


@pytest.fixture
def github():
    server = GitHub()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def runner(tmp_path, github):
    """Runs the steps of the action as a runner does. Returns what they have handed over, and what they have printed."""
    files = tmp_path / "files"
    files.mkdir()
    name = f"posthorn-0.1.0-linux-{os.uname().machine}"
    (tmp_path / name / "bin").mkdir(parents=True)
    (tmp_path / name / "bin/posthorn").write_text(PROGRAM)
    (tmp_path / name / "bin/posthorn").chmod(0o755)
    with tarfile.open(files / f"{name}.tar.gz", "w:gz") as tar:
        tar.add(tmp_path / name, name)
    digest = hashlib.sha256((files / f"{name}.tar.gz").read_bytes()).hexdigest()
    (files / "SHA256SUMS").write_text(f"{digest}  {name}.tar.gz\n")

    event = tmp_path / "event.json"

    def run(status=0, pull=None, **inputs):
        event.write_text(json.dumps({"pull_request": {"number": pull}} if pull else {"ref": "refs/heads/main"}))
        inputs = {key: value.get("default") for key, value in ACTION["inputs"].items()} | {
            "version": "0.1.0", "files": files.as_uri(), **inputs,
        }
        handed = {name: tmp_path / name for name in ("GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_STEP_SUMMARY")}
        for path in handed.values():
            path.write_text("")
        (tmp_path / "temp").mkdir(exist_ok=True)
        printed = ""
        for step in ACTION["runs"]["steps"]:
            if "if" in step:
                name, value = re.fullmatch(r"inputs\.(\w+) != '(\w*)'", step["if"]).groups()
                if inputs[name] == value:
                    continue
            output = dict(line.split("=", 1) for line in handed["GITHUB_OUTPUT"].read_text().splitlines())
            words = {f"inputs.{key}": value for key, value in inputs.items()}
            words |= {f"steps.install.outputs.{key}": value for key, value in output.items()} | {"github.token": WORKFLOW_TOKEN}
            environment = {key: words[value.removeprefix("${{ ").removesuffix(" }}")] for key, value in step["env"].items()}
            environment |= {key: str(path) for key, path in handed.items()} | {"RUNNER_TEMP": str(tmp_path / "temp")}
            environment |= {"FAILS": os.environ.get("FAILS", ""), "GITHUB_ACTION_PATH": str(tmp_path)}
            environment |= {"GITHUB_API_URL": github.url, "GITHUB_REPOSITORY": "team/app", "GITHUB_EVENT_PATH": str(event)}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                env=os.environ | environment, capture_output=True, text=True, timeout=60,
            )
            printed += done.stdout + done.stderr
            if done.returncode:
                assert done.returncode == status, printed
                break
        else:
            assert status == 0, printed
        return {name: path.read_text() for name, path in handed.items()}, printed

    return run


def test_the_action_installs_the_program(runner):
    need("curl")
    handed, _ = runner()
    program = handed["GITHUB_OUTPUT"].strip().removeprefix("program=")
    assert os.access(program, os.X_OK) and handed["GITHUB_PATH"].strip() == str(pathlib.Path(program).parent)
    assert handed["GITHUB_ENV"] == ""


def test_the_action_starts_an_apns_or_a_sandbox(runner):
    need("curl")
    handed, _ = runner(start="gateway", options="--tokens 3")
    folder = handed["GITHUB_ENV"].strip().removeprefix("APNS=")
    assert pathlib.Path(folder, "authorization").read_text() == "bearer\n"
    handed, _ = runner(start="sandbox", options="--devices 2")
    printed = json.loads(pathlib.Path(handed["GITHUB_ENV"].strip().removeprefix("POSTHORN_SANDBOX=")).read_text())
    assert printed["options"].endswith(" --devices 2")


def test_the_action_on_a_mac_builds_the_program_and_starts_the_simulator_alone(runner, monkeypatch, tmp_path):
    """No Mac takes part: `uname` and `swift` are programs of the test."""
    tools = tmp_path / "tools"
    tools.mkdir()
    built = next(tmp_path.glob("posthorn-*")) / "bin"
    for tool, script in {
        "uname": "echo Darwin",
        "swift": f'case "$*" in *--show-bin-path) echo "{built}" ;; *--product*) [ "$3" = "$GITHUB_ACTION_PATH" ] ;; esac',
    }.items():
        (tools / tool).write_text(f"#!/bin/sh\n{script}\n")
        (tools / tool).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    handed, _ = runner(start="simulator", options="--courier ws://10.0.0.7:5223/courier --app com.example.app")
    assert handed["GITHUB_OUTPUT"] == f"program={built}/posthorn\n"
    printed = pathlib.Path(handed["GITHUB_ENV"].strip().removeprefix("POSTHORN_SIMULATOR=")).read_text()
    assert printed == "simulator --courier ws://10.0.0.7:5223/courier --app com.example.app\n"
    assert "which needs Linux" in runner(2, start="gateway")[1]


def test_the_action_puts_a_table_of_pushes_into_the_summary(runner):
    need("curl")
    need("jq")
    handed, printed = runner(payloads="pushes")
    assert handed["GITHUB_STEP_SUMMARY"] == "explain pushes --markdown --check\n"
    assert "the event is no pull request" in printed
    runner(payloads="wrong", status=1)


def test_a_pull_request_that_changes_pushes_has_one_comment_with_the_table(runner, github, monkeypatch):
    need("curl"), need("jq")
    for number in range(149):
        github.add(f"Looks good {number}", "ann")
    github.add("<!-- posthorn explain wrong -->\nnot the bot's", "ann")
    github.files = [{"filename": f"Sources/{number}.swift"} for number in range(230)] + [{"filename": "wrongly/a.json"}]
    assert "changes no file of ./wrong/" in runner(payloads="./wrong/", pull=7)[1] and len(github.comments) == 150
    # A file that was moved away is a change too. The table is there although the step fails.
    github.files[225] = {"filename": "old.json", "previous_filename": "wrong/a.json"}
    runner(payloads="wrong", pull=7, status=1)
    assert [comment["body"] for comment in github.comments[150:]] == ["<!-- posthorn explain wrong -->\nexplain wrong --markdown --check\n"]
    # Later runs update it, also when the pull request changes no push any more. Another folder has its own.
    github.files = [{"filename": "other/b.json"}]
    github.comments[150]["body"] = github.comments[150]["body"].replace("--markdown", "earlier")
    runner(payloads="wrong", pull=7, status=1)
    runner(payloads="other", pull=7)
    assert len(github.comments) == 152 and github.comments[149]["user"]["login"] == "ann"
    assert "--markdown" in github.comments[150]["body"] and "explain other" in github.comments[151]["body"]
    assert [call for call in github.calls if call[0] != "GET"] == [
        ("POST", "issues/7/comments"), ("PATCH", "issues/comments/151"), ("POST", "issues/7/comments"),
    ]
    monkeypatch.setenv("LONG", "yes")
    runner(payloads="other", pull=7)
    assert github.comments[151]["body"].endswith("The rest is in the summary of the job.")


def test_a_comment_that_may_not_be_written_fails_nothing(runner, github):
    need("curl"), need("jq")
    github.files, github.can_write = [{"filename": "pushes/a.json"}], False
    handed, printed = runner(payloads="pushes", pull=7)
    assert "403" in printed and "pull-requests: write" in printed and WORKFLOW_TOKEN not in printed
    assert handed["GITHUB_STEP_SUMMARY"] and not github.comments


def test_the_action_fails_with_the_reason(runner, monkeypatch, tmp_path):
    need("curl")
    assert "expected gateway, sandbox, simulator or nothing" in runner(2, start="phone")[1]
    (tmp_path / "files/SHA256SUMS").write_text((tmp_path / "files/SHA256SUMS").read_text().replace(" ", "0 ", 1)[1:])
    assert "FAILED" in runner(1)[1]


def test_the_action_shows_the_log_of_a_program_that_ends(runner, monkeypatch):
    need("curl")
    monkeypatch.setenv("FAILS", "yes")
    assert "no port is free" in runner(1, start="gateway")[1]


# MARK: publishing


@pytest.fixture
def release(tmp_path):
    """A folder with files of a release, which are empty but for their names."""
    ends = ["linux-x86_64.tar.gz", "oci-amd64.tar", "site.tar.gz", "kubernetes.yaml"]
    names = [f"posthorn-{VERSION}-{end}" for end in ends]
    names += [f"posthorn-{VERSION}{end}" for end in (".tgz", ".spdx.json")]
    names += [f"posthorn_{VERSION}_amd64.deb", f"posthorn-client-{VERSION}.tar.gz", f"pytest_posthorn-{VERSION}-py3-none-any.whl"]
    for name in names:
        (tmp_path / name).write_text(name)
    homebrew.write(tmp_path, VERSION, "https://push.example.com/files")
    made = sorted(tmp_path.iterdir())
    (tmp_path / "SHA256SUMS").write_text("".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made))
    return tmp_path


def publish(folder, *options, **places):
    command = [ROOT / "Scripts/publish", "--files", folder, *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ | places)


def test_a_dry_run_says_what_would_be_published_and_where(release):
    done = publish(release, POSTHORN_REGISTRY="registry.example.com/push")
    assert done.returncode == 0, done.stderr
    assert not re.search(r"^✘ (?!CHANGELOG|the checkout|the tag)", done.stdout, re.M), done.stdout
    assert f"docker://registry.example.com/push/posthorn:{VERSION}" in done.stdout
    assert f"\n– the formula: left out, because POSTHORN_TAP is not set\n" in done.stdout
    assert "\n→ the chart\n" in done.stdout and "Nothing was published" in done.stdout
    assert not (release / "SHA256SUMS.asc").exists()


def test_changed_missing_and_foreign_files_are_not_published(release):
    (release / f"posthorn-{VERSION}.tgz").write_text("changed")
    (release / f"posthorn_{VERSION}_amd64.deb").unlink()
    (release / "notes.txt").write_text("")
    done = publish(release, "--really")
    assert done.returncode == 1 and done.stderr == "Nothing was published.\n"
    for problem in [
        f"posthorn-{VERSION}.tgz is not the file of SHA256SUMS", f"posthorn_{VERSION}_amd64.deb is not the file of SHA256SUMS",
        "notes.txt is not in SHA256SUMS",
    ]:
        assert f"✘ {problem}\n" in done.stdout


@pytest.fixture
def signer(monkeypatch):
    """A key of gpg's, in a folder of its own. The name is short, because that of its agent's socket may have 107 bytes."""
    need("gpg")
    with tempfile.TemporaryDirectory(prefix="gpg") as home:
        monkeypatch.setenv("GNUPGHOME", home)
        key = "Posthorn <posthorn@example.com>"
        subprocess.run(
            ["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", key, "ed25519", "sign", "1d"], check=True, capture_output=True
        )
        yield key
        subprocess.run(["gpgconf", "--kill", "all"], check=True)


def test_the_client_is_published_as_a_repository_with_a_signed_tag(release, tmp_path, monkeypatch, signer):
    remote = tmp_path / "posthorn-client.git"
    for role in ["AUTHOR", "COMMITTER"]:
        monkeypatch.setenv(f"GIT_{role}_NAME", "Posthorn")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "posthorn@example.com")
    monkeypatch.setenv("POSTHORN_SIGNER", signer)
    loader = importlib.machinery.SourceFileLoader("publish", str(ROOT / "Scripts/publish"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("publish", loader))
    monkeypatch.setitem(sys.modules, "publish", module)
    loader.exec_module(module)
    places = {"POSTHORN_CLIENT": str(remote)}
    step, = [step for step in module.steps(release, VERSION, lambda name: places.get(name, name)) if step.place == "POSTHORN_CLIENT"]
    for command in step.commands:
        subprocess.run(command, check=True, capture_output=True, timeout=60)
    tag = subprocess.run(["git", "-C", remote, "tag", "--verify", VERSION], capture_output=True, text=True)
    assert tag.returncode == 0 and "Good signature" in tag.stderr, tag.stderr
    files = subprocess.run(["git", "-C", remote, "ls-tree", "-r", "--name-only", VERSION], check=True, capture_output=True, text=True).stdout
    assert {"Package.swift", "README.md", "Sources/PosthornClient/PosthornClient.swift"} < set(files.splitlines())
    # The same version is not published again.
    subprocess.run(step.commands[0], check=True)
    again = subprocess.run(step.commands[1], capture_output=True, text=True, timeout=60)
    assert again.returncode == 1 and f"has the tag {VERSION} already" in again.stderr


def test_the_documented_products_of_the_package_index_are_products():
    configurations = yaml.safe_load((ROOT / ".spi.yml").read_text())["builder"]["configs"]
    products = set(re.findall(r'\.library\(name: "(\w+)"', (ROOT / "Package.swift").read_text()))
    assert all(set(entry["documentation_targets"]) <= products for entry in configurations)


def test_the_formula_is_ruby_with_the_checksum_of_the_tarball(release):
    formula = (release / "posthorn.rb").read_text()
    done = subprocess.run([need("ruby"), "-wc"], input=formula, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    name = f"posthorn-{VERSION}-linux-x86_64.tar.gz"
    assert f'url "https://push.example.com/files/{name}"' in formula
    assert hashlib.sha256((release / name).read_bytes()).hexdigest() in formula


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        MANIFESTS.write_text(HEAD + rendered(renderer(pathlib.Path(place), {"GOCACHE": f"{place}/cache", "HOME": place})))
