import PostgresClient
import PushModel
import PushService

/// Writes events for the callback address of a message, in the transaction of the outcome or report that they are about.
struct CallbackNotes {
    /// The maximum number of rows that wait: further events are counted as lost.
    static let capacity: Int64 = 200_000
    /// The maximum number of devices in a row.
    private static let devices = 500

    private let message: Int64
    private let kinds: PushCallback.Kind
    private let isVoIP: Bool

    /// Nil if the message has no callback.
    init?(_ message: MessageID, in session: StoreSession) throws {
        let rows = try session.connection.execute(
            "SELECT kinds, isVoIP FROM callback WHERE message = $1",
            .message(message)
        )
        guard let row = rows.first else { return nil }
        self.message = message.number
        kinds = PushCallback.Kind(rawValue: row.int64(0))
        isVoIP = row.bool(1)
    }

    func wants(_ kind: PushCallback.Kind) -> Bool { kinds.contains(kind) }

    /// Adds an event of devices, unless the callback does not ask for it.
    ///
    /// - Parameters:
    ///   - kind: the event.
    ///   - ordinals: the devices in ascending order.
    ///   - chunk: the kind of chunk that they are in.
    ///   - date: the time of the event, in milliseconds since 1970.
    ///   - session: the transaction.
    /// - Throws: an error of the server.
    func add(
        _ kind: PushCallback.Kind,
        of ordinals: [DeviceOrdinal],
        in chunk: Chunk.Kind,
        at date: Int64,
        _ session: StoreSession
    ) throws {
        guard wants(kind), !ordinals.isEmpty else { return }
        guard try Self.waiting(in: session.connection) < Self.capacity else {
            try session.connection.execute(
                "UPDATE callback SET lost = lost + $1, problem = 'Too many events wait.' WHERE message = $2",
                .int64(Int64(ordinals.count)),
                .int64(message)
            )
            return
        }
        let parts = stride(from: 0, to: ordinals.count, by: Self.devices).map { start in
            OrdinalList(Array(ordinals[start..<min(start + Self.devices, ordinals.count)])).packed
        }
        try session.connection.execute(
            """
            INSERT INTO callbackEvent (message, kind, part, at, ordinals, dueAt)
            SELECT $1, $2, $3, $4, part, $4 FROM unnest($5::bytea[]) AS part
            """,
            .int64(message),
            .int64(kind.rawValue),
            .text(part(chunk).rawValue),
            .int64(date),
            .byteArrays(parts)
        )
        session.hasCallbackEvents = true
    }

    private func part(_ chunk: Chunk.Kind) -> CallbackPart {
        switch chunk {
        case .message: .message
        case .inApp: .inApp
        default: isVoIP ? .voip : .notification
        }
    }

    /// Returns an upper bound of the number of rows, without counting them.
    static func waiting(in connection: PostgresConnection) throws -> Int64 {
        try connection.execute(
            """
            SELECT coalesce((SELECT max(number) FROM callbackEvent) - (SELECT min(number) FROM callbackEvent) + 1, 0)
            """
        ).first?.int64(0) ?? 0
    }
}
