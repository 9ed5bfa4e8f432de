/// The sending of requests and answers within flow-control windows (RFC 9113, sections 5.2, 6.9 and 8.1).
extension HTTP2Machine {
    /// An encoded request head of this connection, valid while ``HPACKEncoder/generation`` stays the same.
    struct EncodedHead {
        var head: HTTP2RequestHead
        var generation: Int
        /// The pseudo-headers except `:path`, then, from `split` on, the other fields.
        var bytes: [UInt8]
        var split: Int
    }

    /// The number of heads in the cache; other heads are encoded each time.
    private static var headLimit: Int { 64 }

    // MARK: - Requests

    /// Whether a request may be sent now.
    package var canOpen: Bool {
        role == .client && hasPeerSettings && peerLastStream == nil && lastAccepted == nil
            && streams.count < min(streamLimit, limits.acceptedStreams) && nextStream < 0x7FFF_FFFF
    }

    /// Whether the stream ids of the connection are used up (RFC 9113, section 5.1.1).
    package var isUsedUp: Bool { nextStream >= 0x7FFF_FFFF }

    /// Writes a request; ``canOpen`` must be true.
    ///
    /// `tag` is returned with the events of the stream. `authority` is the connection's; part of the encoded head.
    /// `fields` is the fields that differ from request to request, in `bytes`.
    /// - Returns: the stream's id.
    @inline(__always)
    package mutating func open(
        tag: UInt64,
        head: HTTP2RequestHead,
        authority: [UInt8],
        path: Span<UInt8>,
        fields: ArraySlice<HTTP2BatchField>,
        of bytes: Span<UInt8>,
        body: Span<UInt8>
    ) -> UInt32 {
        let id = nextStream
        nextStream += 2
        let start = output.count
        let flags: FrameFlags = body.count == 0 ? [.endHeaders, .endStream] : .endHeaders
        output.writeFrameHeader(FrameHeader(length: 0, type: .headers, flags: flags, streamID: id))
        writeHead(head, authority: authority, path: path)
        for field in fields {
            if field.name == .other {
                encoder.encode(name: bytes.extracting(field.nameText), bytes.extracting(field.value), to: &output)
            } else {
                encoder.encode(field.name, bytes.extracting(field.value), indexing: .name, to: &output)
            }
        }
        finishHeaders(from: start, id, flags)
        var stream = Stream(id: id, tag: tag, sendWindow: peer.initialWindowSize)
        stream.isLocalDone = body.count == 0
        let place = streams.insert(id, stream)
        if body.count > 0 { send(body, at: place) }
        return id
    }

    @inline(__always)
    private mutating func writeHead(_ head: HTTP2RequestHead, authority: [UInt8], path: Span<UInt8>) {
        guard let known = lastHead, known.head === head, known.generation == encoder.generation,
            !encoder.owesSizeUpdate
        else {
            write(encode(head, authority), path)
            return
        }
        write(known, path)
    }

    @inline(__always)
    private mutating func write(_ head: borrowing EncodedHead, _ path: Span<UInt8>) {
        let bytes = head.bytes.span
        output.write(bytes.extracting(0..<head.split))
        // `:path` by its name's index, never indexed itself: it differs each time.
        output.write(0x04 as UInt8)
        HPACKInteger.write(path.count, prefix: 7, pattern: 0, to: &output)
        output.write(path)
        output.write(bytes.extracting(head.split..<bytes.count))
    }

    /// Encodes a head for the current table. The first encoding inserts fields, which makes the next one short; that one does
    /// not change the table, and is valid until the table changes.
    private mutating func encode(_ head: HTTP2RequestHead, _ authority: [UInt8]) -> EncodedHead {
        let key = ObjectIdentifier(head)
        let generation = encoder.generation
        if !encoder.owesSizeUpdate, let known = heads[key], known.generation == generation {
            lastHead = known
            return known
        }
        let isPlain = !encoder.owesSizeUpdate
        var block = WireBytes()
        encoder.beginBlock(&block)
        encoder.encode(.method, Array(head.method.utf8).span, indexing: .whole, to: &block)
        let https = catalog.https
        encoder.encode(.scheme, https.span, indexing: .whole, to: &block)
        encoder.encode(.authority, authority.span, indexing: .whole, to: &block)
        let split = block.count
        for (text, value) in head.fields {
            let name = catalog.name(text)
            let value = Array(value.utf8)
            if name == .other {
                encoder.encode(name: Array(text.utf8).span, value.span, to: &block)
            } else {
                encoder.encode(name, value.span, indexing: .whole, to: &block)
            }
        }
        let bytes = block.array
        let encoded = EncodedHead(head: head, generation: generation, bytes: bytes, split: split)
        if isPlain, encoder.generation == generation {
            if heads.count >= Self.headLimit { heads = [:] }
            heads[key] = encoded
            lastHead = encoded
        }
        return encoded
    }

    /// Writes the length into the header, and splits a block that is too long for one frame (RFC 9113, section 4.3).
    @inline(__always)
    private mutating func finishHeaders(from start: Int, _ id: UInt32, _ flags: FrameFlags) {
        let length = output.count - start - FrameHeader.size
        if length <= peer.maxFrameSize {
            output.overwrite(UInt32(truncatingIfNeeded: length) << 8 | UInt32(FrameType.headers.rawValue), at: start)
        } else {
            splitHeaders(from: start, id, flags)
        }
    }

    private mutating func splitHeaders(from start: Int, _ id: UInt32, _ flags: FrameFlags) {
        let block = output.array
        var rest = block[(start + FrameHeader.size)...]
        output.removeAll(from: start)
        var type = FrameType.headers
        while !rest.isEmpty {
            let part = rest.prefix(peer.maxFrameSize)
            rest = rest.dropFirst(part.count)
            var partFlags: FrameFlags = type == .headers ? flags.subtracting(.endHeaders) : []
            if rest.isEmpty { partFlags.insert(.endHeaders) }
            output.writeFrameHeader(FrameHeader(length: part.count, type: type, flags: partFlags, streamID: id))
            output.write(Array(part))
            type = .continuation
        }
    }

    // MARK: - Answers

    /// Answers a request that ``Event/message(_:)`` has announced; an answer to a closed stream is dropped.
    ///
    /// Real clients take each DATA frame for a whole answer (rpush, aioapns), and an empty one for a broken answer (aioapns). So
    /// a body is sent in one frame if the windows allow it, and an empty body in none.
    ///
    /// `request` is the octets that ``HTTP2Answer/Value/ofRequest(_:)`` refers to.
    @inline(__always)
    package mutating func answer(_ id: UInt32, _ answer: borrowing HTTP2Answer, request: Span<UInt8>) {
        guard let place = streams.place(of: id), streams[place].isRemoteDone, !streams[place].isLocalDone else {
            return
        }
        let start = output.count
        let flags: FrameFlags = answer.body.isEmpty ? [.endHeaders, .endStream] : .endHeaders
        output.writeFrameHeader(FrameHeader(length: 0, type: .headers, flags: flags, streamID: id))
        encoder.beginBlock(&output)
        encoder.encodeStatus(answer.status, to: &output)
        for index in 0..<answer.count {
            guard let field = answer.fields[index] else { break }
            switch field.value {
            case .own(let range):
                let own = answer.octets.span
                encoder.encode(field.name, own.extracting(range), indexing: field.indexing, to: &output)
            case .ofRequest(let range):
                encoder.encode(field.name, request.extracting(range), indexing: field.indexing, to: &output)
            case .uuid(let high, let low):
                var text: [UInt8] = []
                swap(&text, &scratch)
                text.removeAll(keepingCapacity: true)
                text.appendUUID(high, low)
                encoder.encode(field.name, text.span, indexing: field.indexing, to: &output)
                swap(&text, &scratch)
            }
        }
        finishHeaders(from: start, id, flags)
        if answer.body.isEmpty {
            streams[place].isLocalDone = true
            close(at: place)
        } else {
            send(answer.body.span, at: place)
        }
    }

    // MARK: - Bodies

    /// Sends a body and END_STREAM, as far as the windows allow; the rest waits.
    @inline(__always)
    private mutating func send(_ body: Span<UInt8>, at place: Int) {
        let id = streams[place].id
        streams[place].isLocalDone = true
        guard pending.isEmpty, body.count <= min(sendWindow, streams[place].sendWindow, peer.maxFrameSize) else {
            var bytes: [UInt8] = []
            bytes.append(body)
            pending.append(PendingBody(streamID: id, bytes: bytes))
            sendPending()
            return
        }
        sendWindow -= body.count
        streams[place].sendWindow -= body.count
        output.writeFrameHeader(FrameHeader(length: body.count, type: .data, flags: .endStream, streamID: id))
        output.write(body)
        if role == .server { close(at: place) }
    }

    /// Sends waiting bodies, oldest first; a stream whose own window is used up does not block the others.
    mutating func sendPending() {
        guard !pending.isEmpty else { return }
        var index = 0
        while index < pending.count, sendWindow > 0 {
            guard let place = streams.place(of: pending[index].streamID) else {
                pending.remove(at: index)
                continue
            }
            while pending[index].sent < pending[index].bytes.count {
                let rest = pending[index].bytes.count - pending[index].sent
                let size = min(rest, sendWindow, streams[place].sendWindow, peer.maxFrameSize)
                guard size > 0 else { break }
                let flags: FrameFlags = size == rest ? .endStream : []
                let id = pending[index].streamID
                output.writeFrameHeader(FrameHeader(length: size, type: .data, flags: flags, streamID: id))
                let bytes = pending[index].bytes
                let sent = pending[index].sent
                output.write(bytes.span.extracting(sent..<sent + size))
                pending[index].sent += size
                progress.sent += size
                sendWindow -= size
                streams[place].sendWindow -= size
            }
            if pending[index].sent == pending[index].bytes.count {
                pending.remove(at: index)
                if role == .server { close(at: place) }
            } else {
                index += 1
            }
        }
    }

    // MARK: - Messages

    /// Returns the message of a stream, once; return it with ``giveBack(_:)`` after reading. This ends a client's stream.
    ///
    /// - Returns: nil if the stream is closed by now.
    @inline(__always)
    package mutating func takeMessage(of id: UInt32) -> (tag: UInt64, message: HTTP2Message)? {
        guard let place = streams.place(of: id), let message = pool[streams[place].slot] else { return nil }
        streams[place].slot = Stream.noMessage
        heldBytes -= message.heldBytes
        let tag = streams[place].tag
        if role == .client {
            // A body still being received is no longer needed (RFC 9113, section 8.1).
            let isAnsweredEarly = pending.contains { $0.streamID == id }
            close(at: place)
            if isAnsweredEarly {
                output.writeReset(id, .noError)
                remember(reset: id)
            }
        }
        return (tag, message)
    }

    /// Takes a message's memory back for reuse.
    @inline(__always)
    package mutating func giveBack(_ message: HTTP2Message) { pool.giveBack(message) }

    // MARK: - Ends

    /// Resets a stream of either side.
    package mutating func reset(_ id: UInt32, _ code: HTTP2ErrorCode) {
        guard let place = streams.place(of: id) else { return }
        output.writeReset(id, code)
        remember(reset: id)
        close(at: place)
    }

    /// Resets the streams of own requests.
    ///
    /// - Returns: the tags of the streams that were open.
    package mutating func reset(tags: ClosedRange<UInt64>, _ code: HTTP2ErrorCode) -> [UInt64] {
        var found: [UInt64] = []
        for id in streams.openIDs {
            guard let place = streams.place(of: id), tags.contains(streams[place].tag) else { continue }
            found.append(streams[place].tag)
            reset(id, code)
        }
        return found
    }

    /// Closes own open streams above `id`, and returns their tags in the order of their requests.
    package mutating func closeStreams(above id: UInt32) -> [UInt64] {
        streams.openIDs.filter { $0 > id }.compactMap { id in
            streams.place(of: id).map { place in
                let tag = streams[place].tag
                close(at: place)
                return tag
            }
        }
    }

    /// Announces that streams above `lastStreamID` are not accepted; nil announces the highest possible id, as a first warning
    /// (RFC 9113, section 6.8). A later call can only lower the number.
    package mutating func goAway(lastStreamID: UInt32?, _ code: HTTP2ErrorCode, debugData: [UInt8]) {
        let last = min(lastStreamID ?? 0x7FFF_FFFF, lastAccepted ?? 0x7FFF_FFFF)
        lastAccepted = last
        output.writeGoAway(lastStreamID: last, code, debugData)
        guard role == .server else { return }
        _ = closeStreams(above: last)
    }

    /// Announces another stream limit; open streams stay.
    package mutating func announce(streamLimit: Int) {
        output.writeSettings([HTTP2Setting(.maxConcurrentStreams, streamLimit)])
    }

    package mutating func ping(_ data: UInt64) { output.writePing(data, isAck: false) }

    mutating func remember(reset id: UInt32) {
        if resetStreams.count >= 64 { resetStreams.removeFirst(32) }
        resetStreams.append(id)
    }

    /// Removes a stream.
    mutating func close(at place: Int) {
        if let message = pool[streams[place].slot] {
            heldBytes -= message.heldBytes
            pool.giveBack(message)
        }
        if role == .server, !streams[place].isRemoteDone { unfinishedRequests -= 1 }
        if !pending.isEmpty {
            let id = streams[place].id
            pending.removeAll { $0.streamID == id }
        }
        streams.remove(at: place)
    }
}
