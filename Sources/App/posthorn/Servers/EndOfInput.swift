import Foundation

/// Returns when standard input ends or the task is cancelled.
func endOfStandardInput() async {
    let ended = AsyncStream<Void> { continuation in
        // Reading blocks, so it has its own thread; the process ends without waiting for it.
        let thread = Thread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            continuation.finish()
        }
        thread.start()
    }
    for await _ in ended {}
}
