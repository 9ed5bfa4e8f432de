public import Foundation

/// An image. Its data are kept, and its size is read from the header of a PNG or a JPEG file; nothing is decoded.
/// `@unchecked Sendable`: it is immutable.
///
/// Source: Apple, `UIImage`.
open class UIImage: NSObject, @unchecked Sendable {
    /// The way in which a tint applies. Raw values: Apple, `UIImageRenderingMode`.
    public enum RenderingMode: Int, Sendable {
        /// By its place, with its own colours, and as a shape in one colour.
        case automatic, alwaysOriginal, alwaysTemplate
    }

    /// The size in points.
    public let size: CGSize
    /// The pixels of a point.
    public let scale: CGFloat
    /// How it is drawn; stored only.
    public let renderingMode: RenderingMode
    private let data: Data?
    private let name: String?

    private init(
        name: String? = nil,
        data: Data? = nil,
        size: CGSize,
        scale: CGFloat = 1,
        mode: RenderingMode = .automatic
    ) {
        self.name = name
        self.data = data
        self.size = size
        self.scale = scale
        renderingMode = mode
    }

    /// Creates an image without a picture.
    public override convenience init() { self.init(size: .zero) }

    /// Creates an image from a file of the app's bundle, as a PNG, or a JPEG with its extension in the name.
    ///
    /// Asset catalogues cannot be read; an image from one is nil.
    public convenience init?(named name: String) {
        let file = name as NSString
        let type = file.pathExtension.isEmpty ? "png" : file.pathExtension
        guard let path = Bundle.main.path(forResource: file.deletingPathExtension, ofType: type),
            let data = FileManager.default.contents(atPath: path), let size = ImageHeader.size(of: data)
        else { return nil }
        self.init(name: name, data: data, size: size)
    }

    /// Loads a picture of the app's by name; nil if there is none.
    public convenience init?(named name: String, in bundle: Bundle?, with configuration: Configuration?) {
        guard bundle == nil || bundle == .main else { return nil }
        self.init(named: name)
    }

    /// Creates a symbol, under any name: Posthorn has no list of the system's symbols.
    public convenience init?(systemName name: String) { self.init(name: name, size: CGSize(width: 20, height: 20)) }

    /// Creates the picture of an SF Symbol, of which only the name is known.
    public convenience init?(systemName name: String, withConfiguration configuration: Configuration?) {
        self.init(systemName: name)
    }

    /// Creates an image from the data of a PNG or a JPEG file; nil for other data.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    /// Reads a picture from a file's bytes; nil if they are none. The scale is the number of pixels of a point.
    public convenience init?(data: Data, scale: CGFloat) {
        guard let size = ImageHeader.size(of: data), scale > 0 else { return nil }
        self.init(data: data, size: CGSize(width: size.width / scale, height: size.height / scale), scale: scale)
    }

    /// Creates an image from a PNG or a JPEG file; nil for another one, or none.
    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// Returns the picture with another way to be drawn.
    open func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage {
        UIImage(name: name, data: data, size: size, scale: scale, mode: renderingMode)
    }

    /// Returns this image: nothing is drawn.
    open func withTintColor(_ color: UIColor) -> UIImage { self }

    /// Returns the data of the PNG file from which it was made; nil for others, which would have to be encoded.
    open func pngData() -> Data? { data.flatMap { ImageHeader.isPNG($0) ? $0 : nil } }

    /// Returns the data of the JPEG file from which it was made; nil for others, which would have to be encoded.
    open func jpegData(compressionQuality: CGFloat) -> Data? { data.flatMap { ImageHeader.isPNG($0) ? nil : $0 } }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIImage else { return false }
        return other === self || other.name == name && other.data == data && other.size == size && other.scale == scale
    }

    open override var hash: Int { name.hashValue ^ (data?.count ?? 0) }

    /// The values by which a variant of an image is chosen. They have no effect.
    open class Configuration: NSObject, @unchecked Sendable {}

    /// The values by which a variant of a symbol is chosen. They have no effect. `@unchecked Sendable`: it has none.
    open class SymbolConfiguration: Configuration, @unchecked Sendable {
        /// Creates a configuration; without effect.
        public convenience init(pointSize: CGFloat) { self.init() }
        /// Creates a configuration; without effect.
        public convenience init(pointSize: CGFloat, weight: UIFont.Weight) { self.init() }
    }
}

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
