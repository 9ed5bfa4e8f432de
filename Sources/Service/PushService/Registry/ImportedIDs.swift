import PushModel

/// Imported registration ids of an app, and the devices they refer to: about 60 bytes per id.
///
/// Ids created by the service need no table.
struct ImportedIDs: Sendable {
    private struct Entry: Sendable {
        /// The start of its text: the number of a piece of `texts`, and an offset in it.
        var piece: UInt32
        var start: UInt16
        var length: UInt8
        var ordinal: DeviceOrdinal
    }

    /// The number of octets in a piece of texts.
    private static let pieceSize = 65_536

    private var texts: ContiguousArray<ContiguousArray<UInt8>> = []
    private var entries = Pieces<Entry>()
    /// An index of places in `entries`.
    private var index = HashIndex()
    /// The entry that names each device, by ordinal.
    private var names = PieceColumn(blank: Self.none)
    private var nameCount = 0

    private static let none = UInt32.max

    /// Makes an id refer to a device; `isName` makes it the device's name.
    mutating func set(_ id: RegistrationID, to ordinal: DeviceOrdinal, isName: Bool) {
        let place: UInt32
        if let known = find(id) {
            place = known
            unname(known)
            entries[Int(known)].ordinal = ordinal
        } else {
            place = UInt32(entries.count)
            let (piece, start) = append(id.text)
            let length = UInt8(id.text.utf8.count)
            entries.append(Entry(piece: piece, start: start, length: length, ordinal: ordinal))
            index.insert(place, KeyedHash.hash(id.text))
        }
        guard isName else { return }
        if Int(ordinal) >= nameCount {
            nameCount = Int(ordinal) + 1
            names.grow(to: nameCount)
        }
        names[Int(ordinal)] = place
    }

    private mutating func append(_ text: String) -> (piece: UInt32, start: UInt16) {
        if texts.last.map({ $0.count + text.utf8.count > Self.pieceSize }) ?? true { texts.append([]) }
        let piece = texts.count - 1
        let start = UInt16(texts[piece].count)
        texts[piece].append(contentsOf: text.utf8)
        return (UInt32(piece), start)
    }

    func device(_ id: RegistrationID) -> DeviceOrdinal? { find(id).map { entries[Int($0)].ordinal } }

    /// Returns the imported id that names the device; nil if it has the service's own.
    func name(of ordinal: DeviceOrdinal) -> RegistrationID? {
        guard Int(ordinal) < nameCount, names[Int(ordinal)] != Self.none else { return nil }
        let entry = entries[Int(names[Int(ordinal)])]
        return RegistrationID(String(decoding: texts[Int(entry.piece)][Self.range(entry)], as: UTF8.self))
    }

    private mutating func unname(_ place: UInt32) {
        let ordinal = Int(entries[Int(place)].ordinal)
        if ordinal < nameCount, names[ordinal] == place { names[ordinal] = Self.none }
    }

    private func find(_ id: RegistrationID) -> UInt32? {
        var found: UInt32?
        index.forEach(KeyedHash.hash(id.text)) { place in
            let entry = entries[Int(place)]
            if texts[Int(entry.piece)][Self.range(entry)].elementsEqual(id.text.utf8) { found = place }
            return found == nil
        }
        return found
    }

    private static func range(_ entry: Entry) -> Range<Int> { Int(entry.start)..<Int(entry.start) + Int(entry.length) }
}
