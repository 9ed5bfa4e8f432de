/// A bit for each device of an app, by its ordinal.
struct DeviceColumn {
    /// Whole blocks of ``DeviceBits/wordCount`` words; what lies beyond is false.
    private(set) var words: ContiguousArray<UInt64> = []

    func contains(_ place: Int) -> Bool {
        place >> 6 < words.count && words[place >> 6] & 1 << UInt64(place & 63) != 0
    }

    mutating func set(_ place: Int, _ isMember: Bool) {
        let index = place >> 6
        if index >= words.count {
            guard isMember else { return }
            let blocks = index / DeviceBits.wordCount + 1
            words.append(contentsOf: repeatElement(0, count: blocks * DeviceBits.wordCount - words.count))
        }
        let bit: UInt64 = 1 << UInt64(place & 63)
        words[index] = isMember ? words[index] | bit : words[index] & ~bit
    }

    /// The 64 devices from `index * 64` on.
    @inline(__always)
    func word(_ index: Int) -> UInt64 { index < words.count ? words[index] : 0 }
}
