/// The control that reloads a table. Nobody pulls it.
@preconcurrency @MainActor
open class UIRefreshControl: UIControl {
    /// Whether it turns.
    open private(set) var isRefreshing = false

    /// Starts turning, without an event.
    open func beginRefreshing() { isRefreshing = true }
    /// Stops turning.
    open func endRefreshing() { isRefreshing = false }
}
