package import PushModel
import PushService

// VoIP pushes: messages of their own, each bound to the push that it came with.
extension SQLStore {
    package func voipPush(of message: MessageID) async throws -> MessageID? {
        try await queryOnce { try Self.voipPush(of: message, in: $0) }
    }

    package func origin(ofVoIPPush message: MessageID) async throws -> MessageID? {
        try await queryOnce { try Self.origin(ofVoIPPush: message, in: $0) }
    }

    static func voipPush(of message: MessageID, in session: any SQLSession) throws -> MessageID? {
        try session.first("SELECT voip FROM voipPush WHERE message = \(message)") { $0.message(0) }
    }

    /// Returns the push that a VoIP push stands beside; nil if the message is no VoIP push, or stands alone.
    static func origin(ofVoIPPush message: MessageID, in session: any SQLSession) throws -> MessageID? {
        try session.first("SELECT message FROM voipPush WHERE voip = \(message) AND message <> \(message)") {
            $0.message(0)
        }
    }
}
