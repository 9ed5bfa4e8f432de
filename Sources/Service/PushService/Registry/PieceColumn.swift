/// A value for each device of an app, by its ordinal, in pieces of 8,192 devices.
///
/// A reader of neighbours holds their piece instead of a copy; a change meanwhile copies only that piece. The column does not move
/// as a whole when it grows, either.
struct PieceColumn<Value: BitwiseCopyable & Equatable & Sendable> {
    private static var size: Int { 8192 }

    /// The default value of a device.
    private let blank: Value
    private var count = 0
    /// The pieces, all full but the last. An empty piece has only ``blank`` values, such as badges of an app that uses none.
    private var pieces: ContiguousArray<ContiguousArray<Value>> = []

    init(blank: Value) { self.blank = blank }

    subscript(place: Int) -> Value {
        get {
            let number = place / Self.size
            return pieces[number].isEmpty ? blank : pieces[number][place % Self.size]
        }
        set {
            let number = place / Self.size
            if pieces[number].isEmpty {
                guard newValue != blank else { return }
                pieces[number].append(contentsOf: repeatElement(blank, count: places(ofPiece: number).count))
            }
            pieces[number][place % Self.size] = newValue
        }
    }

    mutating func grow(to size: Int) {
        let last = pieces.count - 1
        count = size
        while pieces.count * Self.size < count { pieces.append([]) }
        guard last >= 0, !pieces[last].isEmpty else { return }
        let wanted = places(ofPiece: last).count
        // No more than a piece ever has: a list doubles its room, and half of that would never be used.
        if wanted > pieces[last].capacity, 2 * wanted > Self.size { pieces[last].reserveCapacity(Self.size) }
        pieces[last].append(contentsOf: repeatElement(blank, count: wanted - pieces[last].count))
    }

    private func places(ofPiece number: Int) -> Range<Int> { number * Self.size..<min((number + 1) * Self.size, count) }

    /// Returns a slice of neighbours' values if they are in one piece.
    func slice(_ places: Range<Int>) -> ArraySlice<Value>? {
        let number = places.lowerBound / Self.size
        let first = number * Self.size
        guard places.upperBound <= first + Self.size else { return nil }
        if pieces[number].isEmpty { return [Value](repeating: blank, count: places.count)[...] }
        return pieces[number][places.lowerBound - first..<places.upperBound - first]
    }

    /// Returns those of 64 devices, one bit each, whose value is meant; places after the end are blank.
    func members(of word: UInt64, at index: Int, where isMeant: (Value) -> Bool) -> UInt64 {
        let number = (index << 6) / Self.size
        let first = (index << 6) % Self.size
        let held = number < pieces.count ? pieces[number] : []
        let values = held.span
        var found = UInt64(0)
        var rest = word
        while rest != 0 {
            let bit = rest.trailingZeroBitCount
            if isMeant(first + bit < values.count ? values[first + bit] : blank) { found |= 1 << UInt64(bit) }
            rest &= rest &- 1
        }
        return found
    }

    /// Returns the values of devices whose ordinals ascend; places after the end are blank.
    func values(of ordinals: ArraySlice<DeviceOrdinal>) -> [Value] {
        [Value](capacity: ordinals.count) { values in
            var rest = ordinals
            while let first = rest.first {
                guard first < count else {
                    values.append(repeating: blank, count: rest.count)
                    break
                }
                let places = places(ofPiece: Int(first) / Self.size)
                let lieHere = rest.last.map { places.contains(Int($0)) } == true
                let asked = lieHere ? rest : rest.prefix { places.contains(Int($0)) }
                let here = asked.span
                let held = pieces[places.lowerBound / Self.size]
                let piece = held.span
                if piece.isEmpty {
                    values.append(repeating: blank, count: here.count)
                } else {
                    for index in here.indices { values.append(piece[Int(here[index]) &- places.lowerBound]) }
                }
                rest = rest.dropFirst(here.count)
            }
        }
    }
}
