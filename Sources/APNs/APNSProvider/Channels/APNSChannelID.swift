/// The id of a broadcast channel, assigned by APNs: base64, of no fixed length.
///
/// Random, not shared between the environments, and permanently invalid once the channel is deleted.
public struct APNSChannelID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
    public var description: String { rawValue }
}
