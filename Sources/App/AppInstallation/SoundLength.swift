import Foundation

/// The length of a sound file, from its header.
///
/// Sources: "Multimedia Programming Interface and Data Specifications 1.0" (WAVE), "Audio Interchange File Format: AIFF-C", and Apple,
/// "Core Audio Format Specification".
enum SoundLength {
    /// Returns nil if the file is none of the three, or says nothing of its length.
    static func read(_ file: URL) -> Duration? {
        guard let data = try? Data(contentsOf: file, options: .mappedIfSafe) else { return nil }
        let seconds: Double? =
            switch (data.text(0), data.text(8)) {
            case ("RIFF", "WAVE"): wave(data)
            case ("FORM", "AIFF"), ("FORM", "AIFC"): aiff(data)
            case ("caff", _): caf(data)
            default: nil
            }
        guard let seconds, seconds.isFinite, seconds >= 0, seconds < 1e9 else { return nil }
        return .seconds(seconds)
    }

    private static func wave(_ data: Data) -> Double? {
        var byteRate = 0.0
        for chunk in data.chunks(from: 12, isBig: false) {
            if chunk.name == "fmt ", chunk.count >= 16 {
                byteRate = Double(data.integer(chunk.start + 8, 4, isBig: false))
            }
            if chunk.name == "data", byteRate > 0 { return Double(chunk.count) / byteRate }
        }
        return nil
    }

    private static func aiff(_ data: Data) -> Double? {
        let common = data.chunks(from: 12, isBig: true).first { $0.name == "COMM" && $0.count >= 18 }
        guard let start = common?.start else { return nil }
        let frames = Double(data.integer(start + 2, 4, isBig: true))
        // The rate is an 80-bit float: exponent and 64-bit mantissa.
        let exponent = Int(data.integer(start + 8, 2, isBig: true)) & 0x7FFF
        let rate = Double(data.integer(start + 10, 8, isBig: true)) * pow(2, Double(exponent - 16_383 - 63))
        return rate > 0 ? frames / rate : nil
    }

    private static func caf(_ data: Data) -> Double? {
        var rate = 0.0
        var bytes = 0.0
        var frames = 0.0
        var place = 8
        while place + 12 <= data.count {
            let name = data.text(place)
            let size = Int64(bitPattern: data.integer(place + 4, 8, isBig: true))
            let start = place + 12
            if name == "desc", start + 24 <= data.count {
                rate = Double(bitPattern: data.integer(start, 8, isBig: true))
                bytes = Double(data.integer(start + 16, 4, isBig: true))
                frames = Double(data.integer(start + 20, 4, isBig: true))
            }
            if name == "pakt", start + 16 <= data.count, rate > 0 {
                return Double(data.integer(start + 8, 8, isBig: true)) / rate
            }
            if name == "data", rate > 0, bytes > 0 {
                // The chunk begins with four bytes of its own; -1 means up to the end of the file.
                let count = size < 0 ? data.count - start : Int(clamping: size)
                return Double(max(0, count - 4)) / bytes * frames / rate
            }
            guard size >= 0, size <= data.count - start else { return nil }
            place = start + Int(size)
        }
        return nil
    }
}

extension Data {
    fileprivate func text(_ place: Int) -> String {
        guard place >= 0, place + 4 <= count else { return "" }
        return String(decoding: self[startIndex + place..<startIndex + place + 4], as: UTF8.self)
    }

    /// Reads an unsigned number; 0 beyond the end.
    fileprivate func integer(_ place: Int, _ length: Int, isBig: Bool) -> UInt64 {
        guard place >= 0, place + length <= count else { return 0 }
        let bytes = self[startIndex + place..<startIndex + place + length]
        return (isBig ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads the chunks of a RIFF or FORM file.
    fileprivate func chunks(from begin: Int, isBig: Bool) -> [(name: String, start: Int, count: Int)] {
        var found: [(name: String, start: Int, count: Int)] = []
        var place = begin
        while place + 8 <= count {
            let length = Int(integer(place + 4, 4, isBig: isBig))
            found.append((text(place), place + 8, length))
            // Chunks have an even length.
            place += 8 + length + length % 2
        }
        return found
    }
}
