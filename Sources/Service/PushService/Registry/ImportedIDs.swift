import PushModel

/// Registration ids that others gave to the devices of an app, and which devices they lead to: about 60 bytes an id.
///
/// An id of the service's own making needs no table.
struct ImportedIDs: Sendable {
    private struct Entry: Sendable {
        /// Where its text begins: the number of a piece of `texts`, and a place in it.
        var piece: UInt32
        var start: UInt16
        var length: UInt8
        var ordinal: DeviceOrdinal
    }

    /// Octets in a piece of texts.
    private static let pieceSize = 65_536

    private var texts: ContiguousArray<ContiguousArray<UInt8>> = []
    private var entries = Pieces<Entry>()
    /// Places in `entries`.
    private var index = HashIndex()
    /// By ordinal: the entry by which the device is called.
    private var names = PieceColumn(blank: Self.none)
    private var nameCount = 0

    private static let none = UInt32.max

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
            place = UInt32(entries.count)
            let (piece, start) = keep(id.text)
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

    private mutating func keep(_ text: String) -> (piece: UInt32, start: UInt16) {
        if texts.last.map({ $0.count + text.utf8.count > Self.pieceSize }) ?? true { texts.append([]) }
        let piece = texts.count - 1
        let start = UInt16(texts[piece].count)
        texts[piece].append(contentsOf: text.utf8)
        return (UInt32(piece), start)
    }

    func device(_ id: RegistrationID) -> DeviceOrdinal? { find(id).map { entries[Int($0)].ordinal } }

    /// By what the device is called; nil if by the service's own id.
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
