public import Foundation

/// The domain of ``CXErrorCodeNotificationServiceExtensionError``.
public let CXErrorDomainNotificationServiceExtension = "com.apple.CallKit.error.notificationserviceextension"

/// The reason why the system does not deliver the payload of a service extension.
///
/// Codes: Apple, `CXErrorCodeNotificationServiceExtensionError.Code`.
public struct CXErrorCodeNotificationServiceExtensionError: _BridgedStoredNSError {
    public let _nsError: NSError

    public init(_nsError error: NSError) { _nsError = error }

    public static var _nsErrorDomain: String { CXErrorDomainNotificationServiceExtension }
    public static var errorDomain: String { CXErrorDomainNotificationServiceExtension }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CXErrorCodeNotificationServiceExtensionError

        /// No reason is known.
        case unknown = 0
        /// The process is not a service extension that works on a push.
        case invalidClientProcess = 1
        /// The extension lacks the entitlement for filtering notifications.
        case missingNotificationFilteringEntitlement = 2
    }

    /// The code ``Code/unknown``.
    public static var unknown: Code { .unknown }
    /// The code ``Code/invalidClientProcess``.
    public static var invalidClientProcess: Code { .invalidClientProcess }
    /// The code ``Code/missingNotificationFilteringEntitlement``.
    public static var missingNotificationFilteringEntitlement: Code { .missingNotificationFilteringEntitlement }
}
