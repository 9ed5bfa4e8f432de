extension [DeviceOrdinal] {
    /// Returns the ordinals in ascending order without duplicates.
    consuming func sortedOnce() -> [DeviceOrdinal] {
        if count < 2 { return self }
        var sorted = count < 64 ? self.sorted() : sortedByOctets()
        var end = 1
        for place in 1..<sorted.count where sorted[place] != sorted[place - 1] {
            sorted[end] = sorted[place]
            end += 1
        }
        sorted.removeLast(sorted.count - end)
        return sorted
    }

    /// Sorts octet by octet from the lowest, without comparisons (radix sort).
    private consuming func sortedByOctets() -> [DeviceOrdinal] {
        let largest = reduce(0) { $0 | $1 }
        var from = self
        var to = [DeviceOrdinal](repeating: 0, count: from.count)
        var shift: DeviceOrdinal = 0
        while shift < 32, largest >> shift != 0 {
            Self.sort(from.span, byOctetAt: shift, into: to.mutableSpan)
            swap(&from, &to)
            shift += 8
        }
        return from
    }

    private static func sort(
        _ from: Span<DeviceOrdinal>,
        byOctetAt shift: DeviceOrdinal,
        into target: consuming MutableSpan<DeviceOrdinal>
    ) {
        var starts = InlineArray<256, Int>(repeating: 0)
        for place in from.indices { starts[Int(from[place] >> shift & 0xFF)] += 1 }
        var start = 0
        for octet in 0..<256 { (starts[octet], start) = (start, start + starts[octet]) }
        for place in from.indices {
            let octet = Int(from[place] >> shift & 0xFF)
            target[starts[octet]] = from[place]
            starts[octet] += 1
        }
    }
}
