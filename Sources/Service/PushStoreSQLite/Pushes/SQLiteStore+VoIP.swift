import GRDB
package import PushModel
import PushService

// VoIP pushes: messages of their own, each bound to the push that it came with.
extension SQLiteStore {
    package func voipPush(of message: MessageID) async throws -> MessageID? {
        try await read { try Self.voipPush(of: message, in: $0) }
    }

    package func origin(ofVoIPPush message: MessageID) async throws -> MessageID? {
        try await read { try Self.origin(ofVoIPPush: message, in: $0) }
    }

    static func voipPush(of message: MessageID, in database: Database) throws -> MessageID? {
        let statement = try database.cachedStatement(sql: "SELECT voip FROM voipPush WHERE message = ?")
        return try Int64.fetchOne(statement, arguments: [message.number]).map { MessageID($0) }
    }

    /// Returns the push that a VoIP push stands beside; nil if the message is no VoIP push, or stands alone.
    static func origin(ofVoIPPush message: MessageID, in database: Database) throws -> MessageID? {
        let statement = try database.cachedStatement(
            sql: "SELECT message FROM voipPush WHERE voip = ?1 AND message <> ?1"
        )
        return try Int64.fetchOne(statement, arguments: [message.number]).map { MessageID($0) }
    }
}
