/// The reason why PostgreSQL did not do what was asked.
package enum PostgresError: Error, Hashable {
    /// There is no server, the connection was lost, or the server has not answered in time. Nothing was stored.
    case unavailable(String)
    /// Another transaction was in the way (a serialization failure or a deadlock). Nothing was stored; the same may succeed again.
    case conflict(String)
    /// The connection was lost while the server was committing: the changes are stored, or they are not.
    case unknownOutcome(String)
    /// The server refused a statement. Nothing was stored.
    ///
    /// `sqlState` has the five characters of the server's code, listed in PostgreSQL's documentation, appendix A.
    case refused(sqlState: String, message: String)

    /// The code of a row that exists already.
    package static let uniqueViolation = "23505"
    /// The code of a statement that was cancelled, mostly because it has taken too long.
    static let givenUp = "57014"

    /// Creates the error of a code of the server, which is empty if the connection failed, with the text of the server or of libpq.
    init(sqlState: String, message: String) {
        switch sqlState {
        case "40001", "40P01": self = .conflict(message)
        case "40003": self = .unknownOutcome(message)
        // 08: connection; 57P: the server shuts down, starts, or ends the session; 53: out of connections, memory or disk. 25006: a
        // standby, or a primary that has become one. 25P03: the session has done nothing for too long within a transaction.
        case "", "25006", "25P03", Self.givenUp: self = .unavailable(message)
        case let state where state.hasPrefix("08") || state.hasPrefix("57P") || state.hasPrefix("53"):
            self = .unavailable(message)
        default: self = .refused(sqlState: sqlState, message: message)
        }
    }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unavailable(let reason): "PostgreSQL is not available: \(reason)"
        case .conflict(let reason): "Another transaction was in the way: \(reason)"
        case .unknownOutcome(let reason):
            "The connection to PostgreSQL was lost during a commit, so it is not known whether the changes are stored: \(reason)"
        case .refused(let state, let message): "PostgreSQL refused a statement (\(state)): \(message)"
        }
    }
}
