import PushModel

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
