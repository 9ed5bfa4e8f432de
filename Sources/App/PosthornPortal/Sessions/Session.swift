import Foundation
import PushModel
import PushService
import Synchronization

/// The session of a user who has signed in.
struct Session: Hashable, Sendable {
    /// The value of the cookie.
    var id: String
    var user: String
    var role: Role
    /// The user's version at the sign-in. A new password, or a new user of that name, has another, at whatever node it is made.
    var version: String
    /// The token that each changing request must carry, because a cookie is also sent with another site's requests.
    var csrfToken: String
    var startedAt: Date
    var seenAt: Date
    /// The time at which the user last gave the password.
    var authenticatedAt: Date

    /// Whether the password was given recently enough for a credential or a broadcast.
    func isFresh(at now: Date) -> Bool { !authenticatedAt.isOver(after: Self.freshness, at: now) }

    static let freshness: TimeInterval = 300
}

/// The sessions, in memory: a restart of the service ends them.
final class SessionStore: Sendable {
    /// A session ends this long after its last request.
    static let idle: TimeInterval = 3600
    /// A session ends this long after its start.
    static let longest: TimeInterval = 12 * 3600
    /// The greatest number of sessions; the one unused for the longest time makes room.
    static let limit = 10_000

    private let sessions = Mutex<[String: Session]>([:])

    /// Starts a session; a new id each time, so that nobody can know it from before.
    func start(_ user: String, _ role: Role, version: String, at now: Date) -> Session {
        var random = SystemRandomNumberGenerator()
        let session = Session(
            id: random.hexadecimalDigits(64),
            user: user,
            role: role,
            version: version,
            csrfToken: random.hexadecimalDigits(64),
            startedAt: now,
            seenAt: now,
            authenticatedAt: now
        )
        sessions.withLock { sessions in
            if sessions.count >= Self.limit {
                sessions = sessions.filter { !Self.isOver($0.value, at: now) }
                if sessions.count >= Self.limit, let oldest = sessions.values.min(by: { $0.seenAt < $1.seenAt }) {
                    sessions[oldest.id] = nil
                }
            }
            sessions[session.id] = session
        }
        return session
    }

    /// Returns the session with this id, and notes that it is in use.
    func find(_ id: String, at now: Date) -> Session? {
        sessions.withLock { sessions in
            guard var session = sessions[id] else { return nil }
            guard !Self.isOver(session, at: now) else {
                sessions[id] = nil
                return nil
            }
            session.seenAt = max(session.seenAt, now)
            sessions[id] = session
            return session
        }
    }

    /// Replaces a session by one with another id, after the user gave the password again.
    /// The time of its start stays.
    func rotate(_ session: Session, at now: Date) -> Session {
        end(session.id)
        var renewed = start(session.user, session.role, version: session.version, at: now)
        renewed.startedAt = session.startedAt
        sessions.withLock { $0[renewed.id] = renewed }
        return renewed
    }

    func end(_ id: String) { sessions.withLock { $0[id] = nil } }

    /// Lets a session go on after its user's password was changed in it.
    func keep(_ id: String, version: String) { sessions.withLock { $0[id]?.version = version } }

    private static func isOver(_ session: Session, at now: Date) -> Bool {
        session.seenAt.isOver(after: idle, at: now) || session.startedAt.isOver(after: longest, at: now)
    }
}

/// The one-time link with which the first user of a portal makes an account.
///
/// It is valid for this run of the service, while the store has never had a user. Each node has one, of which one can be used.
final class Invitations: Sendable {
    private let hash = Mutex<SecretHash?>(nil)

    /// Makes a link's secret; an earlier one is no longer valid.
    func make() -> String {
        var random = SystemRandomNumberGenerator()
        let secret = random.hexadecimalDigits(40)
        hash.withLock { $0 = SecretHash(of: secret) }
        return secret
    }

    func admits(_ secret: String) -> Bool { hash.withLock { $0?.matches(secret) ?? false } }

    /// Ends the validity of the link.
    func end() { hash.withLock { $0 = nil } }
}
