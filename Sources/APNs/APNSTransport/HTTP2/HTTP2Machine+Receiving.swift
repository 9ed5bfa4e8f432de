import NetworkSupport

/// The handling of received frames (RFC 9113, section 6), and the rules for well-formed messages (section 8).
extension HTTP2Machine {
    // MARK: - HEADERS, CONTINUATION

    /// Handles HEADERS (RFC 9113, section 6.2).
    mutating func receiveHeaders(_ header: FrameHeader, _ payload: Span<UInt8>) throws(HTTP2ConnectionError) -> Event? {
        let id = header.streamID
        try require(id & 1 == 1, else: .protocolError, "HEADERS on stream \(id) (RFC 9113, 5.1.1)")
        if role == .client, id >= nextStream { throw idle("HEADERS", id) }
        let block = payload.extracting(
            try contents(header, payload, prioritySize: header.flags.contains(.priority) ? 5 : 0)
        )
        let endsStream = header.flags.contains(.endStream)
        guard header.flags.contains(.endHeaders) else {
            openBlock = OpenBlock(streamID: id, endsStream: endsStream, bytes: [])
            openBlock?.bytes.append(block)
            return nil
        }
        return try receiveBlock(block, on: id, endsStream)
    }

    /// Handles CONTINUATION (RFC 9113, section 6.10).
    mutating func receiveContinuation(
        _ header: FrameHeader,
        _ payload: Span<UInt8>
    ) throws(HTTP2ConnectionError) -> Event? {
        guard var block = openBlock.take() else { return nil }
        block.frames += 1
        guard block.frames <= limits.continuationFrames, block.bytes.count + payload.count <= limits.headerBlockBytes
        else {
            throw HTTP2ConnectionError(.enhanceYourCalm, "A header block without end (RFC 9113, 10.5.1)")
        }
        block.bytes.append(payload)
        guard header.flags.contains(.endHeaders) else {
            openBlock = block
            return nil
        }
        return try receiveBlock(block.bytes.span, on: block.streamID, block.endsStream)
    }

    /// Handles a complete header block. It is decoded in any case, to keep the table in sync (RFC 9113, section 4.3).
    @inline(__always)
    private mutating func receiveBlock(
        _ block: Span<UInt8>,
        on id: UInt32,
        _ endsStream: Bool
    ) throws(HTTP2ConnectionError) -> Event? {
        let message = pool.take()
        try decoder.decode(block, into: &message.fields, listLimit: limits.headerListBytes)
        if let place = streams.place(of: id) { return try receiveLaterBlock(message, at: place, endsStream) }
        if role == .client || id <= lastPeerStream {
            try receiveLateBlock(message, on: id)
            return nil
        }
        lastPeerStream = id
        // After our GOAWAY (section 6.8).
        if let lastAccepted, id > lastAccepted {
            pool.giveBack(message)
            return nil
        }
        guard streams.count < limits.acceptedStreams else { return try refuse(id, .refusedStream, giving: message) }
        return try open(id, with: message, endsStream: endsStream)
    }

    /// Handles the first block of a request.
    @inline(__always)
    private mutating func open(
        _ id: UInt32,
        with message: HTTP2Message,
        endsStream: Bool
    ) throws(HTTP2ConnectionError) -> Event? {
        var length = Stream.noLength
        if message.fields.listSize > limits.headerListBytes {
            message.isTooLarge = true
            // Not cleared: its grown memory would be held, and not counted, until the request is complete.
            message.fields = FieldBlock()
        } else {
            guard message.fields.isRequest, Self.readLength(message.fields, &length) else {
                return try refuse(id, .protocolError, giving: message)
            }
        }
        if endsStream, length > 0 { return try refuse(id, .protocolError, giving: message) }
        try hold(message.heldBytes)
        let stream = Stream(
            id: id,
            slot: message.slot,
            isRemoteDone: endsStream,
            hasFields: true,
            sendWindow: peer.initialWindowSize,
            contentLength: length
        )
        guard endsStream else {
            unfinishedRequests += 1
            progress.requestFrames += 1
            streams[streams.insert(id, stream)].begun = now
            return nil
        }
        streams.insert(id, stream)
        return finished(id)
    }

    /// Handles a block on an open stream: an answer, an interim answer, or trailers.
    private mutating func receiveLaterBlock(
        _ message: HTTP2Message,
        at place: Int,
        _ endsStream: Bool
    ) throws(HTTP2ConnectionError) -> Event? {
        guard !streams[place].isRemoteDone else { return try breakStream(at: place, .streamClosed, giving: message) }
        if streams[place].hasFields {
            // Trailers (section 8.1): they end the message and are otherwise ignored.
            let isSound = endsStream && !message.fields.hasPseudo && message.fields.flaw == nil
            pool.giveBack(message)
            guard isSound else { return try breakStream(at: place, .protocolError) }
            return try end(at: place)
        }
        var length = Stream.noLength
        guard let status = message.fields.status, message.fields.listSize <= limits.headerListBytes else {
            return try breakStream(at: place, .protocolError, giving: message)
        }
        if status < 200 {
            // Interim (RFC 9110, section 15.2).
            pool.giveBack(message)
            streams[place].interimAnswers += 1
            guard !endsStream, status != 101 else { return try breakStream(at: place, .protocolError) }
            guard Int(streams[place].interimAnswers) <= limits.interimAnswers else {
                return try breakStream(at: place, .enhanceYourCalm)
            }
            return nil
        }
        guard Self.readLength(message.fields, &length) else {
            return try breakStream(at: place, .protocolError, giving: message)
        }
        try hold(message.heldBytes)
        streams[place].hasFields = true
        // An answer that never has content may state the length it would have (section 8.1.1).
        streams[place].contentLength = status == 204 || status == 304 ? Stream.noLength : length
        message.status = status
        streams[place].slot = message.slot
        guard endsStream else { return nil }
        return try end(at: place)
    }

    /// Handles a block on a closed stream.
    private mutating func receiveLateBlock(_ message: HTTP2Message, on id: UInt32) throws(HTTP2ConnectionError) {
        pool.giveBack(message)
        if role == .client || resetStreams.contains(id) {
            // It was in flight when we reset the stream, or came after its answer.
            try spend()
            return
        }
        throw HTTP2ConnectionError(.streamClosed, "HEADERS on stream \(id), which is closed (RFC 9113, 5.1)")
    }

    // MARK: - DATA

    /// Handles DATA (RFC 9113, section 6.1).
    @inline(__always)
    mutating func receiveData(_ header: FrameHeader, _ payload: Span<UInt8>) throws(HTTP2ConnectionError) -> Event? {
        let id = header.streamID
        guard id != 0 else { throw HTTP2ConnectionError(.protocolError, "DATA on stream 0 (RFC 9113, 6.1)") }
        let data = payload.extracting(try contents(header, payload, prioritySize: 0))
        let endsStream = header.flags.contains(.endStream)
        if data.count == 0, !endsStream { try spend() }
        // The whole payload counts, including padding (section 6.9.1).
        received += payload.count
        guard received <= limits.connectionWindowBytes else {
            throw HTTP2ConnectionError(.flowControlError, "More DATA than the connection's window (RFC 9113, 6.9.1)")
        }
        if received >= limits.connectionWindowBytes / 2 {
            output.writeWindowUpdate(0, by: received)
            received = 0
        }
        guard let place = streams.place(of: id) else {
            guard !isIdle(id) else { throw idle("DATA", id) }
            let isLate = role == .client || resetStreams.contains(id) || id > lastAccepted ?? .max
            guard isLate else { return try refuse(id, .streamClosed) }
            try spend()
            return nil
        }
        guard !streams[place].isRemoteDone else { return try breakStream(at: place, .streamClosed) }
        guard streams[place].hasFields else { return try breakStream(at: place, .protocolError) }
        streams[place].received += payload.count
        guard streams[place].received <= limits.streamWindowBytes else {
            return try breakStream(at: place, .flowControlError)
        }
        guard let message = pool[streams[place].slot] else { return nil }
        message.bodyBytes += data.count
        if data.count > 0 { progress.requestFrames += 1 }
        let kept = min(limits.bodyBytes - message.body.count, data.count)
        if kept > 0 {
            try hold(kept)
            message.body.append(kept == data.count ? data : data.extracting(first: kept))
        }
        if endsStream { return try end(at: place) }
        if streams[place].received >= limits.streamWindowBytes / 2 {
            output.writeWindowUpdate(id, by: streams[place].received)
            streams[place].received = 0
        }
        return nil
    }

    /// Handles END_STREAM.
    @inline(__always)
    private mutating func end(at place: Int) throws(HTTP2ConnectionError) -> Event? {
        // RFC 9113, section 8.1.1.
        let length = streams[place].contentLength
        if length != Stream.noLength, length != pool[streams[place].slot]?.bodyBytes {
            return try breakStream(at: place, .protocolError)
        }
        progress.requestFrames += 1
        streams[place].isRemoteDone = true
        if role == .server { unfinishedRequests -= 1 }
        return finished(streams[place].id)
    }

    @inline(__always)
    private mutating func finished(_ id: UInt32) -> Event? {
        chatter.earn(limits.chatterPerMessage)
        return .message(id)
    }

    // MARK: - SETTINGS, WINDOW_UPDATE

    /// Handles SETTINGS (RFC 9113, section 6.5).
    mutating func receiveSettings(_ header: FrameHeader, _ payload: Span<UInt8>) throws(HTTP2ConnectionError) -> Event?
    {
        try require(header.streamID == 0, else: .protocolError, "SETTINGS on stream \(header.streamID) (RFC 9113, 6.5)")
        let isAck = header.flags.contains(.ack)
        guard payload.count % 6 == 0, !isAck || payload.count == 0 else {
            throw HTTP2ConnectionError(.frameSizeError, "SETTINGS of \(payload.count) octets (RFC 9113, 6.5)")
        }
        try require(settingsFrames.take(at: now), else: .enhanceYourCalm, "Too many SETTINGS (RFC 9113, 10.5)")
        if isAck { return nil }
        let window = peer.initialWindowSize
        for offset in stride(from: 0, to: payload.count, by: 6) {
            // Unknown ones are ignored (RFC 9113, 6.5.2).
            guard let identifier = HTTP2Setting.Identifier(rawValue: payload.bigEndian16(at: offset)) else { continue }
            let setting = HTTP2Setting(identifier, Int(payload.bigEndian32(at: offset + 2)))
            try peer.apply(setting, fromServer: role == .client)
            // Each value counts, not only the last: the smallest table size must be announced (RFC 7541, 4.2).
            if identifier == .headerTableSize { encoder.allow(tableSize: peer.headerTableSize) }
        }
        try shiftWindows(by: peer.initialWindowSize - window)
        hasPeerSettings = true
        output.writeSettingsAck()
        sendPending()
        return .settings
    }

    /// Applies a new initial window to the windows of all open streams (RFC 9113, section 6.9.2).
    private mutating func shiftWindows(by difference: Int) throws(HTTP2ConnectionError) {
        guard difference != 0 else { return }
        try streams.changeAll { (stream) throws(HTTP2ConnectionError) in
            stream.sendWindow += difference
            guard stream.sendWindow <= Int(Int32.max) else {
                throw HTTP2ConnectionError(.flowControlError, "A window beyond 2^31 - 1 (RFC 9113, 6.9.2)")
            }
        }
    }

    /// Handles WINDOW_UPDATE (RFC 9113, section 6.9).
    mutating func receiveWindowUpdate(
        _ header: FrameHeader,
        _ payload: Span<UInt8>
    ) throws(HTTP2ConnectionError) -> Event? {
        try checkSize(of: payload, equals: 4, in: "WINDOW_UPDATE")
        try spend()
        let increment = Int(payload.bigEndian32(at: 0) & 0x7FFF_FFFF)
        guard header.streamID != 0 else {
            try require(increment > 0, else: .protocolError, "WINDOW_UPDATE by 0 (RFC 9113, 6.9)")
            sendWindow += increment
            guard sendWindow <= Int(Int32.max) else {
                throw HTTP2ConnectionError(.flowControlError, "A window beyond 2^31 - 1 (RFC 9113, 6.9.1)")
            }
            sendPending()
            return nil
        }
        guard let place = streams.place(of: header.streamID) else {
            guard !isIdle(header.streamID) else { throw idle("WINDOW_UPDATE", header.streamID) }
            return nil
        }
        guard increment > 0 else { return try breakStream(at: place, .protocolError) }
        streams[place].sendWindow += increment
        guard streams[place].sendWindow <= Int(Int32.max) else { return try breakStream(at: place, .flowControlError) }
        sendPending()
        return nil
    }

    // MARK: - The rest

    /// Handles PING (RFC 9113, section 6.7).
    mutating func receivePing(_ header: FrameHeader, _ payload: Span<UInt8>) throws(HTTP2ConnectionError) -> Event? {
        try require(header.streamID == 0, else: .protocolError, "PING on stream \(header.streamID) (RFC 9113, 6.7)")
        try checkSize(of: payload, equals: 8, in: "PING")
        try spend()
        let data = UInt64(payload.bigEndian32(at: 0)) << 32 | UInt64(payload.bigEndian32(at: 4))
        if header.flags.contains(.ack) { return .pong(data) }
        output.writePing(data, isAck: true)
        return nil
    }

    /// Handles RST_STREAM (RFC 9113, section 6.4).
    mutating func receiveReset(_ header: FrameHeader, _ payload: Span<UInt8>) throws(HTTP2ConnectionError) -> Event? {
        try require(header.streamID != 0, else: .protocolError, "RST_STREAM on stream 0 (RFC 9113, 6.4)")
        try checkSize(of: payload, equals: 4, in: "RST_STREAM")
        guard !isIdle(header.streamID) else { throw idle("RST_STREAM", header.streamID) }
        guard let place = streams.place(of: header.streamID) else {
            try spend()
            return nil
        }
        // An attack opens and resets streams; a client may reset a stream that was answered with a reset.
        if role == .server { try spendReset() }
        let code = HTTP2ErrorCode(rawValue: payload.bigEndian32(at: 0))
        let tag = streams[place].tag
        close(at: place)
        return .reset(header.streamID, tag: tag, code)
    }

    /// Handles GOAWAY (RFC 9113, section 6.8).
    mutating func receiveGoAway(_ header: FrameHeader, _ payload: Span<UInt8>) throws(HTTP2ConnectionError) -> Event? {
        try require(header.streamID == 0, else: .protocolError, "GOAWAY on stream \(header.streamID) (RFC 9113, 6.8)")
        try require(payload.count >= 8, else: .frameSizeError, "GOAWAY of \(payload.count) octets (RFC 9113, 6.8)")
        goAwaysSeen += 1
        try require(goAwaysSeen <= limits.goAways, else: .enhanceYourCalm, "Too many GOAWAY (RFC 9113, 10.5)")
        // A second one may only lower the number (section 6.8); one that raises it counts as the first.
        let last = min(payload.bigEndian32(at: 0) & 0x7FFF_FFFF, peerLastStream ?? .max)
        peerLastStream = last
        var debugData: [UInt8] = []
        debugData.append(payload.extracting(8..<payload.count))
        return .goAway(lastStreamID: last, HTTP2ErrorCode(rawValue: payload.bigEndian32(at: 4)), debugData: debugData)
    }

    /// Validates and ignores PRIORITY (RFC 9113, section 6.3).
    mutating func receivePriority(_ header: FrameHeader, _ payload: Span<UInt8>) throws(HTTP2ConnectionError) -> Event?
    {
        try require(header.streamID != 0, else: .protocolError, "PRIORITY on stream 0 (RFC 9113, 6.3)")
        try spend()
        guard payload.count == 5 else {
            // A stream error; a stream that was never opened cannot be reset.
            if let place = streams.place(of: header.streamID) { return try breakStream(at: place, .frameSizeError) }
            throw HTTP2ConnectionError(.frameSizeError, "PRIORITY of \(payload.count) octets (RFC 9113, 6.3)")
        }
        return nil
    }

    // MARK: - Common

    /// Returns the range of the payload without padding (RFC 9113, sections 6.1 and 6.2) and without priority fields.
    @inline(__always)
    private func contents(
        _ header: FrameHeader,
        _ payload: Span<UInt8>,
        prioritySize: Int
    ) throws(HTTP2ConnectionError) -> Range<Int> {
        let isPadded = header.flags.contains(.padded)
        if !isPadded, prioritySize == 0 { return 0..<payload.count }
        let start = (isPadded ? 1 : 0) + prioritySize
        guard payload.count >= start else {
            throw HTTP2ConnectionError(.frameSizeError, "A frame of \(payload.count) octets is cut off (RFC 9113, 6.2)")
        }
        let padding = isPadded ? Int(payload[0]) : 0
        guard start + padding <= payload.count else {
            throw HTTP2ConnectionError(.protocolError, "\(padding) octets of padding are too many (RFC 9113, 6.1)")
        }
        return start..<payload.count - padding
    }

    @inline(__always)
    func require(
        _ isMet: Bool,
        else code: HTTP2ErrorCode,
        _ problem: @autoclosure () -> String
    ) throws(HTTP2ConnectionError) {
        if !isMet { throw HTTP2ConnectionError(code, problem()) }
    }

    private func checkSize(of payload: Span<UInt8>, equals size: Int, in name: String) throws(HTTP2ConnectionError) {
        try require(payload.count == size, else: .frameSizeError, "\(name) of \(payload.count) octets (RFC 9113, 4.2)")
    }

    /// Whether the stream has never been opened (RFC 9113, section 5.1).
    private func isIdle(_ id: UInt32) -> Bool {
        if id & 1 == 0 { return true }
        return role == .client ? id >= nextStream : id > lastPeerStream
    }

    private func idle(_ frame: String, _ id: UInt32) -> HTTP2ConnectionError {
        HTTP2ConnectionError(.protocolError, "\(frame) on stream \(id), which is idle (RFC 9113, 5.1)")
    }

    @inline(__always)
    private mutating func hold(_ bytes: Int) throws(HTTP2ConnectionError) {
        heldBytes += bytes
        try require(heldBytes <= heldLimit, else: .enhanceYourCalm, "Too much in unfinished messages (RFC 9113, 10.5)")
    }

    /// Refuses a stream that was never opened here, and takes back the message that it began.
    private mutating func refuse(
        _ id: UInt32,
        _ code: HTTP2ErrorCode,
        giving message: HTTP2Message? = nil
    ) throws(HTTP2ConnectionError) -> Event? {
        if let message { pool.giveBack(message) }
        try spendReset()
        output.writeReset(id, code)
        remember(reset: id)
        return nil
    }

    /// Handles a stream error (RFC 9113, section 5.4.2).
    private mutating func breakStream(
        at place: Int,
        _ code: HTTP2ErrorCode,
        giving message: HTTP2Message? = nil
    ) throws(HTTP2ConnectionError) -> Event? {
        if let message { pool.giveBack(message) }
        try spendReset()
        let id = streams[place].id
        let tag = streams[place].tag
        output.writeReset(id, code)
        remember(reset: id)
        close(at: place)
        return .reset(id, tag: tag, code)
    }

    /// Reads a content length (RFC 9113, section 8.1.1): digits, and equal ones if it occurs twice (RFC 9110, section 8.6).
    @inline(__always)
    private static func readLength(_ fields: borrowing FieldBlock, _ length: inout Int) -> Bool {
        guard fields.contains(.contentLength) else { return true }
        for field in fields.fields where field.name == .contentLength {
            guard !field.valueRange.isEmpty, field.valueRange.count <= 15 else { return false }
            var value = 0
            for byte in fields.bytes[field.valueRange] {
                guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return false }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            if length != Stream.noLength, length != value { return false }
            length = value
        }
        return true
    }
}

// Inlined where they are used: a call would copy a message's fields.
extension FieldBlock {
    /// Whether these are the fields of a request (RFC 9113, sections 8.2 and 8.3.1). `:authority` may be missing.
    @inline(__always)
    var isRequest: Bool {
        guard flaw == nil, contains(.method), contains(.scheme), !contains(.status) else { return false }
        guard let path = range(of: .path), !path.isEmpty else { return false }
        guard let te = range(of: .te) else { return true }
        return !isRepeated(.te) && bytes[te].elementsEqual("trailers".utf8)
    }

    /// Returns the status of an answer (RFC 9113, section 8.3.2); nil if these are not the fields of one.
    @inline(__always)
    var status: Int? {
        guard flaw == nil, let range = range(of: .status), range.count == 3 else { return nil }
        guard !contains(.method), !contains(.path), !contains(.scheme), !contains(.authority) else { return nil }
        var status = 0
        for index in range {
            guard case UInt8(ascii: "0")...UInt8(ascii: "9") = bytes[index] else { return nil }
            status = status * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        return (100...999).contains(status) ? status : nil
    }
}
