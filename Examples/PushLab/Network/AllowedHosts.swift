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

    /// Those of the process: the variable `PUSHLAB_HOSTS`, names with commas between them, goes before the Info.plist. Without either
    /// there are none.
    public static var main: AllowedHosts {
        AllowedHosts(
            variable: ProcessInfo.processInfo.environment["PUSHLAB_HOSTS"],
            declared: Bundle.main.object(forInfoDictionaryKey: key) as? [String]
        )
    }

    /// Of the parameters:
    /// * `variable`: the value of `PUSHLAB_HOSTS`.
    /// * `declared`: what the Info.plist says.
    public init(variable: String?, declared: [String]?) {
        let names = variable?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        self.init(names ?? declared ?? [])
    }

    /// Whether a URL leads to one of them.
    public func allows(_ url: URL?) -> Bool {
        guard let host = url?.host?.lowercased() else { return false }
        return names.contains { $0.hasPrefix("*.") ? host.hasSuffix($0.dropFirst()) : host == $0 }
    }
}
