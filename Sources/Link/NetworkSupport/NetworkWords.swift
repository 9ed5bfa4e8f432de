import Foundation
import NIOCore
import NIOPosix

/// Failures of connections in words of people: NIO describes its errors by their types and members.
package enum NetworkWords {
    /// Returns the reason of a failed connection, such as "Connection refused"; how an error of another kind describes itself.
    package static func reason(of error: any Error) -> String { known(error) ?? "\(error)" }

    /// Returns the reason of a failed connection; nil for an error of another kind.
    package static func known(_ error: any Error) -> String? {
        switch error {
        case let error as NIOConnectionError:
            guard !error.connectionErrors.isEmpty else { return "the host '\(error.host)' is not known" }
            var reasons: [String] = []
            // A host has several addresses, which often fail in the same way.
            for failure in error.connectionErrors {
                let reason = reason(of: failure.error)
                if !reasons.contains(reason) { reasons.append(reason) }
            }
            return reasons.joined(separator: "; ")
        case let error as IOError: return unsafe String(cString: strerror(error.errnoCode))
        case ChannelError.connectTimeout(let time):
            return "no answer within \(time.nanoseconds / 1_000_000_000) seconds"
        case is SocketAddressError: return "the host is not known"
        default: return nil
        }
    }
}
