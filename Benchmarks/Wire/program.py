"""The program to measure."""

import functools
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A reason to measure a debug build, such as that a test only looks at the counts.
EXCUSE = "POSTHORN_DEBUG_IS_FINE"


@functools.cache
def binary():
    """Returns the path in POSTHORN_BINARY, or that of this checkout's release build (or POSTHORN_BUILD), which is made if not current.

    Refuses a debug build, whose times mean nothing, without an excuse.
    """
    found = os.environ.get("POSTHORN_BINARY")
    if not found:
        kind = os.environ.get("POSTHORN_BUILD") or "release"
        chosen = os.environ | {"POSTHORN_BUILD": kind}
        subprocess.run([ROOT / "posthorn", "--version"], check=True, stdout=subprocess.DEVNULL, env=chosen)
        found = ROOT / ".build" / kind / "posthorn"
    said = subprocess.run([found, "--version"], check=True, capture_output=True, text=True).stdout
    if "debug build" in said:
        excuse = os.environ.get(EXCUSE)
        if not excuse:
            sys.exit(
                f"{found} is a debug build; a benchmark needs the release build. Unset POSTHORN_BINARY, or build it with: "
                f"POSTHORN_BUILD=release ./posthorn --version. To measure it nevertheless, set {EXCUSE} to the reason."
            )
        print(f"A debug build is measured: {excuse}.", file=sys.stderr)
    return found


@functools.cache
def bench():
    """Returns the path of PosthornBench beside that program, which is made if it is this checkout's."""
    built = pathlib.Path(binary()).resolve().parent
    kind = next((kind for kind in ("release", "debug") if (ROOT / ".build" / kind).resolve() == built), None)
    if kind:
        command = f"swift build ${{{kind}_flags[@]}} -c {kind} --product PosthornBench"
        subprocess.run(["bash", "-c", f"source Scripts/build-flags && {command}"], check=True, cwd=ROOT, stdout=sys.stderr)
    return built / "PosthornBench"
