/// A bit for each device of an app, by its ordinal.
struct DeviceColumn {
    /// Whole blocks of ``DeviceBits/wordCount`` words; what lies beyond is false.
    private(set) var words: ContiguousArray<UInt64> = []

    func contains(_ place: Int) -> Bool {
        place >> 6 < words.count && words[place >> 6] & 1 << UInt64(place & 63) != 0
    }

    /// Makes room for the devices below `count`.
    mutating func grow(to count: Int) {
        let size = (count + DeviceBits.size - 1) / DeviceBits.size * DeviceBits.wordCount
        if size > words.count { words.append(contentsOf: repeatElement(0, count: size - words.count)) }
    }

    /// There is to be room for the device.
    mutating func set(_ place: Int, _ isMember: Bool) {
        let bit: UInt64 = 1 << UInt64(place & 63)
        words[place >> 6] = isMember ? words[place >> 6] | bit : words[place >> 6] & ~bit
    }

    /// The 64 devices from `index * 64` on.
    @inline(__always)
    func word(_ index: Int) -> UInt64 { index < words.count ? words[index] : 0 }
}
