"""An APNs in a container, for tests that have Docker and no program `posthorn`: a module for Testcontainers.

    @pytest.fixture(scope="session")
    def posthorn():
        with PosthornContainer("posthorn:0.1.0") as container:
            yield container

    @pytest.fixture
    def apns(posthorn):
        with posthorn.apns() as apns:
            yield apns

`apns` has the words of `posthorn_apns`: pushes, faults and time. A container whose clock was turned is replaced before the next test.
"""

import contextlib
import io
import json
import pathlib
import secrets
import tarfile
import tempfile
import time

from pytest_posthorn import START_LIMIT, Apns, PosthornError, _Control
from testcontainers.core.container import DockerContainer

FOLDER = "/var/lib/posthorn"
# The names of the ports in what the gateway prints.
PORTS = {"developmentPort": 2197, "productionPort": 2198}
CONTROL_PORT = 2180


class PosthornContainer(DockerContainer):
    """`posthorn gateway` in a container."""

    def __init__(self, image, options=(), **settings):
        """`image` is that of a release; `options` are more options of `posthorn gateway`."""
        super().__init__(image, **settings)
        self._control = None
        self._bearer = secrets.token_hex(16)
        self.with_exposed_ports(*PORTS.values(), CONTROL_PORT)
        self.with_envs(POSTHORN_CONTROL_TOKEN=self._bearer, POSTHORN_COURIER_TOKEN=self._bearer)
        ports = ["--development-port", PORTS["developmentPort"], "--production-port", PORTS["productionPort"]]
        self.with_command([
            "gateway", "--json", "--data", f"{FOLDER}/gateway", "--hand-out", f"{FOLDER}/out", "--tokens", "1", "--host", "0.0.0.0",
            *map(str, ports), "--control-host", "0.0.0.0", "--control-port", str(CONTROL_PORT), *map(str, options),
        ])

    @contextlib.contextmanager
    def apns(self):
        """An APNs for one test."""
        if self._control.is_spent:
            self.stop()
            self.start()
        apns = Apns(self._control, self._facts, pathlib.Path(self._files.name))
        yield apns
        apns._end()

    def start(self):
        super().start()
        self._control = _Control()
        self._control.bearer = self._bearer
        self._facts = self._printed() | {name: int(self.get_exposed_port(port)) for name, port in PORTS.items()}
        host = self.get_container_host_ip()
        self._facts["control"] = f"http://{host}:{self.get_exposed_port(CONTROL_PORT)}"
        self._files = tempfile.TemporaryDirectory(prefix="posthorn-")
        chunks, _ = self.get_wrapped_container().get_archive(f"{FOLDER}/out")
        with tarfile.open(fileobj=io.BytesIO(b"".join(chunks))) as archive:
            for member in archive:
                if member.isfile():
                    file = pathlib.Path(self._files.name, pathlib.PurePosixPath(member.name).name)
                    file.write_bytes(archive.extractfile(member).read())
        self._facts |= {"ca": f"{self._files.name}/ca.pem", "keyFile": f"{self._files.name}/key.p8"}
        return self

    def _printed(self):
        """The line of JSON that the gateway prints when it is ready."""
        deadline = time.monotonic() + START_LIMIT
        while True:
            output, log = self.get_logs()
            if b"\n" in output:
                return json.loads(output.splitlines()[0])
            self.get_wrapped_container().reload()
            if self.get_wrapped_container().status == "exited" or time.monotonic() > deadline:
                raise PosthornError(f"posthorn is not ready. It has said:\n{log.decode()[-2000:]}")
            time.sleep(0.1)
