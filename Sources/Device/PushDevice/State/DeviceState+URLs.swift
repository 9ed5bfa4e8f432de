import Foundation
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
        /// An app that claims the domain of a web page.
        case link(String)
    }

    /// Opens a URL for an app; with `linksOnly` only in an app that claims its domain. Source: Apple,
    /// `open(_:options:completionHandler:)`; iOS refuses an app in the background. An app's own universal links open in the browser:
    /// Apple, "Support Universal Links".
    ///
    /// - Returns: false for a scheme that no app declares, and for an app that is not in the foreground.
    mutating func openURL(_ url: String, from bundleID: String, linksOnly: Bool) -> Bool {
        guard mayOpen(url, from: bundleID, linksOnly: linksOnly), let opener = opener(of: url, for: bundleID) else {
            return false
        }
        note(url, opener, by: bundleID)
        // Since iOS 13 an app does not learn which app of another team asks.
        let isKnown =
            switch opener {
            case .system, .link: false
            case .app(let other): other == bundleID || !profile.hasScenes
            }
        open(OpenedURL(url, sourceApplication: isKnown ? bundleID : nil), with: opener)
        return true
    }

    /// Whether an app may open a URL now, and the device has a handler.
    func mayOpen(_ url: String, from bundleID: String, linksOnly: Bool) -> Bool {
        guard springboard.front == bundleID, let opener = opener(of: url, for: bundleID) else { return false }
        if case .link = opener { return true }
        return !linksOnly
    }

    /// Opens a URL for the user, from a link somewhere in the system.
    ///
    /// - Returns: false for a scheme that no app declares, and on a locked device.
    mutating func openURL(_ url: String) -> Bool {
        guard !springboard.isLocked, let opener = opener(of: url, for: nil) else { return false }
        note(url, opener, by: nil)
        open(OpenedURL(url), with: opener)
        return true
    }

    /// Whether an app may know that there is a handler for a URL.
    ///
    /// Source: Apple, `canOpenURL(_:)`: from iOS 9 on false for schemes that are not in the `LSApplicationQueriesSchemes` of its
    /// Info.plist. The schemes of the system need no declaration.
    func canOpenURL(_ url: String, from record: AppRecord) -> Bool {
        guard opener(of: url, for: record.app.bundleID) != nil else { return false }
        let scheme = Self.scheme(of: url)
        if Self.systemSchemes.contains(scheme) || profile.major < 9 { return true }
        let declared = record.app.info["LSApplicationQueriesSchemes"]?.array ?? []
        return declared.contains { $0.string?.lowercased() == scheme }
    }

    private static func scheme(of url: String) -> String {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        return scheme.count < url.count ? scheme : ""
    }

    /// Returns the handler of a URL. If two apps declare the scheme or claim the domain, the first by bundle id: Apple does not
    /// define which one.
    private func opener(of url: String, for asking: String?) -> URLOpener? {
        let scheme = Self.scheme(of: url)
        guard !scheme.isEmpty else { return nil }
        if let page = Self.webPage(url), let claiming = claimant(of: page), claiming != asking {
            return .link(claiming)
        }
        if Self.systemSchemes.contains(scheme) { return .system }
        let declaring = apps.values.filter { $0.app.urlSchemes.contains(scheme) }
        return declaring.map(\.app.bundleID).min().map(URLOpener.app)
    }

    /// Returns the host and the rest of a web page; nil for any other URL.
    private static func webPage(_ url: String) -> (host: String, link: SiteLink)? {
        guard ["http", "https"].contains(scheme(of: url)), let parts = URLComponents(string: url),
            let host = parts.host?.lowercased()
        else { return nil }
        let link = SiteLink(
            path: parts.path.isEmpty ? "/" : parts.path,
            query: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") },
            fragment: parts.fragment ?? ""
        )
        return (host, link)
    }

    /// Returns the app that opens a link, from iOS 9 on.
    private func claimant(of page: (host: String, link: SiteLink)) -> String? {
        guard profile.major >= 9 else { return nil }
        return apps.values.filter { $0.app.claims(page.host, page.link) }.map(\.app.bundleID).min()
    }

    /// Reports a URL that is opened, and for a web page by whom.
    private mutating func note(_ url: String, _ opener: URLOpener, by bundleID: String?) {
        let how =
            switch opener {
            case .link(let claiming): " as a universal link of \(claiming)"
            case .system:
                Self.webPage(url).map { page in
                    claimant(of: page) == nil
                        ? " in the browser: no app on the device claims \(note(of: page))"
                        : " in the browser: an app's own links open there"
                } ?? ""
            case .app: ""
            }
        emitChange("opened \(url)\(how)", app: bundleID)
    }

    /// The host, or the host and the path if an app claims other links of the host.
    private func note(of page: (host: String, link: SiteLink)) -> String {
        let root = SiteLink(path: page.link.path, query: [], fragment: "")
        let isOther = apps.values.contains { record in
            var app = record.app
            app.siteAssociations = [:]
            return app.claims(page.host, root)
        }
        return isOther ? page.host + page.link.path : page.host
    }

    /// Opens a URL: a system app comes to the foreground and only the device reports the URL; an installed app receives
    /// it.
    private mutating func open(_ url: OpenedURL, with opener: URLOpener) {
        switch opener {
        case .system:
            if let front = springboard.front { background(front) }
        case .app(let bundleID): give(.url(url), to: bundleID)
        case .link(let bundleID):
            give(.activity(ActivityRecord(type: ActivityRecord.browsingWeb, webpageURL: url.url)), to: bundleID)
        }
    }

    /// Brings an app to the foreground for an item, or gives it the item there.
    mutating func give(_ item: OpenedItem, to bundleID: String) {
        if apps[bundleID]?.condition == .active {
            send(.open(item), to: bundleID)
        } else {
            bringForward(bundleID, opening: nil, item: item)
        }
    }
}
