/// Device ordinals in ascending order, packed as differences between neighbours: one byte each where ordinals are close.
package struct OrdinalList: Hashable, Sendable {
    package let ordinals: [DeviceOrdinal]

    /// Creates a list from ordinals in ascending order, without duplicates.
    package init(_ ordinals: [DeviceOrdinal]) { self.ordinals = ordinals }

    /// The first and the last ordinal; nil without any.
    package var range: ClosedRange<DeviceOrdinal>? {
        guard let first = ordinals.first, let last = ordinals.last else { return nil }
        return first...last
    }

    package var packed: [UInt8] {
        var bytes: [UInt8] = []
        var last: DeviceOrdinal = 0
        for ordinal in ordinals {
            var difference = ordinal - last
            last = ordinal
            // Written here, because a checkpoint packs hundreds of them.
            while difference >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: difference) | 0x80)
                difference >>= 7
            }
            bytes.append(UInt8(difference))
        }
        return bytes
    }

    package init(packed: some Sequence<UInt8>) {
        var ordinals: [DeviceOrdinal] = []
        var last: DeviceOrdinal = 0
        var difference: DeviceOrdinal = 0
        var shift: DeviceOrdinal = 0
        for byte in packed {
            difference |= DeviceOrdinal(byte & 0x7F) << shift
            if byte & 0x80 != 0 {
                shift += 7
                continue
            }
            last += difference
            ordinals.append(last)
            difference = 0
            shift = 0
        }
        self.ordinals = ordinals
    }

    /// Returns the number of ordinals packed in `bytes`: each ends with a byte below 0x80.
    package static func count(packed bytes: some Sequence<UInt8>) -> Int {
        bytes.reduce(0) { $0 + ($1 < 0x80 ? 1 : 0) }
    }

    /// Returns the place of `ordinal`; nil if it is absent.
    package func place(of ordinal: DeviceOrdinal) -> Int? {
        let place = ordinals.partitioningIndex { $0 >= ordinal }
        return place < ordinals.count && ordinals[place] == ordinal ? place : nil
    }
}
