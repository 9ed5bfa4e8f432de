/// The characters that are allowed in names and values (RFC 9113, section 8.2.1).
enum FieldRules {
    /// Whether a name has only lower-case token characters (RFC 9110, section 5.6.2).
    static func isName(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 0 else { return false }
        for index in 0..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): continue
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "#"),
                UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"),
                UInt8(ascii: "+"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
                continue
            default: return false
            }
        }
        return true
    }

    /// Whether a value has no NUL, LF or CR anywhere, and no blank at either end.
    static func isValue(_ bytes: Span<UInt8>) -> Bool {
        let count = bytes.count
        guard count > 0 else { return true }
        if isBlank(bytes[0]) || isBlank(bytes[count - 1]) { return false }
        var lowest: UInt8 = 255
        for index in 0..<count { lowest = min(lowest, bytes[index]) }
        // Nearly every value has no octet below a space, and passes here.
        guard lowest < 0x20 else { return true }
        for index in 0..<count where bytes[index] == 0 || bytes[index] == 0x0A || bytes[index] == 0x0D { return false }
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
