extension Sequence<String> {
    /// Returns the `limit` smallest elements in ascending order: visits each once, and keeps no more than these sorted.
    func smallest(_ limit: Int) -> [String] {
        guard limit < .max else { return sorted() }
        var found: [String] = []
        for text in self {
            if found.count == limit {
                guard let last = found.last, text < last else { continue }
                found.removeLast()
            }
            var (low, high) = (0, found.count)
            while low < high {
                let middle = (low + high) / 2
                if found[middle] < text { low = middle + 1 } else { high = middle }
            }
            found.insert(text, at: low)
        }
        return found
    }
}
