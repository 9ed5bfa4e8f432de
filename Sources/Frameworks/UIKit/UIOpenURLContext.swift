public import Foundation
import SystemPort

/// A URL that a scene is to open, and how.
///
/// Source: Apple, `UIOpenURLContext`.
@MainActor
open class UIOpenURLContext: NSObject {
    public let url: URL
    public let options: UIScene.OpenURLOptions

    init(url: URL, options: UIScene.OpenURLOptions) {
        self.url = url
        self.options = options
    }

    /// - Returns: one context, or none for a text that is no URL.
    static func make(_ opened: OpenedURL?) -> Set<UIOpenURLContext> {
        guard let opened, let url = URL(string: opened.url) else { return [] }
        let options = UIScene.OpenURLOptions(sourceApplication: opened.sourceApplication)
        return [UIOpenURLContext(url: url, options: options)]
    }
}

extension UIScene {
    /// How a URL is to be opened.
    @MainActor
    open class OpenURLOptions: NSObject {
        /// The bundle id of the app that asks, where it is to be known.
        ///
        /// Source: Apple, `UIScene.OpenURLOptions.sourceApplication`: nil for an app of another team. The emulated device
        /// takes each app for a team of its own.
        public let sourceApplication: String?
        /// Nothing: no app of the device sends one.
        public let annotation: Any? = nil
        /// Whether a document is to be opened where it lies; the device opens no documents.
        public let openInPlace = false

        init(sourceApplication: String?) { self.sourceApplication = sourceApplication }
    }
}
