/// A set of devices that detects duplicates.
package struct DeviceDeduplicator {
    /// The devices of short lists, which are numerous.
    private var few: Set<DeviceOrdinal> = []
    /// The long lists, each in ascending order.
    private var lists: [[DeviceOrdinal]] = []
    private static let short = 8

    package init(_ lists: [OrdinalList]) { for list in lists { add(list.ordinals) } }

    /// Inserts devices, in ascending order.
    ///
    /// - Returns: false if one of them is already present.
    package mutating func insert(_ ordinals: [DeviceOrdinal]) -> Bool {
        defer { add(ordinals) }
        if ordinals.count <= Self.short {
            guard ordinals.allSatisfy({ !few.contains($0) }) else { return false }
        } else {
            guard !Self.share(few.sorted(), ordinals) else { return false }
        }
        return !lists.contains { Self.share($0, ordinals) }
    }

    private mutating func add(_ ordinals: [DeviceOrdinal]) {
        if ordinals.count <= Self.short { few.formUnion(ordinals) } else { lists.append(ordinals) }
    }

    /// Returns whether two lists in ascending order have an element in common.
    private static func share(_ left: [DeviceOrdinal], _ right: [DeviceOrdinal]) -> Bool {
        guard let start = left.first, let end = left.last, let otherStart = right.first, let otherEnd = right.last,
            start <= otherEnd, otherStart <= end
        else { return false }
        var here = 0
        var there = 0
        while here < left.count, there < right.count {
            if left[here] == right[there] { return true }
            if left[here] < right[there] { here += 1 } else { there += 1 }
        }
        return false
    }
}
