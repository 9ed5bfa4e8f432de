"""The files of a release, made from the program of the other tests: reproducible, complete, and what systemd and man make of them.

Scripts/check-packages installs a release on a bare Debian, which takes longer.
"""

import gzip
import hashlib
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import tarfile

import postgres
import pytest
from peers import need
from processes import BINARY
from supervisor import Unit, service_section

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Scripts/packaging"))

import archives  # noqa: E402
import debian  # noqa: E402
import image  # noqa: E402
import manual  # noqa: E402
import package  # noqa: E402
import settings  # noqa: E402

pytestmark = pytest.mark.release("packs the program twice")

TIME = 1_790_000_000


@pytest.fixture(scope="session")
def built():
    """The program, beside what the linker was given."""
    path = pathlib.Path(os.environ.get("POSTHORN_BINARY") or ROOT / ".build/release/posthorn").resolve()
    assert (path.parent / "posthorn.product/Objects.LinkFileList").is_file(), f"{path} was not built here"
    return path


@pytest.fixture(scope="session")
def made(built, version, tmp_path_factory):
    """Two folders with the files of a release: the same, made twice."""
    folders = [tmp_path_factory.mktemp("release") for _ in range(2)]
    packed = [
        subprocess.Popen(
            # The version, because a debug build is not packed without one.
            [
                sys.executable, ROOT / "Scripts/packaging/package.py", "--binary", built, "--out", folder, "--level", "0", "--no-image",
                "--version", version,
            ],
            env=os.environ | {"SOURCE_DATE_EPOCH": str(TIME), "TZ": zone}, umask=umask,
        )
        for folder, zone, umask in zip(folders, ["UTC", "Asia/Shanghai"], [0o022, 0o077])
    ]
    assert [process.wait(1800) for process in packed] == [0, 0]
    return folders


@pytest.fixture(scope="session")
def version():
    said = subprocess.run([BINARY, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    return said.removesuffix(" (debug build)")


@pytest.fixture(scope="session")
def unpacked(made, version, tmp_path_factory):
    """The files of the Debian package."""
    folder = tmp_path_factory.mktemp("deb")
    (package,) = made[0].glob("*.deb")
    subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    return folder


def test_the_same_program_makes_the_same_files(made):
    one, other = ({path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()} for folder in made)
    assert one == other and len(one) == 9
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=made[0], check=True, stdout=subprocess.DEVNULL)


def test_the_site_is_packed_in_one_folder(tmp_path):
    site = tmp_path / "site"
    (site / "Guide").mkdir(parents=True)
    (site / "index.html").write_text("first")
    (site / "Guide/index.html").write_text("guide")
    path = package.pack_site(site, tmp_path, "1.2.3", TIME, 0)
    with tarfile.open(path) as tar:
        members = {member.name: member for member in tar}
        assert tar.extractfile("posthorn-1.2.3-site/Guide/index.html").read() == b"guide"
    assert path.name == "posthorn-1.2.3-site.tar.gz"
    assert {name.split("/")[0] for name in members} == {"posthorn-1.2.3-site"}
    assert all(member.mtime == TIME and member.uid == 0 for member in members.values())


def test_the_version_is_one(version):
    assert f"\n## [{version}] - " in (ROOT / "CHANGELOG.md").read_text(), f"CHANGELOG.md has no section for {version}"
    assert f"\n  version: {version}\n" in (ROOT / "Documentation/OpenAPI/posthorn.yaml").read_text()


def test_the_tarball_has_everything_in_one_folder(made, version, unpacked):
    (path,) = made[0].glob("posthorn-*-linux-*.tar.gz")
    with tarfile.open(path) as tar:
        members = {member.name: member for member in tar}
    top = f"posthorn-{version}-linux-{os.uname().machine}"
    assert {name.split("/")[0] for name in members} == {top}
    assert all(member.mtime == TIME and member.uid == member.gid == 0 for member in members.values())
    assert members[f"{top}/bin/posthorn"].mode == 0o755
    for name in [
        "lib/systemd/system/posthorn.service", "lib/systemd/user/posthorn-desktop.service",
        "share/dbus-1/services/org.posthorn.Desktop1.service", "etc/posthorn/posthorn.env", "share/doc/posthorn/LICENSES",
    ]:
        assert f"{top}/{name}" in members
    pages = [name for name in members if "/man/man1/" in name and members[name].isfile()]
    assert len(pages) == len(list(unpacked.glob("usr/share/man/man1/*.gz"))) > 30


def test_the_tarball_has_the_examples_that_pages_run(made, tmp_path):
    (path,) = made[0].glob("posthorn-*-linux-*.tar.gz")
    with tarfile.open(path) as tar:
        tar.extractall(tmp_path, filter="data")
    (top,) = tmp_path.iterdir()
    documents = top / "share/doc/posthorn"
    # Of the changes, many are about examples that are packages of a checkout.
    pages = [page for page in documents.glob("*.md") if page.name != "CHANGELOG.md"]
    named = {name for page in pages for name in re.findall(r"\b(?:Examples|Fixtures)/[\w./-]*\w", page.read_text())}
    for page in [ROOT / "README.md", *(ROOT / "Documentation/Guide").glob("*.md")]:
        for script in re.findall(r"(?ms)^```sh\n(.*?)^```$", page.read_text()):
            named |= set(re.findall(r"(?<![\w./])(?:Examples|Fixtures)/[\w./-]*\w", script))
    assert {"Examples/APNsInYourCI/with-apns", "Examples/APNsInYourCI/node/push.js", "Examples/Guide/with-phone"} <= named
    missing = [name for name in sorted(named) if not (documents / name).exists()]
    assert missing == []
    files = [file.relative_to(documents) for folder in ["Examples", "Fixtures"] for file in (documents / folder).rglob("*") if file.is_file()]
    tracked = subprocess.run(["git", "ls-files", "Examples", "Fixtures"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert {str(file) for file in files} <= set(tracked.splitlines()), "nothing that a build has made"
    script = documents / "Examples/APNsInYourCI/with-apns"
    done = subprocess.run(
        [script, "sh", "-c", 'cat "$APNS/topic"'], capture_output=True, text=True, timeout=120,
        env=os.environ | {"POSTHORN": str(top / "bin/posthorn")},
    )
    assert done.returncode == 0 and done.stdout.startswith("com."), done


def test_the_package_has_what_dpkg_wants(made, version):
    (path,) = made[0].glob("*.deb")
    form = "--showformat=${Version}\n${Recommends}\n${Suggests}"
    shown = subprocess.run(["dpkg-deb", "--show", form, path], check=True, capture_output=True, text=True)
    assert shown.stdout.splitlines() == [version, "ca-certificates, libpq5, tzdata", "libdbus-1-3, postgresql"]
    data, control = debian.contents(path)
    assert all(member.uid == member.gid == 0 for member in data)
    conffiles = control.extractfile("./conffiles").read().decode().split()
    assert sorted(conffiles) == ["/etc/posthorn/gateway.env", "/etc/posthorn/posthorn.env", "/etc/posthorn/posthorn.json"]
    sums = control.extractfile("./md5sums").read().decode().splitlines()
    for line in sums:
        digest, name = line.split("  ")
        assert hashlib.md5(data.extractfile(f"./{name}").read()).hexdigest() == digest
    assert len(sums) + len(conffiles) == sum(member.isfile() for member in data)


@pytest.mark.parametrize("script", ["postinst", "prerm", "postrm"])
def test_the_scripts_of_the_maintainer_are_of_posix_shells(script):
    subprocess.run([need("dash"), "-n", ROOT / "Packaging/debian" / script], check=True)


def commands(command, words):
    for sub in command.get("subcommands", []):
        if sub["shouldDisplay"] and sub["commandName"] != "help":
            yield [*words, sub["commandName"]], sub
            yield from commands(sub, [*words, sub["commandName"]])


def test_each_command_and_option_is_in_a_manual_page(built, unpacked):
    pages = {}
    found = 0
    for words, command in commands(manual.command_tree(built), []):
        name = f"posthorn-{words[0]}"
        if name not in pages:
            path = unpacked / f"usr/share/man/man1/{name}.1.gz"
            done = subprocess.run(
                [need("man"), "--warnings=w", "-l", path], capture_output=True, text=True, check=True,
                env=os.environ | {"MANWIDTH": "1000", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"},
            )
            assert done.stderr == ""
            pages[name] = done.stdout
        assert f"posthorn {' '.join(words)}" in pages[name]
        for argument in command.get("arguments", []):
            for flag in argument.get("names", []) if argument["shouldDisplay"] else []:
                found += 1
                text = ("--" if flag["kind"] == "long" else "-") + flag["name"]
                assert re.search(rf"(?m)^ .*(?<![-\w]){re.escape(text)}(?![-\w])", pages[name]), f"{name}: {text}"
    assert found > 300 and len(pages) > 30


def test_a_manual_page_is_found_by_its_first_line(unpacked):
    path = unpacked / "usr/share/man/man1/posthorn-serve.1.gz"
    done = subprocess.run([need("lexgrog"), path], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == f'{path}: "posthorn-serve - Runs the push service"'


def test_text_with_the_characters_of_roff_stays_what_it_is():
    assert manual.escaped("a\\b -c 'd'\n.e") == "a\\eb \\-c \\(aqd\\(aq\n\\&.e"


def test_the_completions_are_those_of_the_program(built, unpacked):
    for shell, place in [
        ("bash", "bash-completion/completions/posthorn"), ("zsh", "zsh/vendor-completions/_posthorn"),
        ("fish", "fish/vendor_completions.d/posthorn.fish"),
    ]:
        script = subprocess.run([built, "completion", shell], check=True, capture_output=True).stdout
        assert (unpacked / "usr/share" / place).read_bytes() == script
        subprocess.run([need(shell), "-n", unpacked / "usr/share" / place], check=True)


def unit(unpacked, name):
    return (unpacked / "usr/lib/systemd/system" / name).read_text()


def test_systemd_has_nothing_to_say_about_the_units(unpacked, tmp_path):
    analyze = need("systemd-analyze")
    # The units that they are ordered after.
    system = next(path for path in map(pathlib.Path, ["/lib/systemd/system", "/usr/lib/systemd/system"]) if path.is_dir())
    shutil.copytree(system, tmp_path / "usr/lib/systemd/system", symlinks=True)
    shutil.copytree(unpacked, tmp_path, symlinks=True, dirs_exist_ok=True)
    names = ["posthorn.service", "posthorn-gateway.service"]
    done = subprocess.run([analyze, "verify", "--man=no", f"--root={tmp_path}", *names], capture_output=True, text=True)
    own = [line for line in done.stderr.splitlines() if "posthorn" in line]
    assert own == [] and done.returncode == 0, done.stderr
    for name in names:
        words = [analyze, "security", "--offline=yes", "--threshold=20", f"--root={tmp_path}", name]
        rated = subprocess.run(words, capture_output=True, text=True)
        assert rated.returncode == 0, rated.stdout
    (tmp_path / "usr/lib/systemd/system/posthorn.service").write_text("[Service]\nExecStart=/usr/bin/posthorn\nTpye=notify\n")
    done = subprocess.run([analyze, "verify", "--man=no", f"--root={tmp_path}", names[0]], capture_output=True, text=True)
    assert "Tpye" in done.stderr, "a mistake in a unit is found"


def test_systemd_has_nothing_to_say_about_the_unit_of_users(unpacked, tmp_path):
    """Reads the unit as the manager of a user does, with the program of the tests, because verify looks for it on this machine."""
    analyze = need("systemd-analyze")
    place = tmp_path / "posthorn-desktop.service"

    def verify(text):
        place.write_text(text.replace("/usr/bin/posthorn", str(pathlib.Path(BINARY).resolve())))
        words = [analyze, "--user", "verify", "--man=no", place]
        done = subprocess.run(words, capture_output=True, text=True, env=os.environ | {"XDG_RUNTIME_DIR": str(tmp_path)})
        return done.returncode, [line for line in done.stderr.splitlines() if "posthorn" in line]

    text = (unpacked / "usr/lib/systemd/user/posthorn-desktop.service").read_text()
    assert verify(text) == (0, [])
    assert verify(text.replace("KillMode", "KilMode"))[1], "a mistake in a unit is found"
    settings = service_section(text)
    activation = (unpacked / "usr/share/dbus-1/services/org.posthorn.Desktop1.service").read_text()
    facts = dict(line.split("=", 1) for line in activation.splitlines() if "=" in line)
    assert facts == {"Name": settings["BusName"], "Exec": settings["ExecStart"], "SystemdService": place.name}


def test_the_image_has_what_libpq_loads():
    packages = image.closure(image.LOADED)
    assert {"libpq5", "libssl3", "libgssapi-krb5-2", "libkrb5-3", "libgnutls30", "libgmp10"} <= set(packages)


def test_the_units_wait_as_long_as_the_settings_allow(unpacked):
    text = unit(unpacked, "posthorn.service")
    # http.drainSeconds is at most 300, and services get ten seconds.
    assert "TimeoutStopSec=6min" in text and "@" not in text.replace("@system-service", "").replace("@privileged", "")


@pytest.fixture
def started(unpacked, tmp_path):
    """A function that starts a unit of the package as systemd would, with the program of the tests and data of its own."""
    units = []

    def start(name, *arguments, watchdog=400_000):
        folder = tmp_path / name
        folder.mkdir()
        started = Unit(
            unit(unpacked, name), log=folder, environment={"WATCHDOG_USEC": str(watchdog)},
            command=[BINARY, name.removesuffix(".service").replace("posthorn-gateway", "gateway").replace("posthorn", "serve"), *arguments],
        )
        units.append(started)
        return started

    yield start
    for started in units:
        started.kill()


@pytest.mark.parametrize(
    "name, arguments, shown",
    [
        ("posthorn.service", ["--port", "0"], "STATUS=Listens on http://127.0.0.1:"),
        ("posthorn-gateway.service", ["--port", "0"], "STATUS=Devices connect to ws://127.0.0.1:"),
    ],
)
def test_a_unit_tells_when_it_is_ready_works_and_stops(started, tmp_path, name, arguments, shown):
    running = started(name, "--data", str(tmp_path / "data"), *arguments)
    running.wait_for("READY=1")
    status = running.wait_for("STATUS=")
    assert status.startswith(shown)
    for _ in range(3):
        running.wait_for("WATCHDOG=1")
    gaps = [later - earlier for earlier, later in zip(running.times, running.times[1:])]
    assert min(gaps) > 0.1, "half of the interval is 0.2 s"
    if name == "posthorn.service":
        # It was ready when it said so.
        address = status.removeprefix("STATUS=Listens on ")
        subprocess.run([need("curl"), "--silent", "--fail", f"{address}/health"], check=True, stdout=subprocess.DEVNULL)
    running.process.send_signal(signal.SIGTERM)
    running.wait_for("STOPPING=1")
    assert running.process.wait(120) == 0, running.text()


def test_a_unit_that_hangs_sends_nothing(started, tmp_path):
    running = started("posthorn.service", "--data", str(tmp_path / "data"), "--port", "0")
    running.wait_for("READY=1")
    running.wait_for("WATCHDOG=1")
    os.kill(running.process.pid, signal.SIGSTOP)
    os.waitid(os.P_PID, running.process.pid, os.WSTOPPED)
    running.forget()
    # Longer than the interval after which systemd would kill it.
    with pytest.raises(queue.Empty):
        running.told.get(timeout=1)
    os.kill(running.process.pid, signal.SIGCONT)
    running.wait_for("WATCHDOG=1")
    assert running.stop() == 0, running.text()


def test_everything_runs_without_root(tmp_path):
    """Root may set socket options that others may not."""
    options = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
    tmp_path.chmod(0o777)
    done = subprocess.run(
        [BINARY, "demo", "--exit"], capture_output=True, text=True, timeout=120, cwd="/", **options,
        env=os.environ | {"HOME": str(tmp_path), "TMPDIR": "/tmp"},
    )
    assert done.returncode == 0 and "banner" in done.stdout, done


def test_a_socket_that_is_none_stops_the_start(tmp_path):
    done = subprocess.run(
        [BINARY, "serve", "--port", "0", "--data", tmp_path], capture_output=True, text=True, timeout=60,
        env=os.environ | {"NOTIFY_SOCKET": "vsock:2:1"},
    )
    assert done.returncode != 0 and "The variable NOTIFY_SOCKET is 'vsock:2:1'; expected an absolute path" in done.stderr


def keys_of_the_program():
    text = (ROOT / "Sources/App/posthorn/Servers/SettingKey.swift").read_text()
    return sorted(explicit or plain for plain, explicit in re.findall(r'(?m)^    case (\w+)(?: = "([^"]+)")?$', text))


def test_the_settings_are_those_of_the_program(unpacked):
    rows = settings.read((ROOT / "Documentation/Operations/Run.md").read_text())
    assert sorted(row.key for row in rows) == keys_of_the_program()
    page = gzip.decompress((unpacked / "usr/share/man/man5/posthorn-settings.5.gz").read_bytes()).decode()
    example = (unpacked / "etc/posthorn/posthorn.env").read_text()
    for row in rows:
        assert f".B {row.key}\n" in page
        assert row.key == "data" or f"\n#{row.variable}=" in example
    assert all(line.startswith("#") or not line for line in example.splitlines()), "nothing is set"


def example_variables(unpacked, folder):
    """Each variable of the example with its value, for files and ports of a test."""
    lines = re.findall(r"(?m)^#(POSTHORN_\w+)=(.*)$", (unpacked / "etc/posthorn/posthorn.env").read_text())
    variables = dict(lines)
    subprocess.run(
        [
            need("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
            "/CN=localhost", "-keyout", folder / "key.pem", "-out", folder / "cert.pem",
        ],
        check=True, capture_output=True,
    )
    return variables | {
        "POSTHORN_DATA": str(folder / "data"), "POSTHORN_HTTP_PORT": "0", "POSTHORN_HTTP_CERT": str(folder / "cert.pem"),
        "POSTHORN_HTTP_KEY": str(folder / "key.pem"), "POSTHORN_APNS_CA": str(folder / "cert.pem"),
    }


def test_the_service_starts_with_each_setting_of_the_example(started, unpacked, tmp_path):
    server = postgres.Server()
    variables = example_variables(unpacked, tmp_path) | {"POSTHORN_STORE": server.url(server.create())}
    running = Unit(unit(unpacked, "posthorn.service"), log=tmp_path, environment=variables, command=[BINARY, "serve"])
    try:
        running.wait_for("READY=1")
        assert running.wait_for("STATUS=").startswith("STATUS=Listens on https://127.0.0.1:")
        assert running.stop() == 0, running.text()
    finally:
        running.kill()
        server.close()


def test_the_file_of_settings_is_accepted(unpacked, tmp_path):
    text = (unpacked / "etc/posthorn/posthorn.json").read_text()
    assert json.loads(text)["data"] == "/var/lib/posthorn"
    file = tmp_path / "posthorn.json"
    file.write_text(text)
    running = Unit(
        unit(unpacked, "posthorn.service"), log=tmp_path,
        command=[BINARY, "serve", "--config", file, "--data", tmp_path / "data", "--port", "0"],
    )
    try:
        running.wait_for("READY=1")
        assert running.stop() == 0, running.text()
    finally:
        running.kill()


def test_the_bill_of_materials_names_what_is_linked(made, version):
    document = json.loads((made[0] / f"posthorn-{version}.spdx.json").read_text())
    assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0"
    packages = {package["SPDXID"]: package for package in document["packages"]}
    assert len(packages) == len(document["packages"]), "identifiers are unique"
    relations = {}
    for relation in document["relationships"]:
        ends = {relation["spdxElementId"], relation["relatedSpdxElement"]}
        assert ends <= packages.keys() | {"SPDXRef-DOCUMENT"}
        relations.setdefault(relation["relationshipType"], set()).update(
            packages[end]["name"] for end in ends if end in packages and packages[end]["name"] != "posthorn"
        )
    assert {"grdb.swift", "swift-nio", "swift-nio-ssl", "hummingbird", "swift", "icu"} <= relations["STATIC_LINK"]
    assert "libc6" in relations["DYNAMIC_LINK"]
    pins = {pin["identity"] for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]}
    assert pins <= relations["STATIC_LINK"] | relations["BUILD_DEPENDENCY_OF"]


def test_the_licences_of_what_is_linked_are_there(unpacked):
    text = gzip.decompress((unpacked / "usr/share/doc/posthorn/LICENSES.gz").read_bytes()).decode()
    for part in ["Gwendal Roué", "UNICODE LICENSE V3", "Runtime Library Exception", "The SwiftNIO Project", "llhttp", "BoringSSL"]:
        assert part in text, part


def test_an_archive_that_is_none_is_refused(tmp_path):
    (tmp_path / "a.deb").write_bytes(b"not an archive")
    with pytest.raises(AssertionError, match="is no archive"):
        archives.read_ar(tmp_path / "a.deb")
