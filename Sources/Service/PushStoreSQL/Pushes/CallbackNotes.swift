package import PushModel
package import PushService

/// Writes events for the callback address of a message, and for the stream of its app, in the transaction of the outcome or report that
/// they are about.
package struct CallbackNotes {
    /// The maximum number of devices in a row.
    private static let devices = 500

    private let message: Int64
    private let kinds: PushCallback.Kind
    private let isVoIP: Bool
    private let receiver: Int64
    private let app: App.ID
    private let origin: Int64
    private let isStreamed: Bool

    /// Nil if nobody is told of the message.
    package init?(_ message: MessageID, in session: any SQLSession) throws {
        // A fixed text, as each checkpoint asks.
        let query = SQLStatement(
            "SELECT kinds, isVoIP, receiver, app, origin, isStreamed FROM callback WHERE message = $1",
            [.message(message)]
        )
        let found = try session.first(query) {
            (
                kinds: PushCallback.Kind(rawValue: $0.int64(0)), isVoIP: $0.bool(1), receiver: $0.int64(2),
                app: $0.app(3),
                origin: $0.int64(4), isStreamed: $0.bool(5)
            )
        }
        guard let found else { return nil }
        self.message = message.number
        (kinds, isVoIP, receiver, app, origin, isStreamed) = found
    }

    /// Writes who is told of an accepted push, if anybody is, and its first events: devices that do not get the push.
    package static func insert(_ push: PreparedPush, as origin: MessageID, in session: any SQLSession) throws {
        guard push.isFollowed else { return }
        let message = push.message
        let callback = push.callback
        let receiver = try callback.map { try Self.receiver(of: $0.url, app: message.app, in: session) }
        try session.execute(
            """
            INSERT INTO callback (message, app, origin, isVoIP, url, params, kinds, receiver, isStreamed)
            VALUES (\(message.id), \(message.app), \(origin), \(push.isVoIP), \(callback?.url ?? ""),
                \(JSONValue.object(callback?.params ?? [:]).text), \(callback?.kinds.rawValue ?? 0), \(receiver ?? 0),
                \(push.isStreamed))
            """
        )
        guard let notes = try CallbackNotes(message.id, in: session) else { return }
        let date = message.acceptedAt.milliseconds
        if push.isStreamed {
            try session.queue(
                "INSERT INTO eventStream (app, position) VALUES (\(message.app), 0) ON CONFLICT DO NOTHING"
            )
            if origin == message.id { try session.add(.accepted, of: message.app, message: origin.number, at: date) }
        }
        for chunk in push.chunks where !chunk.kind.isForAPNs && !chunk.kind.isForLinks {
            try notes.add(.notDelivered, of: chunk.ordinals.ordinals, in: chunk.kind, at: date, session)
        }
    }

    /// Returns the number of an app's receiver for an address; a new one is added. Its row stays locked until the commit, so that nobody
    /// removes it meanwhile.
    private static func receiver(of url: String, app: App.ID, in session: any SQLSession) throws -> Int64 {
        let name = PushCallback.receiver(of: url)
        // This lock lets others take the receiver, and write to other columns of its row, at the same time.
        let known = try session.firstNumber(
            "SELECT id FROM callbackReceiver WHERE app = \(app) AND name = \(name) \(raw: session.dialect.locking(.keyShare))"
        )
        if let known { return known }
        // DO UPDATE, because DO NOTHING returns no row.
        return try session.number(
            """
            INSERT INTO callbackReceiver (app, name) VALUES (\(app), \(name))
            ON CONFLICT (app, name) DO UPDATE SET name = excluded.name RETURNING id
            """
        )
    }

    /// Locks a receiver until the commit: an accept that has just taken it commits before its pushes are counted, and nobody counts or
    /// takes events of it meanwhile.
    static func lockReceiver(_ receiver: Int64, in session: any SQLSession) throws {
        try session.lockRows("SELECT 1 FROM callbackReceiver WHERE id = \(receiver)")
    }

    /// Removes a receiver, which is locked, if no push has it any more.
    static func removeReceiver(_ receiver: Int64, in session: any SQLSession) throws {
        try session.execute(
            "DELETE FROM callbackReceiver WHERE id = \(receiver) AND NOT EXISTS (SELECT 1 FROM callback WHERE receiver = \(receiver))"
        )
    }

    func wants(_ kind: PushCallback.Kind) -> Bool { isStreamed || kinds.contains(kind) }

    /// Adds an event of devices, in ascending order, that are in a chunk of a kind, unless nobody asks for it. The date is in milliseconds since 1970.
    package func add(
        _ kind: PushCallback.Kind,
        of ordinals: [DeviceOrdinal],
        in chunk: Chunk.Kind,
        at date: Int64,
        _ session: any SQLSession
    ) throws {
        guard wants(kind), !ordinals.isEmpty else { return }
        for devices in ordinals.slices(of: Self.devices).map(Array.init) {
            if isStreamed, let event = kind.event {
                try session.add(event, of: app, message: origin, part: part(chunk), devices: devices, at: date)
            }
            guard kinds.contains(kind) else { continue }
            try session.queue(
                """
                INSERT INTO callbackEvent (message, kind, part, at, ordinals, receiver) VALUES (\(message),
                    \(kind.rawValue), \(part(chunk)), \(date), \(OrdinalList(devices).packed), \(receiver))
                """
            )
        }
        if kinds.contains(kind) { try session.noteCallbackEvents() }
    }

    private func part(_ chunk: Chunk.Kind) -> CallbackPart {
        switch chunk {
        case .message: .message
        case .inApp: .inApp
        default: isVoIP ? .voip : .notification
        }
    }
}
