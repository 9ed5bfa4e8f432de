import JPush
import PosthornTesting
import PushDevice
import PushModel
import TestSupport
import Testing
import UIKit

private class SettingsApp: UIResponder, UIApplicationDelegate {
    var calls: [String] = []
    var statuses: [JPAuthorizationStatus] = []

    required override init() { super.init() }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let entity = JPUSHRegisterEntity()
        entity.types = Int(JPAuthorizationOptions([.alert, .providesAppNotificationSettings]).rawValue)
        JPUSHService.register(forRemoteNotificationConfig: entity, delegate: self as? any JPUSHRegisterDelegate)
        return true
    }
}

private final class SettingsStrict: SettingsApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification) {
        calls.append(notification.request.identifier)
    }

    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]?) {
        statuses.append(status)
    }
}

private final class SettingsOptional: SettingsApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?) {
        calls.append(notification?.request.identifier ?? "nil")
    }

    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]!) {
        statuses.append(status)
    }
}

private final class SettingsLoose: SettingsApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(_ center: UNUserNotificationCenter!, openSettingsFor notification: UNNotification!) {
        calls.append(notification?.request.identifier ?? "nil")
    }

    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]!) {
        statuses.append(status)
    }
}

private final class SettingsOldHeader: SettingsApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(_ center: UNUserNotificationCenter!, openSettingsFor notification: UNNotification?) {
        calls.append(notification?.request.identifier ?? "nil")
    }

    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]!) {
        statuses.append(status)
    }
}

private final class SettingsImplicit: SettingsApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification!) {
        calls.append(notification?.request.identifier ?? "nil")
    }

    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]!) {
        statuses.append(status)
    }
}

private final class SettingsMixed: SettingsApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(_ center: UNUserNotificationCenter!, openSettingsFor notification: UNNotification) {
        calls.append(notification.request.identifier)
    }

    func jpushNotificationAuthorization(_ status: JPAuthorizationStatus, withInfo info: [AnyHashable: Any]!) {
        statuses.append(status)
    }
}

@Suite("Spellings of openSettingsFor and of the authorization")
@MainActor
struct JPushSettingsSpellingTests {
    fileprivate static let apps: [SettingsApp.Type] = [
        SettingsStrict.self, SettingsMixed.self, SettingsOptional.self, SettingsLoose.self, SettingsOldHeader.self,
        SettingsImplicit.self,
    ]

    @Test("Each is called, from a notification and from the system's settings", arguments: 0..<6)
    func isCalled(_ index: Int) async throws {
        let phone = TestPhone()
        phone.install(.lab) { Self.apps[index].init() }
        await phone.open(.lab)
        await phone.background(.lab)
        let push = await phone.push(["aps": ["alert": "Hi"]], to: .lab, collapseID: "c1")
        await phone.perform { $0.openNotificationSettings(of: InstalledApp.lab.bundleID, from: push) }
        await phone.perform { $0.openNotificationSettings(of: InstalledApp.lab.bundleID) }
        let app = try #require(phone.device.delegate(of: InstalledApp.lab.bundleID, as: SettingsApp.self))
        #expect(app.calls == ["c1", index >= 2 ? "nil" : ""])
        // It is told on the main thread, some time after the answer.
        try await eventually("the app is told the status") { !app.statuses.isEmpty }
        #expect(app.statuses == [.statusAuthorized])
    }
}
