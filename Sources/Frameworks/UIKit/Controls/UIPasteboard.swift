public import Foundation
import SystemPort

/// The app's clipboard. Other apps of the device do not see it.
@preconcurrency @MainActor
open class UIPasteboard: NSObject {
    /// The number of changes.
    open private(set) var changeCount = 0
    /// The texts; nil for none.
    open var strings: [String]? { didSet { changeCount += 1 } }
    /// The URLs; nil for none.
    open var urls: [URL]? { didSet { changeCount += 1 } }
    /// The pictures; nil for none.
    open var images: [UIImage]? { didSet { changeCount += 1 } }

    nonisolated override init() { super.init() }

    /// The clipboard of the app.
    open class var general: UIPasteboard { AppSlot.current.pasteboard }

    /// The first text; nil for none.
    open var string: String? {
        get { strings?.first }
        set { strings = newValue.map { [$0] } }
    }
    /// The first URL; nil for none.
    open var url: URL? {
        get { urls?.first }
        set { urls = newValue.map { [$0] } }
    }
    /// The first picture; nil for none.
    open var image: UIImage? {
        get { images?.first }
        set { images = newValue.map { [$0] } }
    }
    /// Whether there is a text.
    open var hasStrings: Bool { strings?.isEmpty == false }
    /// Whether there is a URL.
    open var hasURLs: Bool { urls?.isEmpty == false }
    /// Whether there is a picture.
    open var hasImages: Bool { images?.isEmpty == false }
}
