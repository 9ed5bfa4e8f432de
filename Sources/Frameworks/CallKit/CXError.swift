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
        case unknownError = 0
        /// The app lacks an entitlement.
        case unentitled = 1
        /// An argument makes no sense.
        case invalidArgument = 2
        /// `UIBackgroundModes` in Info.plist lacks `voip`.
        case missingVoIPBackgroundMode = 3
    }

    /// The code ``Code/unknownError``.
    public static var unknownError: Code { .unknownError }
    /// The code ``Code/unentitled``.
    public static var unentitled: Code { .unentitled }
    /// The code ``Code/invalidArgument``.
    public static var invalidArgument: Code { .invalidArgument }
    /// The code ``Code/missingVoIPBackgroundMode``.
    public static var missingVoIPBackgroundMode: Code { .missingVoIPBackgroundMode }
}

/// The domain of ``CXErrorCodeIncomingCallError``.
public let CXErrorDomainIncomingCall = "com.apple.CallKit.error.incomingcall"

/// The reason why the system does not show an incoming call.
///
/// Codes: Apple, `CXErrorCodeIncomingCallError.Code`.
public struct CXErrorCodeIncomingCallError: _BridgedStoredNSError {
    public let _nsError: NSError

    public init(_nsError error: NSError) { _nsError = error }

    public static var _nsErrorDomain: String { CXErrorDomainIncomingCall }
    public static var errorDomain: String { CXErrorDomainIncomingCall }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CXErrorCodeIncomingCallError

        /// No reason is known. Here the provider has been invalidated.
        case unknown = 0
        /// The app's `UIBackgroundModes` do not contain `voip`.
        case unentitled = 1
        /// A call with the UUID is already on the device.
        case callUUIDAlreadyExists = 2
        /// A Focus that does not allow the app is on.
        case filteredByDoNotDisturb = 3
        /// The user has blocked the caller. It never occurs here.
        case filteredByBlockList = 4
        /// The device is shared for a restricted purpose. It never occurs here.
        case filteredDuringRestrictedSharingMode = 5
        /// The call may not be changed. It never occurs here.
        case callIsProtected = 6
        /// A participant is sensitive, for an app that filters such calls. It never occurs here.
        case filteredBySensitiveParticipants = 7
    }

    /// The code ``Code/unknown``.
    public static var unknown: Code { .unknown }
    /// The code ``Code/unentitled``.
    public static var unentitled: Code { .unentitled }
    /// The code ``Code/callUUIDAlreadyExists``.
    public static var callUUIDAlreadyExists: Code { .callUUIDAlreadyExists }
    /// The code ``Code/filteredByDoNotDisturb``.
    public static var filteredByDoNotDisturb: Code { .filteredByDoNotDisturb }
    /// The code ``Code/filteredByBlockList``.
    public static var filteredByBlockList: Code { .filteredByBlockList }
    /// The code ``Code/filteredDuringRestrictedSharingMode``.
    public static var filteredDuringRestrictedSharingMode: Code { .filteredDuringRestrictedSharingMode }
    /// The code ``Code/callIsProtected``.
    public static var callIsProtected: Code { .callIsProtected }
    /// The code ``Code/filteredBySensitiveParticipants``.
    public static var filteredBySensitiveParticipants: Code { .filteredBySensitiveParticipants }
}

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

/// The domain of ``CXErrorCodeRequestTransactionError``.
public let CXErrorDomainRequestTransaction = "com.apple.CallKit.error.requesttransaction"

/// The reason why the system does not perform a transaction.
///
/// Codes: Apple, `CXErrorCodeRequestTransactionError.Code`.
public struct CXErrorCodeRequestTransactionError: _BridgedStoredNSError {
    public let _nsError: NSError

    public init(_nsError error: NSError) { _nsError = error }

    public static var _nsErrorDomain: String { CXErrorDomainRequestTransaction }
    public static var errorDomain: String { CXErrorDomainRequestTransaction }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CXErrorCodeRequestTransactionError

        /// No reason is known.
        case unknown = 0
        /// The app's `UIBackgroundModes` do not contain `voip`.
        case unentitled = 1
        /// The app has no provider.
        case unknownCallProvider = 2
        /// The transaction has no actions.
        case emptyTransaction = 3
        /// The app has no call with the UUID.
        case unknownCallUUID = 4
        /// A call with the UUID is already on the device.
        case callUUIDAlreadyExists = 5
        /// The call is not in a state for the action, or does not support it.
        case invalidAction = 6
        /// The provider has as many calls and groups as its configuration allows.
        case maximumCallGroupsReached = 7
        /// The call may not be changed. It never occurs here.
        case callIsProtected = 8
    }

    /// The code ``Code/unknown``.
    public static var unknown: Code { .unknown }
    /// The code ``Code/unentitled``.
    public static var unentitled: Code { .unentitled }
    /// The code ``Code/unknownCallProvider``.
    public static var unknownCallProvider: Code { .unknownCallProvider }
    /// The code ``Code/emptyTransaction``.
    public static var emptyTransaction: Code { .emptyTransaction }
    /// The code ``Code/unknownCallUUID``.
    public static var unknownCallUUID: Code { .unknownCallUUID }
    /// The code ``Code/callUUIDAlreadyExists``.
    public static var callUUIDAlreadyExists: Code { .callUUIDAlreadyExists }
    /// The code ``Code/invalidAction``.
    public static var invalidAction: Code { .invalidAction }
    /// The code ``Code/maximumCallGroupsReached``.
    public static var maximumCallGroupsReached: Code { .maximumCallGroupsReached }
    /// The code ``Code/callIsProtected``.
    public static var callIsProtected: Code { .callIsProtected }
}
