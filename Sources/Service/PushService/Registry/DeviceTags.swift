/// The tags of each device as numbers of a byte or two, so that changing a device's tags needs no search through all tags of the
/// app.
///
/// Devices are grouped in pieces of 64: a change writes one piece.
struct DeviceTags: Sendable {
    private static let size = 64

    /// For each device in turn: the number of its tags, then the tags' numbers in ascending order as differences, all in groups of
    /// seven bits. An empty piece stands for 64 devices without tags.
    private var pieces = Pieces<ContiguousArray<UInt8>>()

    /// The tags of a device, in ascending order.
    subscript(ordinal: DeviceOrdinal) -> [UInt32] {
        let number = Int(ordinal) / Self.size
        guard number < pieces.count, !pieces[number].isEmpty else { return [] }
        var reader = Reader(octets: pieces[number])
        for _ in 0..<Int(ordinal) % Self.size { reader.skip() }
        return reader.tags()
    }

    func isEmpty(_ ordinal: DeviceOrdinal) -> Bool {
        let number = Int(ordinal) / Self.size
        guard number < pieces.count, !pieces[number].isEmpty else { return true }
        return self[ordinal].isEmpty
    }

    /// Replaces the tags, in ascending order, of devices whose ordinals ascend.
    mutating func set(_ devices: ArraySlice<(ordinal: DeviceOrdinal, tags: [UInt32])>) {
        var rest = devices
        while let first = rest.first {
            let number = Int(first.ordinal) / Self.size
            let here = rest.prefix { Int($0.ordinal) / Self.size == number }
            rest = rest.dropFirst(here.count)
            while pieces.count <= number { pieces.append([]) }
            write(here, into: number)
        }
    }

    private mutating func write(_ devices: ArraySlice<(ordinal: DeviceOrdinal, tags: [UInt32])>, into number: Int) {
        if pieces[number].isEmpty, devices.allSatisfy(\.tags.isEmpty) { return }
        var octets = ContiguousArray<UInt8>()
        // Reserves little more than needed: there are many pieces.
        let others = pieces[number].isEmpty ? Self.size - devices.count : pieces[number].count
        octets.reserveCapacity(devices.reduce(others) { $0 + Self.octetCount($1.tags) })
        var reader = pieces[number].isEmpty ? nil : Reader(octets: pieces[number])
        var rest = devices
        for place in 0..<Self.size {
            let start = reader?.place ?? 0
            reader?.skip()
            if let next = rest.first, Int(next.ordinal) % Self.size == place {
                Self.append(next.tags, to: &octets)
                rest = rest.dropFirst()
            } else if let reader {
                octets.append(contentsOf: reader.octets[start..<reader.place])
            } else {
                octets.append(0)
            }
        }
        pieces[number] = octets
    }

    /// Sets the tags of devices that have none, whose ordinals ascend. `numbers` has the numbers of the tags by the rows' own numbers.
    mutating func add(_ rows: AudienceRows, _ numbers: [UInt32]) {
        var row = 0
        var tags: [UInt32] = []
        var octets = ContiguousArray<UInt8>()
        while row < rows.count {
            let number = Int(rows.ordinal(ofRow: row)) / Self.size
            while pieces.count <= number { pieces.append([]) }
            let isBlank = pieces[number].isEmpty
            octets.removeAll(keepingCapacity: true)
            var others: [(ordinal: DeviceOrdinal, tags: [UInt32])] = []
            var place = 0
            var hasTags = false
            while row < rows.count, Int(rows.ordinal(ofRow: row)) / Self.size == number {
                let ordinal = rows.ordinal(ofRow: row)
                tags.removeAll(keepingCapacity: true)
                for tag in rows.tags(ofRow: row) { tags.append(numbers[Int(tag)]) }
                tags.sort()
                if isBlank {
                    octets.append(repeating: 0, until: Int(ordinal) % Self.size, from: &place)
                    Self.append(tags, to: &octets)
                    place += 1
                } else if !tags.isEmpty {
                    others.append((ordinal, tags))
                }
                if !tags.isEmpty { hasTags = true }
                row += 1
            }
            if isBlank, hasTags {
                octets.append(repeating: 0, until: Self.size, from: &place)
                // A copy without spare room: there are many pieces.
                pieces[number] = ContiguousArray(octets[...])
            } else if !others.isEmpty {
                set(others[...])
            }
        }
    }

    private static func octetCount(_ tags: [UInt32]) -> Int {
        var count = octetCount(UInt32(tags.count))
        var last = UInt32(0)
        for tag in tags {
            count += octetCount(tag - last)
            last = tag
        }
        return count
    }

    private static func octetCount(_ number: UInt32) -> Int { max(1, (32 - number.leadingZeroBitCount + 6) / 7) }

    private static func append(_ tags: [UInt32], to octets: inout ContiguousArray<UInt8>) {
        append(UInt32(tags.count), to: &octets)
        var last: UInt32 = 0
        for tag in tags {
            append(tag - last, to: &octets)
            last = tag
        }
    }

    private static func append(_ number: UInt32, to octets: inout ContiguousArray<UInt8>) {
        var rest = number
        while rest >= 0x80 {
            octets.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        octets.append(UInt8(rest))
    }

    /// Reads the octets of a piece.
    private struct Reader {
        let octets: ContiguousArray<UInt8>
        private(set) var place = 0

        private mutating func number() -> UInt32 {
            var number = UInt32(0)
            var shift = UInt32(0)
            while true {
                let octet = octets[place]
                place += 1
                number |= UInt32(octet & 0x7F) << shift
                guard octet >= 0x80 else { return number }
                shift += 7
            }
        }

        /// Skips the tags of a device.
        mutating func skip() { for _ in 0..<number() { _ = number() } }

        /// Reads the tags of a device.
        mutating func tags() -> [UInt32] {
            var last: UInt32 = 0
            return (0..<number()).map { _ in
                last += number()
                return last
            }
        }
    }
}

extension ContiguousArray<UInt8> {
    fileprivate mutating func append(repeating octet: UInt8, until end: Int, from place: inout Int) {
        append(contentsOf: repeatElement(octet, count: end - place))
        place = end
    }
}
