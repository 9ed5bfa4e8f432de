/// Which names a request may have called this machine by, in its `Host`.
///
/// Whoever owns a domain can have it lead to 127.0.0.1, and a browser then lets the pages of that domain talk to what listens there
/// ("DNS rebinding"). The name gives it away: a server on the loopback is called by a loopback name.
package struct HostRule: Sendable {
    /// Nil takes any name.
    private let names: Set<String>?

    package static let any = HostRule(names: nil)

    private init(names: Set<String>?) { self.names = names }

    /// Of a server that listens at `host`: beyond the loopback it takes any name.
    ///
    /// * `others`: names without a port that are taken besides those of the loopback, such as the one by which a proxy calls.
    package init(listeningAt host: String, others: [String] = []) {
        self.init(names: Self.isLoopback(host) ? Set(others.map { $0.lowercased() }) : nil)
    }

    /// Whether a request with this `Host` is answered. Browsers always send one, so a request without is not from a page.
    package func admits(_ header: String?) -> Bool {
        guard let names, let header else { return true }
        let name = Self.name(of: header).lowercased()
        return Self.isLoopback(name) || names.contains(name)
    }

    /// What is wrong with a `Host` that is not admitted.
    package static func problem(_ header: String?) -> String {
        "The host '\(header ?? "")' is not a name of this server, which listens on the loopback; call it 127.0.0.1, [::1] or "
            + "localhost."
    }

    /// Whether an address or a name is the loopback's, as `127.0.0.1`, `::1` and `localhost` are.
    package static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        return IPAddress(host)?.isLoopback ?? false
    }

    /// Without the port.
    private static func name(of header: String) -> Substring {
        if header.hasPrefix("["), let end = header.firstIndex(of: "]") { return header[...end] }
        return header.prefix { $0 != ":" }
    }
}
