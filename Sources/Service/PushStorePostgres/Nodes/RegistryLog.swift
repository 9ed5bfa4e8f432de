import PostgresClient
import PushModel
import PushService
import PushStoreSQL

/// The kinds of entries in a node's log, as stored. A reader ignores kinds that it does not know: a newer version has written them.
enum LogEntryKind {
    static let device: Int64 = 1
    static let importedIDs: Int64 = 2
    static let deviceDeleted: Int64 = 4
    static let apps: Int64 = 8
    static let credentials: Int64 = 16
    static let tagsKept: Int64 = 32
    static let tagForgotten: Int64 = 64
    static let withdrawn: Int64 = 128
    static let linkMoved: Int64 = 256
}

/// An entry to be added to the node's log.
struct NewLogEntry {
    var kind: Int64
    var app: App.ID = 0
    var ordinal: DeviceOrdinal = 0
    /// The version of a device, or the number of a link.
    var version: Int64 = 0
    /// A message, or the node that a device has left.
    var subject: Int64?
    var tags: [String]?
}

extension NewLogEntry {
    init(_ change: SQLAnnouncement) {
        switch change {
        case .apps: self.init(kind: LogEntryKind.apps)
        case .credentials(let app): self.init(kind: LogEntryKind.credentials, app: app)
        case .tagsKept(let tags, let app): self.init(kind: LogEntryKind.tagsKept, app: app, tags: tags)
        case .tagForgotten(let tag, let app): self.init(kind: LogEntryKind.tagForgotten, app: app, tags: [tag])
        case .withdrawn(let message): self.init(kind: LogEntryKind.withdrawn, subject: message.number)
        }
    }

    static func importedIDs(of device: DeviceID) -> NewLogEntry {
        NewLogEntry(kind: LogEntryKind.importedIDs, app: device.app, ordinal: device.ordinal)
    }

    static func linkMoved(_ device: DeviceID, from node: Int64, number: Int64) -> NewLogEntry {
        NewLogEntry(
            kind: LogEntryKind.linkMoved,
            app: device.app,
            ordinal: device.ordinal,
            version: number,
            subject: node
        )
    }
}

extension StoreSession {
    /// Adds entries to the node's log, in the transaction of the change that they report.
    ///
    /// The log stays locked until the commit, so that positions follow the order of commits. Locks of other rows are taken before.
    func addToLog(_ entries: [NewLogEntry]) throws {
        guard !entries.isEmpty else { return }
        func numbers(_ value: (NewLogEntry) -> Int64?) -> PostgresValue { .int64s(entries.map(value)) }
        try connection.execute(
            """
            WITH head AS (
                INSERT INTO registryHead AS known (node, position) VALUES ($1, $2)
                ON CONFLICT (node) DO UPDATE SET position = known.position + excluded.position
                RETURNING position
            )
            INSERT INTO registryLog (node, position, app, ordinal, version, change, subject, tags, at)
            SELECT $1, head.position - $2 + place, app, ordinal, version, change, subject, tags, \(PostgresStore.serverTime)
            FROM head, unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])
                WITH ORDINALITY AS given (app, ordinal, version, change, subject, tags, place)
            """,
            .int64(Int64(node)),
            .int64(Int64(entries.count)),
            numbers { Int64($0.app) },
            numbers { Int64($0.ordinal) },
            numbers(\.version),
            numbers(\.kind),
            numbers(\.subject),
            .texts(entries.map { $0.tags.map { JSONValue.strings($0).text } })
        )
    }
}

extension PostgresStore {
    /// The date of the server's clock, as milliseconds since 1970. Unlike `now()` it moves on during a transaction.
    static let serverTime = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
}
