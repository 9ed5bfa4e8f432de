public import Foundation

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
