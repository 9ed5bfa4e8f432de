package import PushModel
import PushService

// VoIP pushes: messages of their own, each bound to the push that it came with.
extension SQLStore {
    package func voipPush(of message: MessageID) async throws -> MessageID? {
        try await queryOnce { try $0.voipPush(of: message) }
    }

    package func origin(ofVoIPPush message: MessageID) async throws -> MessageID? {
        try await queryOnce { try $0.origin(ofVoIPPush: message) }
    }
}

extension SQLSession {
    func voipPush(of message: MessageID) throws -> MessageID? {
        try first("SELECT voip FROM voipPush WHERE message = \(message)") { $0.message(0) }
    }

    /// Returns the push that a VoIP push stands beside; nil if the message is no VoIP push, or stands alone.
    func origin(ofVoIPPush message: MessageID) throws -> MessageID? {
        try first("SELECT message FROM voipPush WHERE voip = \(message) AND message <> \(message)") {
            $0.message(0)
        }
    }
}
