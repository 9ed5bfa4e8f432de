public import Foundation
import SystemPort
import UserNotifications

extension UIApplication {
    /// How a URL is opened.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Only by an app that has the link for its own; the emulated device has none such.
        public static let universalLinksOnly = Self(rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// How the app is to open a URL.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bundle id of the app that asks: a `String`, absent since iOS 13 for an app of another team. The emulated
        /// device takes each app for a team of its own.
        public static let sourceApplication = Self(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
        /// What the other app sends along; no app of the device does.
        public static let annotation = Self(rawValue: "UIApplicationOpenURLOptionsAnnotationKey")
        /// Whether a document is to be opened where it lies: a `Bool`.
        public static let openInPlace = Self(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
    }

    /// Opens the app's page in Settings.
    public nonisolated static let openSettingsURLString = "app-settings:"
    /// Opens the app's notification settings (iOS 16).
    public nonisolated static let openNotificationSettingsURLString = "app-settings:notifications"

    /// Opens a URL with the system's own app for its scheme: web, mail, telephone, messages, maps, FaceTime, Settings; or
    /// with the app that declares its scheme. The app goes to the background, unless the scheme is its own.
    ///
    /// - Parameters:
    ///   - url: of any scheme.
    ///   - options: how.
    ///   - completion: called with false if there is nothing for the scheme, or the app is not in front.
    public func open(
        _ url: URL,
        options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        let port = CurrentPort.find()
        if options[.universalLinksOnly] as? Bool == true {
            completion?(false)
            return
        }
        port.call(.open(url: url.absoluteString)) { reply in
            // Nobody awaits it: it ends with the app's handler.
            Task { @MainActor in CurrentPort.with(port) { completion?(reply == .opened(true)) } }
        }
    }

    /// As the other, in the async spelling.
    ///
    /// - Returns: whether there was something for the scheme, and the app was in front.
    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        await withCheckedContinuation { continuation in
            open(url, options: options) { continuation.resume(returning: $0) }
        }
    }
}
