import UIKit
import UserNotifications

#if canImport(JPush)
import JPush
#endif

/// The registration with the system and with the push service, by iOS version.
@MainActor
struct PushSetup {
    let settings: PushLabSettings

    /// Asks the user for permission, and the system for a device token. Call it before ``start(_:then:)``.
    ///
    /// - Parameter delegate: receives notifications from iOS 10 on; before that, the app's delegate does.
    /// - Returns: the API that was used.
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

    /// Registers with the push service, if the app has a key for it.
    ///
    /// - Parameters:
    ///   - launchOptions: the app delegate's launch options; a push in them counts as opened.
    ///   - completion: receives the result code, and the registration id if it is 0.
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
