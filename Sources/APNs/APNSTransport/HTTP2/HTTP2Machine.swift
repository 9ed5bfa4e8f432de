import NetworkSupport

/// One side of an HTTP/2 connection (RFC 9113) as a state machine: received octets in, events and octets to send out.
///
/// It reads no clock and touches no socket. It supports exchanges of one request with a small body and one answer with a
/// small body; it neither pushes nor tunnels, and ignores priorities, as RFC 9113 allows.
///
/// Feed it with ``next(in:at:)`` until that returns nil, act on each event, then send ``output``. If it throws, call
/// ``fail(_:)``, send ``output`` and close.
package struct HTTP2Machine: ~Copyable {
    package enum Role: Sendable {
        case client
        case server
    }

    /// An event of the connection. Streams are identified by their ids.
    package enum Event: Hashable, Sendable {
        /// A request (servers) or an answer (clients) is complete: ``takeMessage(of:)`` returns it.
        case message(UInt32)
        /// The other side, or a protocol error, has ended the stream.
        case reset(UInt32, tag: UInt64, HTTP2ErrorCode)
        /// The other side's SETTINGS have arrived, the first or new ones.
        case settings
        /// The other side opens no more streams (servers), or accepts none above the given one (clients).
        case goAway(lastStreamID: UInt32, HTTP2ErrorCode, debugData: [UInt8])
        /// The answer to our PING.
        case pong(UInt64)
        /// The requests that are held have to be answered before the next frame is read; see ``HTTP2Machine/holdsRequests``.
        case turn
    }

    /// An open stream. Plain numbers throughout, so that copying one costs nothing.
    struct Stream {
        static let noMessage: Int32 = -1
        static let noLength = -1

        var id: UInt32
        /// The slot of the message in the pool; ``noMessage`` once it has been taken.
        var slot = noMessage
        var tag: UInt64 = 0
        /// Whether the other side has sent END_STREAM.
        var isRemoteDone = false
        /// Whether we have sent END_STREAM, or everything is written except the part that waits for the window.
        var isLocalDone = false
        /// Whether the final header block has arrived.
        var hasFields = false
        var interimAnswers: Int32 = 0
        /// Servers: the value of ``HTTP2Machine/now`` when the request's first block arrived.
        var begun: UInt64 = 0
        /// The number of octets that we may send; negative after the other side has shrunk its windows.
        var sendWindow: Int
        /// The number of octets received since we last widened the window.
        var received = 0
        /// The content length in the fields; ``noLength`` if there is none.
        var contentLength = noLength
    }

    /// An incomplete header block.
    struct OpenBlock {
        var streamID: UInt32
        var endsStream: Bool
        var bytes: [UInt8]
        var frames = 0
    }

    /// A body, or the rest of one, that waits for a window.
    struct PendingBody {
        var streamID: UInt32
        var bytes: [UInt8]
        var sent = 0
    }

    let role: Role
    let limits: HTTP2Limits
    let catalog = FieldCatalog.shared
    /// The octets to send, in order. Take them with ``takeOutput()``.
    var output = WireBytes()

    // Receiving.
    /// The number of octets of the client's preface received.
    private var prefaceSeen = 0
    /// The beginning of an incomplete frame.
    private var partial: [UInt8] = []
    var openBlock: OpenBlock?
    var decoder = HPACKDecoder()
    var hasPeerSettings = false
    var peer = PeerSettings()
    /// The highest stream that the other side has opened (servers).
    var lastPeerStream: UInt32 = 0
    /// The number of octets of DATA received since we last widened the connection's window.
    var received = 0
    var heldBytes = 0
    /// The limit of ``heldBytes``.
    var heldLimit: Int
    var goAwaysSeen = 0
    /// The last stream that the other side will process (clients).
    package internal(set) var peerLastStream: UInt32?

    // Sending.
    var encoder = HPACKEncoder()
    var sendWindow = 65_535
    /// The id of our next stream (clients).
    package internal(set) var nextStream: UInt32 = 1
    /// The stream id of our last GOAWAY; it may only decrease.
    var lastAccepted: UInt32?
    var pending: [PendingBody] = []
    /// Streams that we have reset, for which something may still arrive; the latest few.
    var resetStreams: [UInt32] = []

    var streams = StreamTable(vacant: Stream(id: 0, sendWindow: 0))
    var pool = MessagePool()
    var scratch: [UInt8] = []
    var heads: [ObjectIdentifier: EncodedHead] = [:]
    var lastHead: EncodedHead?

    // Abuse.
    /// Milliseconds on a clock that does not go back; must be set before each batch.
    package var now: UInt64 = 0
    var resets: Allowance
    var chatter: Allowance
    var settingsFrames: Allowance

    /// Starts a connection; ``output`` contains the octets to send first.
    package init(role: Role, limits: HTTP2Limits = HTTP2Limits()) {
        self.role = role
        self.limits = limits
        heldLimit = role == .server ? limits.unauthenticatedHeldBytes ?? limits.heldBytes : limits.heldBytes
        resets = Allowance(limits.resets)
        chatter = Allowance(limits.chatter)
        settingsFrames = Allowance(limits.settings)
        begin()
    }

    /// Writes the preface of this side (RFC 9113, section 3.4). The windows are wide from the first octet on: some clients
    /// fail rather than wait (aioapns), and no client is throttled by 64 KiB.
    private mutating func begin() {
        if role == .client { output.write(Self.preface) }
        var settings: [HTTP2Setting] = []
        if role == .client {
            settings.append(HTTP2Setting(.enablePush, 0))
        } else {
            settings.append(HTTP2Setting(.maxConcurrentStreams, limits.maxConcurrentStreams))
        }
        settings.append(HTTP2Setting(.initialWindowSize, limits.streamWindowBytes))
        settings.append(HTTP2Setting(.maxHeaderListSize, limits.headerListBytes))
        output.writeSettings(settings)
        if limits.connectionWindowBytes > 65_535 {
            output.writeWindowUpdate(0, by: limits.connectionWindowBytes - 65_535)
        }
    }

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let prefaceSize = 24
    /// SETTINGS_MAX_FRAME_SIZE: we announce none, so the default applies.
    static let maxFrameSize = 16_384

    // MARK: - State

    package var openStreams: Int { streams.count }

    /// The number of streams that the other side allows, at most 2^31 - 1. 100 before its SETTINGS have arrived (RFC 9113,
    /// section 6.5.2).
    package var streamLimit: Int { hasPeerSettings ? peer.maxConcurrentStreams ?? Int(Int32.max) : 100 }

    /// Whether the other side has begun something that it must finish: its preface, a frame, a header block, a request
    /// body; or its window prevents an answer from being sent.
    package var isOwed: Bool {
        guard hasPeerSettings, partial.isEmpty, openBlock == nil, pending.isEmpty else { return true }
        return role == .server && unfinishedRequests > 0
    }

    /// Whether complete requests wait to be answered together (servers). Frames that bring further requests are read meanwhile.
    /// Before any other, ``next(in:at:)`` returns ``Event/turn``, until they are answered and this is false again: what a frame
    /// means may depend on whether its stream is answered.
    var holdsRequests = false

    /// Whether a frame begins a request for which there is room, or continues one. Trailers count as another frame.
    @inline(__always)
    private func bringsRequest(_ header: FrameHeader) -> Bool {
        switch header.type {
        // Each answer makes room for a request.
        case .headers: header.streamID > lastPeerStream && streams.count < limits.acceptedStreams
        case .data: streams.place(of: header.streamID).map { !streams[$0].isRemoteDone } ?? false
        case .continuation: true
        default: false
        }
    }

    /// The number of requests whose fields have arrived but whose end has not.
    var unfinishedRequests = 0

    /// Counters of progress.
    struct Progress: Hashable, Sendable {
        /// The number of frames read, except frames that only continue a header block.
        var frames = 0
        /// The number of frames that advanced an open request: header blocks, and DATA with content or END_STREAM.
        var requestFrames = 0
        /// The number of octets of bodies that had to wait for a window.
        var sent = 0
    }
    var progress = Progress()

    /// Whether the pending work has not advanced.
    func hasStalled(since earlier: Progress) -> Bool {
        let owesFrame = !hasPeerSettings || !partial.isEmpty || openBlock != nil
        // PING and the like show that the peer is alive, but do not advance the pending request.
        let owesRequest = unfinishedRequests > 0
        return owesFrame && progress.frames == earlier.frames
            || owesRequest && progress.requestFrames == earlier.requestFrames
            || !pending.isEmpty && progress.sent == earlier.sent
    }

    /// Resets the requests that began too long ago, however many frames have arrived since; see
    /// ``HTTP2Limits/requestTime``. Servers only; ``now`` must be set before.
    mutating func resetOverdueRequests() {
        guard unfinishedRequests > 0 else { return }
        for id in streams.openIDs {
            guard let place = streams.place(of: id), !streams[place].isRemoteDone,
                now >= streams[place].begun + limits.requestTime
            else { continue }
            reset(id, .enhanceYourCalm)
        }
    }

    /// Records that the other side has presented a valid credential: from here on ``HTTP2Limits/heldBytes`` applies.
    mutating func trust() { heldLimit = limits.heldBytes }

    /// Whether ``trust()`` would raise the limit.
    var isUnauthenticated: Bool { heldLimit < limits.heldBytes }

    /// Ends the connection because of a protocol error: writes GOAWAY with the rule.
    package mutating func fail(_ error: HTTP2ConnectionError) {
        let last = min(role == .server ? lastPeerStream : 0, lastAccepted ?? .max)
        output.writeGoAway(lastStreamID: last, error.code, Array(error.rule.utf8))
    }

    /// Whether ``shrink()`` may release something.
    var hasSpareMemory: Bool { !pool.isEmpty || streams.hasSpares }

    /// Releases memory after a busy period.
    package mutating func shrink() {
        guard streams.count == 0 else { return }
        streams.shrinkIfEmpty()
        pool.shrink()
        output.shrink()
    }

    // MARK: - Input

    /// Reads until an event occurs or the octets are used up.
    ///
    /// `input` is the received octets. `offset` is the position in it; advanced.
    /// - Returns: nil if all octets are used up.
    package mutating func next(in input: Span<UInt8>, at offset: inout Int) throws(HTTP2ConnectionError) -> Event? {
        if role == .server, prefaceSeen < Self.prefaceSize { try readPreface(input, &offset) }
        while true {
            if !partial.isEmpty {
                guard fillPartial(input, &offset, to: FrameHeader.size) else { return nil }
                let header = FrameHeader(partial.span)
                try check(header)
                guard fillPartial(input, &offset, to: FrameHeader.size + header.length) else { return nil }
                let frame = partial
                partial = []
                if let event = try process(header, frame.span.extracting(FrameHeader.size..<frame.count)) {
                    return event
                }
                continue
            }
            let available = input.count - offset
            guard available >= FrameHeader.size else {
                buffer(input, &offset)
                return nil
            }
            let header = FrameHeader(input, at: offset)
            if holdsRequests, !bringsRequest(header) { return .turn }
            try check(header)
            guard available >= FrameHeader.size + header.length else {
                buffer(input, &offset)
                return nil
            }
            let start = offset + FrameHeader.size
            offset = start + header.length
            let payload = input.extracting(start..<offset)
            if let event = try process(header, payload) { return event }
        }
    }

    private mutating func readPreface(_ input: Span<UInt8>, _ offset: inout Int) throws(HTTP2ConnectionError) {
        while prefaceSeen < Self.prefaceSize, offset < input.count {
            guard input[offset] == Self.preface[prefaceSeen] else {
                throw HTTP2ConnectionError(.protocolError, "This is not HTTP/2: the preface differs (RFC 9113, 3.4)")
            }
            prefaceSeen += 1
            offset += 1
        }
    }

    private mutating func buffer(_ input: Span<UInt8>, _ offset: inout Int) {
        guard offset < input.count else { return }
        partial.append(input.extracting(offset..<input.count))
        offset = input.count
    }

    /// Extends the kept beginning of a frame, without touching the octets after it.
    ///
    /// - Returns: whether it has `count` octets now.
    private mutating func fillPartial(_ input: Span<UInt8>, _ offset: inout Int, to count: Int) -> Bool {
        let missing = min(max(0, count - partial.count), input.count - offset)
        partial.append(input.extracting(offset..<offset + missing))
        offset += missing
        return partial.count >= count
    }

    /// Checks a frame header before its payload arrives.
    @inline(__always)
    private func check(_ header: FrameHeader) throws(HTTP2ConnectionError) {
        guard header.length <= Self.maxFrameSize else {
            throw HTTP2ConnectionError(
                .frameSizeError,
                "A frame of \(header.length) octets, but \(Self.maxFrameSize) are the most (RFC 9113, 4.2)"
            )
        }
        if !hasPeerSettings, header.type != .settings || header.flags.contains(.ack) {
            throw HTTP2ConnectionError(.protocolError, "The first frame is not SETTINGS (RFC 9113, 3.4)")
        }
    }

    @inline(__always)
    private mutating func process(
        _ header: FrameHeader,
        _ payload: Span<UInt8>
    ) throws(HTTP2ConnectionError) -> Event? {
        if openBlock != nil {
            guard header.type == .continuation, header.streamID == openBlock?.streamID else {
                throw HTTP2ConnectionError(.protocolError, "A header block is interrupted (RFC 9113, 4.3)")
            }
            return try receiveContinuation(header, payload)
        }
        progress.frames += 1
        switch header.type {
        case .headers: return try receiveHeaders(header, payload)
        case .data: return try receiveData(header, payload)
        case .settings: return try receiveSettings(header, payload)
        case .windowUpdate: return try receiveWindowUpdate(header, payload)
        case .ping: return try receivePing(header, payload)
        case .rstStream: return try receiveReset(header, payload)
        case .goAway: return try receiveGoAway(header, payload)
        case .priority: return try receivePriority(header, payload)
        case .continuation:
            throw HTTP2ConnectionError(.protocolError, "CONTINUATION without HEADERS (RFC 9113, 6.10)")
        case .pushPromise:
            throw HTTP2ConnectionError(.protocolError, "PUSH_PROMISE was never allowed (RFC 9113, 8.4)")
        default:
            // Unknown types are ignored (section 5.5).
            try spend()
            return nil
        }
    }

    // MARK: - Abuse

    mutating func spend() throws(HTTP2ConnectionError) {
        guard chatter.take(at: now) else {
            throw HTTP2ConnectionError(.enhanceYourCalm, "Too many frames that carry nothing (RFC 9113, 10.5)")
        }
    }

    mutating func spendReset() throws(HTTP2ConnectionError) {
        try require(resets.take(at: now), else: .enhanceYourCalm, "Too many streams reset (RFC 9113, 10.5)")
    }
}
