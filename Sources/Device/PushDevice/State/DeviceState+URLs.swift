import PushModel
import SystemPort

// URL handling.

extension DeviceState {
    /// Schemes of the system's own apps. No other app receives them: Apple, "Defining a custom URL scheme for your
    /// app".
    private static let systemSchemes: Set = [
        "http", "https", "mailto", "tel", "sms", "maps", "facetime", "app-settings",
    ]

    /// The handler of a URL.
    private enum URLOpener {
        case system
        case app(String)
    }

    /// Opens a URL for an app. Source: Apple, `open(_:options:completionHandler:)`; iOS refuses an app in the
    /// background.
    ///
    /// - Returns: false for a scheme that no app declares, and for an app that is not in the foreground.
    mutating func openURL(_ url: String, from bundleID: String) -> Bool {
        guard front == bundleID, let opener = opener(of: url) else { return false }
        emit(.changed("opened \(url)"), app: bundleID)
        // Since iOS 13 an app does not learn which app of another team asks.
        let isKnown =
            switch opener {
            case .system: false
            case .app(let other): other == bundleID || !profile.hasScenes
            }
        open(OpenedURL(url, sourceApplication: isKnown ? bundleID : nil), with: opener)
        return true
    }

    /// Opens a URL for the user, from a link somewhere in the system.
    ///
    /// - Returns: false for a scheme that no app declares, and on a locked device.
    mutating func openURL(_ url: String) -> Bool {
        guard !isLocked, let opener = opener(of: url) else { return false }
        emit(.changed("opened \(url)"))
        open(OpenedURL(url), with: opener)
        return true
    }

    /// Returns the handler of a URL. If two apps declare the scheme, the first by bundle id: Apple does not define
    /// which one.
    private func opener(of url: String) -> URLOpener? {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        guard !scheme.isEmpty, scheme.count < url.count else { return nil }
        if Self.systemSchemes.contains(scheme) { return .system }
        let declaring = apps.values.filter { $0.app.urlSchemes.contains(scheme) }
        return declaring.map(\.app.bundleID).min().map(URLOpener.app)
    }

    /// Opens a URL: a system app comes to the foreground and only the device reports the URL; an installed app receives
    /// it.
    private mutating func open(_ url: OpenedURL, with opener: URLOpener) {
        switch opener {
        case .system:
            if let front { background(front) }
        case .app(let bundleID):
            if apps[bundleID]?.condition == .active {
                send(.openURL(url), .active, to: bundleID)
            } else {
                bringForward(bundleID, opening: nil, url: url)
            }
        }
    }
}
