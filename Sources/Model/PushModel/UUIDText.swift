extension Span<UInt8> {
    /// Whether the octets are a UUID in text form: 8-4-4-4-12 hexadecimal digits, in either case (RFC 9562, section 4).
    package var isUUID: Bool {
        guard count == 36 else { return false }
        for place in indices {
            let octet = self[place]
            switch place {
            case 8, 13, 18, 23: guard octet == UInt8(ascii: "-") else { return false }
            default:
                let letter = octet | 0x20
                guard octet &- UInt8(ascii: "0") < 10 || letter &- UInt8(ascii: "a") < 6 else { return false }
            }
        }
        return true
    }
}
