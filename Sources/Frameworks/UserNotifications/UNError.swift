public import Foundation
package import SystemPort

public let UNErrorDomain = "UNErrorDomain"

/// An error of this framework. Codes: Apple, `UNError.Code`; those that this version can give.
public struct UNError: _BridgedStoredNSError {
    public let _nsError: NSError

    public init(_nsError error: NSError) { _nsError = error }

    public static var _nsErrorDomain: String { UNErrorDomain }
    public static var errorDomain: String { UNErrorDomain }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = UNError

        case notificationsNotAllowed = 1
        case badgeInputInvalid = 1600
    }

    public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
    public static var badgeInputInvalid: Code { .badgeInputInvalid }
}

extension SystemError {
    /// The error as an app catches it: a `UNError` where it is one, for on Linux an `NSError` does not cast to it.
    package var foundation: any Error {
        let details = [NSLocalizedDescriptionKey: text]
        if domain == UNErrorDomain, let code = UNError.Code(rawValue: code) { return UNError(code, userInfo: details) }
        return NSError(domain: domain, code: code, userInfo: details)
    }
}
