"""The proofs of aliases: the code of the guide's page in each language, and a device that uses them."""

import json
import os
import pathlib
import re
import subprocess

import confidential
import pytest
from peers import need
from processes import BINARY
from registration import Device
from test_link import BUNDLE, Service

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = [ROOT / "Documentation/Guide" / page for page in ["ProvedAliases.md", "zh-Hans/ProvedAliases.md"]]
LANGUAGES = ["python", "java", "php", "go", "javascript"]
PAGE = PAGES[0].read_text()
# Key, kind, registration id, name, proof.
KNOWN = [row for row in re.findall(r"^\| `(\w+)` \| `(alias|tag)` \| `(\w+)` \| `([^`]+)` \| `(\w{64})` \|$", PAGE, re.M)]
TOKEN = "ab" * 32


def code(language, page=PAGE):
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", page, re.M | re.S)
    return block


def output(*command, folder):
    environment = os.environ | {"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOCACHE": str(folder / "cache")}
    done = subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True, timeout=900)
    return done.stdout.split()


def proof(*arguments):
    """A proof by the page's Python."""
    names = {}
    exec(code("python"), names)
    return names["proof"](*arguments)


def test_the_pages_have_the_same_code_of_about_ten_lines():
    assert len(KNOWN) == 3
    for language in LANGUAGES:
        blocks = {code(language, page.read_text()) for page in PAGES}
        assert len(blocks) == 1, language
        assert len(blocks.pop().splitlines()) <= 16, language


def test_python():
    for *arguments, expected in KNOWN:
        assert proof(*arguments) == expected


def test_node(tmp_path):
    node = need("node")
    (tmp_path / "proof.mjs").write_text(code("javascript"))
    calls = "".join(f"console.log(proof(...{json.dumps(arguments)}));\n" for *arguments, _ in KNOWN)
    (tmp_path / "main.mjs").write_text(f'import {{ proof }} from "./proof.mjs";\n{calls}')
    assert output(node, "main.mjs", folder=tmp_path) == [expected for *_, expected in KNOWN]


@pytest.mark.release("compiles a program")
def test_java(tmp_path):
    javac = need("javac")
    calls = "".join(f"System.out.println(Proofs.proof({', '.join(map(json.dumps, arguments))}));\n" for *arguments, _ in KNOWN)
    main = f"public class Main {{ public static void main(String[] a) throws Exception {{ {calls} }} }}\n"
    (tmp_path / "Main.java").write_text(code("java") + main)
    output(javac, "-encoding", "UTF-8", "Main.java", folder=tmp_path)
    assert output("java", "Main", folder=tmp_path) == [expected for *_, expected in KNOWN]


@pytest.mark.release("installs PHP")
def test_php(tmp_path):
    php = need("php")
    calls = "".join(f"echo proof({', '.join(json.dumps(text, ensure_ascii=False) for text in arguments)}), PHP_EOL;\n" for *arguments, _ in KNOWN)
    (tmp_path / "main.php").write_text(f"{code('php')}\n{calls}")
    assert output(php, "main.php", folder=tmp_path) == [expected for *_, expected in KNOWN]


@pytest.mark.release("compiles a program")
def test_go(tmp_path):
    go = need("go")
    (tmp_path / "proofs").mkdir()
    (tmp_path / "go.mod").write_text("module example.com/check\n\ngo 1.19\n")
    (tmp_path / "proofs/proofs.go").write_text(code("go"))
    calls = "".join(f"\tfmt.Println(proofs.Proof({', '.join(json.dumps(text, ensure_ascii=False) for text in arguments)}))\n" for *arguments, _ in KNOWN)
    (tmp_path / "main.go").write_text(f'package main\n\nimport (\n\t"fmt"\n\n\t"example.com/check/proofs"\n)\n\nfunc main() {{\n{calls}}}\n')
    assert output(go, "run", ".", folder=tmp_path) == [expected for *_, expected in KNOWN]


@pytest.fixture
def service(tmp_path):
    service = Service(tmp_path)
    yield service
    service.running.stop()


def posthorn(*arguments, fails=False):
    done = subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=60)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stderr if fails else done.stdout


def test_a_device_gets_an_alias_and_a_protected_tag_with_the_backends_proofs(service):
    def app(*arguments, **how):
        return posthorn("app", *arguments, "--data", service.data, **how)

    def set_alias(device, **more):
        return device.call("POST", "/alias", {"operation": "set", "alias": "bob"} | more)

    stranger = Device(service.url, service.app_key, BUNDLE, service.session)
    stranger.register()
    assert set_alias(stranger).status_code == 200, "Anyone sets aliases unless the operator says otherwise."
    said = app("set", service.app_key, "--aliases", "proved", "--protected-tags", "role=")
    assert "with proofs of the backend, and so are tags that begin with 'role='" in said
    assert f"'posthorn app alias-key {service.app_key}' makes it" in said
    made = json.loads(app("alias-key", service.app_key, "--json"))
    key = made["alias_key"]
    confidential.remember(key, "the alias key of an app")
    assert "--rotate" in app("alias-key", service.app_key, fails=True)

    bob = Device(service.url, service.app_key, BUNDLE, service.session)
    bob.register(token=TOKEN)
    refused = set_alias(bob)
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, 6017)
    assert set_alias(bob, proof=proof(key, "alias", stranger.identity[0], "bob")).status_code == 400
    assert set_alias(bob, proof=proof(key, "alias", bob.identity[0], "bob")).json() == {"alias": "bob"}
    tags = {"operation": "add", "tags": ["role=seller"]}
    assert bob.call("POST", "/tags", tags).status_code == 400
    proofs = {"role=seller": proof(key, "tag", bob.identity[0], "role=seller")}
    assert bob.call("POST", "/tags", tags | {"proofs": proofs}).json() == {"tags": ["role=seller"]}

    # The stranger, whose alias is older than the setting, does not read what is for Bob.
    service.push("for Bob", {"alias": ["bob"]})
    service.push("for all")
    assert bob.receive() == ["for Bob", "for all"]
    assert stranger.receive() == ["for all"]
    # What was set, and the key, outlive the service.
    service.running.kill()
    service.start()
    assert "Aliases      with proofs of the backend" in app("show", service.app_key)
    assert bob.call("POST", "/alias", {"operation": "delete"}).status_code == 200
    assert set_alias(bob, proof=proof(key, "alias", bob.identity[0], "bob")).status_code == 200
    later = json.loads(app("alias-key", service.app_key, "--rotate", "--json"))["alias_key"]
    confidential.remember(later, "the alias key of an app")
    assert set_alias(bob, proof=proof(key, "alias", bob.identity[0], "bob")).status_code == 400
    assert set_alias(bob, proof=proof(later, "alias", bob.identity[0], "bob")).status_code == 200


def test_a_new_app_is_offered_proofs_in_one_line(tmp_path):
    def create(*more):
        return posthorn("app", "create", "--data", tmp_path, "--name", "A", "--bundle-id", BUNDLE, *more)

    lines = [line for line in create().splitlines() if line.startswith("Aliases")]
    (line,) = lines
    offered = re.search(r"'posthorn (app set \w+ --aliases proved)'", line)
    assert "with proofs" in posthorn(*offered[1].split(), "--data", tmp_path)
    (line,) = [line for line in create("--aliases", "proved").splitlines() if line.startswith("Aliases")]
    offered = re.search(r"'posthorn (app alias-key \w+)'", line)
    assert re.search(r"^Alias key  [0-9a-f]{64} ", posthorn(*offered[1].split(), "--data", tmp_path))
    assert "anyone, proved" in posthorn("app", "create", "--aliases", "me", "--name", "A", "--bundle-id", "a", fails=True)
