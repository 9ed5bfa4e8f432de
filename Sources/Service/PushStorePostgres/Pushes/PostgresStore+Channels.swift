import PostgresClient
import PushModel
package import PushService
import PushStoreSQL

extension PostgresStore {
    package func prepareBadges(_ prepared: [BadgeUpdate], app: App.ID) async throws -> [RegisteredDevice] {
        try await write { [self] session in
            let connection = session.connection
            let rows = try connection.execute(
                """
                UPDATE chunk SET prepared = new.prepared
                FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS new (message, number, fence, prepared)
                WHERE chunk.message = new.message AND chunk.number = new.number AND chunk.fence = new.fence
                RETURNING chunk.message, chunk.number
                """,
                .int64s(prepared.map(\.chunk.message.number)),
                .int64s(prepared.map { Int64($0.chunk.number) }),
                .int64s(prepared.map(\.fence)),
                .int64s(prepared.map { Int64($0.prepared) })
            )
            // Of the others, another worker has the lease by now and counts them.
            let held = Set(rows.map { Chunk.ID(message: MessageID($0.int64(0)), number: $0.int(1)) })
            var badges: [DeviceOrdinal: Int] = [:]
            for part in prepared where held.contains(part.chunk) {
                for (ordinal, badge) in part.badges { badges[ordinal] = badge }
            }
            let wanted = badges
            return try changeDevices(wanted.keys.sorted(), of: app, in: session) { device in
                guard let badge = wanted[device.id.ordinal] else { return false }
                device.badge = badge
                return true
            }
        }
    }
}
