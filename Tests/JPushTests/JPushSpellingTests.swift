import JPush
import PosthornTesting
import PushDevice
import PushModel
import Testing
import UIKit

// Each class below is written as some app is: every spelling has to be found and called.

private class SpellingApp: UIResponder, UIApplicationDelegate {
    var calls: [String] = []

    required override init() { super.init() }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let entity = JPUSHRegisterEntity()
        entity.types = Int(JPAuthorizationOptions([.alert]).rawValue)
        JPUSHService.register(forRemoteNotificationConfig: entity, delegate: self as? any JPUSHRegisterDelegate)
        return true
    }
}

private final class SpellingStrictStrictStrict: SpellingApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    ) {
        calls.append("willPresent")
        completionHandler(16)
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        calls.append("didReceive")
        completionHandler()
    }
}

private final class SpellingStrictLooseStrict: SpellingApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    ) {
        calls.append("willPresent")
        completionHandler(16)
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        calls.append("didReceive")
        completionHandler()
    }
}

private final class SpellingLooseStrictStrict: SpellingApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    ) {
        calls.append("willPresent")
        completionHandler(16)
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        calls.append("didReceive")
        completionHandler()
    }
}

private final class SpellingLooseLooseStrict: SpellingApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: @escaping (Int) -> Void
    ) {
        calls.append("willPresent")
        completionHandler(16)
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        calls.append("didReceive")
        completionHandler()
    }
}

private final class SpellingStrictStrictLoose: SpellingApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    ) {
        calls.append("willPresent")
        completionHandler(16)
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: (() -> Void)!
    ) {
        calls.append("didReceive")
        completionHandler()
    }
}

private final class SpellingStrictLooseLoose: SpellingApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    ) {
        calls.append("willPresent")
        completionHandler(16)
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: (() -> Void)!
    ) {
        calls.append("didReceive")
        completionHandler()
    }
}

private final class SpellingLooseStrictLoose: SpellingApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    ) {
        calls.append("willPresent")
        completionHandler(16)
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: (() -> Void)!
    ) {
        calls.append("didReceive")
        completionHandler()
    }
}

private final class SpellingLooseLooseLoose: SpellingApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification!,
        withCompletionHandler completionHandler: ((Int) -> Void)!
    ) {
        calls.append("willPresent")
        completionHandler(16)
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse!,
        withCompletionHandler completionHandler: (() -> Void)!
    ) {
        calls.append("didReceive")
        completionHandler()
    }
}

private final class SpellingAsyncStrict: SpellingApp, JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification
    ) async -> Int {
        calls.append("willPresent")
        return 16
    }

    func jpushNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async
    {
        calls.append("didReceive")
    }
}

private final class SpellingAsyncLoose: SpellingApp, JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        willPresent notification: UNNotification!
    ) async -> Int {
        calls.append("willPresent")
        return 16
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter!,
        didReceive response: UNNotificationResponse!
    ) async {
        calls.append("didReceive")
    }
}

/// The vendor's demo of 2023: the handler without `@escaping`.
private final class SpellingNonEscaping: SpellingApp, @preconcurrency JPUSHRegisterDelegate {
    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: ((Int) -> Void)
    ) {
        calls.append("willPresent")
        completionHandler(16)
    }

    func jpushNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: () -> Void
    ) {
        calls.append("didReceive")
        completionHandler()
    }
}

/// Nothing of it: the app asked for pushes and does not look at them.
private final class SpellingNone: SpellingApp, JPUSHRegisterDelegate {}

@Suite("Spellings of JPUSHRegisterDelegate")
@MainActor
struct JPushSpellingTests {
    fileprivate static let apps: [SpellingApp.Type] = [
        SpellingStrictStrictStrict.self,
        SpellingStrictLooseStrict.self,
        SpellingLooseStrictStrict.self,
        SpellingLooseLooseStrict.self,
        SpellingStrictStrictLoose.self,
        SpellingStrictLooseLoose.self,
        SpellingLooseStrictLoose.self,
        SpellingLooseLooseLoose.self,
        SpellingAsyncStrict.self,
        SpellingAsyncLoose.self,
        SpellingNonEscaping.self,
    ]

    @Test("Each is called, and its answer counts", arguments: 0..<11)
    func isCalled(_ index: Int) async throws {
        let phone = TestPhone()
        phone.install(.lab) { Self.apps[index].init() }
        await phone.open(.lab)
        let push = await phone.push(.alert, to: .lab)
        #expect(await phone.journeys.first(of: push) { $0 == .presented(.banner) } != nil)
        await phone.tap(push)
        let app = try #require(phone.device.delegate(of: InstalledApp.lab.bundleID, as: SpellingApp.self))
        #expect(app.calls == ["willPresent", "didReceive"])
        #expect(phone.journeys.callbacks(of: push).count == 2)
    }

    @Test("Without any the notification is not shown, and no callback is claimed")
    func none() async {
        let phone = TestPhone()
        phone.install(.lab) { SpellingNone() }
        await phone.open(.lab)
        let push = await phone.push(.alert, to: .lab)
        #expect(phone.journeys.kinds(of: push) == [.suppressed(.foreground)])
    }
}
