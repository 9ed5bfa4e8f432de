public import Foundation

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

        case unknown = 0
        /// The process is not a service extension that works on a push.
        case invalidClientProcess = 1
        case missingNotificationFilteringEntitlement = 2
    }

    public static var unknown: Code { .unknown }
    public static var invalidClientProcess: Code { .invalidClientProcess }
    public static var missingNotificationFilteringEntitlement: Code { .missingNotificationFilteringEntitlement }
}
