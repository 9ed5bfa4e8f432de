import Foundation

/// The hosts from which a push may cause a download: `PushLabHosts` in the Info.plist. A URL in a payload may lead
/// anywhere, including the phone's local network.
public struct AllowedHosts: Hashable, Sendable {
    /// The Info.plist key of the list of names. `*.example.com` stands for every name below `example.com`.
    public static let key = "PushLabHosts"

    /// A push names a host that is not allowed.
    public struct Refused: Error, Hashable, CustomStringConvertible, LocalizedError {
        public var host: String

        public init(host: String) { self.host = host }

        public var description: String { "the host '\(host)' is not in \(AllowedHosts.key) of the Info.plist" }
        public var errorDescription: String? { description }
    }

    private let names: [String]

    public init(_ names: [String]) { self.names = names.map { $0.lowercased() } }

    /// The hosts of the process: from the variable `PUSHLAB_HOSTS`, a comma-separated list of names, or otherwise from
    /// the Info.plist. Without either there are none.
    public static var main: AllowedHosts {
        AllowedHosts(
            variable: ProcessInfo.processInfo.environment["PUSHLAB_HOSTS"],
            declared: Bundle.main.object(forInfoDictionaryKey: key) as? [String]
        )
    }

    /// - Parameters:
    ///   - variable: the value of `PUSHLAB_HOSTS`.
    ///   - declared: the value in the Info.plist.
    public init(variable: String?, declared: [String]?) {
        let names = variable?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        self.init(names ?? declared ?? [])
    }

    /// Whether the URL's host is allowed.
    public func allows(_ url: URL?) -> Bool {
        guard let host = url?.host?.lowercased() else { return false }
        return names.contains { $0.hasPrefix("*.") ? host.hasSuffix($0.dropFirst()) : host == $0 }
    }
}
