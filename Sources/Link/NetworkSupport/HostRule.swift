import PushModel

/// The names that a request's `Host` may use for this machine.
///
/// The owner of any domain can point it at 127.0.0.1, and a browser then lets the pages of that domain talk to local
/// servers ("DNS rebinding"). The name reveals the attack: a server on the loopback is addressed by a loopback name.
package struct HostRule: Sendable {
    /// The accepted names; nil accepts any name.
    private let names: Set<String>?

    package static let any = HostRule(names: nil)

    private init(names: Set<String>?) { self.names = names }

    /// Creates the rule for a server that listens at `host`: beyond the loopback it accepts any name.
    ///
    /// `others` are names without a port that are accepted besides those of the loopback, such as the one that a proxy
    /// uses.
    package init(listeningAt host: String, others: [String] = []) {
        self.init(names: Self.isLoopback(host) ? Set(others.map { $0.lowercased() }) : nil)
    }

    /// Whether a request with this `Host` is answered. Browsers always send one, so a request without it is not from a
    /// page.
    package func admits(_ header: String?) -> Bool {
        guard let names, let header else { return true }
        let name = Self.name(of: header).lowercased()
        return Self.isLoopback(name) || names.contains(name)
    }

    /// The error message for a `Host` that is not admitted.
    package static func problem(_ header: String?) -> String {
        "The host '\(header ?? "")' is not a name of this server, which listens on the loopback; call it 127.0.0.1, [::1] or "
            + "localhost."
    }

    /// Whether an address or a name is a loopback one, such as `127.0.0.1`, `::1` or `localhost`.
    package static func isLoopback(_ host: String) -> Bool {
        if host == "127.0.0.1" || host == "localhost" { return true }
        guard let host = URLHost(host) else { return false }
        return host.text == "localhost" || host.address?.isLoopback == true
    }

    /// Returns the host without the port.
    private static func name(of header: String) -> Substring {
        if header.hasPrefix("["), let end = header.firstIndex(of: "]") { return header[...end] }
        return header.prefix { $0 != ":" }
    }
}
