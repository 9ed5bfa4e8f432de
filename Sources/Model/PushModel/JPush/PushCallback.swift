/// The `callback` of a push: the address that is told what becomes of the push.
///
/// Source: JPush REST API v3, "Push API", section on `callback`. What is posted to the address is our choice.
package struct PushCallback: Hashable, Sendable {
    /// The events that the address is told of.
    package struct Kind: OptionSet, Hashable, Sendable {
        package let rawValue: Int64
        package init(rawValue: Int64) { self.rawValue = rawValue }

        /// A device has the push.
        package static let delivered = Kind(rawValue: 1)
        /// The user has tapped it.
        package static let clicked = Kind(rawValue: 2)
        /// A device does not get it: it has no token, APNs has refused it, or its time to live has ended.
        package static let notDelivered = Kind(rawValue: 4)
        /// APNs has accepted it for a device.
        package static let succeeded = Kind(rawValue: 8)

        package static let all: Kind = [.delivered, .clicked, .notDelivered, .succeeded]
    }

    /// An absolute URL of http or https.
    package var url: String
    /// The caller's own data, which is posted along.
    package var params: JSONObject
    package var kinds: Kind

    package init(url: String, params: JSONObject, kinds: Kind) {
        (self.url, self.params, self.kinds) = (url, params, kinds)
    }

    /// Whether `text` is a URL that can be called: http or https, a host, no user, no fragment, and no other characters than
    /// those of a URL.
    static func isURL(_ text: String) -> Bool {
        guard text.utf8.count <= JPushLimits.callbackURLBytes, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("#"), !text.contains("\\")
        else { return false }
        let lower = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return false }
        let authority = lower.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { return false }
        let host: Substring
        let port: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return false }
            (host, port) = (authority[...end].dropFirst().dropLast(), authority[authority.index(after: end)...])
        } else {
            host = authority.prefix { $0 != ":" }
            port = authority.dropFirst(host.count)
        }
        guard !host.isEmpty else { return false }
        if port.isEmpty { return true }
        return port.hasPrefix(":") && Int(port.dropFirst()).map { (1...65_535).contains($0) } ?? false
    }
}
