import PushModel

/// A hash that maps a device token to its connection: the same in every process, and for tokens in bytes and in digits.
enum TokenHash {
    /// FNV-1a, 64 bits.
    static func of(_ token: DeviceToken) -> UInt64 {
        token.withBytes { bytes in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for place in bytes.indices { hash = (hash ^ UInt64(bytes[place])) &* 0x100_0000_01B3 }
            return hash
        }
    }

    /// `digits` is an even number of hexadecimal digits.
    static func of(digits: ArraySlice<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var place = digits.startIndex
        while place + 1 < digits.endIndex {
            let byte = value(digits[place]) << 4 | value(digits[place + 1])
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            place += 2
        }
        return hash
    }

    private static func value(_ digit: UInt8) -> UInt8 { digit < 58 ? digit &- 48 : (digit | 32) &- 87 }
}
