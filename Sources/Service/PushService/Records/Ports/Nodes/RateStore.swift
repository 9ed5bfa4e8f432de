/// A wish of a node for calls of one caller.
package struct RateWish: Hashable, Sendable {
    /// The caller and the family of endpoints, as text.
    package var key: String
    /// The number of calls allowed in a window, by all nodes together.
    package var limit: Int
    /// The number of calls that the node would like to allow, at least 1.
    package var calls: Int

    package init(key: String, limit: Int, calls: Int) {
        self.key = key
        self.limit = limit
        self.calls = calls
    }
}

/// The part of a window that a node may use.
package struct RateShare: Hashable, Sendable {
    package var key: String
    /// The number of the window; another one means that the shares of earlier windows are void.
    package var window: Int64
    /// The number of calls that the node may allow; 0 if the window is used up.
    package var calls: Int
    /// The number of calls of the window that no node has been given.
    package var left: Int
    /// The time until the window ends, by the clock of the store.
    package var ends: Duration

    package init(key: String, window: Int64, calls: Int, left: Int, ends: Duration) {
        self.key = key
        self.window = window
        self.calls = calls
        self.left = left
        self.ends = ends
    }
}

/// Windows of 60 seconds in which all nodes together allow a number of calls. A window begins with its first call.
package protocol RateStore: Sendable {
    /// Takes calls from the windows of several callers, in one transaction. A window that is over begins again.
    ///
    /// - Returns: a share for each wish, in order: as many calls as are left, up to those wished for.
    func take(_ wishes: [RateWish]) async throws -> [RateShare]
    /// Deletes up to `limit` windows that are over. A caller's next window begins as if it had been kept.
    ///
    /// - Returns: whether there may be more to delete.
    func deleteWindows(limit: Int) async throws -> Bool
}
