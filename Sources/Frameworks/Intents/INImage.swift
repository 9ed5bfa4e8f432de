public import Foundation

/// A picture of a person or of a conversation.
///
/// Source: Apple, `INImage`. `@unchecked Sendable`: it is immutable, but an open class cannot declare that.
open class INImage: NSObject, NSCopying, @unchecked Sendable {
    private enum Source: Hashable {
        case named(String)
        case symbol(String)
        case data(Data)
        case url(URL)
    }

    private let source: Source

    private init(_ source: Source) { self.source = source }

    /// A picture of the app's bundle, a PNG, JPEG or GIF file.
    public convenience init(named name: String) { self.init(.named(name)) }

    /// The picture in data, in the format of its file.
    public convenience init(imageData: Data) { self.init(.data(imageData)) }

    /// The picture at an address. Only a file's is shown: the emulated device downloads nothing.
    public convenience init?(url URL: URL) { self.init(.url(URL)) }

    /// The picture at an address, with its size in points, which has no effect.
    public convenience init?(url URL: URL, width: Double, height: Double) { self.init(.url(URL)) }

    /// A picture of SF Symbols, which Linux does not have: nothing is shown.
    public class func systemImageNamed(_ systemImageName: String) -> INImage { INImage(.symbol(systemImageName)) }

    open func copy(with zone: NSZone? = nil) -> Any { self }
    open override func isEqual(_ object: Any?) -> Bool { (object as? INImage)?.source == source }
    open override var hash: Int { source.hashValue }

    /// The picture's bytes, as the file has them; nil if there are none on this machine.
    package var bytes: Data? {
        switch source {
        case .data(let data): data
        case .url(let url): url.isFileURL ? try? Data(contentsOf: url) : nil
        case .named(let name): Self.file(named: name).flatMap { try? Data(contentsOf: $0) }
        case .symbol: nil
        }
    }

    private static func file(named name: String) -> URL? {
        if let file = Bundle.main.url(forResource: name, withExtension: nil) { return file }
        return ["png", "jpg", "jpeg", "gif"].lazy
            .compactMap { Bundle.main.url(forResource: name, withExtension: $0) }.first
    }
}
