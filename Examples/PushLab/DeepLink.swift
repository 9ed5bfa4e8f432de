import Foundation

/// The destination of a notification: a page of the app, given by a link in the payload.
///
/// `{"aps": {…}, "link": "pushlab://order/42"}`. JPush puts the extras of a push there. A URL of the app's scheme that
/// another app opens leads to the same page.
public struct DeepLink: Hashable, Sendable {
    public enum Page: Hashable, Sendable {
        /// `pushlab://log`: the callback log, the initial page.
        case log
        /// `pushlab://reminders`
        case reminders
        /// `pushlab://settings`: what the user has allowed.
        case settings
        /// `pushlab://order/42`: 1 to 32 letters, digits and hyphens.
        case order(String)

        /// The name under which the app reports the page to JPush; all orders have the same one.
        var name: String {
            switch self {
            case .log: "log"
            case .reminders: "reminders"
            case .settings: "settings"
            case .order: "order"
            }
        }
    }

    public static let scheme = "pushlab"
    /// The key in the payload.
    public static let key = "link"

    public let page: Page

    /// Returns nil for a URL that is not a link of this app: payloads are untrusted input.
    public init?(_ url: URL) {
        guard url.scheme?.lowercased() == Self.scheme else { return nil }
        let path = url.pathComponents.filter { $0 != "/" }
        switch (url.host?.lowercased(), path.count) {
        case ("log", 0): page = .log
        case ("reminders", 0): page = .reminders
        case ("settings", 0): page = .settings
        case ("order", 1) where Self.isNumber(path[0]): page = .order(path[0])
        default: return nil
        }
    }

    /// Returns nil without a link, or for a link of another app.
    ///
    /// - Parameter userInfo: the payload of a push, or the app's data in a local notification.
    public init?(userInfo: [AnyHashable: Any]) {
        guard let text = userInfo[Self.key] as? String, let url = URL(string: text) else { return nil }
        self.init(url)
    }

    private static func isNumber(_ text: String) -> Bool {
        (1...32).contains(text.count)
            && text.utf8.allSatisfy { byte in
                let scalar = Unicode.Scalar(byte)
                return scalar == "-" || scalar.isASCII && scalar.properties.isAlphabetic || (48...57).contains(byte)
            }
    }
}
