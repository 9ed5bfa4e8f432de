/// The reason why a store refused an operation.
package enum StoreError: Error, Hashable {
    case duplicate(String)
    /// Too many writes are pending. Nothing was stored.
    case busy
    /// The disk is full. Nothing was stored.
    case noRoom
    /// The disk, or the file on it, is not writable. Nothing was stored.
    case readOnly
    /// The disk fails. Nothing was stored; `detail` is SQLite's message.
    case diskFailed(_ detail: String)
    /// A file of the database, or the lock of its folder, was removed, emptied or replaced under the running service. Nothing was stored.
    case fileGone(_ name: String)
    /// The database server is away or refuses connections. Nothing was stored; `detail` is the client's message.
    case unavailable(_ detail: String)
    /// The connection was lost during the commit, and the server could not be asked since: the write may be stored.
    case unknownOutcome(_ detail: String)

    /// The number of seconds after which a retry may succeed; nil if neither the disk nor the server is the cause.
    ///
    /// A server that restarts, or whose standby takes over, is back within seconds. A disk waits for its operator.
    package var retryAfter: Int? {
        switch self {
        case .duplicate: nil
        case .busy: 1
        case .unavailable, .unknownOutcome: 2
        case .noRoom, .readOnly, .diskFailed, .fileGone: 10
        }
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .duplicate(let text): text
        case .busy: "Too many writes are pending; nothing was stored. Send the request again in a second."
        case .noRoom: "The service's disk is full; nothing was stored. Send the request again when there is room."
        case .readOnly:
            "The service's disk is read-only; nothing was stored. Send the request again when it is writable."
        case .diskFailed(let detail):
            "The service's disk failed (\(detail)); nothing was stored. Send the request again when it works."
        case .fileGone(let name):
            """
            The file \(name) of the service was removed, emptied or replaced while the service runs; nothing was stored. Stop the service, \
            put back its data folder, and start it again.
            """
        case .unavailable(let detail):
            "The service's database is away (\(detail)); nothing was stored. Send the request again when it is back."
        case .unknownOutcome(let detail):
            """
            The connection to the service's database was lost during a commit (\(detail)); the request may be stored. Look \
            whether it is, or send it again; a push only with the same cid.
            """
        }
    }
}

extension StoreError {
    /// The description for callers and strangers: without the words of the database's client, which name the server's address.
    ///
    /// The log has the whole, and so have operators.
    package var publicDescription: String {
        switch self {
        case .unavailable: "The service's database is away; nothing was stored. Send the request again when it is back."
        case .unknownOutcome:
            """
            The connection to the service's database was lost during a commit; the request may be stored. Look whether it is, or send it \
            again; a push only with the same cid.
            """
        case .duplicate, .busy, .noRoom, .readOnly, .diskFailed, .fileGone: description
        }
    }
}

/// Whether a write may be refused when too many are pending.
///
/// Callers of the HTTP API can retry, and their number has no bound, so their writes are refused with ``StoreError/busy``. The
/// service's own writes (leases, outcomes, acknowledgements) wait: their number is limited, and the outcome of a push that was sent
/// must not be lost.
package enum WriteBackpressure {
    @TaskLocal package static var mayBeRefused = false
}
