import PushModel

/// The devices of an audience by reachability. Each list is in ascending order.
package struct Resolution: Hashable, Sendable {
    package var reachable: [DeviceOrdinal] = []
    package var inOtherEnvironment: [DeviceOrdinal] = []
    package var withoutToken: [DeviceOrdinal] = []
    /// Devices with a token of this environment that APNs has refused.
    package var refused: [DeviceOrdinal] = []
    /// Devices on which push is switched off, whatever else applies.
    package var stopped: [DeviceOrdinal] = []
    /// Devices of the lists above that get no custom message: the audience names them by an alias for which nobody vouches, and their app asks
    /// for that. Empty unless ``PushAcceptor/withhold(_:from:file:of:)`` has looked.
    package var unproved: [DeviceOrdinal] = []

    package var isEmpty: Bool {
        reachable.isEmpty && inOtherEnvironment.isEmpty && withoutToken.isEmpty && refused.isEmpty && stopped.isEmpty
    }

    /// Whether every device can be reached.
    var isAllReachable: Bool {
        inOtherEnvironment.isEmpty && withoutToken.isEmpty && refused.isEmpty && stopped.isEmpty
    }

    /// The devices on which push is not switched off, regardless of APNs.
    var linked: [DeviceOrdinal] {
        if inOtherEnvironment.isEmpty, withoutToken.isEmpty, refused.isEmpty { return reachable }
        return (reachable + inOtherEnvironment + withoutToken + refused).sorted()
    }

    /// The devices that receive a custom message over their links.
    var forMessages: [DeviceOrdinal] { proved(linked) }

    /// The devices that receive an in-app message over their links: those that would receive a notification if all had a token.
    var forInAppMessages: [DeviceOrdinal] {
        proved(withoutToken.isEmpty && refused.isEmpty ? reachable : (reachable + withoutToken + refused).sorted())
    }

    private func proved(_ ordinals: [DeviceOrdinal]) -> [DeviceOrdinal] {
        guard !unproved.isEmpty else { return ordinals }
        let unproved = Set(unproved)
        return ordinals.filter { !unproved.contains($0) }
    }

    /// Whether a push reaches none of the devices, of which ``unproved`` are known.
    func reachesNobody(_ isForAPNs: Bool) -> Bool {
        isEmpty || (!isForAPNs && !unproved.isEmpty && stopped.isEmpty && forMessages.isEmpty)
    }

    /// Moves devices on which push is switched off to ``stopped``.
    mutating func separateStopped(_ flags: DeviceFlags) {
        func isStopped(_ ordinal: DeviceOrdinal) -> Bool { flags.isStopped(Int(ordinal)) }
        stopped = (reachable + inOtherEnvironment + withoutToken).filter(isStopped).sorted()
        guard !stopped.isEmpty else { return }
        reachable.removeAll(where: isStopped)
        inOtherEnvironment.removeAll(where: isStopped)
        withoutToken.removeAll(where: isStopped)
    }

    /// Moves devices whose token APNs has refused to ``refused``.
    mutating func separateRefused(_ flags: DeviceFlags) {
        func isRefused(_ ordinal: DeviceOrdinal) -> Bool { flags.isRefused(Int(ordinal)) }
        refused = withoutToken.filter(isRefused)
        if !refused.isEmpty { withoutToken.removeAll(where: isRefused) }
    }

    /// Appends a device to its list.
    mutating func add(_ ordinal: DeviceOrdinal, _ flags: DeviceFlags, environment: APNSEnvironment) {
        if flags.isStopped(Int(ordinal)) {
            stopped.append(ordinal)
        } else if flags.environment(of: Int(ordinal)) != environment {
            inOtherEnvironment.append(ordinal)
        } else if flags.isRefused(Int(ordinal)) {
            refused.append(ordinal)
        } else if !flags.withToken.contains(Int(ordinal)) {
            withoutToken.append(ordinal)
        } else {
            reachable.append(ordinal)
        }
    }
}
