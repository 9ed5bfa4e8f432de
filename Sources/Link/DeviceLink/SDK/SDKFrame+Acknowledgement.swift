extension SDKFrame {
    /// The position of an acknowledgement that is written as ``text`` writes it: most frames of an app are, and reading them as
    /// JSON would cost more than all else about them.
    ///
    /// - Returns: nil for anything else, also if it says the same in other words.
    package static func plainAcknowledgement(_ text: String) -> Int64? {
        let octets = text.utf8Span.span
        let digits = octets.count - plainHead.count - 1
        // As many as fit in any case.
        guard (1...18).contains(digits), octets[octets.count - 1] == UInt8(ascii: "}") else { return nil }
        for place in plainHead.indices where octets[place] != plainHead[place] { return nil }
        // JSON knows no leading zero.
        guard digits == 1 || octets[plainHead.count] != UInt8(ascii: "0") else { return nil }
        var position: Int64 = 0
        for place in plainHead.count..<octets.count - 1 {
            let digit = octets[place] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            position = position * 10 + Int64(digit)
        }
        return position
    }

    private static let plainHead = Array(#"{"type":"ack","position":"#.utf8)
}
