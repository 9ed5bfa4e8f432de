"""The fixtures of Fixtures/, each with its example in Examples/CIFixtures, against a real client of its language.

An example runs in a folder with nothing but itself, the helper as it is shipped, and the program.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile

import engine
import pytest
import yaml
from peers import GO_SOURCE, need
from processes import BINARY

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES, FIXTURES = ROOT / "Examples/CIFixtures", ROOT / "Fixtures"
sys.path.insert(0, str(ROOT / "Scripts/packaging"))
import wheel  # noqa: E402

VERSION = "0.0.1"


def run(command, folder, status=0, limit=600, **environment):
    """What a command has printed; it has the program as POSTHORN, unless the test says otherwise."""
    environment = os.environ | {"POSTHORN": str(BINARY)} | environment
    done = subprocess.run(
        [*map(str, command)], cwd=folder, env=environment, capture_output=True, text=True, timeout=limit,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return wheel.write(tmp_path_factory.mktemp("wheel"), VERSION, 1_790_000_000)


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """A folder with the wheel, as pip installs it."""
    folder = tmp_path_factory.mktemp("installed")
    run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", folder, built], folder)
    return folder


def pytest_of(folder, installed, *options, status=0, **environment):
    """A run of pytest that finds the plugin by its entry point."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "."]
    return run(command, folder, status, PYTHONPATH=str(installed), **environment)


def test_the_wheel_depends_on_sources_version_and_time_alone(built, tmp_path):
    again = wheel.write(tmp_path, VERSION, 1_790_000_000)
    assert again.read_bytes() == built.read_bytes()
    with zipfile.ZipFile(built) as archive:
        assert archive.testzip() is None
        assert {name.rsplit("/", 1)[-1] for name in archive.namelist()} == {
            "pytest_posthorn.py", "testcontainers_posthorn.py", "LICENSE", "METADATA", "WHEEL", "entry_points.txt", "RECORD",
        }


def test_pip_installs_the_folder_of_a_checkout(tmp_path):
    """In an environment of its own and without a network: only pytest is there already."""
    place = tmp_path / "environment"
    run([sys.executable, "-m", "venv", place], tmp_path)
    python = place / "bin/python"
    [packages] = place.glob("lib/python*/site-packages")
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    install = [python, "-m", "pip", "install", "--quiet", "--no-index", "--disable-pip-version-check"]
    run([*install, FIXTURES / "python"], tmp_path)
    version = re.search(r'static let version = "(.+)"', (ROOT / "Sources/App/posthorn/Posthorn.swift").read_text())[1]
    assert (packages / f"pytest_posthorn-{version}.dist-info/entry_points.txt").is_file()
    # Installing leaves nothing in the checkout.
    assert not [name for name in ("build", "dist", "pytest_posthorn.egg-info") if (FIXTURES / "python" / name).exists()]
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_it.py").write_text("def test_it(posthorn_apns):\n    assert posthorn_apns.token()\n")
    said = run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"], tmp_path)
    assert "1 passed" in said


@pytest.mark.release("starts several runs of tests")
def test_a_backend_with_aioapns(installed, tmp_path):
    shutil.copytree(EXAMPLES / "python", tmp_path, dirs_exist_ok=True)
    count = len(re.findall(r"^def test_", (tmp_path / "test_backend.py").read_text(), re.M))
    assert f"{count} passed" in pytest_of(tmp_path, installed, "--ignore=test_container.py")


@pytest.fixture
def docker():
    """The variables by which Testcontainers finds an engine, without its watchdog."""
    docker = engine.Engine()
    yield {
        "DOCKER_HOST": docker.url, "TESTCONTAINERS_RYUK_DISABLED": "true", "TESTCONTAINERS_HOST_OVERRIDE": "localhost",
        "TESTCONTAINERS_CONNECTION_MODE": "docker_host",
    }
    docker.close()


@pytest.mark.release("starts containers")
def test_a_backend_with_testcontainers_for_python(installed, docker, tmp_path):
    shutil.copytree(EXAMPLES / "python", tmp_path, dirs_exist_ok=True)
    count = len(re.findall(r"^def test_", (tmp_path / "test_container.py").read_text(), re.M))
    assert f"{count} passed" in pytest_of(tmp_path, installed, "--ignore=test_backend.py", POSTHORN="", **docker)


@pytest.mark.release("starts several runs of tests")
def test_what_did_not_arrive_is_a_story(installed, tmp_path):
    (tmp_path / "backend.py").write_text((EXAMPLES / "python/backend.py").read_text())
    head = (EXAMPLES / "python/test_backend.py").read_text().split("def test_a_push_arrives")[0]
    (tmp_path / "test_story.py").write_text(head + '''
def test_waits(posthorn_apns):
    posthorn_apns.fail_next("TooManyRequests", count=9)
    notify(posthorn_apns, "Lunch is ready", [posthorn_apns.token()])
    posthorn_apns.wait(within=0.1, text="Dinner")


def test_asserts(posthorn_apns):
    notify(posthorn_apns, "Dinner is ready", [posthorn_apns.token()])
    assert len(posthorn_apns.pushes()) == 2


def test_sees_only_its_own(posthorn_apns):
    assert posthorn_apns.pushes() == []


def test_knows_the_reasons(posthorn_apns):
    import pytest

    with pytest.raises(Exception, match="'NoSuch'; expected a reason of APNs; the nearest is"):
        posthorn_apns.fail_next("NoSuch")
''')
    told = pytest_of(tmp_path, installed, status=1)
    assert "waited 0.1 s for a push, text 'Dinner'; found 0." in told
    assert re.search(r"#\d+ at \S+: 429 TooManyRequests, .*, payload .*Lunch is ready", told)
    assert '"reason": "TooManyRequests"' in told and "3 times so far" in told
    assert "posthorn_apns -----" in told and "Dinner is ready" in told
    assert "2 failed, 2 passed" in told


@pytest.mark.release("starts several runs of tests")
def test_a_missing_program_is_said(installed, tmp_path):
    (tmp_path / "test_nothing.py").write_text("def test_nothing(posthorn_apns): pass\n")
    assert "'./nowhere' is not a program" in pytest_of(tmp_path, installed, status=1, POSTHORN="./nowhere")
    told = pytest_of(tmp_path, installed, status=1, POSTHORN="", PATH="/usr/bin")
    assert "posthorn is not on the PATH" in told
    assert "1 passed" in pytest_of(tmp_path, installed, f"--posthorn={BINARY}", POSTHORN="./nowhere")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\nposthorn = {BINARY}\n")
    assert "1 passed" in pytest_of(tmp_path, installed, POSTHORN="")


@pytest.mark.release("starts several runs of tests")
def test_a_backend_with_node_http2(tmp_path):
    shutil.copytree(EXAMPLES / "node", tmp_path, dirs_exist_ok=True)
    shutil.copy(FIXTURES / "node/posthorn.mjs", tmp_path)
    count = len(re.findall(r"^test\(", (tmp_path / "backend.test.mjs").read_text(), re.M))
    assert f"# pass {count}\n" in run([need("node"), "--test", "."], tmp_path)
    (tmp_path / "backend.test.mjs").write_text(
        'import test from "node:test";\nimport { startAPNs } from "./posthorn.mjs";\n'
        'test("a story", async (t) => (await startAPNs(t)).wait({ text: "Lunch", within: 0.1 }));\n'
    )
    told = run([need("node"), "--test", "."], tmp_path, status=1)
    assert 'waited 0.1 s for a push, text "Lunch"; found 0.' in told and "No push of this test has arrived." in told
    assert "'./nowhere' is not there" in run([need("node"), "--test", "."], tmp_path, status=1, POSTHORN="./nowhere")


# As much of the package `testcontainers` as the fixture uses, on the API of Docker: the package itself is not in Debian.
TESTCONTAINERS = """
import { request } from "node:http";
const ask = (method, path, body) => new Promise((resolve, reject) => {
    const call = request({ socketPath: process.env.DOCKER_HOST.slice("unix://".length), method, path }, resolve);
    call.once("error", reject).end(body && JSON.stringify(body));
});
const text = async (answer) => { let said = ""; for await (const part of answer) said += part; return said; };
export const Wait = { forLogMessage: (pattern) => pattern };
export class GenericContainer {
    constructor(image) { this.config = { Image: image }; }
    withExposedPorts(...ports) { this.config.ExposedPorts = Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])); return this; }
    withEnvironment(values) { this.config.Env = Object.entries(values).map(([name, value]) => `${name}=${value}`); return this; }
    withCommand(words) { this.config.Cmd = words; return this; }
    withWaitStrategy(pattern) { this.pattern = pattern; return this; }
    async start() {
        const { Id } = JSON.parse(await text(await ask("POST", "/containers/create", this.config)));
        await text(await ask("POST", `/containers/${Id}/start`));
        while (!this.pattern.test(await text(await ask("GET", `/containers/${Id}/logs?stdout=1`))));
        const { NetworkSettings } = JSON.parse(await text(await ask("GET", `/containers/${Id}/json`)));
        return {
            getHost: () => "localhost",
            getMappedPort: (port) => Number(NetworkSettings.Ports[`${port}/tcp`][0].HostPort),
            copyArchiveFromContainer: (path) => ask("GET", `/containers/${Id}/archive?path=${encodeURIComponent(path)}`),
            stop: async () => { await text(await ask("DELETE", `/containers/${Id}`)); },
        };
    }
}
"""


@pytest.mark.release("starts containers")
def test_a_backend_with_a_container_for_node(docker, tmp_path):
    shutil.copytree(EXAMPLES / "node", tmp_path, dirs_exist_ok=True)
    shutil.copy(FIXTURES / "node/posthorn.mjs", tmp_path)
    package = tmp_path / "node_modules/testcontainers"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"type": "module", "exports": "./index.js"}')
    (package / "index.js").write_text(TESTCONTAINERS)
    # The last test is of a sandbox, which has no container.
    text = (tmp_path / "backend.test.mjs").read_text().partition('test("the phone')[0]
    text = text.replace("startAPNs(t)", 'startAPNsContainer(t, "posthorn:0.1.0")').replace("startAPNs,", "startAPNsContainer,")
    (tmp_path / "backend.test.mjs").write_text(text)
    count = len(re.findall(r"^test\(", text, re.M))
    assert count and f"# pass {count}\n" in run([need("node"), "--test", "."], tmp_path, POSTHORN="", **docker)


@pytest.mark.release("compiles Go's HTTP server and its tests")
def test_a_backend_with_x_net(tmp_path, go_environment):
    tests = tmp_path / "src/backend"
    shutil.copytree(EXAMPLES / "go", tests)
    shutil.copytree(FIXTURES / "go", tmp_path / "src/posthorntest", ignore=shutil.ignore_patterns("container.go"))
    environment = go_environment | {"GO111MODULE": "off", "GOPATH": f"{tmp_path}:{GO_SOURCE}", "GOFLAGS": ""}
    run([need("go"), "vet", "."], tests, **environment)
    count = len(re.findall(r"^func Test", (tests / "backend_test.go").read_text(), re.M))
    assert run(["go", "test", "-count=1", "-v", "."], tests, **environment).count("--- PASS") == count
    (tests / "backend_test.go").write_text(
        'package backend\n\nimport (\n\t"posthorntest"\n\t"testing"\n\t"time"\n)\n\n'
        'func TestStory(t *testing.T) {\n'
        '\tposthorntest.StartAPNs(t).Wait(1, 100*time.Millisecond, posthorntest.Conditions{Text: "Lunch"})\n}\n'
    )
    told = run(["go", "test", "-count=1", "."], tests, status=1, **environment)
    assert "waited 100ms for 1 pushes with map[text:[Lunch]]; found 0." in told
    assert "No push of this test has arrived." in told
    assert "'./nowhere' is not there" in run(["go", "test", "-count=1", "."], tests, 1, POSTHORN="./nowhere", **environment)


# The same of the module `github.com/testcontainers/testcontainers-go`, with the names and types of its API.
TESTCONTAINERS_GO = """
package testcontainers

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/testcontainers/testcontainers-go/wait"
)

type ContainerRequest struct {
	Image        string
	ExposedPorts []string
	Env          map[string]string
	Cmd          []string
	WaitingFor   *wait.LogStrategy
}

type GenericContainerRequest struct {
	ContainerRequest
	Started bool
}

type Port string

func (port Port) Port() string { return string(port) }

type TerminateOption func()

type Container interface {
	Host(context.Context) (string, error)
	MappedPort(context.Context, string) (Port, error)
	CopyFileFromContainer(ctx context.Context, filePath string) (io.ReadCloser, error)
	Terminate(ctx context.Context, opts ...TerminateOption) error
}

type container string

var docker = http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
	return net.Dial("unix", strings.TrimPrefix(os.Getenv("DOCKER_HOST"), "unix://"))
}}}

func ask(method, path string, body any) ([]byte, error) {
	content := []byte{}
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequest(method, "http://docker/containers/"+path, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	answer, err := docker.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return io.ReadAll(answer.Body)
}

func GenericContainer(ctx context.Context, request GenericContainerRequest) (Container, error) {
	ports, variables := map[string]any{}, []string{}
	for _, port := range request.ExposedPorts {
		ports[port] = map[string]any{}
	}
	for name, value := range request.Env {
		variables = append(variables, name+"="+value)
	}
	text, err := ask("POST", "create", map[string]any{"Image": request.Image, "ExposedPorts": ports, "Env": variables, "Cmd": request.Cmd})
	if err != nil {
		return nil, err
	}
	var made struct{ Id string }
	if err := json.Unmarshal(text, &made); err != nil {
		return nil, err
	}
	if _, err := ask("POST", made.Id+"/start", nil); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(request.WaitingFor.Limit); time.Now().Before(deadline); {
		log, err := ask("GET", made.Id+"/logs?stdout=1", nil)
		if err != nil {
			return nil, err
		}
		if strings.Contains(string(log), request.WaitingFor.Log) {
			return container(made.Id), nil
		}
	}
	return nil, context.DeadlineExceeded
}

func (id container) Host(context.Context) (string, error) { return "localhost", nil }

func (id container) MappedPort(ctx context.Context, port string) (Port, error) {
	text, err := ask("GET", string(id)+"/json", nil)
	if err != nil {
		return "", err
	}
	var facts struct{ NetworkSettings struct{ Ports map[string][]struct{ HostPort Port } } }
	err = json.Unmarshal(text, &facts)
	return facts.NetworkSettings.Ports[port][0].HostPort, err
}

func (id container) CopyFileFromContainer(ctx context.Context, path string) (io.ReadCloser, error) {
	text, err := ask("GET", string(id)+"/archive?path="+url.QueryEscape(path), nil)
	if err != nil {
		return nil, err
	}
	archive := tar.NewReader(bytes.NewReader(text))
	_, err = archive.Next()
	return io.NopCloser(archive), err
}

func (id container) Terminate(ctx context.Context, opts ...TerminateOption) error {
	_, err := ask("DELETE", string(id), nil)
	return err
}
"""
TESTCONTAINERS_GO_WAIT = """
package wait

import "time"

type LogStrategy struct {
	Log   string
	Limit time.Duration
}

func ForLog(log string) *LogStrategy { return &LogStrategy{log, time.Minute} }

func (strategy *LogStrategy) WithStartupTimeout(limit time.Duration) *LogStrategy {
	strategy.Limit = limit
	return strategy
}
"""


@pytest.mark.release("compiles Go's HTTP server and its tests, and starts containers")
def test_a_backend_with_a_container_for_go(docker, tmp_path, go_environment):
    tests = tmp_path / "src/backend"
    shutil.copytree(EXAMPLES / "go", tests)
    shutil.copytree(FIXTURES / "go", tmp_path / "src/posthorntest")
    module = tmp_path / "src/github.com/testcontainers/testcontainers-go"
    (module / "wait").mkdir(parents=True)
    (module / "testcontainers.go").write_text(TESTCONTAINERS_GO)
    (module / "wait/wait.go").write_text(TESTCONTAINERS_GO_WAIT)
    # The last test is of a sandbox, which has no container.
    text = (tests / "backend_test.go").read_text().partition("func TestThePhone")[0]
    text = text.replace("StartAPNs(t)", 'StartAPNsContainer(t, "posthorn:0.1.0")')
    for unused in ("encoding/json", "net/http", "strings"):
        text = text.replace(f'\t"{unused}"\n', "")
    (tests / "backend_test.go").write_text(text)
    environment = go_environment | {"GO111MODULE": "off", "GOPATH": f"{tmp_path}:{GO_SOURCE}", "GOFLAGS": "", "POSTHORN": ""} | docker
    run([need("go"), "vet", ".", "posthorntest"], tests, **environment)
    count = len(re.findall(r"^func Test", text, re.M))
    assert count and run(["go", "test", "-count=1", "-v", "."], tests, **environment).count("--- PASS") == count


@pytest.mark.release("compiles Java and runs JUnit")
def test_a_backend_with_the_jdks_client(tmp_path):
    """Without the container, whose superclass no package of Debian has."""
    jars = [f"/usr/share/java/{name}.jar" for name in (
        "junit-jupiter-api", "junit-jupiter-engine", "junit-platform-commons", "junit-platform-engine", "junit-platform-launcher",
        "junit-platform-console", "junit-platform-reporting", "opentest4j", "apiguardian-api", "picocli",
    )]
    sources = [FIXTURES / "java/posthorn/Apns.java", *(EXAMPLES / "java").glob("*.java")]
    run([need("javac"), "-d", tmp_path, "-cp", ":".join(jars), *sources], tmp_path)
    count = len(re.findall(r"^    @Test ", (EXAMPLES / "java/BackendTest.java").read_text(), re.M))
    launcher = ["org.junit.platform.console.ConsoleLauncher", "--scan-classpath", tmp_path, "--disable-ansi-colors"]
    assert f"{count} tests successful" in run(["java", "-cp", ":".join([str(tmp_path), *jars]), *launcher], tmp_path)


@pytest.mark.release("compiles a package with async-http-client")
def test_a_backend_with_async_http_client():
    """Its dependencies are compiled once and kept in .build/ci-fixtures."""
    folder = ROOT / ".build/ci-fixtures"
    package = folder / "swift"
    shutil.rmtree(package, ignore_errors=True)
    ignored = shutil.ignore_patterns(".build", "Package.resolved")
    shutil.copytree(EXAMPLES / "swift", package, ignore=ignored)
    shutil.copytree(FIXTURES / "swift", package / "PosthornFixtures", ignore=ignored)
    count = len(re.findall("@Test", (package / "Tests/BackendTests/BackendTests.swift").read_text()))
    told = run(["swift", "test", "--scratch-path", folder / "scratch"], package, limit=1800)
    assert re.search(rf"Test run with {count} tests in 1 suite passed", told), told


def test_the_helpers_share_a_vocabulary():
    """What one can do, the others can, under the name that is usual in the language. So do their containers, of the same command."""
    words = [
        "token", "unregister", "expire", "pushes", "wait", "state", "waitState", "failNext", "delay", "goAway", "reset", "close",
        "fault", "times", "endFaults", "now", "turnClock", "story", "makeKey", "revokeKey",
    ]
    python = (FIXTURES / "python/pytest_posthorn.py").read_text()
    node = (FIXTURES / "node/posthorn.mjs").read_text()
    go = (FIXTURES / "go/posthorn.go").read_text()
    swift = "".join((FIXTURES / f"swift/Sources/PosthornFixtures/{name}.swift").read_text() for name in ("APNs", "Keys"))
    java = (FIXTURES / "java/posthorn/Apns.java").read_text()
    dotnet = (FIXTURES / "dotnet/Posthorn.cs").read_text()
    for word in words:
        snake = re.sub(r"[A-Z]", lambda letter: "_" + letter[0].lower(), word)
        assert re.search(rf"    def {snake}\(self", python), word
        assert re.search(rf"^    async {word}\(", node, re.M), word
        assert re.search(rf"^func \(apns \*APNs\) {word[0].upper()}{word[1:]}\(", go, re.M), word
        assert re.search(rf"^    public [\w<>]+ {word}\(", java, re.M), word
        assert re.search(rf"^    public (async )?Task(<[\w<>]+>)? {word[0].upper()}{word[1:]}Async\(", dotnet, re.M), word
        name = {"waitState": r"wait\(for", "now": "now"}.get(word, rf"{word}\(")
        assert re.search(rf"public (func|var) {name}", swift), word
    for word in ["development", "production", "topic", "related", "secondTeam", "secondTeamTopic"]:
        snake = re.sub(r"[A-Z]", lambda letter: "_" + letter[0].lower(), word)
        capital = word[0].upper() + word[1:]
        assert re.search(rf"^    {snake}: (Key|str)", python, re.M), word
        assert re.search(rf"\b{word}: (key|this)", node), word
        assert re.search(rf"\b{capital}(, \w+)* +(Key|string)$", go, re.M), word
        assert re.search(rf"^    public let {word}: (SigningKey|String)$", swift, re.M), word
        assert re.search(rf"record Keys\(.*\b(Key|String) {word}\b", java), word
        assert re.search(rf"^    SigningKey .*\b(SigningKey|string) {capital}\b|^    SigningKey {capital}\b", dotnet, re.M), word
    containers = [
        (FIXTURES / "python/testcontainers_posthorn.py").read_text(), node, (FIXTURES / "go/container.go").read_text(),
        (FIXTURES / "java/posthorn/PosthornContainer.java").read_text(), dotnet,
    ]
    for text in containers:
        assert '"gateway", "--json"' in text
        for option in ("data", "hand-out", "tokens", "host", "development-port", "production-port", "control-host", "control-port"):
            assert f'"--{option}"' in text, option
        assert "POSTHORN_CONTROL_TOKEN" in text and "POSTHORN_COURIER_TOKEN" in text


def test_the_workflow_fetches_verifies_and_finds_the_program(tmp_path):
    """Its shell steps, as GitHub runs them, with a release on this machine. The runner itself is not here."""
    workflow = yaml.safe_load((EXAMPLES / "github-actions.yml").read_text())
    (job,) = workflow["jobs"].values()
    version, name = job["env"]["POSTHORN_VERSION"], f"posthorn-{job['env']['POSTHORN_VERSION']}-linux-x86_64"
    release, work, path = tmp_path / "release", tmp_path / "work", tmp_path / "path"
    (release / name / "bin").mkdir(parents=True)
    work.mkdir()
    (release / name / "bin/posthorn").write_text(f'#!/bin/sh\nexec "{BINARY}" "$@"\n')
    (release / name / "bin/posthorn").chmod(0o755)
    run(["tar", "-czf", f"{name}.tar.gz", name], release)
    (release / "other").write_text("a file of the release that is not fetched")
    sums = subprocess.run(["sha256sum", f"{name}.tar.gz", "other"], cwd=release, capture_output=True, check=True).stdout
    (release / "SHA256SUMS").write_bytes(sums)
    need("curl")
    steps = [step["run"] for step in job["steps"] if "run" in step]
    assert len(steps) == 2 and version
    fetch = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps[0]]
    environment = job["env"] | {"POSTHORN_FILES": f"file://{release}", "GITHUB_PATH": str(path)}
    assert f"{name}.tar.gz: OK" in run(fetch, work, **environment)
    found = f"{path.read_text().strip()}:{os.environ['PATH']}"
    assert run(["posthorn", "--version"], work, PATH=found).strip()
    # A file that is not the one of the release is not unpacked.
    (release / f"{name}.tar.gz").write_bytes(b"another one")
    path.unlink()
    assert "FAILED" in run(fetch, work, status=1, **environment)
    assert not path.exists()


def test_the_guide_quotes_the_examples():
    guide = (ROOT / "Documentation/Guide/APNsInYourCI.md").read_text().split("## 1. ")[0]
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", guide, re.M | re.S)
    # The use of action.yml, with an owner that a reader puts in.
    (use,) = [text for kind, text in blocks if kind == "text"]
    assert set(yaml.safe_load(use)[0]["with"]) <= set(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])
    files = {
        "python": "python/test_backend.py", "javascript": "node/backend.test.mjs", "go": "go/backend_test.go",
        "swift": "swift/Tests/BackendTests/BackendTests.swift", "yaml": "github-actions.yml",
    }
    assert {kind for kind, _ in blocks} == {*files, "text"}
    for kind, text in blocks:
        if kind == "text":
            continue
        lines = [line.strip() for line in (EXAMPLES / files[kind]).read_text().splitlines()]
        missing = [line for line in text.splitlines() if line.strip() and line.strip() not in lines]
        assert not missing, kind
