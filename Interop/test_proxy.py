"""Connections to APNs and to callback addresses through tinyproxy, with a user and a password."""

import json
import subprocess

import courier
import link
import pytest
from peers import need, wait_for
from ports import free_port
from processes import BINARY
from test_callback import Receiver, Road, await_record, verified
from test_send import gateway, send  # noqa: F401 (a fixture)


class Proxy:
    def __init__(self, folder):
        self.port, self.log = free_port(), folder / "log"
        config = folder / "tinyproxy.conf"
        # Without ConnectPort it opens tunnels to any port.
        config.write_text(
            f'Port {self.port}\nListen 127.0.0.1\nAllow 127.0.0.1\nTimeout 60\nBasicAuth user pa55word\n'
            f'LogFile "{self.log}"\nLogLevel Connect\n'
        )
        self.command = [need("tinyproxy"), "-d", "-c", config]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        wait_for(self.port, self.process)

    def url(self, password="pa55word"):
        return f"http://user:{password}@127.0.0.1:{self.port}"

    def tunnels(self, port):
        """The number of tunnels to a port that the log has."""
        return self.log.read_text().count(f":{port} HTTP/1.1")

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    proxy = Proxy(tmp_path_factory.mktemp("proxy"))
    yield proxy
    proxy.stop()


def test_send_goes_through_the_proxy(gateway, proxy):  # noqa: F811
    assert send(gateway, proxy=proxy.url()).startswith("200 accepted")
    assert proxy.tunnels(gateway["port"]) == 1
    assert "answered 4" in send(gateway, proxy=proxy.url("wrong"), status=2)
    assert "--proxy is not a URL of a proxy" in send(gateway, proxy="https://proxy:3128", status=64)
    assert send(gateway, proxy=f"user:pa55word@127.0.0.1:{proxy.port}").startswith("200 accepted")


@pytest.fixture(scope="module")
def road(tmp_path_factory, proxy):
    settings = {"apns": {"proxy": proxy.url()}, "callback": {"proxy": proxy.url()}}
    road = Road(tmp_path_factory.mktemp("road"), "127.0.0.0/8", "::1", settings=settings)
    yield road
    road.stop()


def doctor(road):
    ended = subprocess.run(
        [BINARY, "doctor", "--data", road.data, "--json"], capture_output=True, text=True, timeout=60,
        stdin=subprocess.DEVNULL,
    )
    return {one["check"]: one for one in json.loads(ended.stdout)["findings"]}


def test_pushes_and_callbacks_go_through_the_proxy(road, proxy):
    receiver = Receiver()
    app = link.Client(road.url.replace("http", "ws", 1) + "/link", road.auth[0], "com.example.app")
    app.open()
    with courier.Device(road.courier, app.installation, "com.example.app") as phone:
        assert app.ask("token", token=phone.token, environment="production")["code"] == 0
        msg_id = road.push(
            audience={"registration_id": [app.registration_id]}, callback={"url": receiver.url, "type": 1}
        )
        phone.push()
        _, fields, body = receiver.call()
        assert verified(road, fields, body)["msg_id"] == msg_id
        await_record(road, msg_id, lambda state: state["delivered"] == 1)
    app.close()
    assert proxy.tunnels(receiver.server.server_port) == 1
    receiver.close()


def test_doctor_tries_the_proxies(road, proxy):
    found = doctor(road)
    for check in ["apns.proxy", "callback.proxy"]:
        assert found[check]["state"] == "ok" and found[check]["found"] == f"The proxy 127.0.0.1:{proxy.port} can be used."
    assert found["apns.production"]["state"] == "ok"
    proxy.stop()
    found = doctor(road)
    # For the other tests, in whatever order.
    proxy.start()
    assert found["apns.proxy"]["state"] == found["callback.proxy"]["state"] == "wrong"
