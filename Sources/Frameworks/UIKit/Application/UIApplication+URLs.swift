public import Foundation
import SystemPort
import UserNotifications

/// The name in iOS 15.4 to 16 of ``UIApplication/openNotificationSettingsURLString``.
@available(iOS, introduced: 15.4, deprecated: 16.0, renamed: "UIApplication.openNotificationSettingsURLString")
public let UIApplicationOpenNotificationSettingsURLString = UIApplication.openNotificationSettingsURLString

extension UIApplication {
    /// An option for opening a URL.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Whether only an app that claims the link's domain may open it.
        public static let universalLinksOnly = Self(rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// An option with which the app receives a URL.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bundle id of the calling app: a `String`, absent since iOS 13 for an app of another team. The emulated
        /// device treats each app as a team of its own.
        public static let sourceApplication = Self(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        /// Data from the other app; no app of the device sends any.
        public static let annotation = Self(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        /// Whether a document is to be opened in place: a `Bool`.
        public static let openInPlace = Self(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    }

    /// Opens the app's page in Settings.
    public nonisolated static let openSettingsURLString = "app-settings:"
    /// Opens the app's notification settings (iOS 16).
    public nonisolated static let openNotificationSettingsURLString = "app-settings:notifications"

    /// Opens a URL with the system's own app for its scheme (web, mail, telephone, messages, maps, FaceTime, Settings),
    /// with the app that declares its scheme, or with the app that claims the domain of a web page. The app goes to the background,
    /// unless the scheme is its own; a link of its own opens in the browser.
    ///
    /// - Parameters:
    ///   - url: a URL of any scheme.
    ///   - options: options for opening it.
    ///   - completion: called with false if no app handles the scheme, or the app is not in the foreground.
    public func open(
        _ url: URL,
        options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        guard SystemSymbol.openURL.require() else { return }
        let port = CurrentPort.find()
        let linksOnly = options[.universalLinksOnly] as? Bool == true
        port.call(.open(url: url.absoluteString, linksOnly: linksOnly)) { reply in
            // Not awaited: it ends with the app's handler.
            Task { @MainActor in CurrentPort.with(port) { completion?(reply == .opened(true)) } }
        }
    }

    /// Whether an app on the device opens the URL. From iOS 9 on false for schemes that are neither the system's nor in
    /// `LSApplicationQueriesSchemes` of the Info.plist, whether or not there is such an app.
    public func canOpenURL(_ url: URL) -> Bool {
        CurrentPort.find().read(.canOpen(url: url.absoluteString)) == .opened(true)
    }

    /// Opens a URL like ``open(_:options:completionHandler:)``, which it is older than.
    ///
    /// - Returns: whether an app opens it.
    @available(iOS, introduced: 2.0, deprecated: 10.0, message: "Use open(_:options:completionHandler:).")
    @discardableResult
    public func openURL(_ url: URL) -> Bool {
        let port = CurrentPort.find()
        let call = SystemCall.open(url: url.absoluteString)
        guard port.read(call) == .opened(true) else { return false }
        port.call(call)
        return true
    }

    /// Opens a URL as above, in the async spelling.
    ///
    /// - Returns: whether an app handled the scheme, and the app was in the foreground.
    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        guard SystemSymbol.openURL.require() else { return false }
        return await withCheckedContinuation { continuation in
            open(url, options: options) { continuation.resume(returning: $0) }
        }
    }
}
