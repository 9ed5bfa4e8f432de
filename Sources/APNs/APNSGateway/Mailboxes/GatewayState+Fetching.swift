import APNSTransport

/// Prefetching. Mailboxes are spread over memory, and each needs several dependent reads. For pushes that arrive together,
/// these reads can overlap.
extension GatewayState {
    /// The number of pushes that are fetched for at once.
    private static var width: Int { 8 }

    /// Reads the memory that taking in these pushes will touch. Nothing is decided by it.
    mutating func fetch(for arrivals: [APNSArrival]) {
        var prefixes = InlineArray<8, UInt64?>(repeating: nil)
        var found = InlineArray<8, Int>(repeating: -1)
        let count = min(arrivals.count, Self.width)
        var sum = 0
        // Step by step for all of them, since each step tells where the next one reads. A branch on one push would delay the
        // next.
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
        // Prevents the reads from being optimised away.
        fetched = sum
    }
}

extension TokenRecord {
    /// Reads the start of the record and the end of the data that each push touches.
    fileprivate var glance: Int { Int(truncatingIfNeeded: token.prefix) &+ mailbox.waitingCount }
}
