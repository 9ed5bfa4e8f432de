package import NIOCore
package import NetworkSupport

/// The limits and the heartbeat of a WebSocket link.
package struct LinkConfiguration: Sendable {
    /// The maximum size of a message, and of a single frame, in bytes: 1 MiB. A push is at most 5 KiB; batches of
    /// events and lists of tags stay far below the limit. A larger message ends the link with close code 1009.
    package static let messageBytes = 1 << 20

    /// The interval at which the server end sends pings.
    package var pingInterval: TimeAmount = .seconds(30)
    /// The time without any input after which a link counts as dead.
    package var silence: TimeAmount = .seconds(75)
    /// Bytes that may wait for a peer that does not read; beyond it, the link ends with close code 1008.
    package var waitingBytes: Int = 64 << 20
    /// The time the other end may take to answer a close.
    package var closeTimeout: TimeAmount = .seconds(5)
    /// The time a link may take to open, at either end: connecting, TLS and the upgrade.
    package var openTimeout: TimeAmount = .seconds(20)
    /// Bytes that a server end accepts from an unauthenticated client, frame headers included; beyond it, the link ends
    /// with close code 1008.
    ///
    /// An unauthenticated client needs one frame to authenticate, and has nothing else to send.
    package var unauthenticatedBytes: Int = 64 << 10
    /// The time within which the other end of a server's link must authenticate before the link ends with close code
    /// 1008; nil if the owner of the links enforces this.
    package var unauthenticatedTime: TimeAmount? = .seconds(30)
    /// The rate of frames without content: pings, pongs, empty frames, and fragments of fewer than ``fragmentBytes`` that end no message.
    /// Each message with content allows ``chatterPerMessage`` more. Beyond it the link ends with close code 1008.
    package var chatter = Allowance.Rate(burst: 500, perSecond: 20)
    package var chatterPerMessage = 8
    /// Smaller fragments count as frames without content.
    package var fragmentBytes = 64
    /// The number of frames of one read after which the link pauses, so that other connections of the event loop have their turn.
    package var framesPerRead = 64
    /// The pause for each ``framesPerRead`` frames of a read.
    package var readPause: TimeAmount = .milliseconds(5)
    /// The maximum number of bytes that are read at once.
    package var readBytes: Int = 16 << 10
    /// The maximum number of open connections of a listener; it closes further ones.
    package var connections: Int = 1 << 16

    /// Creates settings with defaults, which `change` changes.
    package init(_ change: (inout Self) -> Void = { _ in }) { change(&self) }
}
