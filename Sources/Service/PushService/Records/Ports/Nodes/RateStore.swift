/// The part of a window that a node may use.
package struct RateShare: Hashable, Sendable {
    /// The number of the window; another one means that the shares of earlier windows are void.
    package var window: Int64
    /// The number of calls that the node may allow; 0 if the window is used up.
    package var calls: Int
    /// The number of calls of the window that no node has been given.
    package var left: Int
    /// The time until the window ends, by the clock of the store.
    package var ends: Duration

    package init(window: Int64, calls: Int, left: Int, ends: Duration) {
        self.window = window
        self.calls = calls
        self.left = left
        self.ends = ends
    }
}

/// Windows of 60 seconds in which all nodes together allow a number of calls. A window begins with its first call.
package protocol RateStore: Sendable {
    /// Takes calls, at least 1, from the window of a caller and a family of endpoints, in which all nodes together allow `limit`. A window
    /// that is over begins again.
    ///
    /// - Returns: as many calls as are left, up to those wished for.
    func take(_ calls: Int, of limit: Int, for key: String) async throws -> RateShare
    /// Deletes up to `limit` windows that are over. A caller's next window begins as if it had been kept.
    ///
    /// - Returns: whether there may be more to delete.
    func deleteWindows(limit: Int) async throws -> Bool
}
