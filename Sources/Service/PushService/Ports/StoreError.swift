/// Why a store did not do what it was asked.
package enum StoreError: Error, Hashable {
    case duplicate(String)
    /// Too much waits for the disk already. Nothing was kept.
    case busy
    /// The disk is full. Nothing was kept.
    case noRoom
    /// The disk, or the file on it, cannot be written to. Nothing was kept.
    case readOnly
    /// The disk fails. Nothing was kept; `detail` is what SQLite says.
    case diskFailed(_ detail: String)

    /// Seconds after which the same may succeed; nil if the disk is not to blame.
    package var retryAfter: Int? {
        switch self {
        case .duplicate: nil
        case .busy: 1
        case .noRoom, .readOnly, .diskFailed: 10
        }
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .duplicate(let text): text
        case .busy: "Too many requests wait for the disk; nothing was kept. Send the request again in a second."
        case .noRoom: "The service's disk is full; nothing was kept. Send the request again when there is room."
        case .readOnly:
            "The service's disk is read-only; nothing was kept. Send the request again when it can be written to."
        case .diskFailed(let detail):
            "The service's disk fails (\(detail)); nothing was kept. Send the request again when it works."
        }
    }
}

/// Whether a write may be refused when too much waits for the disk.
///
/// Callers of the HTTP API can ask again, and their number has no bound, so their writes are refused with
/// ``StoreError/busy``. The service's own writes (leases, outcomes, acknowledgements) wait: there are only so many at a time, and
/// the outcome of a push that was sent must not be lost.
package enum WriteBackpressure {
    @TaskLocal package static var mayBeRefused = false
}
