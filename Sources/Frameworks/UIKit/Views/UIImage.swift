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

    /// Loads a picture of the app's by name, which has one form for all traits; nil if there is none.
    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traits: UITraitCollection?) {
        self.init(named: name, in: bundle, with: nil)
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
