import PushClock
import Synchronization

/// How often each of several things has happened.
final class Counts: Sendable {
    private let counts: Mutex<[Int]>
    private let firsts: [Announcement<Void>]

    init(_ things: Int) {
        counts = Mutex(Array(repeating: 0, count: things))
        firsts = (0..<things).map { _ in Announcement() }
    }

    subscript(thing: Int) -> Int { counts.withLock { $0[thing] } }

    func add(_ thing: Int) {
        counts.withLock { $0[thing] += 1 }
        firsts[thing].make(.success(()))
    }

    /// Returns when the thing has happened for the first time.
    func first(_ thing: Int) async throws { try await firsts[thing].value }
}
