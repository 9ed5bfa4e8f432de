package import NetworkSupport

/// The limits that a connection grants the other side, and the thresholds for abuse (RFC 9113, section 10.5).
///
/// They bound the memory that one connection can hold, in octets:
///
///     2 · heldBytes                       messages; an array grows by doubling
///     (acceptedStreams + 1) · 16 384      memory that messages keep for reuse, and a slot in the table
///     4 · headerBlockBytes + 64 KiB       one header block, encoded and decoded; one frame; both HPACK tables
///
/// With the values below, that is 48 MiB at worst, and about 20 KiB for a connection with a few requests. The memory kept for
/// reuse is released when a connection has been quiet for a second. Answers come on top: the answers to the requests of one
/// read (128 KiB), after which a connection that does not read its answers is no longer read from, and answers that wait
/// for a window, one for each stream.
package struct HTTP2Limits: Sendable {
    /// The announced MAX_CONCURRENT_STREAMS. Servers only.
    package var maxConcurrentStreams = 1000
    /// Servers: the number of streams that are accepted whatever was announced; more are refused with REFUSED_STREAM. Clients may
    /// open streams before they have read the announced number, and that number may shrink.
    /// Clients: the largest number of streams that are opened, whatever the server allows.
    package var acceptedStreams = 1000
    /// The announced INITIAL_WINDOW_SIZE.
    package var streamWindowBytes = 1 << 20
    package var connectionWindowBytes = 16 << 20
    /// The announced MAX_HEADER_LIST_SIZE. A request with a larger list is answered with 431.
    package var headerListBytes = 8000
    /// The largest header block on the wire in octets, including all its CONTINUATION frames.
    package var headerBlockBytes = 32_768
    /// The largest number of CONTINUATION frames of one header block.
    package var continuationFrames = 128
    /// The number of octets of a body that are stored. The rest is read and counted.
    package var bodyBytes = 8192
    /// The largest number of octets held for incomplete messages, over all streams.
    package var heldBytes = 16 << 20
    /// Servers: the same limit until the other side has presented a valid credential (``HTTP2Machine/trust()``); nil applies
    /// ``heldBytes`` from the start.
    package var unauthenticatedHeldBytes: Int?
    /// Servers: the largest number of milliseconds from the first frame of a request to its last. A slower request is reset.
    package var requestTime: UInt64 = 60_000
    /// The largest number of interim answers (1xx) to one request.
    package var interimAnswers = 16
    /// The largest number of GOAWAY frames on one connection.
    package var goAways = 16
    /// The rate of streams that the other side may reset or break.
    package var resets = Rate(burst: 1000, perSecond: 100)
    /// The rate of frames without content: PING, PRIORITY, WINDOW_UPDATE, empty DATA, unknown types. Each complete message allows
    /// ``chatterPerMessage`` more.
    package var chatter = Rate(burst: 2000, perSecond: 200)
    package var chatterPerMessage = 8
    package var settings = Rate(burst: 100, perSecond: 10)

    package typealias Rate = Allowance.Rate

    package init() {}
}
