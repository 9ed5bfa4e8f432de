/// Which devices have which tags: a set of devices a tag.
struct TagTable {
    private var sets: [String: DeviceSet] = [:]
    /// How many tags each device has.
    private var counts: ContiguousArray<UInt16> = []

    /// Tags that at least one device has, in no order.
    var names: some Sequence<String> { sets.keys }

    /// Nil for a tag that nobody has.
    subscript(tag: String) -> DeviceSet? { sets[tag] }

    func has(_ ordinal: DeviceOrdinal, tag: String) -> Bool { sets[tag]?.contains(ordinal) == true }

    /// Whether the device, for which there is to be room, has no tag.
    func isBare(_ ordinal: DeviceOrdinal) -> Bool { counts[Int(ordinal)] == 0 }

    /// Makes room for the devices below `size`.
    mutating func grow(to size: Int) {
        counts.append(contentsOf: repeatElement(0, count: size - counts.count))
    }

    mutating func set(_ tags: [String], of ordinal: DeviceOrdinal) {
        if !isBare(ordinal) {
            // Most changes are not about tags: only one that is walks all tags of the app.
            if Int(counts[Int(ordinal)]) == tags.count, tags.allSatisfy({ has(ordinal, tag: $0) }) { return }
            remove(besides: tags, of: ordinal)
        }
        counts[Int(ordinal)] = UInt16(clamping: tags.count)
        for tag in tags { sets[tag, default: DeviceSet()].insert(ordinal) }
    }

    private mutating func remove(besides tags: [String], of ordinal: DeviceOrdinal) {
        let old = sets.filter { $0.value.contains(ordinal) && !tags.contains($0.key) }.keys
        for tag in old {
            sets[tag]?.remove(ordinal)
            if sets[tag]?.isEmpty == true { sets[tag] = nil }
        }
    }

    /// Gives tags to devices that have none.
    mutating func add(_ rows: AudienceRows) {
        for row in rows.indices {
            counts[Int(rows.ordinal(ofRow: row))] = UInt16(clamping: rows.tags(ofRow: row).count)
        }
        // Tag by tag, as most devices of a tag then go into the same block.
        rows.forEachTag { sets[$0, default: DeviceSet()].insert($1) }
    }
}
