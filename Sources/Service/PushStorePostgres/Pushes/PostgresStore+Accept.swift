package import Foundation
import PostgresClient
package import PushModel
package import PushService
import PushStoreSQL

extension PostgresStore {
    package func accept(
        _ pushes: [PreparedPush],
        cidsSince: Date,
        reply: @escaping @Sendable (Result<[StoredPush], any Error>) -> Void
    ) { accepts.add(AcceptRequest(pushes: pushes, cidsSince: cidsSince), reply: reply) }

    package func reserveMessageIDs(_ count: Int64, notBefore floor: MessageID) async throws -> MessageID {
        try await change { session in
            let next = try session.firstNumber(
                "UPDATE messageID SET next = greatest(next, \(floor)) + \(count) RETURNING next"
            )
            guard let next else { throw CorruptRow(table: "messageID", column: "next", found: "no row") }
            return MessageID(next - count)
        }
    }

    package func results(ofCIDs names: [String], app: App.ID, since date: Date) async throws -> [PushResult?] {
        try await readOnce { connection in
            let rows = try connection.execute(
                """
                SELECT place, message, sendno FROM unnest($1::text[]) WITH ORDINALITY AS asked (cid, place),
                    \(CIDRotation.uses(app: "$2", cid: "asked.cid", since: "$3")) AS used ORDER BY usedAt
                """,
                .texts(names),
                .app(app),
                .date(date)
            )
            return Self.results(rows, count: names.count)
        }
    }

    package func results(ofFirings firings: [(key: String, app: App.ID)]) async throws -> [PushResult?] {
        guard !firings.isEmpty else { return [] }
        return try await readOnce { connection in
            let rows = try connection.execute(
                """
                SELECT place, message, sendno
                FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS asked (app, cid, place)
                JOIN cid ON cid.app = asked.app AND cid.cid = asked.cid
                """,
                .numbers(firings.map(\.app)),
                .texts(firings.map(\.key))
            )
            return Self.results(rows, count: firings.count)
        }
    }

    /// Returns the results in the places of what was asked for, the last of each.
    private static func results(_ rows: PostgresRows, count: Int) -> [PushResult?] {
        var results = [PushResult?](repeating: nil, count: count)
        for row in rows {
            results[Int(row.int64(0)) - 1] = PushResult(
                messageID: MessageID(row.int64(1)),
                sendno: UInt32(truncatingIfNeeded: row.int64(2))
            )
        }
        return results
    }
}

/// Pushes of one caller, to be stored together.
struct AcceptRequest: Sendable {
    var pushes: [PreparedPush]
    var cidsSince: Date

    /// The memory that it holds while it waits, approximately in bytes.
    var bytes: Int { pushes.reduce(0) { $0 + $1.bytes } }

    /// Stores requests, in the order in which they came, with a fixed number of statements, the last of which may be queued
    /// until the commit, and returns the results of each. Of two pushes with the same cid the first is stored.
    static func store(_ requests: [AcceptRequest], node: Int16, in session: StoreSession) throws -> [[StoredPush]] {
        var cids = CIDClaims()
        for request in requests {
            for push in request.pushes { cids.add(push.message, since: request.cidsSince.milliseconds) }
        }
        try cids.write(in: session.connection)
        var rows = PushRows(node: node)
        var results = requests.map { $0.pushes.map { cids.earlier(than: $0.message) } }
        for (request, pushes) in requests.map(\.pushes).enumerated() {
            for (place, push) in pushes.enumerated() {
                let new = push.withoutRepeated(results[request][place])
                results[request][place].position = new.flatMap { rows.add($0) }.map { Int64($0) }
            }
        }
        // Until here they are places in the log.
        let first = try rows.write(in: session)
        for request in results.indices {
            for place in results[request].indices { results[request][place].position? += first }
        }
        return results
    }
}
