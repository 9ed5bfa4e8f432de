package import PushModel

/// A push that only has to be written to disk, or the pushes of a batch that are stored as one.
package struct PreparedPush: Sendable {
    package var message: Message
    package var chunks: [Chunk]
    package var isPaced: Bool
    /// The day for which the push was counted as a broadcast; nil if it was not counted.
    var broadcastDay: Int?
    /// The custom message for the devices in chunks for SDK links, or those of the batch by place.
    var custom: CustomMessageDelivery.Content?

    /// The VoIP push that stands beside the notification and is stored with it; at most one.
    package var voip: [PreparedPush] = []
    /// The address that is told what becomes of the push.
    package var callback: PushCallback?
    /// Whether the stream of the app's events has those of the push.
    package var isStreamed = false
    /// Whether the push is a VoIP push.
    package var isVoIP = false

    package init(message: Message, chunks: [Chunk], isPaced: Bool) {
        self.message = message
        self.chunks = chunks
        self.isPaced = isPaced
    }

    /// Creates the push of a batch, which has one chunk: `send` for notifications, `message` for custom messages.
    package init(_ batch: MessageBatch, in message: Message, _ kind: Chunk.Kind) {
        let chunk = Chunk(onlyChunkOf: message, kind, OrdinalList(batch.entries.map(\.ordinal)))
        self.init(message: message, chunks: [chunk], isPaced: false)
        self.message.batch = batch
    }

    /// Whether a worker has to send anything for the push.
    var isDispatched: Bool { chunks.indices.contains { chunks[$0].kind == .send } }

    /// Whether a callback address or the app's stream is told what becomes of the push.
    package var isFollowed: Bool { callback != nil || isStreamed }

    var result: PushResult { PushResult(messageID: message.id, sendno: message.sendno) }

    /// Returns the answers to the pushes of a batch, by place, or the only one, after it was stored.
    func results(_ stored: StoredPush) -> [PushResult] {
        guard let batch = message.batch else { return [stored.earlier ?? result] }
        return zip(batch.entries, stored.batched).map { $1 ?? $0.result }
    }

    /// Returns the push without those of its batch that repeat earlier ones; nil if nothing is left to store.
    package func withoutRepeated(_ stored: StoredPush) -> PreparedPush? {
        guard stored.earlier == nil else { return nil }
        guard let batch = message.batch, stored.batched.contains(where: { $0 != nil }) else { return self }
        let places = batch.entries.indices.filter { stored.batched[$0] == nil }
        guard let first = places.first else { return nil }
        let rest = MessageBatch(kind: batch.kind, entries: places.map { batch.entries[$0] })
        var message = message
        message.id = batch.entries[first].id
        var push = PreparedPush(rest, in: message, chunks[0].kind)
        if case .each(let messages) = custom { push.custom = .each(places.map { messages[$0] }) }
        return push
    }
}

extension PreparedPush {
    /// The approximate memory that it holds while it waits for the disk: its text and its devices.
    package var bytes: Int {
        let texts = message.batch?.entries.reduce(0) { $0 + $1.text.count + $1.cid.utf8.count } ?? message.body.count
        return chunks.reduce(texts) { $0 + $1.ordinals.ordinals.count * MemoryLayout<DeviceOrdinal>.size }
    }

    /// The chunk that can be stored in the message's row: the only one, to be sent at once.
    package var onlyChunk: Chunk? {
        guard chunks.count == 1, !isPaced, let chunk = chunks.first, chunk.kind == .send, chunk.id.number == 0 else {
            return nil
        }
        return chunk.dueAt == message.acceptedAt && chunk.updatedAt == message.acceptedAt ? chunk : nil
    }

    /// Whether it stands in the log of custom messages.
    package var isLogged: Bool { chunks.contains(where: \.kind.isForLinks) }

    /// The device of its custom message if there is only one; a batch has one for each device.
    package var onlyLinkedDevice: DeviceOrdinal? {
        var audience = chunks.lazy.filter(\.kind.isForLinks).makeIterator()
        guard message.batch == nil, let first = audience.next(), audience.next() == nil else { return nil }
        return first.ordinals.ordinals.count == 1 ? first.ordinals.ordinals[0] : nil
    }
}
