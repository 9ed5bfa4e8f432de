import UIKit
import UserNotifications

#if canImport(JPush)
import JPush
#endif

/// How the app registers with the system and with the push service, in the branch of its iOS.
@MainActor
struct PushSetup {
    let settings: PushLabSettings

    /// Asks the person for permission, and the system for a device token. To be called before ``start(_:then:)``.
    ///
    /// - Parameter delegate: hears of notifications from iOS 10 on; before, the app's delegate does.
    /// - Returns: the branch that was taken.
    func register(_ delegate: any JPUSHRegisterDelegate) -> Generation {
        let generation = Generation.current
        switch generation {
        case .center:
            let entity = JPUSHRegisterEntity()
            entity.types = Int(UNAuthorizationOptions([.alert, .badge, .sound]).rawValue)
            entity.categories = Categories.current
            JPUSHService.register(forRemoteNotificationConfig: entity, delegate: delegate)
        case .settings(let asksForText):
            let types: UIUserNotificationType = [.alert, .badge, .sound]
            let categories = Categories.legacy(asksForText: asksForText)
            JPUSHService.register(forRemoteNotificationTypes: types.rawValue, categories: categories)
        case .types:
            let types: UIRemoteNotificationType = [.alert, .badge, .sound]
            // There are no buttons yet: the categories have to be nil.
            JPUSHService.register(forRemoteNotificationTypes: types.rawValue, categories: nil)
        }
        return generation
    }

    /// Registers with the push service, if the app has a key there.
    ///
    /// - Parameters:
    ///   - launchOptions: as the app's delegate got them; a push in them counts as opened.
    ///   - completion: the result code, and the registration id if it is 0.
    func start(
        _ launchOptions: [UIApplication.LaunchOptionsKey: Any]?,
        then completion: @escaping @MainActor (Int32, String?) -> Void
    ) {
        guard let appKey = settings.appKey else { return }
        JPUSHService.setup(
            withOption: launchOptions,
            appKey: appKey,
            channel: "PushLab",
            apsForProduction: settings.isProduction
        )
        JPUSHService.registrationIDCompletionHandler { code, id in
            MainActor.assumeIsolated { completion(code, id) }
        }
    }
}
