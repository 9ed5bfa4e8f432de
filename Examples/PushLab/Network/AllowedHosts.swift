import Foundation

/// The hosts from which a push may have something fetched: `PushLabHosts` in the Info.plist. A URL in a payload may lead anywhere,
/// also into the network that the phone is in.
public struct AllowedHosts: Hashable, Sendable {
    /// A list of names, in the Info.plist. `*.example.com` stands for every name below `example.com`.
    public static let key = "PushLabHosts"

    /// A push names another host.
    public struct Refused: Error, Hashable, CustomStringConvertible, LocalizedError {
        public var host: String

        public init(host: String) { self.host = host }

        public var description: String { "the host '\(host)' is not in \(AllowedHosts.key) of the Info.plist" }
        public var errorDescription: String? { description }
    }

    private let names: [String]

    public init(_ names: [String]) { self.names = names.map { $0.lowercased() } }

    /// Those of the process. Without the key there are none.
    public static var main: AllowedHosts {
        AllowedHosts(Bundle.main.object(forInfoDictionaryKey: key) as? [String] ?? [])
    }

    /// Whether a URL leads to one of them.
    public func allows(_ url: URL?) -> Bool {
        guard let host = url?.host?.lowercased() else { return false }
        return names.contains { $0.hasPrefix("*.") ? host.hasSuffix($0.dropFirst()) : host == $0 }
    }
}
