extension [DeviceOrdinal] {
    /// In rising order, each once.
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

    /// Sorts by one octet after the other, the lowest first, without comparing.
    private consuming func sortedByOctets() -> [DeviceOrdinal] {
        let largest = reduce(0) { $0 | $1 }
        var from = self
        var to = [DeviceOrdinal](repeating: 0, count: from.count)
        var shift: DeviceOrdinal = 0
        while shift < 32, largest >> shift != 0 {
            var starts = InlineArray<256, Int>(repeating: 0)
            for ordinal in from { starts[Int(ordinal >> shift & 0xFF)] += 1 }
            var start = 0
            for octet in 0..<256 { (starts[octet], start) = (start, start + starts[octet]) }
            for ordinal in from {
                let octet = Int(ordinal >> shift & 0xFF)
                to[starts[octet]] = ordinal
                starts[octet] += 1
            }
            swap(&from, &to)
            shift += 8
        }
        return from
    }
}
