extension PostgresError {
    /// Phrases of libpq and of the server for what changes without anyone changing a setting.
    private static let passing = [
        "Connection refused", "timeout expired", "timed out", "Temporary failure", "starting up", "shutting down",
        "recovery",
        "too many clients", "too many connections", "remaining connection slots", "terminating connection",
        "not yet accepting connections", "not accepting", "No such file or directory", "read-only",
        "closed the connection",
        "No route to host", "Network is unreachable", "reset by peer",
    ]
    /// Phrases for what stays until a setting is changed.
    private static let lasting = [
        "libpq", "could not translate host name", "FATAL:", "no password supplied", "does not support SSL",
        "certificate",
        "invalid ", "SSL error", "is not a valid", "could not read",
    ]

    /// Returns whether a connection will not succeed until a setting is changed, as with a wrong password, by the text of
    /// ``unavailable(_:)``. libpq has only text for it; in a language other than English the answer is false. Of several
    /// hosts, all count.
    package static func isLasting(_ reason: String) -> Bool {
        !passing.contains { reason.contains($0) } && lasting.contains { reason.contains($0) }
    }
}
