public import Foundation
package import SystemPort

/// The domain of ``UNError``.
public let UNErrorDomain = "UNErrorDomain"

/// An error of this framework. Codes: Apple, `UNError.Code`.
public struct UNError: _BridgedStoredNSError {
    public let _nsError: NSError

    public init(_nsError error: NSError) { _nsError = error }

    public static var _nsErrorDomain: String { UNErrorDomain }
    public static var errorDomain: String { UNErrorDomain }

    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = UNError

        /// The user does not allow notifications, or was not asked.
        case notificationsNotAllowed = 1
        /// The attachment's URL does not refer to a readable file.
        case attachmentInvalidURL = 100
        /// Neither the type hint nor the path extension names a supported type.
        case attachmentUnrecognizedType = 101
        /// The attachment is larger than its type permits.
        case attachmentInvalidFileSize = 102
        /// The attachment's file is not in the system's store.
        case attachmentNotInDataStore = 103
        /// The attachment's file could not be moved into the system's store.
        case attachmentMoveIntoDataStoreFailed = 104
        /// The attachment's file does not match its type.
        case attachmentCorrupt = 105
        /// A calendar trigger without a next date.
        case notificationInvalidNoDate = 1400
        /// No text, no sound, no badge, no attachment.
        case notificationInvalidNoContent = 1401
        /// The type that provides content is not one of Apple's.
        case contentProvidingObjectNotAllowed = 1500
        /// An intent that was to provide content cannot.
        case contentProvidingInvalid = 1501
        /// A negative badge.
        case badgeInputInvalid = 1600
    }

    /// The code ``Code/notificationsNotAllowed``.
    public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
    /// The code ``Code/attachmentInvalidURL``.
    public static var attachmentInvalidURL: Code { .attachmentInvalidURL }
    /// The code ``Code/attachmentUnrecognizedType``.
    public static var attachmentUnrecognizedType: Code { .attachmentUnrecognizedType }
    /// The code ``Code/attachmentInvalidFileSize``.
    public static var attachmentInvalidFileSize: Code { .attachmentInvalidFileSize }
    /// The code ``Code/attachmentNotInDataStore``.
    public static var attachmentNotInDataStore: Code { .attachmentNotInDataStore }
    /// The code ``Code/attachmentMoveIntoDataStoreFailed``.
    public static var attachmentMoveIntoDataStoreFailed: Code { .attachmentMoveIntoDataStoreFailed }
    /// The code ``Code/attachmentCorrupt``.
    public static var attachmentCorrupt: Code { .attachmentCorrupt }
    /// The code ``Code/notificationInvalidNoDate``.
    public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
    /// The code ``Code/notificationInvalidNoContent``.
    public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }
    /// The code ``Code/contentProvidingObjectNotAllowed``.
    public static var contentProvidingObjectNotAllowed: Code { .contentProvidingObjectNotAllowed }
    /// The code ``Code/contentProvidingInvalid``.
    public static var contentProvidingInvalid: Code { .contentProvidingInvalid }
    /// The code ``Code/badgeInputInvalid``.
    public static var badgeInputInvalid: Code { .badgeInputInvalid }
}

extension UNError {
    static func make(_ code: Code, _ text: String) -> UNError {
        UNError(code, userInfo: [NSLocalizedDescriptionKey: text])
    }
}

extension SystemError {
    /// The error as an app catches it: a `UNError` where applicable, as on Linux an `NSError` does not cast to it.
    package var foundation: any Error {
        let details = [NSLocalizedDescriptionKey: text]
        if domain == UNErrorDomain, let code = UNError.Code(rawValue: code) { return UNError(code, userInfo: details) }
        return NSError(domain: domain, code: code, userInfo: details)
    }
}
