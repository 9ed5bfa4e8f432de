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
        case .hexadecimalTwice: Verdict.Phrase.tokenInHexadecimalTwice.english()
        case .length(let count):
            Verdict.Phrase.tokenLength.english(["count": "\(count)", "usual": "\(Self.usualLength)"])
        case .otherApp(let bundleID): Verdict.Phrase.tokenOfOtherApp.english(["app": bundleID])
        case .otherEnvironment(let environment):
            Verdict.Phrase.tokenOfOtherEnvironment.english(["environment": environment.rawValue])
        }
    }
}
