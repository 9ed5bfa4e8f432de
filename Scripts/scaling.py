#!/usr/bin/env python3
"""The tables of Documentation/Scaling.md: a model of nodes and PostgreSQL servers, fed by measured constants.

    Scripts/scaling.py                  prints the tables
    Scripts/scaling.py --check          exits with 1 if the page has others
    Scripts/scaling.py --write          writes them into the page

A table stands in the page between <!-- table: NAME --> and <!-- end -->. The constants are read from the pages that state them: after a
new measurement, --write, and look whether the words around the tables still fit.
"""
import math, pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Documentation/Scaling.md"

SERVICE, BROADCAST, LINK, CLIENT = (f"Documentation/Performance{name}.md" for name in ("OfTheService", "OfABroadcast", "OfTheLink", ""))
WAL = "Documentation/Scaling.md"

# name: unit, where its source states the value, source. The value is the sum of the expression's groups; the benchmarks write all
# pages but Scaling.md's own part.
CONSTANTS = {
    "memory of a device in a node": ("bytes", r"\| memory per device \| (NUMBER)", SERVICE),
    "reading a million devices at the start": ("s", r"\| reading all of them at the start \| (NUMBER)", SERVICE),
    "accepting a push": ("µs of a node's CPU", r"\| a push, on disk when it is answered, ÷ that route \| (NUMBER)", SERVICE),
    "accepting a push in a batch": ("µs of a node's CPU", r"\| a push in a batch of 1000 ÷ a request to the C server[^|]*\| (NUMBER)", SERVICE),
    "sending a single push": ("µs of a node's CPU", r"\| \*\*Posthorn, one by one\*\* (?:\|[^|]+){3}\| (NUMBER)", CLIENT),
    "sending a push of a broadcast": ("µs of a node's CPU", r"\| the service's CPU, µs per push \| (NUMBER) \(", BROADCAST),
    "pushes of one broadcast": ("a second", r"\| the service's pushes/s \| (NUMBER)", BROADCAST),
    "memory of a link": ("KB", r"\| resident memory per link, KB \| (NUMBER)", LINK),
    "memory of a link with TLS": ("KB", r"\| resident memory per link, KB \|[^|]+\| (NUMBER)", LINK),
    "opening a link": ("µs of a node's CPU", r"\| CPU for connecting, upgrading and logging in, µs \| (NUMBER)", LINK),
    "opening a link with TLS": ("µs of a node's CPU", r"\| CPU for connecting, upgrading and logging in, µs \|[^|]+\| (NUMBER)", LINK),
    "a message to all links, batched": ("µs of a node's CPU", r"\| batches: one message to all, 16 in flight (?:\|[^|]+){6}\| (NUMBER)", LINK),
    "separate messages to links, batched": ("µs of a node's CPU", r"\| separate messages, 16 in flight per 100 links, in batches (?:\|[^|]+){6}\| (NUMBER)", LINK),
    "PostgreSQL: a device": ("bytes on disk", "device: (NUMBER) bytes on disk", WAL),
    "PostgreSQL: registering a device": ("bytes of WAL", "to register it, 100 in a transaction: (NUMBER) bytes of WAL", WAL),
    "PostgreSQL: accepting a push": ("bytes of WAL", "to accept it, 10 in a transaction: (NUMBER) bytes of WAL", WAL),
    "PostgreSQL: sending a push": ("bytes of WAL", "to send it, 10 in a transaction: (NUMBER) bytes of WAL", WAL),
    "PostgreSQL: CPU of both": (
        "µs", "to accept it, 10 in a transaction: NUMBER bytes of WAL, (NUMBER) µs\n.* to send it, 10 in a transaction: NUMBER bytes of WAL, (NUMBER) µs", WAL
    ),
    "PostgreSQL: a push": ("bytes on disk", "push: (NUMBER) bytes on disk", WAL),
    "PostgreSQL: a device of a broadcast": ("bytes of WAL", "broadcast: (NUMBER) bytes of WAL for a device", WAL),
}


def stated(name):
    """The value that the source of a constant states, and how many decimals it has there."""
    _, expression, path = CONSTANTS[name]
    found = re.findall(expression.replace("NUMBER", r"[0-9][0-9,]*(?:\.[0-9]+)?"), (ROOT / path).read_text())
    if len(found) != 1:
        sys.exit(f"{path} states '{name}' {len(found)} times, and not once; it is looked for with {expression!r}")
    groups = [found[0]] if isinstance(found[0], str) else found[0]
    return sum(float(each.replace(",", "")) for each in groups), max(len(each.partition(".")[2]) for each in groups)


STATED = {name: stated(name) for name in CONSTANTS}
VALUE = {name: value for name, (value, _) in STATED.items()}

# What the model assumes, because it depends on the apps and the machines.
PUSHES_A_DAY, PEAK = 5, 4  # pushes for a device a day, one by one; the busiest second ÷ the average one
CHANGES_A_DAY = 0.02  # registrations and changes of a device a day
KERNEL_KB = 4  # memory of the kernel for an idle socket
NODE_CORES, NODE_GB, USED = 4, 16, 0.6  # a node, and how much of it may be used after another one has failed
SERVER_CORES, SERVER_WAL_MB, SERVER_USED = 16, 100, 0.6  # a PostgreSQL server, the WAL that it and its standby keep up with
SERVER_DISK_TB = 4  # its disk
LINKS_OF_A_NODE = 100_000  # http.connections
RETENTION_DAYS = 31  # retention.messages
RETURN_SECONDS = 60  # the time in which the links of a failed node come back
CONNECTIONS_OF_A_NODE = 10  # eight in the pool (postgres.connections), one for the membership, one for the bell


def number(value, digits=0):
    return f"{value:,.{digits}f}"


def short(value, units=((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "KB"))):
    for size, unit in units:
        if value >= size:
            return f"{value / size:,.{0 if value / size >= 10 else 1}f} {unit}"
    return f"{value:,.0f} bytes"


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1), *("| " + " | ".join(row) + " |" for row in rows)])


def devices(counts=(1e6, 1e7, 1e8)):
    rows = [
        ("memory in each node that serves the apps", lambda n: short(VALUE["memory of a device in a node"] * n)),
        ("time to read them at a node's start", lambda n: number(VALUE["reading a million devices at the start"] * n / 1e6) + " s"),
        ("disk in PostgreSQL", lambda n: short(VALUE["PostgreSQL: a device"] * n)),
        ("changes of devices, in the busiest second", lambda n: number(n * CHANGES_A_DAY * PEAK / 86_400, 1)),
        ("WAL of the changes, a day", lambda n: short(n * CHANGES_A_DAY * VALUE["PostgreSQL: registering a device"])),
        ("a push to all: CPU of its node", lambda n: number(VALUE["sending a push of a broadcast"] * n / 1e6, 1) + " s"),
        ("a push to all: time, at least", lambda n: number(n / VALUE["pushes of one broadcast"]) + " s"),
        ("a push to all: WAL", lambda n: short(n * VALUE["PostgreSQL: a device of a broadcast"])),
    ]
    return table(["devices", *(number(n) for n in counts)], [[name, *(cell(n) for n in counts)] for name, cell in rows])


def accepts(rates=(100, 1_000, 10_000, 25_000)):
    wal = VALUE["PostgreSQL: accepting a push"] + VALUE["PostgreSQL: sending a push"]
    single = VALUE["accepting a push"] + VALUE["sending a single push"]
    batched = VALUE["accepting a push in a batch"] + VALUE["sending a single push"]
    rows = [
        ("cores of nodes, one push a request", lambda r: number(r * single / 1e6, 2)),
        ("cores of nodes, in batches of 1,000", lambda r: number(r * batched / 1e6, 2)),
        ("cores of PostgreSQL", lambda r: number(r * VALUE["PostgreSQL: CPU of both"] / 1e6, 2)),
        ("WAL a second", lambda r: short(r * wal)),
        ("WAL a day, if it lasts", lambda r: short(r * wal * 86_400)),
        (f"disk for {RETENTION_DAYS} days, if it lasts", lambda r: short(r * 86_400 * RETENTION_DAYS * VALUE["PostgreSQL: a push"])),
    ]
    return table(["single pushes a second", *(number(r) for r in rates)], [[name, *(cell(r) for r in rates)] for name, cell in rows])


def links(nodes=(11, 16, 21, 41), count=1_000_000):
    opening = VALUE["opening a link"] / 1e6

    def returned(n):
        """The share of the other nodes' CPU that the links of a failed one need while they come back."""
        return count / n * opening / RETURN_SECONDS / ((n - 1) * NODE_CORES)

    rows = [
        ("links of a node", lambda n: number(count / n)),
        ("the same, after one has failed", lambda n: number(count / (n - 1))),
        ("memory of these, plain, with the kernel's", lambda n: short(count / (n - 1) * (VALUE["memory of a link"] + KERNEL_KB) * 1e3)),
        ("memory of these, with TLS at the node", lambda n: short(count / (n - 1) * (VALUE["memory of a link with TLS"] + KERNEL_KB) * 1e3)),
        (f"CPU of the others for its links, over {RETURN_SECONDS} s", lambda n: number(100 * returned(n), 1) + " %"),
        ("a message to all links: CPU of a node", lambda n: number(count / n * VALUE["a message to all links, batched"] / 1e6, 2) + " s"),
        ("a message of its own for each link: CPU of a node", lambda n: number(count / n * VALUE["separate messages to links, batched"] / 1e6, 1) + " s"),
        ("connections to PostgreSQL", lambda n: number(n * CONNECTIONS_OF_A_NODE)),
    ]
    return table([f"nodes for {number(count)} links", *(str(n) for n in nodes)], [[name, *(cell(n) for n in nodes)] for name, cell in rows])


def plan(count, links=1_000_000):
    """The least machines for a number of devices and links, and what asks for them."""
    rate = count * PUSHES_A_DAY * PEAK / 86_400
    wal = rate * (VALUE["PostgreSQL: accepting a push"] + VALUE["PostgreSQL: sending a push"])
    wal += count * CHANGES_A_DAY * PEAK / 86_400 * VALUE["PostgreSQL: registering a device"]
    cores = rate * VALUE["PostgreSQL: CPU of both"] / 1e6
    disk = count * (VALUE["PostgreSQL: a device"] + PUSHES_A_DAY * RETENTION_DAYS * VALUE["PostgreSQL: a push"])
    asks = {
        "WAL": math.ceil(wal / 1e6 / SERVER_WAL_MB / SERVER_USED),
        "CPU": math.ceil(cores / SERVER_CORES / SERVER_USED),
        "disk": math.ceil(disk / 1e12 / SERVER_DISK_TB),
    }
    servers = max(asks.values())
    # A group of nodes for each server; it has its part of the devices, pushes and links.
    part, part_links, part_rate = count / servers, links / servers, rate / servers
    columns = VALUE["memory of a device in a node"] * part
    link = (VALUE["memory of a link"] + KERNEL_KB) * 1e3
    needs = {
        "sockets": math.ceil(part_links / LINKS_OF_A_NODE),
        "memory": math.ceil(part_links * link / max(NODE_GB * 1e9 * USED - columns, 1)),
        "CPU": math.ceil(part_rate * (VALUE["accepting a push"] + VALUE["sending a single push"]) / 1e6 / NODE_CORES / USED),
    }
    # One more may fail, and with fewer than three the others have too much to take over.
    nodes = max(3, max(needs.values()) + 1)
    reason = max(needs, key=needs.get) if max(needs.values()) + 1 >= 3 else "three at least"
    return {
        "single pushes in the busiest second": number(rate),
        "PostgreSQL servers, each with a standby": str(servers),
        "the number of servers comes from": max(asks, key=asks.get) if servers > 1 else "one suffices",
        "nodes of each": str(nodes),
        "nodes in all": str(servers * nodes),
        "the number of nodes comes from": reason,
        "memory of a node: devices": short(columns),
        "memory of a node: links, one node failed": short(part_links / (nodes - 1) * link),
        "a node's start": number(VALUE["reading a million devices at the start"] * part / 1e6) + " s",
        "WAL of a server in the busiest second": short(wal / servers),
        "cores of a server in the busiest second": number(cores / servers, 1),
        f"disk of a server, {RETENTION_DAYS} days": short(disk / servers),
        "connections to a server": number(nodes * CONNECTIONS_OF_A_NODE),
    }


def plans(counts=(1e6, 1e7, 1e8)):
    made = [plan(n) for n in counts]
    return table(["devices, with 1,000,000 links", *(number(n) for n in counts)], [[name, *(p[name] for p in made)] for name in made[0]])


def constants():
    def source(path):
        return "[below](#measured-for-this-page)" if path == WAL else f"[{pathlib.Path(path).stem}]({pathlib.Path(path).name})"

    return table(["constant", "value", "source"],
                 [[name, f"{number(*STATED[name])} {unit}", source(path)] for name, (unit, _, path) in CONSTANTS.items()])


TABLES = {"constants": constants, "devices": devices, "accepts": accepts, "links": links, "plans": plans}
PLACE = re.compile(r"(<!-- table: (\w+) -->\n)(?:(?!<!--).)*(<!-- end -->)", re.S)


def filled(text):
    return PLACE.sub(lambda match: match[1] + TABLES[match[2]]() + "\n" + match[3], text)


def main():
    if len(sys.argv) > 2 or sys.argv[1:] not in ([], ["--check"], ["--write"]):
        sys.exit(__doc__)
    if sys.argv[1:] == []:
        return print("\n\n".join(f"{name}\n\n{made()}" for name, made in TABLES.items()))
    text = PAGE.read_text()
    if missing := TABLES.keys() - {match[2] for match in PLACE.finditer(text)}:
        sys.exit(f"{PAGE.relative_to(ROOT)} has no place for the tables {', '.join(sorted(missing))}: <!-- table: NAME --> … <!-- end -->")
    if sys.argv[1] == "--write":
        PAGE.write_text(filled(text))
        text = PAGE.read_text()
    if filled(text) != text:
        sys.exit(f"{PAGE.relative_to(ROOT)} has other tables than the model; Scripts/scaling.py --write, and look at the difference")
    print(f"{len(TABLES)} tables and {len(CONSTANTS)} constants agree")


main()
