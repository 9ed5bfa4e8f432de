import Foundation
import SystemPort

/// The errors of the system as an app catches them.
enum CallKitFailure {
    static func error(in reply: SystemReply) -> (any Error)? {
        switch reply {
        case .failed(let error): typed(error)
        case .terminated: CXErrorCodeIncomingCallError(.unknown)
        default: nil
        }
    }

    /// Calls the system, and returns when it has done what it was asked for.
    ///
    /// - Throws: the reason why it has not.
    nonisolated(nonsending) static func perform(_ call: SystemCall, on port: any SystemPort) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            port.call(call) { continuation.resume(with: error(in: $0).map { .failure($0) } ?? .success(())) }
        }
    }

    /// On Linux an `NSError` does not cast to these types.
    private static func typed(_ error: SystemError) -> any Error {
        let details = [NSLocalizedDescriptionKey: error.text]
        switch error.domain {
        case CXErrorDomainIncomingCall:
            return CXErrorCodeIncomingCallError(.init(rawValue: error.code) ?? .unknown, userInfo: details)
        case CXErrorDomainRequestTransaction:
            return CXErrorCodeRequestTransactionError(.init(rawValue: error.code) ?? .unknown, userInfo: details)
        case CXErrorDomainNotificationServiceExtension:
            let code = CXErrorCodeNotificationServiceExtensionError.Code(rawValue: error.code) ?? .unknown
            return CXErrorCodeNotificationServiceExtensionError(code, userInfo: details)
        default: return NSError(domain: error.domain, code: error.code, userInfo: details)
        }
    }
}
