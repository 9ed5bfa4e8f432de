public import Foundation

/// The domain of ``CXError``.
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

        /// No reason is known.
        case unknown = 0
        /// The app lacks an entitlement.
        case unentitled = 1
        /// An argument makes no sense.
        case invalidArgument = 2
        /// `UIBackgroundModes` in Info.plist lacks `voip`.
        case missingVoIPBackgroundMode = 3
    }

    /// The code ``Code/unknown``.
    public static var unknown: Code { .unknown }
    /// The code ``Code/unentitled``.
    public static var unentitled: Code { .unentitled }
    /// The code ``Code/invalidArgument``.
    public static var invalidArgument: Code { .invalidArgument }
    /// The code ``Code/missingVoIPBackgroundMode``.
    public static var missingVoIPBackgroundMode: Code { .missingVoIPBackgroundMode }
}
