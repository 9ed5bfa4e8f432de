/// Text frames that go to many links as they are: what has to be done for each is done once.
public final class LinkBatch: Sendable {
    public let texts: [String]
    /// The frames one behind the other, as the server end of a WebSocket sends them.
    ///
    /// Source: RFC 6455, section 5.2: final, text, not masked.
    package let webSocketFrames: [UInt8]

    public init(_ texts: [String]) {
        self.texts = texts
        var frames: [UInt8] = []
        frames.reserveCapacity(texts.reduce(0) { $0 + $1.utf8.count + 10 })
        for text in texts {
            let count = text.utf8.count
            frames.append(0x81)
            switch count {
            case ..<126: frames.append(UInt8(count))
            case ..<65_536: frames += [126, UInt8(count >> 8), UInt8(count & 0xFF)]
            default: frames += [127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * (7 - $0))) }
            }
            frames += text.utf8
        }
        webSocketFrames = frames
    }
}
