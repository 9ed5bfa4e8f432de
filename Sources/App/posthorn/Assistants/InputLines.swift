import Foundation
import PosthornStack
import Synchronization

/// The lines of standard input, each read when it is asked for, so that those that wait stay in the pipe.
struct InputLines: Sendable {
    /// The most bytes of a line: a push with its arguments has a few thousand.
    static let mostBytes = 1 << 20

    struct Line: Sendable {
        /// The bytes without the line end; none if there are too many.
        var bytes: [UInt8] = []
        /// Whether the line has more than ``InputLines/mostBytes``. It is read to its end, and not kept.
        var isTooLong = false

        fileprivate mutating func append(_ part: some Collection<UInt8>) {
            isTooLong = isTooLong || part.count > InputLines.mostBytes - bytes.count
            if isTooLong { bytes = [] } else { bytes += part }
        }
    }

    /// The bytes that were read and not returned yet. Only the queue uses them.
    private final class Rest: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    private let rest = Rest()
    // Reading blocks, so it has its own thread; the process ends without waiting for it.
    private let queue = DispatchQueue(label: "standard input")

    /// Returns the next line; nil at the end of standard input.
    func next() async -> Line? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: rest.bytes.withLock { Self.line(after: &$0) }) }
        }
    }

    private static func line(after rest: inout [UInt8]) -> Line? {
        var line = Line()
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line.append(rest[..<end])
                rest.removeFirst(end + 1)
                return line
            }
            line.append(rest)
            rest = chunk()
            // The last line may have no end.
            if rest.isEmpty { return line.bytes.isEmpty && !line.isTooLong ? nil : line }
        }
    }

    /// Reads some bytes, and waits for them if there are none yet. Returns none at the end of standard input.
    static func chunk() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe systemRead(STDIN_FILENO, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // A client has set the pipe to be read without waiting.
                var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&waiting, 1, -1)
                continue
            }
            return Array(bytes.prefix(max(0, count)))
        }
    }
}

/// `read(2)`, under a name that does not clash with those of Foundation.
private let systemRead = unsafe read as @convention(c) (Int32, UnsafeMutableRawPointer?, Int) -> Int

/// Waits until the task is cancelled; with `--until-eof`, also until standard input ends.
func untilCancelled(orEndOfInput endsWithInput: Bool) async throws {
    guard endsWithInput else { return try await untilCancelled() }
    let end = AsyncStream<Void> { continuation in
        // Reading blocks, so it has its own thread; the process ends without waiting for it.
        let thread = Thread {
            while !InputLines.chunk().isEmpty {}
            continuation.finish()
        }
        thread.start()
    }
    for await _ in end {}
}
