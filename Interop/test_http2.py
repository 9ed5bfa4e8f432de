"""The gateway's HTTP/2 under other people's clients: nghttp2, curl, Node, Go and Python's h2."""

import json
import re
import subprocess

import pytest
from gateways import PAYLOAD, start
from peers import ask, asking, need

CLIENTS = ["node", pytest.param("go", marks=pytest.mark.release("compiles Go's HTTP client")), "python"]


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    process, gateway = start(tmp_path_factory.mktemp("gateway"))
    yield gateway
    process.stop()


@pytest.mark.parametrize("client", CLIENTS)
def test_pushes_are_accepted_and_named(gateway, go, client):
    assert ask(client, go, **gateway.options, count=300) == {"statuses": {"200": 300}, "named": 300}


@pytest.mark.parametrize("client", CLIENTS)
def test_a_token_nobody_has_is_an_answer_like_any_other(gateway, go, client):
    options = gateway.options | {"tokens": ["00" * 32, gateway.tokens[0]]}
    assert ask(client, go, **options, count=40)["statuses"] == {"200": 20, "400": 20}


@pytest.mark.parametrize("environment, status", [("production", "200"), ("development", "403")])
@pytest.mark.parametrize("client", CLIENTS)
def test_a_certificate_takes_the_place_of_the_authorization(gateway, go, client, environment, status):
    pair = {"cert": gateway.pem(environment), "key": gateway.pem(environment)}
    bundle = {"bundle": gateway.folder / f"{environment}.p12", "password": gateway.read("password")}
    options = gateway.options | (bundle if client == "node" else pair) | {"authorization": None}
    assert ask(client, go, **options, count=20)["statuses"] == {status: 20}


# What two keys bring about whose tokens a client uses in turn on its one connection.
@pytest.mark.parametrize(
    "keys, statuses",
    [
        (["production"], {"200": 20}), (["development"], {"403": 20}), (["topic", "related"], {"200": 20}),
        (["topic", "production"], {"200": 10, "403": 10}),
    ],
)
@pytest.mark.parametrize("client", CLIENTS)
def test_keys_are_for_their_environment_and_their_relations(gateway, go, client, keys, statuses):
    options = gateway.options | {"authorizations": [gateway.signed(key) for key in keys]}
    assert ask(client, go, **options, count=20)["statuses"] == statuses


# Go's client reads what the gateway announces and does not even send it.
@pytest.mark.parametrize("client", ["node", "python"])
def test_a_header_list_that_is_too_large_is_431_and_costs_only_its_stream(gateway, go, client):
    # Beyond one frame, so that it comes in CONTINUATION frames.
    assert ask(client, go, **gateway.options, count=5, large=20_000)["statuses"] == {"431": 5}


@pytest.mark.parametrize("changes", [{"huffman": False}, {"table": 0}, {"cut": 5}, {"cut": 30, "huffman": False}])
def test_header_blocks_mean_the_same_however_they_are_written(gateway, go, changes):
    assert ask("python", go, **gateway.options, **changes, count=50)["statuses"] == {"200": 50}


def test_curl(gateway, tmp_path):
    done = subprocess.run(
        [
            need("curl"), "--http2", "--silent", "--show-error", "--cacert", gateway.ca, *gateway.headers(),
            "--data", PAYLOAD, "--include", gateway.url(), "--next", "--http2", "--silent", "--cacert", gateway.ca,
            "--data", PAYLOAD, "--include", gateway.url(),
        ],
        capture_output=True, text=True, check=True, timeout=60,
    )
    assert re.findall(r"^HTTP/2 (\d+)", done.stdout, re.MULTILINE) == ["200", "403"]
    assert '{"reason":"MissingProviderToken"}' in done.stdout
    assert re.search(r"^apns-id: [0-9a-fA-F-]{36}\r?$", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    "environment, answer", [("production", ""), ("development", '{"reason":"BadCertificateEnvironment"}')]
)
def test_curl_and_nghttp_with_a_certificate(gateway, tmp_path, environment, answer):
    body = tmp_path / "body"
    body.write_text(PAYLOAD)
    bundle, pem = gateway.folder / f"{environment}.p12", gateway.pem(environment)
    for command in [
        [need("curl"), "--http2", "--silent", "--show-error", "--cacert", gateway.ca, "--cert-type", "P12", "--cert",
         f"{bundle}:{gateway.read('password')}", "--data", PAYLOAD],
        [need("nghttp"), "--no-verify-peer", f"--data={body}", f"--cert={pem}", f"--key={pem}"],
    ]:
        done = subprocess.run([*command, gateway.url()], capture_output=True, text=True, check=True, timeout=60)
        assert done.stdout == answer


def test_nghttp(gateway, tmp_path):
    body = tmp_path / "body"
    body.write_text(PAYLOAD)

    def nghttp(*arguments):
        done = subprocess.run(
            [need("nghttp"), "--verbose", "--no-verify-peer", f"--data={body}", *gateway.headers(), *arguments,
             gateway.url()],
            capture_output=True, text=True, check=True, timeout=60,
        )
        return re.findall(r":status: (\d+)", done.stdout)

    assert nghttp("--multiply=20") == ["200"] * 20
    assert nghttp("--padding=100", "--header-table-size=0", "--encoder-header-table-size=100") == ["200"]
    # Headers of several frames' length.
    assert nghttp("--continuation") == ["431"]


@pytest.mark.parametrize("arguments", [["-m", "1000", "-n", "20000"], ["-m", "100", "-n", "4000", "-c", "8"]])
def test_h2load(gateway, tmp_path, arguments):
    body = tmp_path / "body"
    body.write_text(PAYLOAD)
    urls = tmp_path / "urls"
    urls.write_text("".join(gateway.url(token) + "\n" for token in gateway.tokens))
    done = subprocess.run(
        [need("h2load"), *arguments, "-t", "1", "-d", body, "-i", urls, *gateway.headers()],
        capture_output=True, text=True, check=True, timeout=600,
    )
    count = int(arguments[3])
    assert f"{count} done, {count} succeeded, 0 failed, 0 errored, 0 timeout" in done.stdout, done.stdout
    assert f"status codes: {count} 2xx, 0 3xx, 0 4xx, 0 5xx" in done.stdout, done.stdout


# Python's h2 drops what is open when GOAWAY comes, as a library; it has nothing to say here.
@pytest.mark.parametrize("client", [client for client in CLIENTS if client != "python"])
def test_a_gateway_that_is_told_to_end_answers_all_that_was_sent(tmp_path, go, client):
    process, gateway = start(tmp_path)
    with asking(client, go, **gateway.options, count=50, untilGoAway=True) as running:
        assert running.stdout.readline() == "under way\n"
        assert process.stop() == 0
        output, errors = running.communicate(timeout=120)
    assert running.returncode == 0, errors
    answer = json.loads(output.splitlines()[-1])
    assert list(answer["statuses"]) == ["200"], answer
    assert answer["statuses"]["200"] == answer["named"] >= 500
