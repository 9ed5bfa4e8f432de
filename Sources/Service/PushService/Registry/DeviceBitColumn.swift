/// One bit for each device of an app, by its ordinal.
///
/// Stored in blocks, so that a change copies one block when a reader holds the column.
struct DeviceBitColumn: Sendable {
    /// The blocks; places after the last one are false.
    private(set) var blocks: ContiguousArray<DeviceBits> = []

    func contains(_ place: Int) -> Bool {
        let block = place / DeviceBits.size
        return block < blocks.count && blocks[block].contains(place % DeviceBits.size)
    }

    /// Makes room for the devices below `count`.
    mutating func grow(to count: Int) {
        while blocks.count * DeviceBits.size < count { blocks.append(DeviceBits(all: false)) }
    }

    /// Sets the bit of a device, for which there must be room. An unchanged bit costs no write.
    mutating func set(_ place: Int, _ isMember: Bool) {
        guard contains(place) != isMember else { return }
        blocks[place / DeviceBits.size].set(place % DeviceBits.size, isMember)
    }

    /// Returns the bits of the 64 devices from `index * 64` on.
    @inline(__always)
    func word(_ index: Int) -> UInt64 {
        let block = index / DeviceBits.wordCount
        return block < blocks.count ? blocks[block].words[index % DeviceBits.wordCount] : 0
    }
}
