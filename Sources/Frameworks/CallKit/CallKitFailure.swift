import CallAudio
import Foundation
import SystemPort

/// The errors of the system as an app catches them.
enum CallKitFailure {
    static func error(in reply: SystemReply) -> (any Error)? { reply.callError.map(typed) }

    /// Calls the system, and returns when it has done what it was asked for.
    ///
    /// - Throws: the reason why it has not.
    nonisolated(nonsending) static func perform(_ call: SystemCall, on port: any SystemPort) async throws {
        try await port.perform(call, throwing: typed)
    }

    /// On Linux an `NSError` does not cast to these types.
    @Sendable
    private static func typed(_ error: NSError) -> any Error {
        let details = error.userInfo
        switch error.domain {
        case CXErrorDomainIncomingCall:
            return CXErrorCodeIncomingCallError(.init(rawValue: error.code) ?? .unknown, userInfo: details)
        case CXErrorDomainRequestTransaction:
            return CXErrorCodeRequestTransactionError(.init(rawValue: error.code) ?? .unknown, userInfo: details)
        case CXErrorDomainNotificationServiceExtension:
            let code = CXErrorCodeNotificationServiceExtensionError.Code(rawValue: error.code) ?? .unknown
            return CXErrorCodeNotificationServiceExtensionError(code, userInfo: details)
        default: return error
        }
    }
}
