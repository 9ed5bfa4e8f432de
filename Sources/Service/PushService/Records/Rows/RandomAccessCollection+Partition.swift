extension RandomAccessCollection where Index == Int {
    /// Returns the index of the first element for which the predicate holds, by a binary search; the elements for which it does not
    /// come first.
    @inline(__always)
    func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
