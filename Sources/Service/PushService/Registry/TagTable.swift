/// The devices of each tag, the tags of each device, and the tags that are known even if no device has them.
///
/// Tags are compared octet by octet.
struct TagTable: Sendable {
    private(set) var names = TagNames()
    /// The devices of each tag, by the tag's number.
    private var sets = Pieces<DeviceSet>()
    private var tags = DeviceTags()
    /// The numbers of the tags that the app's backend has created.
    private var kept = DeviceSet()

    /// The number of tags that only devices have brought.
    var countFromDevices: Int { names.tagCount - kept.count }

    /// The devices with a tag; nil if there are none.
    subscript(tag: String) -> DeviceSet? {
        names.find(tag.utf8.span).map { sets[Int($0)] }.flatMap { $0.isEmpty ? nil : $0 }
    }

    func isKnown(_ tag: String) -> Bool { names.find(tag.utf8.span) != nil }

    func isKept(_ tag: String) -> Bool { names.find(tag.utf8.span).map(kept.contains) ?? false }

    /// Keeps a tag that the app's backend has created, even if no device has it.
    mutating func keep(_ tag: String) {
        let number = names.number(of: tag.utf8.span)
        while sets.count < names.count { sets.append(DeviceSet()) }
        kept.insert(number)
    }

    /// Keeps a tag only as long as a device has it.
    mutating func forget(_ tag: String) {
        guard let number = names.find(tag.utf8.span), kept.contains(number) else { return }
        kept.remove(number)
        if sets[Int(number)].isEmpty { names.remove(number) }
    }

    func has(_ ordinal: DeviceOrdinal, tag: String) -> Bool {
        names.find(tag.utf8.span).map { sets[Int($0)].contains(ordinal) } ?? false
    }

    func isBare(_ ordinal: DeviceOrdinal) -> Bool { tags.isEmpty(ordinal) }

    /// Replaces the tags of devices, each listed once. Only changes the sets of tags that a device gains or loses.
    mutating func set(_ devices: [(ordinal: DeviceOrdinal, tags: [String])]) {
        var changed: [(ordinal: DeviceOrdinal, tags: [UInt32])] = []
        changed.reserveCapacity(devices.count)
        for (ordinal, new) in devices {
            if let tags = change(ordinal, new) { changed.append((ordinal, tags)) }
        }
        // Neighbours share a piece, which is then written once for all of them.
        changed.sort { $0.ordinal < $1.ordinal }
        tags.set(changed[...])
    }

    /// Updates the sets to the new tags of a device.
    ///
    /// - Returns: the tags' numbers in ascending order; nil if they are unchanged.
    private mutating func change(_ ordinal: DeviceOrdinal, _ new: [String]) -> [UInt32]? {
        let old = tags[ordinal]
        if new.isEmpty, old.isEmpty { return nil }
        let now = new.map { names.number(of: $0.utf8.span) }.sortedOnce()
        while sets.count < names.count { sets.append(DeviceSet()) }
        guard !old.isEmpty else {
            for number in now { sets[Int(number)].insert(ordinal) }
            return now
        }
        guard now != old else { return nil }
        var kept = old[...]
        var rest = now[...]
        while true {
            switch (kept.first, rest.first) {
            case (nil, nil): return now
            case (let was?, let isNow?) where was == isNow:
                kept.removeFirst()
                rest.removeFirst()
            case (let was?, let isNow) where isNow.map({ was < $0 }) ?? true:
                remove(ordinal, from: was)
                kept.removeFirst()
            case (_, let isNow):
                if let isNow { sets[Int(isNow)].insert(ordinal) }
                rest.removeFirst()
            }
        }
    }

    private mutating func remove(_ ordinal: DeviceOrdinal, from number: UInt32) {
        sets[Int(number)].remove(ordinal)
        if sets[Int(number)].isEmpty, !kept.contains(number) { names.remove(number) }
    }

    /// Sets the tags of devices that have none.
    mutating func add(_ rows: AudienceRows, _ devicesByTag: AudienceRows.DevicesByTag) {
        // Tag by tag, as most devices of a tag then go into the same block.
        var numbers = [UInt32](repeating: 0, count: devicesByTag.count)
        devicesByTag.forEachTag { rowNumber, name, ordinals in
            let number = names.number(of: name.utf8.span)
            while sets.count < names.count { sets.append(DeviceSet()) }
            numbers[Int(rowNumber)] = number
            sets[Int(number)].insert(ordinals)
        }
        tags.add(rows, numbers)
    }
}
