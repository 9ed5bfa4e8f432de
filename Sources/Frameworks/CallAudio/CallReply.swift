package import Foundation
package import SystemPort

extension SystemReply {
    /// The error that an app gets for the reply; nil if the call was carried out.
    package var callError: NSError? {
        switch self {
        case .failed(let error):
            NSError(domain: error.domain, code: error.code, userInfo: [NSLocalizedDescriptionKey: error.text])
        case .terminated: NSError(domain: "com.apple.CallKit.error.incomingcall", code: 0)
        default: nil
        }
    }
}

extension SystemPort {
    /// Calls the system, and returns when it has done what it was asked for.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - typed: the error as the framework's apps catch it.
    /// - Throws: the reason why it has not.
    nonisolated(nonsending) package func perform(
        _ call: SystemCall,
        throwing typed: @escaping @Sendable (NSError) -> any Error = { $0 }
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            PushMethod.of(self).order {
                self.call(call) { continuation.resume(with: $0.callError.map { .failure(typed($0)) } ?? .success(())) }
            }
        }
    }
}
