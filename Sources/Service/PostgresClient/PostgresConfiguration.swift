import Foundation

/// Where the server is, and how to connect.
package struct PostgresConfiguration: Sendable {
    /// The URL of the server as libpq takes it, with defaults for what it leaves open.
    let info: String
    /// The URL without its password, for logs and errors.
    package let name: String
    /// The maximum number of connections, and of threads.
    package var connections: Int
    /// The time for a statement. Then the server gives it up, and a server that does not even say so within two seconds is taken
    /// for lost.
    package var limit = Duration.seconds(30)
    /// When to wait for the server no longer.
    package var givingUp = PostgresGivingUp()

    /// The schemes of a URL that names a PostgreSQL server.
    package static let schemes = ["postgres", "postgresql"]

    /// Parameters that apply unless the URL has others: a server that has vanished is noticed after about ten seconds, and of several
    /// hosts the primary is used.
    private static let defaults = [
        ("connect_timeout", "5"), ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "10000"), ("target_session_attrs", "read-write"), ("application_name", "posthorn"),
        ("client_encoding", "UTF8"),
    ]

    /// The parameters that logs and errors show. Others may have a secret.
    private static let harmless: Set<String> = [
        "application_name", "channel_binding", "client_encoding", "connect_timeout", "dbname", "gssencmode", "host",
        "hostaddr",
        "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "load_balance_hosts", "port",
        "require_auth", "sslcert", "sslcrl", "sslkey", "sslmode", "sslrootcert", "ssl_min_protocol_version",
        "target_session_attrs", "tcp_user_timeout", "user",
    ]

    /// Reads a URL such as `postgres://posthorn:secret@db1,db2/posthorn?sslmode=verify-full`, with libpq's parameters
    /// (PostgreSQL's documentation, "Connection URIs"). There is at least one connection.
    ///
    /// - Throws: ``Problem`` if it is no such URL.
    package init(url: String, connections: Int = 8) throws(Problem) {
        let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, Self.schemes.contains(String(parts[0])) else {
            // What was found may be a password in a wrong form, so it is not repeated.
            throw Problem(reason: "it does not begin with postgres:// or postgresql://")
        }
        // As libpq reads it: what stands before an @ is user and password, which may contain question marks.
        let afterScheme = parts[1]
        let at = afterScheme.prefix { $0 != "/" }.firstIndex(of: "@")
        let rest = at.map { afterScheme[afterScheme.index(after: $0)...] } ?? afterScheme
        // Otherwise libpq would take a part of the password for the host, which appears in errors.
        guard !rest.prefix(while: { $0 != "?" }).contains("@") else {
            throw Problem(reason: "it has an @ in another place; in a user or a password, write @ as %40 and / as %2F")
        }
        guard Self.isEncoded(afterScheme) else {
            throw Problem(reason: "it has a % without two hexadecimal digits; write % as %25")
        }
        let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = halves.count == 2 ? halves[1].split(separator: "&") : []
        var given: [String] = []
        for parameter in query {
            guard let end = parameter.firstIndex(of: "=") else {
                throw Problem(reason: "a parameter after the question mark has no value")
            }
            // libpq decodes names, too.
            given.append(parameter[..<end].removingPercentEncoding ?? "")
        }
        let added = Self.defaults.filter { !given.contains($0.0) }.map { "\($0.0)=\($0.1)" }
        let userAndPassword = at.map { afterScheme[...$0] } ?? ""
        info =
            "\(parts[0])://\(userAndPassword)\(halves[0])?\((query.map(String.init) + added).joined(separator: "&"))"
        let user = at.map { afterScheme[..<$0].prefix { $0 != ":" } + "@" } ?? ""
        let shown = zip(query, given).filter { Self.harmless.contains($1) }.map(\.0)
        name = "\(parts[0])://\(user)\(halves[0])" + (shown.isEmpty ? "" : "?\(shown.joined(separator: "&"))")
        self.connections = max(1, connections)
    }

    /// Returns the configuration with another maximum number of connections.
    package func with(connections: Int) -> PostgresConfiguration {
        var copy = self
        copy.connections = max(1, connections)
        return copy
    }

    /// Returns whether each percent sign is followed by two hexadecimal digits. libpq repeats others in its error.
    private static func isEncoded(_ text: Substring) -> Bool {
        text.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
            part.utf8.count >= 2 && part.prefix(2).allSatisfy(\.isHexDigit)
        }
    }

    /// The reason why a URL is refused.
    package struct Problem: Error, CustomStringConvertible {
        var reason: String
        package var description: String {
            """
            The URL of the store is not usable: \(reason). It must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, where further \
            parameters follow a question mark.
            """
        }
    }
}

extension PostgresConfiguration: CustomStringConvertible {
    package var description: String { name }
}
