"""What goes wrong in a round. Each fault is a generator: it begins, yields while it lasts, and then heals."""

import network

# Nodes' leases in seconds (Documentation/Nodes.md).
LEASE = 6


class Faults:
    """The kinds that work on this machine; `missing` says why the others do not."""

    def __init__(self, chance, cluster, pair, net, library):
        self.chance, self.cluster, self.pair, self.net = chance, cluster, pair, net
        self.kinds = {"kill": self.kill, "pause": self.pause}
        self.missing = {}
        if pair:
            self.kinds |= {"database": self.database, "promote": self.promote}
        if isinstance(net, network.Network):
            self.kinds["cut"] = self.cut
        else:
            self.missing["cut"] = net.reason
        if library:
            self.kinds["clock"] = self.clock
        else:
            self.missing["clock"] = "no C compiler for clock.c"

    def node(self):
        return self.chance.choice(self.cluster)

    def kill(self):
        """A node is killed; it is started again before or after its lease has ended."""
        node = self.node()
        node.kill()
        yield f"node {node.number + 1}", self.chance.uniform(0.5, 1.5 * LEASE)
        node.start()
        node.await_ready()

    def pause(self):
        """A node stands still for longer than its lease, and goes on as if nothing had been."""
        node = self.node()
        node.pause()
        yield f"node {node.number + 1}", self.chance.uniform(LEASE + 1, 2 * LEASE)
        node.resume()

    def database(self):
        """PostgreSQL is killed, or stopped without writing its memory, and started again."""
        by_signal = self.chance.random() < 0.5
        self.pair.crash(by_signal)
        yield "SIGKILL" if by_signal else "immediate stop", self.chance.uniform(0, 3)
        self.pair.restart()

    def promote(self):
        """The primary is killed, the standby takes its place, and the old primary becomes its standby."""
        self.pair.crash()
        self.pair.promote()
        yield f"primary is now {self.pair.primary.name}", self.chance.uniform(1, 4)
        self.pair.attach()

    def cut(self):
        """A node is cut off from callers, devices, PostgreSQL and gateway."""
        node = self.node()
        self.net.cut(node.number)
        yield f"node {node.number + 1}", self.chance.uniform(LEASE + 1, 2.5 * LEASE)
        self.net.mend(node.number)

    def clock(self):
        """A node's wall clock is an hour ahead or behind, and then right again."""
        node = self.node()
        seconds = self.chance.choice([-3600, 3600])
        node.clock(seconds)
        yield f"node {node.number + 1}, {seconds:+} s", self.chance.uniform(LEASE, 2 * LEASE)
        node.clock(0)
