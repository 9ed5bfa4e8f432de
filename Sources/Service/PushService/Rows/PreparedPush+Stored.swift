extension PreparedPush {
    /// The approximate memory that it holds while it waits for the disk: its text and its devices.
    package var bytes: Int {
        chunks.reduce(message.body.count) { $0 + $1.ordinals.ordinals.count * MemoryLayout<DeviceOrdinal>.size }
    }
}

extension MessageBatch {
    /// Returns the chunk of the pushes that are stored.
    package func chunk(of entries: [Entry]) -> Chunk {
        Chunk(
            id: Chunk.ID(message: entries[0].id, number: 0),
            kind: chunkKind,
            ordinals: OrdinalList(entries.map(\.ordinal)),
            dueAt: acceptedAt,
            updatedAt: acceptedAt
        )
    }

    package var bytes: Int { entries.reduce(0) { $0 + $1.text.count + $1.cid.utf8.count } }
}

extension PreparedPush {
    /// The chunk that can be stored in the message's row: the only one, to be sent at once.
    package var onlyChunk: Chunk? {
        guard chunks.count == 1, !isPaced, let chunk = chunks.first, chunk.kind == .send, chunk.id.number == 0 else {
            return nil
        }
        return chunk.dueAt == message.acceptedAt && chunk.updatedAt == message.acceptedAt ? chunk : nil
    }
}
