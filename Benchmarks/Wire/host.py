"""The description of the machine in a report."""

import os
import pathlib
import platform
import re


def description():
    try:
        model = re.search(r"^model name\s*:\s*(.+)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        model = None
    name = " ".join(model[1].split()) if model else platform.machine()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    cores = len(os.sched_getaffinity(0))
    return f"{name}, {cores} core{'s' if cores != 1 else ''}, {memory:.0f} GB, Linux {platform.release().split('-')[0]}"


def file_system(folder):
    """Returns the type of the file system of a folder, as the kernel names it."""
    device = os.stat(folder).st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    place, found = pathlib.Path(folder).resolve(), []
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        fields, _, after = line.partition(" - ")
        fields = fields.split()
        mounted = pathlib.Path(fields[4])
        # File systems such as btrfs have device numbers that differ from those of their mount.
        found.append((fields[2] == number, place.is_relative_to(mounted), len(mounted.parts), after.split()[0]))
    best = max(found, key=lambda mount: (mount[1], mount[2], mount[0]))
    return best[3]
