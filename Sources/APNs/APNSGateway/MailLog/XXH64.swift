/// The checksum XXH64 with seed 0, as its specification describes it (xxHash fast digest algorithm, version 0.1.1).
///
/// Not a cryptographic checksum: it detects frames that were not written completely.
enum XXH64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var offset = 0
        var sum: UInt64
        if bytes.count >= 32 {
            var lanes = (prime1 &+ prime2, prime2, UInt64(0), 0 &- prime1)
            while offset <= bytes.count - 32 {
                lanes.0 = round(lanes.0, bytes.littleEndian64(at: offset))
                lanes.1 = round(lanes.1, bytes.littleEndian64(at: offset + 8))
                lanes.2 = round(lanes.2, bytes.littleEndian64(at: offset + 16))
                lanes.3 = round(lanes.3, bytes.littleEndian64(at: offset + 24))
                offset += 32
            }
            sum = rotate(lanes.0, 1) &+ rotate(lanes.1, 7) &+ rotate(lanes.2, 12) &+ rotate(lanes.3, 18)
            sum = merge(merge(merge(merge(sum, lanes.0), lanes.1), lanes.2), lanes.3)
        } else {
            sum = prime5
        }
        sum = finish(sum &+ UInt64(bytes.count), bytes, from: offset)
        sum = (sum ^ sum >> 33) &* prime2
        sum = (sum ^ sum >> 29) &* prime3
        return sum ^ sum >> 32
    }

    /// Processes the octets after the last full block of 32.
    private static func finish(_ begun: UInt64, _ bytes: Span<UInt8>, from start: Int) -> UInt64 {
        var (sum, offset) = (begun, start)
        while offset <= bytes.count - 8 {
            sum = rotate(sum ^ round(0, bytes.littleEndian64(at: offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if offset <= bytes.count - 4 {
            let word = (0..<4).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
            sum = rotate(sum ^ word &* prime1, 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < bytes.count {
            sum = rotate(sum ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
            offset += 1
        }
        return sum
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* prime2, 31) &* prime1
    }

    private static func merge(_ sum: UInt64, _ lane: UInt64) -> UInt64 {
        (sum ^ round(0, lane)) &* prime1 &+ prime4
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 { value &<< bits | value &>> (64 - bits) }
}

extension Span where Element == UInt8 {
    /// The eight octets from `start` as one little-endian number.
    @inline(__always)
    fileprivate func littleEndian64(at start: Int) -> UInt64 { bigEndian64(at: start).byteSwapped }
}
