import Synchronization

/// What an app or its extension has said, line by line. One test at a time waits for more.
final class SpokenLines: Sendable {
    private let lines = Mutex<[String]>([])
    private let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
        change.yield()
    }

    /// Returns when the line has come so often, or the test is cancelled by its time limit.
    func wait(for line: String, times: Int = 1) async {
        var changes = changes.makeAsyncIterator()
        while all.count(where: { $0 == line }) < times { guard await changes.next() != nil else { return } }
    }
}
