/// Text frames sent together, unchanged, to many links: the work common to all links is done once.
public final class LinkBatch: Sendable {
    /// The concatenated frames as the server end of a WebSocket sends them.
    ///
    /// Source: RFC 6455, section 5.2: final, text, unmasked.
    package let webSocketFrames: [UInt8]

    /// Creates a batch of text messages.
    public convenience init(_ texts: [String]) { self.init(utf8: texts.map { Array($0.utf8) }) }

    /// `texts` is the frames' texts in UTF-8.
    package init(utf8 texts: [[UInt8]]) {
        var frames: [UInt8] = []
        frames.reserveCapacity(texts.reduce(0) { $0 + $1.count + 10 })
        for text in texts {
            frames.append(0x81)
            switch text.count {
            case ..<126: frames.append(UInt8(text.count))
            case ..<65_536:
                frames.append(126)
                frames.append(UInt8(text.count >> 8))
                frames.append(UInt8(text.count & 0xFF))
            default:
                frames.append(127)
                for octet in (0..<8).reversed() { frames.append(UInt8(truncatingIfNeeded: text.count >> (8 * octet))) }
            }
            frames.append(contentsOf: text)
        }
        webSocketFrames = frames
    }

    /// The texts, for transports that encode frames differently.
    public var texts: [String] {
        var texts: [String] = []
        var place = 0
        while place < webSocketFrames.count {
            let octets = [126: 2, 127: 8][webSocketFrames[place + 1], default: 0]
            let length = webSocketFrames[(place + 2)..<(place + 2 + octets)].reduce(0) { $0 << 8 | Int($1) }
            let start = place + 2 + octets
            place = start + (octets == 0 ? Int(webSocketFrames[place + 1]) : length)
            texts.append(String(decoding: webSocketFrames[start..<place], as: UTF8.self))
        }
        return texts
    }
}
