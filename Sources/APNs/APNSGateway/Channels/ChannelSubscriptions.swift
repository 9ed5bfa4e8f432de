import DeviceLink

/// The subscriptions of devices to channels: 20 bytes each, in one array, and no object.
///
/// Devices are numbers of ``DeviceKeys``. The index of a subscription stays the same until it ends; the log refers to it.
struct ChannelSubscriptions: Sendable {
    /// One device's subscription to one channel.
    struct Subscription: Hashable, Sendable {
        var device: UInt32
        var channel: UInt32
        /// The device's next subscription.
        fileprivate var next: UInt32
        /// The number of the newest message when it began.
        var since: UInt32
        /// The number of the newest stored message that the device has acknowledged; 0 if there is none.
        var through: UInt32
    }

    private struct Channel {
        var channel: CourierChannel
        var count = 0
    }

    /// No device, no subscription.
    private static let none = UInt32.max

    private var subscriptions: [Subscription] = []
    /// The indices of ``subscriptions`` that are not in use.
    private var free: [UInt32] = []
    /// The first subscription of each device.
    private var first: [UInt32] = []
    private var numbers: [CourierChannel: UInt32] = [:]
    private var channels: [Channel] = []

    /// The number of indices, in use or not.
    var indexCount: Int { subscriptions.count }

    /// The number of devices that are subscribed to a channel.
    func count(of channel: CourierChannel) -> Int { numbers[channel].map { channels[Int($0)].count } ?? 0 }

    /// The indices of a device's subscriptions.
    func indices(of device: UInt32) -> [Int] {
        var indices: [Int] = []
        var next = device < first.count ? first[Int(device)] : Self.none
        while next != Self.none {
            indices.append(Int(next))
            next = subscriptions[Int(next)].next
        }
        return indices
    }

    func index(of device: UInt32, in channel: CourierChannel) -> Int? {
        guard let number = numbers[channel] else { return nil }
        return indices(of: device).first { subscriptions[$0].channel == number }
    }

    /// The subscription at an index; nil if the index is not in use.
    func subscription(at index: Int) -> Subscription? {
        guard subscriptions.indices.contains(index), subscriptions[index].device != Self.none else { return nil }
        return subscriptions[index]
    }

    func channel(of subscription: Subscription) -> CourierChannel { channels[Int(subscription.channel)].channel }

    /// Subscribes a device that is not subscribed to the channel.
    ///
    /// - Returns: the index.
    mutating func add(_ device: UInt32, to channel: CourierChannel, since: UInt32) -> Int {
        let index = free.popLast().map(Int.init) ?? subscriptions.count
        put(device, to: channel, at: index, since: since, through: 0)
        return index
    }

    mutating func remove(at index: Int) {
        guard clear(index) else { return }
        free.append(UInt32(index))
    }

    /// Ends all subscriptions to a channel.
    mutating func remove(_ channel: CourierChannel) {
        guard let number = numbers[channel], channels[Int(number)].count > 0 else { return }
        for index in subscriptions.indices where subscriptions[index].channel == number { remove(at: index) }
    }

    /// Records that the device has acknowledged the stored message with this number.
    mutating func acknowledge(_ number: UInt32, at index: Int) {
        guard subscription(at: index) != nil else { return }
        subscriptions[index].through = max(subscriptions[index].through, number)
    }

    /// The highest number of a message that is mentioned.
    var highestNumber: UInt32 { subscriptions.lazy.map { max($0.since, $0.through) }.max() ?? 0 }

    // MARK: - Restoration

    /// Puts a subscription to an index, in place of the one that may be there.
    mutating func put(_ device: UInt32, to channel: CourierChannel, at index: Int, since: UInt32, through: UInt32) {
        while subscriptions.count <= index {
            subscriptions.append(
                Subscription(device: Self.none, channel: Self.none, next: Self.none, since: 0, through: 0)
            )
        }
        _ = clear(index)
        while first.count <= device { first.append(Self.none) }
        let number = number(of: channel)
        channels[Int(number)].count += 1
        subscriptions[index] = Subscription(
            device: device,
            channel: number,
            next: first[Int(device)],
            since: since,
            through: through
        )
        first[Int(device)] = UInt32(index)
    }

    /// Finds the indices that restored subscriptions have left free.
    mutating func findFreeIndices() {
        free = subscriptions.indices.filter { subscriptions[$0].device == Self.none }.map { UInt32($0) }
    }

    private mutating func number(of channel: CourierChannel) -> UInt32 {
        if let number = numbers[channel] { return number }
        let number = UInt32(channels.count)
        numbers[channel] = number
        channels.append(Channel(channel: channel))
        return number
    }

    /// - Returns: false if the index was not in use.
    private mutating func clear(_ index: Int) -> Bool {
        guard let old = subscription(at: index) else { return false }
        if first[Int(old.device)] == index {
            first[Int(old.device)] = old.next
        } else {
            for other in indices(of: old.device) where subscriptions[other].next == index {
                subscriptions[other].next = old.next
            }
        }
        channels[Int(old.channel)].count -= 1
        subscriptions[index].device = Self.none
        subscriptions[index].channel = Self.none
        return true
    }
}
