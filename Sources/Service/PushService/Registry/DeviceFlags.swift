import PushModel

/// The flags that decide, besides tags and names, whether a device can be reached: one bit per device.
struct DeviceFlags: Sendable {
    var withToken = DeviceColumn()
    var production = DeviceColumn()
    /// Devices seen recently.
    var active = DeviceColumn()
    /// Devices on which push is switched off, usually none.
    private(set) var stopped = DeviceColumn()
    private(set) var stoppedCount = 0
    /// Devices with a token that APNs has refused, usually none; they are not in ``withToken``.
    private(set) var refused = DeviceColumn()
    private(set) var refusedCount = 0
    /// Devices with an alias that the app's backend has vouched for.
    var provedAlias = DeviceColumn()

    mutating func grow(to size: Int) {
        withToken.grow(to: size)
        production.grow(to: size)
        stopped.grow(to: size)
        refused.grow(to: size)
        provedAlias.grow(to: size)
        active.grow(to: size)
    }

    mutating func setStopped(_ place: Int, _ isStopped: Bool) {
        guard stopped.contains(place) != isStopped else { return }
        stopped.set(place, isStopped)
        stoppedCount += isStopped ? 1 : -1
    }

    mutating func setRefused(_ place: Int, _ isRefused: Bool) {
        guard refused.contains(place) != isRefused else { return }
        refused.set(place, isRefused)
        refusedCount += isRefused ? 1 : -1
    }

    func isRefused(_ place: Int) -> Bool { refusedCount > 0 && refused.contains(place) }

    func isStopped(_ place: Int) -> Bool { stoppedCount > 0 && stopped.contains(place) }

    func environment(of place: Int) -> APNSEnvironment { production.contains(place) ? .production : .development }
}

/// One bit for each device of an app, by its ordinal.
///
/// Stored in blocks, so that a change copies one block when a reader holds the column.
struct DeviceColumn: Sendable {
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
