"""Documentation/Scaling.md: its tables are the model's, and nginx takes its configuration and routes by it."""
import base64
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import threading

import pytest
from peers import SayingHandler
from ports import free_port
from test_link import certificate

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Documentation/Scaling.md"


def test_the_tables_are_those_of_the_model():
    done = subprocess.run([ROOT / "Scripts/scaling.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def copied(tmp_path):
    """A copy of the script and the pages, and a function that runs it after some words of a page have become others."""
    for folder in ["Scripts", "Documentation"]:
        (tmp_path / folder).mkdir()
    for page in (ROOT / "Documentation").glob("*.md"):
        shutil.copy(page, tmp_path / "Documentation")
    shutil.copy(ROOT / "Scripts/scaling.py", tmp_path / "Scripts")

    def run(name, words, others, option="--check"):
        page = tmp_path / "Documentation" / name
        text = page.read_text()
        assert words in text
        page.write_text(text.replace(words, others))
        return subprocess.run(["python3", tmp_path / "Scripts/scaling.py", option], capture_output=True, text=True)

    return run


def test_a_new_measurement_changes_the_tables(copied):
    stated = re.search(r"\| memory per device \| [\d.,]+ \(", (ROOT / "Documentation/PerformanceOfTheService.md").read_text())
    done = copied("PerformanceOfTheService.md", stated.group(), "| memory per device | 1,234.5 (")
    assert done.returncode == 1 and "has other tables than the model" in done.stderr, done
    done = copied("PerformanceOfTheService.md", "| memory per device |", "| memory per device |", option="--write")
    assert done.returncode == 0, done.stderr
    done = copied("Scaling.md", "| memory of a device in a node | 1,234.5 bytes |", "| memory of a device in a node | 9 bytes |")
    assert done.returncode == 1 and "has other tables than the model" in done.stderr, done


def test_a_row_that_is_missing_is_named(copied):
    done = copied("PerformanceOfTheLink.md", "| resident memory per link, KB |", "| memory per link, KB |")
    assert done.returncode == 1
    assert "Documentation/PerformanceOfTheLink.md states 'memory of a link' 0 times" in done.stderr, done.stderr


class Node(SayingHandler):
    """A node that says its name, what the proxy told it, and whether the request is the first of its connection."""

    is_first = True

    def said(self):
        place = "first" if self.is_first else "later"
        self.is_first = False
        words = [self.server.name, self.headers["X-Forwarded-For"], self.headers["Host"], self.headers["Connection"], place]
        return " ".join(map(str, words))


@pytest.fixture
def nginx():
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/sbin")
    if program is None:
        assert not os.environ.get("CI"), "nginx is missing"
        pytest.skip("nginx is missing")
    return program


@pytest.fixture
def nodes():
    """One node for each server in the page, by the address there."""
    found = {}
    for address in set(re.findall(r"server (10\.0\.\d\.\d:8080)", PAGE.read_text())):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Node)
        server.name = "first" if address.startswith("10.0.1.") else "second"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found[address] = server
    assert len(found) == 6
    yield found
    for server in found.values():
        server.shutdown()
        server.server_close()


def configuration(folder, nodes, port):
    """The page's configuration with addresses, files and limits of this machine."""
    (text,) = re.findall(r"```nginx\n(.*?)```", PAGE.read_text(), re.S)
    for address, server in nodes.items():
        text = text.replace(address, f"127.0.0.1:{server.server_port}")
    certificate(folder)
    text = text.replace("/etc/nginx/push.example.com.pem", f"{folder}/certificate.pem")
    text = text.replace("/etc/nginx/push.example.com.key", f"{folder}/key.pem")
    # The loopback has many addresses.
    text = text.replace("10.0.0.1", "127.0.0.1").replace("listen 443", f"listen 127.0.0.1:{port}")
    text = re.sub(r"worker_rlimit_nofile \d+", "worker_rlimit_nofile 1024", text)
    text = re.sub(r"worker_connections \d+", "worker_connections 256", text)
    kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    text = text.replace("http {\n", f"http {{\naccess_log off;\n{temporary}", 1)
    file = folder / "nginx.conf"
    file.write_text(f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\n{text}")
    return file


def get(port, path, host, key=None):
    options = ["-H", f"Authorization: Basic {base64.b64encode(f'{key}:secret'.encode()).decode()}"] if key else []
    address = f"https://{host}:{port}{path}"
    command = ["curl", "--silent", "--insecure", "--resolve", f"{host}:{port}:127.0.0.1", "--retry", "20", "--retry-delay", "1",
               "--retry-connrefused", "--max-time", "60", *options, address]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_nginx_takes_the_configuration_and_routes_by_app_and_host(nginx, nodes, tmp_path):
    port = free_port()
    file = configuration(tmp_path, nodes, port)
    command = [nginx, "-p", tmp_path, "-c", file, "-e", tmp_path / "error.log"]
    done = subprocess.run([*command, "-t"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    process = subprocess.Popen(command)
    try:
        main, second = "push.example.com", "second.example.com"
        assert get(port, "/v3/push", main, key="0" * 24) == f"first 127.0.0.1 {main} None first"
        assert get(port, "/v3/push", main, key="5e1f0a2b3c4d5e6f70819203") == f"second 127.0.0.1 {main} None first"
        assert get(port, "/portal", main).startswith("first")
        # Connections are kept for the API. A node takes a link only as the first request of a connection.
        kept = [get(port, "/v3/push", main, key="0" * 24).split()[-1] for _ in range(9)]
        assert "later" in kept
        for _ in range(3):
            for host, name in [(main, "first"), (second, "second")]:
                words = get(port, "/link", host).split()
                assert (words[0], words[-1]) == (name, "first")
    finally:
        process.terminate()
        process.wait(60)
