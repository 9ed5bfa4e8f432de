import Foundation
import PostgresClient
import PushModel
import PushService

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
