public import Foundation
import SystemPort

/// A URL that a scene is to open, with options.
///
/// Source: Apple, `UIOpenURLContext`.
@preconcurrency @MainActor
open class UIOpenURLContext: NSObject {
    /// The URL.
    public let url: URL
    /// The sender, and whether the file has to be copied.
    public let options: UIScene.OpenURLOptions

    init(url: URL, options: UIScene.OpenURLOptions) {
        self.url = url
        self.options = options
    }

    /// - Returns: one context, or none for a text that is not a URL.
    static func make(_ opened: OpenedURL?) -> Set<UIOpenURLContext> {
        guard let opened, let url = URL(string: opened.url) else { return [] }
        let options = UIScene.OpenURLOptions(sourceApplication: opened.sourceApplication)
        return [UIOpenURLContext(url: url, options: options)]
    }
}

extension UIScene {
    /// The options for opening a URL.
    @preconcurrency @MainActor
    open class OpenURLOptions: NSObject {
        /// The bundle id of the calling app, if disclosed.
        ///
        /// Source: Apple, `UIScene.OpenURLOptions.sourceApplication`: nil for an app of another team. The emulated
        /// device treats each app as a team of its own.
        public let sourceApplication: String?
        /// Always nil: no app of the device sends one.
        public let annotation: Any? = nil
        /// Whether a document is to be opened in place; the device opens no documents.
        public let openInPlace = false

        init(sourceApplication: String?) { self.sourceApplication = sourceApplication }
    }
}
