/// The token that names one app on one device, in one APNs environment.
///
/// 32 bytes for an app's classic token; Apple does not promise a length. Written as hexadecimal digits.
public struct DeviceToken: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Reads an even, non-zero number of hexadecimal digits in either case; nil for anything else.
    public init?(_ text: some StringProtocol) {
        guard let bytes = [UInt8](hexadecimal: text), !bytes.isEmpty else { return nil }
        self.bytes = bytes
    }

    /// Lower-case hexadecimal digits.
    public var hexadecimal: String { bytes.hexadecimal }

    /// The first eight digits: what a log may show.
    public var abbreviation: String { bytes.prefix(4).hexadecimal }
}
