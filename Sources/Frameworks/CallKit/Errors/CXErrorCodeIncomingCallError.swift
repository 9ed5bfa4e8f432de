public import Foundation

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

        /// No reason is known.
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
}
