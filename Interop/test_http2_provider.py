"""The provider client's HTTP/2 against other people's servers: nghttp2, Node, Go and Python's h2."""

import json
import re
import subprocess

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from peers import Server, command, need
from ports import free_port
from processes import BENCH

SERVERS = ["node", pytest.param("go", marks=pytest.mark.release("compiles Go's HTTP server")), "python"]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(
        [
            need("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout", folder / "key.pem", "-out", folder / "cert.pem",
        ],
        check=True, capture_output=True,
    )
    return {"cert": str(folder / "cert.pem"), "key": str(folder / "key.pem")}


@pytest.fixture
def serve(certificate, go):
    """A function that makes a peer's server."""

    def make(peer, **options):
        port = free_port()
        options = {"status": 200, "reason": "", "port": port} | certificate | options
        return Server([*command(peer, "server", go), json.dumps(options)], port)

    return make


def bench(port, count, *arguments, status=0):
    """How many of the pushes were accepted."""
    done = subprocess.run(
        [BENCH, "apns", "--port", str(port), "--count", str(count), *map(str, arguments)],
        capture_output=True, text=True, timeout=600,
    )
    assert (done.returncode == 0) == (status == 0), done
    result = re.search(r"RESULT n=(\d+) ok=(\d+) seconds=", done.stdout)
    assert result and int(result[1]) == count, done
    return int(result[2])


@pytest.mark.parametrize("server", SERVERS)
def test_every_push_is_accepted(serve, server):
    with serve(server) as peer:
        assert bench(peer.port, 2000) == 2000
    assert "broken" not in peer.complaints


@pytest.mark.parametrize("server", SERVERS)
def test_many_connections(serve, server):
    with serve(server) as peer:
        assert bench(peer.port, 1000, "--connections", 4, "--streams", 50) == 1000


@pytest.mark.parametrize("server", SERVERS)
def test_every_push_that_is_refused_has_its_outcome(serve, server):
    with serve(server, status=410, reason="Unregistered") as peer:
        assert bench(peer.port, 500, status=1) == 0


@pytest.mark.parametrize("server", SERVERS)
def test_every_push_has_its_outcome_when_the_server_goes_away_again_and_again(serve, server):
    with serve(server, goAwayAfter=700) as peer:
        assert bench(peer.port, 3000) == 3000
    assert "broken" not in peer.complaints
    # So it has gone away, and been come back to.
    assert peer.complaints.count("connection") >= 4


@pytest.mark.parametrize("server", SERVERS)
def test_an_answer_with_large_fields_is_read(serve, server):
    with serve(server, large=6000) as peer:
        assert bench(peer.port, 200) == 200


@pytest.mark.parametrize("options", [{"huffman": False}, {"table": 0}, {"window": 100}])
def test_what_a_server_may_ask_for(serve, options):
    with serve("python", **options) as peer:
        assert bench(peer.port, 300) == 300
    assert "broken" not in peer.complaints


@pytest.fixture
def hand_out(tmp_path):
    """What `posthorn gateway --hand-out` writes, with one token."""
    key = ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "key.p8").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    for name, text in {"keyID": "ABCDE12345", "teamID": "TEAM123456", "topic": "com.example.app", "tokens": "ab" * 32}.items():
        (tmp_path / name).write_text(text + "\n")
    return tmp_path


def test_nghttpd(certificate, hand_out, tmp_path):
    port = free_port()
    file = tmp_path / "root/3/device" / ("ab" * 32)
    file.parent.mkdir(parents=True)
    file.write_text("")
    program = [need("nghttpd"), f"--htdocs={tmp_path}/root", "--max-concurrent-streams=100", "--padding=50", port,
               certificate["key"], certificate["cert"]]
    with Server(program, port):
        assert bench(port, 2000, "--hand-out", hand_out) == 2000
        # Other tokens are files that are not there.
        assert bench(port, 100, status=1) == 0
