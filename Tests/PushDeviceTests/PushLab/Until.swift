/// Waits for what comes on another thread.
///
/// - Throws: the error of `isSo`, or a cancellation when the time of the test is over.
@MainActor
func until(_ isSo: @MainActor () throws -> Bool) async throws {
    while try !isSo() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
