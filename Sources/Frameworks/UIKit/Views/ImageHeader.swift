import Foundation

/// The header of an image file.
enum ImageHeader {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func isPNG(_ data: Data) -> Bool { data.starts(with: png) }

    /// Returns the width and the height in pixels; nil for data that are neither a PNG nor a JPEG file.
    static func size(of data: Data) -> CGSize? {
        let bytes = [UInt8](data)
        return isPNG(data) ? sizeOfPNG(bytes) : sizeOfJPEG(bytes)
    }

    /// The first chunk, IHDR, begins with width and height. Source: PNG specification, 11.2.2.
    private static func sizeOfPNG(_ bytes: [UInt8]) -> CGSize? {
        guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
        return size(number(bytes, 16, count: 4), number(bytes, 20, count: 4))
    }

    /// The size is in the frame header, whose marker is one of C0 to CF but C4, C8 and CC. Source: ITU T.81, B.1.1.3 and B.2.2.
    private static func sizeOfJPEG(_ bytes: [UInt8]) -> CGSize? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var place = 2
        while place + 9 < bytes.count {
            guard bytes[place] == 0xFF else { return nil }
            let marker = bytes[place + 1]
            // A fill byte before a marker.
            if marker == 0xFF {
                place += 1
                continue
            }
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return size(number(bytes, place + 7, count: 2), number(bytes, place + 5, count: 2))
            }
            let length = number(bytes, place + 2, count: 2)
            guard length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ place: Int, count: Int) -> Int {
        bytes[place..<(place + count)].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func size(_ width: Int, _ height: Int) -> CGSize? {
        width > 0 && height > 0 ? CGSize(width: width, height: height) : nil
    }
}
