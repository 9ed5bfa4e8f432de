import UIKit
import UserNotifications

// The settings screen of an app: what the user has allowed, and what the app offers for it.
@MainActor
final class PermissionScreen {
    enum Offer: Equatable {
        case ask, fullPermission, openSettings, nothing
    }

    private let center = UNUserNotificationCenter.current()

    func offer() async -> Offer {
        let settings = await center.notificationSettings()
        switch settings.authorizationStatus {
        case .notDetermined: return .ask
        case .denied: return .openSettings
        case .provisional: return .fullPermission
        case .authorized, .ephemeral:
            return settings.alertSetting == .disabled || settings.alertStyle == .none ? .openSettings : .nothing
        @unknown default: return .nothing
        }
    }

    /// Without a prompt: the first notifications arrive quietly, and the user decides there.
    func startQuietly() async throws {
        _ = try await center.requestAuthorization(options: [.alert, .sound, .badge, .provisional])
    }

    /// Called from a button that says what the notifications are for.
    func askForAll() async throws -> Bool {
        try await center.requestAuthorization(options: [.alert, .sound, .badge])
    }

    func openSettings() {
        guard let url = URL(string: UIApplication.openSettingsURLString) else { return }
        UIApplication.shared.open(url)
    }

    func explanation() async -> String {
        let settings = await center.notificationSettings()
        switch settings.soundSetting {
        case .enabled: return "sounds are on"
        case .disabled: return "the user has switched sounds off"
        case .notSupported: return "the app has never asked for sounds"
        @unknown default: return "unknown"
        }
    }
}
