public import Foundation

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
        case callIsProtected = 8
    }

    public static var unknown: Code { .unknown }
    public static var unentitled: Code { .unentitled }
    public static var unknownCallProvider: Code { .unknownCallProvider }
    public static var emptyTransaction: Code { .emptyTransaction }
    public static var unknownCallUUID: Code { .unknownCallUUID }
    public static var callUUIDAlreadyExists: Code { .callUUIDAlreadyExists }
    public static var invalidAction: Code { .invalidAction }
    public static var maximumCallGroupsReached: Code { .maximumCallGroupsReached }
    public static var callIsProtected: Code { .callIsProtected }
}
