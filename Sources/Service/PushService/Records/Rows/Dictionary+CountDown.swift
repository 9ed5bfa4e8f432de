extension Dictionary where Value == Int {
    /// Subtracts one from a count, and removes it at zero.
    package mutating func countDown(_ key: Key) {
        guard let count = self[key] else { return }
        self[key] = count > 1 ? count - 1 : nil
    }
}
