/// The links of a node, of which each device's newest one among all nodes receives its messages.
///
/// A link is opened in three steps: it is announced here, its number comes from the store, and then the waiting messages of the device
/// are read. From the first step on, custom messages that this node reads go to the link. From the second on, the store
/// assigns the device's messages to this node, so one that was committed earlier is found by the third. Nothing is missed in between.
///
/// A device that moves to another node is reported by the log of that node, which may come before the number of the link here. The
/// numbers decide, whatever comes first.
package struct LinkPresence<Link: Hashable & Sendable>: Sendable {
    private struct Device {
        /// The newest link at this node.
        var link: Link
        /// The number of the link; nil while the store is asked.
        var number: Int64?
        /// The greatest number of a link at another node.
        var elsewhere: Int64 = 0
    }

    private var devices: [DeviceID: Device] = [:]

    package init() {}

    /// The number of devices with a link.
    package var count: Int { devices.count }

    /// Returns up to `limit` links, in no particular order.
    package func some(_ limit: Int) -> [Link] { devices.values.prefix(limit).map(\.link) }

    /// Records the newest link of a device at this node.
    package mutating func open(_ link: Link, of device: DeviceID) {
        devices[device] = Device(link: link, elsewhere: devices[device]?.elsewhere ?? 0)
    }

    /// Records the number of a link.
    ///
    /// - Returns: false if the link is not the device's newest: messages must not be sent on it.
    package mutating func number(_ link: Link, of device: DeviceID, as number: Int64) -> Bool {
        guard let known = devices[device], known.link == link else { return false }
        guard number > known.elsewhere else {
            devices[device] = nil
            return false
        }
        devices[device]?.number = number
        return true
    }

    /// Returns whether a link is the newest of its device, with a number from the store.
    package func isNewest(_ link: Link, of device: DeviceID) -> Bool {
        devices[device].map { $0.link == link && $0.number != nil } ?? false
    }

    /// Records that a device has opened a link at another node.
    ///
    /// - Returns: the link at this node to which no more messages may be sent; nil if there is none, if it is newer, or if its number
    ///   is not known yet.
    package mutating func moved(_ device: DeviceID, number: Int64) -> Link? {
        guard let known = devices[device] else { return nil }
        guard let own = known.number else {
            devices[device]?.elsewhere = max(known.elsewhere, number)
            return nil
        }
        guard own < number else { return nil }
        devices[device] = nil
        return known.link
    }

    /// Records the end of a link.
    ///
    /// - Returns: the number of the link to remove from the store; nil if it is not the newest, or has no number.
    package mutating func close(_ link: Link, of device: DeviceID) -> Int64? {
        guard let known = devices[device], known.link == link else { return nil }
        devices[device] = nil
        return known.number
    }

    /// The numbers of the links that have one. Under a new membership of the node they have to be recorded again.
    package var numbers: [DeviceID: Int64] { devices.compactMapValues(\.number) }

    /// Records that a link is not the newest of its device.
    ///
    /// - Returns: the link, to which no more messages may be sent; nil if the device has another one here, or none.
    package mutating func lose(_ device: DeviceID, number: Int64) -> Link? {
        guard let known = devices[device], known.number == number else { return nil }
        devices[device] = nil
        return known.link
    }
}
