/// What a connection grants the other side, and where it takes more for an attack (RFC 9113, section 10.5).
///
/// They bound what one connection can be made to hold, in octets:
///
///     2 · heldBytes                       messages; an array grows by doubling
///     (acceptedStreams + 1) · 16 384      memory that messages keep for the next ones, and a place in the table
///     4 · headerBlockBytes + 64 KiB       one header block, as it came and decoded; one frame; both HPACK tables
///
/// With the values below that is 48 MiB at worst, and some 20 KiB for a connection with a few requests. What messages keep is
/// given back when a connection has been quiet for a second. Answers come on top:
/// those to the requests of one read (128 KiB), after which a connection that does not read what it is sent is not read from,
/// and those that wait for a window, one for each stream.
package struct HTTP2Limits: Sendable {
    /// MAX_CONCURRENT_STREAMS, as announced. Servers only.
    package var maxConcurrentStreams = 1000
    /// Servers: streams that are taken whatever was announced; beyond it they are refused with REFUSED_STREAM. Clients may open
    /// streams before they have read what is announced, and the announced number may shrink.
    /// Clients: the most that are opened, whatever the server allows.
    package var acceptedStreams = 1000
    /// INITIAL_WINDOW_SIZE.
    package var streamWindowBytes = 1 << 20
    package var connectionWindowBytes = 16 << 20
    /// MAX_HEADER_LIST_SIZE. A request with a larger list is answered with 431.
    package var headerListBytes = 8000
    /// Octets of one header block on the wire, with all its CONTINUATION frames.
    package var headerBlockBytes = 32_768
    /// CONTINUATION frames of one header block.
    package var continuationFrames = 128
    /// What is kept of a body. The rest is read and counted.
    package var bodyBytes = 8192
    /// Octets that are held for messages that are not complete yet, over all streams.
    package var heldBytes = 16 << 20
    /// Servers: the same until the other side has shown a good credential (``HTTP2Machine/trust()``); nil for ``heldBytes`` from
    /// the start.
    package var strangerHeldBytes: Int?
    /// Servers: milliseconds from the first frame of a request to its last one. A request that takes longer is reset.
    package var requestTime: UInt64 = 60_000
    /// Interim answers (1xx) to one request.
    package var interimAnswers = 16
    /// GOAWAY frames on one connection.
    package var goAways = 16
    /// Streams that the other side resets or breaks.
    package var resets = Rate(burst: 1000, perSecond: 100)
    /// Frames that carry nothing: PING, PRIORITY, WINDOW_UPDATE, empty DATA, unknown types. Each complete message allows
    /// ``chatterPerMessage`` more.
    package var chatter = Rate(burst: 2000, perSecond: 200)
    package var chatterPerMessage = 8
    package var settings = Rate(burst: 100, perSecond: 10)

    /// How many at once, and how many a second after that.
    package struct Rate: Hashable, Sendable {
        package var burst: Int
        package var perSecond: Int

        package init(burst: Int, perSecond: Int) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    package init() {}
}
