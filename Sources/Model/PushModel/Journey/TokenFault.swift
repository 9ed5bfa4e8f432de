/// The likely fault of a device token that APNs refuses: `BadDeviceToken` covers several mistakes.
public enum TokenFault: Hashable, Sendable {
    /// The bytes are the hexadecimal digits of a token.
    case hexadecimalTwice
    /// The token has this unusual number of bytes.
    case length(Int)
    /// Another app registered the token.
    case otherApp(bundleID: String)
    /// The device has since registered in this environment.
    case otherEnvironment(APNSEnvironment)

    /// Bytes of a token as issued by APNs; Apple may change the length, so no token is rejected for it.
    private static let usualLength = 32

    /// Derives the fault from the bytes alone; nil for a token that looks normal.
    public init?(_ token: DeviceToken) {
        let bytes = token.bytes
        if bytes.count == Self.usualLength { return nil }
        let isText =
            bytes.count == 2 * Self.usualLength && bytes.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        self = isText ? .hexadecimalTwice : .length(bytes.count)
    }

    var sentence: String {
        switch self {
        case .hexadecimalTwice:
            """
            the token was written in hexadecimal twice; pass on the bytes of didRegisterForRemoteNotificationsWithDeviceToken \
            as they are
            """
        case .length(let count):
            "the token has \(count) bytes where APNs gives out \(Self.usualLength): it was cut off, or is no device token"
        case .otherApp(let bundleID):
            "the token is that of another app, \(bundleID), which has registered it too; each app has a token of its own"
        case .otherEnvironment(let environment):
            """
            the token was of the other environment; the app has registered as a \(environment.rawValue) build since, and later \
            pushes go there
            """
        }
    }
}
