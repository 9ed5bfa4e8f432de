import APNSTransport

/// Pushes go to mailboxes all over the memory, and each has several places to wait for, one after another. When several pushes
/// have come together, their mailboxes can be waited for at the same time.
extension GatewayState {
    /// As many as are fetched for at once.
    private static var width: Int { 8 }

    /// Reads what taking in these pushes will touch. Nothing is decided by it.
    mutating func fetch(for arrivals: [APNSArrival]) {
        var prefixes = InlineArray<8, UInt64?>(repeating: nil)
        var found = InlineArray<8, Int>(repeating: -1)
        let count = min(arrivals.count, Self.width)
        var sum = 0
        // Step by step for all of them, as each step says where the next one looks; a step that decided something for one
        // push would have the next push wait.
        for index in 0..<count {
            guard let digits = arrivals[index].request.sixteenOctets(of: .path, from: Judge.prefixCount),
                let high = HexDigit.half(digits.0), let low = HexDigit.half(digits.1)
            else { continue }
            let prefix = high << 32 | low
            prefixes[index] = prefix
            sum &+= places.glance(prefix)
        }
        for index in 0..<count {
            guard let prefix = prefixes[index], let place = places.place(of: prefix, isThere: { _ in true }) else {
                continue
            }
            found[index] = place
        }
        for index in 0..<count where found[index] >= 0 { sum &+= records[found[index]].glance }
        for index in 0..<count where found[index] >= 0 { sum &+= records[found[index]].mailbox.glance }
        // So that it is not left out as of no use.
        fetched = sum
    }
}

extension TokenRecord {
    /// Reads where it begins, and where the end of what each push looks at stands.
    fileprivate var glance: Int { Int(truncatingIfNeeded: token.prefix) &+ mailbox.waitingCount }
}
