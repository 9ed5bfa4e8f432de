import PushModel

/// The flags that decide, besides tags and names, whether a device can be reached: one bit per device.
struct DeviceFlags: Sendable {
    var withToken = DeviceBitColumn()
    var production = DeviceBitColumn()
    /// Devices seen recently.
    var active = DeviceBitColumn()
    /// Devices on which push is switched off, usually none.
    private(set) var stopped = DeviceBitColumn()
    private(set) var stoppedCount = 0
    /// Devices with a token that APNs has refused, usually none; they are not in ``withToken``.
    private(set) var refused = DeviceBitColumn()
    private(set) var refusedCount = 0
    /// Devices with an alias that the app's backend has vouched for.
    var provedAlias = DeviceBitColumn()

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
