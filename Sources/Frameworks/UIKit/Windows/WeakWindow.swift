/// A window that somebody else keeps.
struct WeakWindow {
    weak var value: UIWindow?
}

extension [WeakWindow] {
    /// Appends a window once, and drops those that are gone.
    @MainActor
    mutating func note(_ window: UIWindow) {
        removeAll { $0.value == nil }
        if !contains(where: { $0.value === window }) { append(WeakWindow(value: window)) }
    }
}
