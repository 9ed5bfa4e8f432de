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
        self.url = url
        self.params = params
        self.kinds = kinds
    }

    /// The reason why `text` is not a URL that can be called, as the rest of a sentence about it; nil if it is one: http or https, a
    /// host that is one (``URLHost``), no user, no fragment, and no other characters than those of a URL (RFC 3986, section 2).
    static func flaw(of text: String) -> String? {
        let bytes = text.utf8.count
        guard bytes <= JPushLimits.callbackURLBytes else {
            return "has \(bytes) bytes; at most \(JPushLimits.callbackURLBytes) are allowed"
        }
        if let foreign = text.unicodeScalars.first(where: { !(0x21...0x7E).contains($0.value) || $0 == "\\" }) {
            let shown =
                foreign.properties.generalCategory == .control || foreign == " " ? foreign.codePoint : "'\(foreign)'"
            return
                "has the character \(shown), which a URL cannot hold; percent-encode it as UTF-8 in the path and the query "
                + "(\(percentEncoded(foreign))), and write a host name in its ASCII form (xn--…)"
        }
        if text.contains("#") { return "has a fragment; leave out '#' and what follows" }
        let lower = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else {
            return "does not begin with https:// or http://"
        }
        let authority = lower.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { return "names a user; leave out what stands before '@'" }
        let host: Substring
        let port: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return "has a '[' without ']' in its host" }
            host = authority[...end].dropFirst().dropLast()
            port = authority[authority.index(after: end)...]
        } else {
            host = authority.prefix { $0 != ":" }
            port = authority.dropFirst(host.count)
        }
        guard !host.isEmpty else { return "has no host" }
        let isVersion6 = authority.hasPrefix("[")
        guard URLHost(isVersion6 ? "[\(host)]" : String(host)) != nil else {
            return "has the host '\(host)'; expected a name of letters, digits, '-', '_' and '.', or an address"
        }
        if port.isEmpty || port.hasPrefix(":") && Int(port.dropFirst()).map({ (1...65_535).contains($0) }) ?? false {
            return nil
        }
        return "has the port '\(port.dropFirst())'; expected 1 to 65535"
    }

    private static func percentEncoded(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf8.map { ($0 < 0x10 ? "%0" : "%") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
