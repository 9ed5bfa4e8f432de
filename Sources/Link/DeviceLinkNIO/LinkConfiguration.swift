package import NIOCore

/// The limits and the heartbeat of a WebSocket link.
package struct LinkConfiguration: Sendable {
    /// The largest message, and the largest single frame, in bytes: 1 MiB. A push is 5 KiB at most, batches of events and
    /// lists of tags stay far below. A larger message ends the link with close code 1009.
    package static let messageBytes = 1 << 20

    /// How often the server end asks whether the other end still lives.
    package var pingInterval: TimeAmount
    /// A link on which nothing at all arrived for this long is dead.
    package var silence: TimeAmount
    /// Bytes that may wait for a reader that does not read; beyond, the link ends with close code 1008.
    package var waitingBytes: Int
    /// How long the other end may take to answer a close.
    package var closeTimeout: TimeAmount
    /// How long a link may take to open, at either end: connecting, TLS and the upgrade.
    package var openTimeout: TimeAmount
    /// Bytes that a server end takes from a stranger, frame headers included; beyond, the link ends with close code 1008.
    ///
    /// A stranger needs one frame to say who it is, and has nothing else to say.
    package var strangerBytes: Int
    /// How long the other end of a server's link may stay a stranger, before it ends with close code 1008; nil where the owner of
    /// the links sees to that.
    package var strangerTime: TimeAmount?
    /// Connections that a listener has open at a time; it closes what comes beyond.
    package var connections: Int

    package init(
        pingInterval: TimeAmount = .seconds(30),
        silence: TimeAmount = .seconds(75),
        waitingBytes: Int = 64 << 20,
        closeTimeout: TimeAmount = .seconds(5),
        openTimeout: TimeAmount = .seconds(20),
        strangerBytes: Int = 64 << 10,
        strangerTime: TimeAmount? = .seconds(30),
        connections: Int = 1 << 16
    ) {
        self.pingInterval = pingInterval
        self.silence = silence
        self.waitingBytes = waitingBytes
        self.closeTimeout = closeTimeout
        self.openTimeout = openTimeout
        self.strangerBytes = strangerBytes
        self.strangerTime = strangerTime
        self.connections = connections
    }
}
