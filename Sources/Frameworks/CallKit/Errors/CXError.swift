public import Foundation

public let CXErrorDomain = "com.apple.CallKit.error"

/// A general error of CallKit.
///
/// Codes: Apple, `CXError.Code`.
public struct CXError: _BridgedStoredNSError {
    public let _nsError: NSError

    public init(_nsError error: NSError) { _nsError = error }

    public static var _nsErrorDomain: String { CXErrorDomain }
    public static var errorDomain: String { CXErrorDomain }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CXError

        case unknown = 0
        case unentitled = 1
        case invalidArgument = 2
        case missingVoIPBackgroundMode = 3
    }

    public static var unknown: Code { .unknown }
    public static var unentitled: Code { .unentitled }
    public static var invalidArgument: Code { .invalidArgument }
    public static var missingVoIPBackgroundMode: Code { .missingVoIPBackgroundMode }
}
