/// A set of places within a chunk, one bit each.
package struct PlaceSet: Hashable, Sendable {
    package private(set) var bytes: [UInt8]

    package init(bytes: [UInt8] = []) { self.bytes = bytes }

    package init(_ places: some Sequence<Int>) {
        bytes = []
        for place in places { insert(place) }
    }

    package func contains(_ place: Int) -> Bool {
        place >> 3 < bytes.count && bytes[place >> 3] & (1 << (place & 7)) != 0
    }

    package mutating func insert(_ place: Int) {
        while bytes.count <= place >> 3 { bytes.append(0) }
        bytes[place >> 3] |= 1 << (place & 7)
    }

    package mutating func formUnion(_ other: PlaceSet) {
        while bytes.count < other.bytes.count { bytes.append(0) }
        for index in other.bytes.indices { bytes[index] |= other.bytes[index] }
    }

    package var isEmpty: Bool { bytes.allSatisfy { $0 == 0 } }

    package var count: Int { bytes.reduce(0) { $0 + $1.nonzeroBitCount } }
}
