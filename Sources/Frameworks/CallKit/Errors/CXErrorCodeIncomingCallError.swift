public import Foundation

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

        case unknown = 0
        /// The app's `UIBackgroundModes` do not contain `voip`.
        case unentitled = 1
        /// A call with the UUID is already on the device.
        case callUUIDAlreadyExists = 2
        /// A Focus that does not allow the app is on.
        case filteredByDoNotDisturb = 3
        case filteredByBlockList = 4
        case filteredDuringRestrictedSharingMode = 5
        case callIsProtected = 6
    }

    public static var unknown: Code { .unknown }
    public static var unentitled: Code { .unentitled }
    public static var callUUIDAlreadyExists: Code { .callUUIDAlreadyExists }
    public static var filteredByDoNotDisturb: Code { .filteredByDoNotDisturb }
    public static var filteredByBlockList: Code { .filteredByBlockList }
    public static var filteredDuringRestrictedSharingMode: Code { .filteredDuringRestrictedSharingMode }
    public static var callIsProtected: Code { .callIsProtected }
}
