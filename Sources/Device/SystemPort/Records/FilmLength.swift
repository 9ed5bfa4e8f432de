package import Foundation

/// The duration of a film, as stored in its file.
package enum FilmLength {
    /// - Parameters:
    ///   - file: the file, open for reading; its position moves.
    ///   - type: a uniform type identifier.
    /// - Returns: the seconds; nil for a type that does not store the duration (an MPEG stream), and for a truncated
    ///   file.
    package static func seconds(of file: FileHandle, type: String) -> Double? {
        switch type {
        case "public.mpeg-4": movieHeader(file)
        case "public.avi": mainHeader(file)
        default: nil
        }
    }

    // MARK: MPEG-4

    /// The box `mvhd` within `moov`. Source: ISO/IEC 14496-12, 4.2 and 8.2.2.
    private static func movieHeader(_ file: FileHandle) -> Double? {
        guard let end = try? file.seekToEnd(), let moov = box("moov", in: 0..<end, file),
            let mvhd = box("mvhd", in: moov, file), let bytes = read(file, at: mvhd.lowerBound, count: 32),
            let version = bytes.first
        else { return nil }
        // Version and flags, two dates, the scale, the length; dates and length are 8 bytes wide from version 1 on.
        let width = version == 0 ? 4 : 8
        let scale = number(bytes, at: 4 + 2 * width, width: 4)
        let length = number(bytes, at: 8 + 2 * width, width: width)
        guard let scale, let length, scale > 0 else { return nil }
        return Double(length) / Double(scale)
    }

    /// Returns the range of a box's content.
    private static func box(_ name: String, in range: Range<UInt64>, _ file: FileHandle) -> Range<UInt64>? {
        var place = range.lowerBound
        while let head = read(file, at: place, count: 16), var size = number(head, at: 0, width: 4) {
            var begin: UInt64 = 8
            if size == 1 {
                guard let large = number(head, at: 8, width: 8) else { return nil }
                size = large
                begin = 16
            }
            // A size of 0 extends to the end.
            let rest = range.upperBound - place
            if size == 0 { size = rest }
            guard size >= begin, size <= rest else { return nil }
            if head.dropFirst(4).prefix(4).elementsEqual(name.utf8) { return place + begin..<place + size }
            place += size
            if place >= range.upperBound { return nil }
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], at place: Int, width: Int) -> UInt64? {
        guard bytes.count >= place + width else { return nil }
        return bytes[place..<place + width].reduce(0) { $0 << 8 | UInt64($1) }
    }

    // MARK: AVI

    /// The chunk `avih`, the first of the first list. Source: Microsoft, "AVIMAINHEADER".
    private static func mainHeader(_ file: FileHandle) -> Double? {
        guard let bytes = read(file, at: 0, count: 52), bytes.count == 52,
            bytes[20..<28].elementsEqual("hdrlavih".utf8)
        else { return nil }
        func number(_ place: Int) -> Double {
            Double(bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        let microsecondsPerFrame = number(32)
        let frames = number(48)
        return microsecondsPerFrame * frames / 1e6
    }

    private static func read(_ file: FileHandle, at place: UInt64, count: Int) -> [UInt8]? {
        do {
            try file.seek(toOffset: place)
            return try file.read(upToCount: count).map { [UInt8]($0) }
        } catch {
            return nil
        }
    }
}
