import UIKit

// Swift 5 mode: the set-up of buttons that every guide to iOS 8 had.
public class CategorySetupApp: UIResponder, UIApplicationDelegate {
    public var window: UIWindow?
    public private(set) var grantedTypes: [UIUserNotificationType] = []
    public private(set) var log: [String] = []

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        setUpNotifications(application)
        return true
    }

    private func setUpNotifications(_ application: UIApplication) {
        let accept = UIMutableUserNotificationAction()
        accept.identifier = "ACCEPT_IDENTIFIER"
        accept.title = "Accept"
        accept.activationMode = UIUserNotificationActivationMode.background
        accept.isDestructive = false
        accept.isAuthenticationRequired = false

        let maybe = UIMutableUserNotificationAction()
        maybe.identifier = "MAYBE_IDENTIFIER"
        maybe.title = "Maybe"
        maybe.activationMode = .foreground
        maybe.isDestructive = false

        let decline = UIMutableUserNotificationAction()
        decline.identifier = "DECLINE_IDENTIFIER"
        decline.title = "Decline"
        decline.activationMode = .background
        decline.isDestructive = true
        decline.isAuthenticationRequired = true

        let invite = UIMutableUserNotificationCategory()
        invite.identifier = "INVITE_CATEGORY"
        invite.setActions([accept, maybe, decline], for: UIUserNotificationActionContext.default)
        invite.setActions([accept, decline], for: UIUserNotificationActionContext.minimal)

        let types: UIUserNotificationType = [.badge, .sound, .alert]
        let settings = UIUserNotificationSettings(
            types: types,
            categories: NSSet(object: invite) as? Set<UIUserNotificationCategory>
        )
        application.registerUserNotificationSettings(settings)
    }

    public func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings)
    {
        grantedTypes.append(notificationSettings.types)
        if notificationSettings.types != [] { application.registerForRemoteNotifications() }
    }

    public func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        log.append("token of \(deviceToken.count) bytes")
    }

    public func application(
        _ application: UIApplication,
        handleActionWithIdentifier identifier: String?,
        forRemoteNotification userInfo: [AnyHashable: Any],
        completionHandler: @escaping () -> Void
    ) {
        if identifier == "ACCEPT_IDENTIFIER" {
            log.append("accepted \(userInfo["party"] as? String ?? "?")")
        } else if identifier == "DECLINE_IDENTIFIER" {
            log.append("declined \(userInfo["party"] as? String ?? "?")")
        }
        completionHandler()
    }
}
