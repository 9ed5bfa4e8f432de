package import PushModel

/// Pushes from one request, to one device each: they are stored together and sent as one chunk, in which each has the place of its
/// device. All are notifications, or all are custom messages.
package struct MessageBatch: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var id: MessageID
        package var ordinal: DeviceOrdinal
        package var cid: String
        package var sendno: UInt32
        /// The push as written in the request, with a target instead of an audience.
        package var text: ArraySlice<UInt8>

        package init(id: MessageID, ordinal: DeviceOrdinal, cid: String, sendno: UInt32, text: ArraySlice<UInt8>) {
            self.id = id
            self.ordinal = ordinal
            self.cid = cid
            self.sendno = sendno
            self.text = text
        }

        package var result: PushResult { PushResult(messageID: id, sendno: sendno) }
    }

    /// The kind of name in the targets.
    package var kind: TargetKind
    /// The pushes. Ids and ordinals ascend without duplicates.
    package var entries: [Entry]

    package init(kind: TargetKind, entries: [Entry]) {
        self.kind = kind
        self.entries = entries
    }

    /// Returns the place of the push for a device; nil if there is none.
    package func place(of ordinal: DeviceOrdinal) -> Int? {
        let place = entries.partitioningIndex { $0.ordinal >= ordinal }
        return place < entries.count && entries[place].ordinal == ordinal ? place : nil
    }

    /// Parses the push at a place.
    ///
    /// - Throws: ``JPushError`` for a text that this version of Posthorn does not accept.
    func push(at place: Int) throws(JPushError) -> BatchPush {
        try BatchPush(parsing: entries[place].text, cid: entries[place].cid, to: kind)
    }
}

extension Message {
    /// The ids of the pushes: its own, or those of the batch by place.
    package var ids: [MessageID] { batch?.entries.map(\.id) ?? [id] }

    /// Returns the id of the push to a device.
    package func id(to ordinal: DeviceOrdinal) -> MessageID {
        batch.flatMap { batch in batch.place(of: ordinal).map { batch.entries[$0].id } } ?? id
    }

    /// Returns the push at a place as if it had come alone, and its parsed request. Without a batch, it is the same at all places.
    ///
    /// - Throws: ``JPushError`` for a text that this version of Posthorn does not accept.
    package func push(at place: Int) throws(JPushError) -> (message: Message, request: PushRequest) {
        guard let batch else { return (self, try PushRequest(parsing: body, file: .allowed)) }
        let push = try batch.push(at: place)
        return (message(batch.entries[place], push.body), push.request)
    }

    /// Returns the push at a place as if it had come alone; one that cannot be parsed keeps its original text.
    package func message(at place: Int) -> Message {
        guard let batch else { return self }
        let entry = batch.entries[place]
        return (try? push(at: place).message) ?? message(entry, Array(entry.text))
    }

    private func message(_ entry: MessageBatch.Entry, _ body: [UInt8]) -> Message {
        var message = self
        message.id = entry.id
        message.body = body
        message.sendno = entry.sendno
        message.cid = entry.cid
        message.batch = nil
        return message
    }
}

extension Chunk {
    /// Returns the chunk that a push of a batch would have if it had come alone.
    package func alone(at place: Int, of message: MessageID) -> Chunk {
        var chunk = Chunk(
            id: ID(message: message, number: 0),
            kind: kind,
            ordinals: OrdinalList([ordinals.ordinals[place]]),
            dueAt: dueAt,
            updatedAt: updatedAt
        )
        chunk.attempt = attempt
        chunk.cursor = cursor > place ? 1 : 0
        chunk.prepared = prepared > place ? 1 : 0
        if sent.contains(place) { chunk.sent.insert(0) }
        if settled.contains(place) { chunk.settled.insert(0) }
        if deferred.contains(place) { chunk.deferred.insert(0) }
        chunk.isDone = isDone || chunk.cursor == 1 || settled.contains(place)
        // The problem of the others does not apply to it.
        chunk.problem = cursor > place || !isOpen(place) ? nil : problem
        return chunk
    }
}
