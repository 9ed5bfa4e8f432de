extension RandomAccessCollection where Index == Int {
    /// Returns the elements in slices of `size`; the last one has the rest.
    package func slices(of size: Int) -> [SubSequence] {
        stride(from: startIndex, to: endIndex, by: size).map { self[$0..<Swift.min($0 + size, endIndex)] }
    }
}
