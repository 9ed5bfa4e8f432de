import Foundation
import PosthornClient

/// Counts the steps of the process, and kills it before one of them.
final class Deaths: Sendable {
    private let step: Int?
    private let steps = Counter()

    init(at step: Int?) { self.step = step }

    /// Takes a step, or dies.
    func step(_ name: String) {
        guard steps.next() == step else { return }
        FileHandle.standardError.write(Data("dies before: \(name)\n".utf8))
        kill(getpid(), SIGKILL)
    }
}

/// `@unchecked Sendable`: the count is changed under the lock only.
private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}

/// A store in which a process may die before each write.
struct MortalStore: StateStore {
    let base: FileStateStore
    let deaths: Deaths

    func data(for key: String) throws -> Data? { try base.data(for: key) }

    func set(_ data: Data?, for key: String, done: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        deaths.step("the write of '\(key)'")
        base.set(data, for: key, done: done)
    }

    func keys() throws -> [String] { try base.keys() }
}
