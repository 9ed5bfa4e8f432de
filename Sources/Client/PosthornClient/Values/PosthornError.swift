import Foundation

/// A failure of a call to the service, with a code of JPush's client SDK.
///
/// Source: JPush iOS SDK, "Client error codes".
public struct PosthornError: Error, Hashable, Sendable, Codable, CustomStringConvertible, LocalizedError {
    /// The code: one of the constants of this type, or another that the service has answered with.
    public var code: Int
    /// The explanation, in English.
    public var message: String

    /// Creates an error.
    public init(code: Int, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(message) (code \(code))" }
    public var errorDescription: String? { description }

    /// The app key is unknown to the service.
    public static let unknownAppKey = 1005
    /// The app key is malformed.
    public static let malformedAppKey = 1008
    /// The app has another bundle id at the service.
    public static let otherBundleID = 1009
    /// The device is not registered, and will not be in this process.
    public static let notRegistered = 1011
    /// The service has not answered in time. The call stays in the queue and is sent later.
    public static let notSentYet = 6002
    /// The client could not carry out the call.
    public static let unknown = 6009
    /// Too many calls; the client repeats them.
    public static let tooOften = 6011
    /// Push is switched off on this device.
    public static let pushOff = 6012
    /// The service does not know the registration, or its secret is another one.
    public static let forgotten = 6016
    /// The service considers the call malformed.
    public static let malformed = 6017
}
