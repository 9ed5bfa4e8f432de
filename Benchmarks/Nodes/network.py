"""A network of the nodes' own: each node in a namespace, at a port of one bridge, from which it can be cut off."""

import os
import shutil
import subprocess


class Missing(Exception):
    pass


def run(*words):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"'{' '.join(map(str, words))}': {done.stderr.strip()}")


class Network:
    """Needs root, iproute2, and a kernel with bridge and veth. The rest of the machine has the address `host` in it."""

    def __init__(self, nodes):
        if os.getuid() != 0 or not shutil.which("ip"):
            raise Missing("network namespaces need root and the command ip (package iproute2)")
        tag = os.getpid() % 100_000
        third = os.getpid() % 250
        self.bridge, self.host, self.range = f"ph{tag}", f"10.213.{third}.1", f"10.213.{third}.0/24"
        self.names = [f"ph{tag}-{number}" for number in range(nodes)]
        self.addresses = [f"10.213.{third}.{number + 11}" for number in range(nodes)]
        try:
            run("ip", "link", "add", "name", self.bridge, "type", "bridge")
            run("ip", "address", "add", f"{self.host}/24", "dev", self.bridge)
            run("ip", "link", "set", "dev", self.bridge, "up")
            for name, address in zip(self.names, self.addresses):
                run("ip", "netns", "add", name)
                run("ip", "link", "add", "name", name, "type", "veth", "peer", "name", "eth0", "netns", name)
                run("ip", "link", "set", "dev", name, "master", self.bridge, "up")
                run("ip", "-n", name, "address", "add", f"{address}/24", "dev", "eth0")
                run("ip", "-n", name, "link", "set", "dev", "lo", "up")
                run("ip", "-n", name, "link", "set", "dev", "eth0", "up")
        except Missing:
            self.close()
            raise

    def prefix(self, node):
        """The words before a command that runs at this node."""
        return ["ip", "netns", "exec", self.names[node]]

    def cut(self, node):
        """Pulls the plug: neither side is told, packets vanish."""
        run("ip", "link", "set", "dev", self.names[node], "down")

    def mend(self, node):
        run("ip", "link", "set", "dev", self.names[node], "up")

    def close(self):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)
            subprocess.run(["ip", "link", "del", name], capture_output=True)
        subprocess.run(["ip", "link", "del", self.bridge], capture_output=True)


class Loopback:
    """All nodes on the loopback, where none can be cut off."""

    host, range = "127.0.0.1", "127.0.0.0/8"

    def __init__(self, nodes, reason):
        self.addresses, self.reason = [self.host] * nodes, reason

    def prefix(self, node):
        return []

    def close(self):
        pass
