/// The Huffman code of HPACK (RFC 7541, section 5.2 and appendix B).
///
/// The code is canonical: the codes of one length are consecutive and in the order of their symbols, so the lengths
/// alone define it.
enum Huffman {
    /// The number of bits of each symbol's code; the last is EOS.
    private static let lengths: [UInt8] = [
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
        28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
        5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
        13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
        6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
        20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
        24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
        22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
        21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
        19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
        20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
        26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
        30,
    ]
    private static let eos = 256
    /// The number of bits of one look-up. Digits and lower-case letters have 5 to 7, so it usually finds two of them.
    private static let glance = 12

    /// The result of a look-up: nothing if the code is longer than the look-up.
    private struct Glimpse: Sendable {
        var first: UInt8 = 0
        var second: UInt8 = 0
        /// The bits of the first symbol, and of both; equal if there is only one.
        var firstLength: UInt8 = 0
        var length: UInt8 = 0
    }

    /// A class, so that one reference stands for all tables.
    private final class Tables: Sendable {
        /// The code of each symbol, right-aligned.
        let codes: [UInt32]
        let glimpses: [Glimpse]
        /// For each length: the code after the last, left-aligned to 32 bits; and the offset from code to symbol.
        let limits: [UInt64]
        let firstCodes: [UInt32]
        let firstPlaces: [Int]
        /// Symbols in the order of their codes.
        let symbols: [UInt16]

        init() {
            var codes: [UInt32] = Array(repeating: 0, count: 257)
            var glimpses: [Glimpse] = Array(repeating: Glimpse(), count: 1 << glance)
            var limits: [UInt64] = Array(repeating: 0, count: 31)
            var firstCodes: [UInt32] = Array(repeating: 0, count: 31)
            var firstPlaces: [Int] = Array(repeating: 0, count: 31)
            var symbols: [UInt16] = []
            var code: UInt32 = 0
            for length in 1...30 {
                code <<= 1
                firstCodes[length] = code
                firstPlaces[length] = symbols.count
                for symbol in 0...eos where Int(lengths[symbol]) == length {
                    codes[symbol] = code
                    symbols.append(UInt16(symbol))
                    if length <= glance {
                        let low = Int(code) << (glance - length)
                        for pattern in low..<low + (1 << (glance - length)) {
                            glimpses[pattern] = Glimpse(
                                first: UInt8(symbol),
                                firstLength: UInt8(length),
                                length: UInt8(length)
                            )
                        }
                    }
                    code += 1
                }
                limits[length] = UInt64(code) << (32 - length)
            }
            let single = glimpses
            for pattern in glimpses.indices where single[pattern].length > 0 {
                let length = single[pattern].length
                let next = single[pattern << Int(length) & (1 << glance - 1)]
                guard next.length > 0, length + next.length <= glance else { continue }
                glimpses[pattern].second = next.first
                glimpses[pattern].length = length + next.length
            }
            self.codes = codes
            self.glimpses = glimpses
            self.limits = limits
            self.firstCodes = firstCodes
            self.firstPlaces = firstPlaces
            self.symbols = symbols
        }
    }

    private static let tables = Tables()

    /// Returns the number of octets of `bytes` when encoded.
    static func encodedCount(_ bytes: Span<UInt8>) -> Int {
        var bits = 0
        for index in 0..<bytes.count { bits += Int(lengths[Int(bytes[index])]) }
        return (bits + 7) / 8
    }

    static func encode(_ bytes: Span<UInt8>, to output: inout WireBytes) {
        let codes = tables.codes
        var pending: UInt64 = 0
        var bits = 0
        for index in 0..<bytes.count {
            let symbol = Int(bytes[index])
            pending = pending << UInt64(lengths[symbol]) | UInt64(codes[symbol])
            bits += Int(lengths[symbol])
            while bits >= 8 {
                bits -= 8
                output.write(UInt8(truncatingIfNeeded: pending >> UInt64(bits)))
            }
        }
        // Padded with the most significant bits of EOS, which are ones.
        if bits > 0 {
            output.write(UInt8(truncatingIfNeeded: pending << UInt64(8 - bits)) | 0xFF >> UInt8(bits))
        }
    }

    /// The largest number of octets that `count` encoded ones can stand for, plus one for scratch writes.
    static func decodedLimit(_ count: Int) -> Int { count * 8 / 5 + 2 }

    /// Decodes into `output` from `start` on, which must have room for ``decodedLimit(_:)`` octets there.
    ///
    /// - Returns: the number of octets written.
    /// - Throws: a compression error for an embedded EOS, padding of a whole octet or more, or padding that is not ones.
    static func decode(
        _ bytes: Span<UInt8>,
        into output: inout [UInt8],
        at start: Int
    ) throws(HTTP2ConnectionError) -> Int {
        precondition(output.count - start >= decodedLimit(bytes.count), "There is no room to decode into.")
        let tables = tables
        return try unsafe output.withUnsafeMutableBufferPointer { (target) throws(HTTP2ConnectionError) -> Int in
            try unsafe tables.glimpses.withUnsafeBufferPointer { (glimpses) throws(HTTP2ConnectionError) -> Int in
                try unsafe decode(bytes, into: target, at: start, glimpses: glimpses, tables: tables)
            }
        }
    }

    /// Runs the loop; `target` has room, as checked by the caller, and `glimpses` an entry for each pattern.
    private static func decode(
        _ bytes: Span<UInt8>,
        into target: UnsafeMutableBufferPointer<UInt8>,
        at start: Int,
        glimpses: UnsafeBufferPointer<Glimpse>,
        tables: Tables
    ) throws(HTTP2ConnectionError) -> Int {
        let count = bytes.count
        let octets = unsafe bytes.bytes
        // The unused bits, left-aligned.
        var window: UInt64 = 0
        var bits = 0
        var next = 0
        var written = start
        while true {
            // The longest code has 30 bits.
            if bits < 30 {
                if next &+ 4 <= count {
                    let more = unsafe octets.unsafeLoadUnaligned(fromUncheckedByteOffset: next, as: UInt32.self)
                    window |= UInt64(more.bigEndian) &<< UInt64(32 &- bits)
                    bits &+= 32
                    next &+= 4
                } else {
                    while bits <= 56, next < count {
                        window |= UInt64(bytes[next]) &<< UInt64(56 &- bits)
                        bits &+= 8
                        next &+= 1
                    }
                }
            }
            let glimpse = unsafe glimpses[Int(truncatingIfNeeded: window &>> UInt64(64 &- glance))]
            let length = Int(glimpse.length)
            if length > 0, length <= bits {
                // The second octet is overwritten if there is only one symbol.
                unsafe target[written] = glimpse.first
                unsafe target[written &+ 1] = glimpse.second
                written &+= glimpse.length > glimpse.firstLength ? 2 : 1
                window &<<= UInt64(length)
                bits &-= length
                continue
            }
            let firstLength = Int(glimpse.firstLength)
            if firstLength > 0, firstLength <= bits {
                unsafe target[written] = glimpse.first
                written &+= 1
                window &<<= UInt64(firstLength)
                bits &-= firstLength
                continue
            }
            if next == count, bits < 8, isPadding(window, bits) { return written - start }
            guard let (symbol, size) = longCode(in: window, bits: bits, tables: tables), symbol != eos else {
                throw HTTP2ConnectionError(.compressionError, "A Huffman code is broken (RFC 7541, 5.2)")
            }
            unsafe target[written] = UInt8(truncatingIfNeeded: symbol)
            written &+= 1
            window &<<= UInt64(size)
            bits &-= size
        }
    }

    /// Whether the remaining bits are the beginning of EOS: ones.
    private static func isPadding(_ window: UInt64, _ bits: Int) -> Bool { window == ~0 << UInt64(64 - bits) }

    private static func longCode(in window: UInt64, bits: Int, tables: Tables) -> (symbol: Int, length: Int)? {
        let head = window >> 32
        for length in (glance + 1)...30 where head < tables.limits[length] {
            guard length <= bits else { return nil }
            let code = UInt32(truncatingIfNeeded: head >> UInt64(32 - length))
            let place = tables.firstPlaces[length] + Int(code - tables.firstCodes[length])
            return (Int(tables.symbols[place]), length)
        }
        return nil
    }
}
