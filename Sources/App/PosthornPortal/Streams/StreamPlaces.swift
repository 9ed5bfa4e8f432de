import HTTPTypes
import Synchronization

/// The streams of events that are open, a few for each session and each user.
final class StreamPlaces: Sendable {
    /// The number of streams of one session. A browser has no more than six with one server over HTTP/1.1.
    static let ofSession = 8
    /// The number of streams of one user, over all sessions.
    static let ofUser = 32

    private struct Owner: Hashable {
        var session: String?
        var user: String
    }

    private let open = Mutex<[Owner: Int]>([:])

    /// A place, which is free again when nothing refers to it any more: also if its response is never written.
    final class Place: Sendable {
        private let free: @Sendable () -> Void
        fileprivate init(_ free: @escaping @Sendable () -> Void) { self.free = free }
        deinit { free() }
    }

    /// Takes a place for a stream.
    ///
    /// - Parameter session: the session of the request.
    /// - Returns: the place.
    /// - Throws: 429 if the session or its user has no place left.
    func take(_ session: Session) throws -> Place {
        let limits = [
            (owner: Owner(session: session.id, user: session.user), most: Self.ofSession),
            (owner: Owner(session: nil, user: session.user), most: Self.ofUser),
        ]
        let isTaken = open.withLock { open in
            guard limits.allSatisfy({ open[$0.owner, default: 0] < $0.most }) else { return false }
            for (owner, _) in limits { open[owner, default: 0] += 1 }
            return true
        }
        guard isTaken else {
            throw PortalProblem(.tooManyRequests, "too_many_streams", retryAfter: 30)
        }
        return Place { [self] in
            open.withLock { open in
                for (owner, _) in limits { open[owner] = open[owner].flatMap { $0 > 1 ? $0 - 1 : nil } }
            }
        }
    }
}
