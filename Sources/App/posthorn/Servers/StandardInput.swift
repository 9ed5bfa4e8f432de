import Foundation
import PosthornStack

/// Returns the lines of standard input, until it ends.
func linesOfStandardInput() -> AsyncStream<String> {
    AsyncStream { continuation in
        // Reading blocks, so it has its own thread; the process ends without waiting for it.
        let thread = Thread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        thread.start()
    }
}

/// Waits until the task is cancelled; with `--until-eof`, also until standard input ends.
func untilCancelled(orEndOfInput endsWithInput: Bool) async throws {
    guard endsWithInput else { return try await untilCancelled() }
    for await _ in linesOfStandardInput() {}
}
