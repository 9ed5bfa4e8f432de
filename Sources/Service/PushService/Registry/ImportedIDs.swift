import PushModel

/// Registration ids that others gave to the devices of an app, and which devices they lead to: about 50 bytes an id.
///
/// An id of the service's own making needs no table.
struct ImportedIDs {
    private struct Entry {
        /// Where its text begins in `texts`.
        var start: UInt32
        var length: UInt8
        var ordinal: DeviceOrdinal
    }

    private var texts: ContiguousArray<UInt8> = []
    private var entries: ContiguousArray<Entry> = []
    /// Places in `entries`, each at or after the one that its hash asks for; the first empty slot ends a search.
    private var slots = ContiguousArray(repeating: Self.empty, count: 8)
    /// By ordinal: the entry by which the device is called.
    private var names: ContiguousArray<UInt32> = []

    private static let empty = UInt32.max

    /// Lets an id lead to a device.
    ///
    /// `isName`: the device is called by it.
    mutating func set(_ id: RegistrationID, to ordinal: DeviceOrdinal, isName: Bool) {
        let place: UInt32
        if let known = find(id) {
            place = known
            unname(known)
            entries[Int(known)].ordinal = ordinal
        } else {
            if (entries.count + 1) * 2 > slots.count { grow() }
            place = UInt32(entries.count)
            entries.append(Entry(start: UInt32(texts.count), length: UInt8(id.text.utf8.count), ordinal: ordinal))
            texts.append(contentsOf: id.text.utf8)
            insert(place)
        }
        guard isName else { return }
        let missing = Int(ordinal) + 1 - names.count
        if missing > 0 { names.append(contentsOf: repeatElement(Self.empty, count: missing)) }
        names[Int(ordinal)] = place
    }

    func device(_ id: RegistrationID) -> DeviceOrdinal? { find(id).map { entries[Int($0)].ordinal } }

    /// By what the device is called; nil if by the service's own id.
    func name(of ordinal: DeviceOrdinal) -> RegistrationID? {
        guard Int(ordinal) < names.count, names[Int(ordinal)] != Self.empty else { return nil }
        return RegistrationID(text(names[Int(ordinal)]))
    }

    private mutating func unname(_ place: UInt32) {
        let ordinal = Int(entries[Int(place)].ordinal)
        if ordinal < names.count, names[ordinal] == place { names[ordinal] = Self.empty }
    }

    private func text(_ place: UInt32) -> String {
        let entry = entries[Int(place)]
        return String(decoding: texts[Int(entry.start)..<Int(entry.start) + Int(entry.length)], as: UTF8.self)
    }

    private func find(_ id: RegistrationID) -> UInt32? {
        var slot = start(of: id.text)
        while slots[slot] != Self.empty {
            let entry = entries[Int(slots[slot])]
            let range = Int(entry.start)..<Int(entry.start) + Int(entry.length)
            if texts[range].elementsEqual(id.text.utf8) { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private mutating func insert(_ place: UInt32) {
        var slot = start(of: text(place))
        while slots[slot] != Self.empty { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = place
    }

    private mutating func grow() {
        slots = ContiguousArray(repeating: Self.empty, count: slots.count * 2)
        for place in entries.indices { insert(UInt32(place)) }
    }

    private func start(of text: String) -> Int { text.hashValue & (slots.count - 1) }
}
