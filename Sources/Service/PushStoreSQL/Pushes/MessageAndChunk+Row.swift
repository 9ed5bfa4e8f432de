import PushModel
package import PushService

extension Message {
    /// The columns for ``init(_:)``, in order.
    package static let columns = "id, app, acceptedAt, body, environment, timeToLive, sendno, cid, requestID, trace"
    /// The number of columns.
    package static let columnCount = 10

    package init(_ row: some SQLRow) throws {
        self.init(
            id: row.message(0),
            app: row.app(1),
            acceptedAt: row.date(2),
            body: row.bytes(3),
            environment: try row.word(4, "environment", of: "message"),
            timeToLive: row.int64(5),
            sendno: UInt32(truncatingIfNeeded: row.int64(6)),
            cid: row.optionalText(7)
        )
        origin = row.optionalText(8).map { RequestOrigin(requestID: $0, stored: row.optionalText(9)) }
    }
}

extension Chunk {
    /// The columns for ``init(_:)``, in order.
    package static let columns = """
        message, number, kind, ordinals, dueAt, updatedAt, attempt, cursor, prepared, sent, settled, deferred, fence, origin,
        isDone, problem
        """
    /// The number of columns.
    package static let columnCount = 16

    package init(_ row: some SQLRow) throws {
        self.init(
            id: ID(message: row.message(0), number: row.int(1)),
            kind: try row.word(2, "kind", of: "chunk"),
            ordinals: OrdinalList(packed: row.bytes(3)),
            dueAt: row.date(4),
            updatedAt: row.date(5)
        )
        attempt = row.int(6)
        cursor = row.int(7)
        prepared = row.int(8)
        sent = PlaceSet(bytes: row.bytes(9))
        settled = PlaceSet(bytes: row.bytes(10))
        deferred = PlaceSet(bytes: row.bytes(11))
        fence = row.int64(12)
        origin = row.optionalInt(13)
        isDone = row.bool(14)
        if let text = row.optionalText(15) { problem = try JourneyEvent(stored: text).kind }
    }
}
