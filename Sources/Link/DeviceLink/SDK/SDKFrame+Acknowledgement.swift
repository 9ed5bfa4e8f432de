extension SDKFrame {
    /// Returns the position of an acknowledgement in exactly the form that ``text`` writes. Most frames from an app are
    /// acknowledgements, and parsing them as JSON would dominate their cost.
    ///
    /// - Returns: nil for anything else, including equivalent JSON in another form.
    package static func plainAcknowledgement(_ text: String) -> Int64? {
        let octets = text.utf8Span.span
        let digits = octets.count - plainHead.count - 1
        // The largest number of digits that always fits.
        guard (1...18).contains(digits), octets[octets.count - 1] == UInt8(ascii: "}") else { return nil }
        for place in plainHead.indices where octets[place] != plainHead[place] { return nil }
        // JSON allows no leading zero.
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
