/// A delegate protocol, and the names that its methods have.
struct DelegateFamily {
    /// With its module.
    var name: String
    /// The beginning of its methods' names.
    var verb: String
    /// The type of each method's first parameter; nil if they differ.
    var subject: String?
    /// Methods of Apple's protocol that are no requirements of this one.
    var further: [String] = []

    /// - Returns: whether a method looks like one of the protocol's.
    func covers(_ method: MethodSignature) -> Bool {
        guard method.base.hasPrefix(verb) else { return false }
        let next = method.base.dropFirst(verb.count).first
        guard next?.isUppercase ?? true else { return false }
        guard let subject, let first = method.types.first else { return subject == nil }
        return first == subject || first == "Swift.Optional<\(subject)>"
    }

    static let all = [
        DelegateFamily(
            name: "UIKit.UIApplicationDelegate",
            verb: "application",
            subject: "UIKit.UIApplication",
            further: furtherOfApplications
        ),
        DelegateFamily(
            name: "UIKit.UISceneDelegate",
            verb: "scene",
            subject: "UIKit.UIScene",
            further: furtherOfScenes
        ),
        DelegateFamily(
            name: "UIKit.UIWindowSceneDelegate",
            verb: "windowScene",
            subject: "UIKit.UIWindowScene",
            further: furtherOfWindowScenes
        ),
        DelegateFamily(
            name: "UserNotifications.UNUserNotificationCenterDelegate",
            verb: "userNotificationCenter",
            subject: "UserNotifications.UNUserNotificationCenter"
        ),
        DelegateFamily(
            name: "CoreLocation.CLLocationManagerDelegate",
            verb: "locationManager",
            subject: "CoreLocation.CLLocationManager",
            further: furtherOfLocations
        ),
        DelegateFamily(name: "PushKit.PKPushRegistryDelegate", verb: "pushRegistry", subject: "PushKit.PKPushRegistry"),
        DelegateFamily(name: "CallKit.CXProviderDelegate", verb: "provider", subject: "CallKit.CXProvider"),
        DelegateFamily(name: "JPush.JPUSHRegisterDelegate", verb: "jpushNotification"),
        DelegateFamily(name: "JPush.JPUSHGeofenceDelegate", verb: "jpush"),
        DelegateFamily(name: "JPush.JPUSHInAppMessageDelegate", verb: "jPush"),
        DelegateFamily(name: "JPush.JPUSHNotiInMessageDelegate", verb: "jPushNotiInMessage"),
    ]
}

// Source: Apple, UIApplicationDelegate, UISceneDelegate, UIWindowSceneDelegate, CLLocationManagerDelegate, all versions of iOS.
// A method that the protocol here declares is never looked for in these lists, which leave it out.
extension DelegateFamily {
    static let furtherOfApplications = [
        "applicationDidFinishLaunching(_:)",
        "applicationShouldAutomaticallyLocalizeKeyCommands(_:)", "applicationShouldRequestHealthAuthorization(_:)",
        "application(_:didChangeStatusBarFrame:)", "application(_:didChangeStatusBarOrientation:)",
        "application(_:didDecodeRestorableStateWith:)", "application(_:handle:completionHandler:)",
        "application(_:handleWatchKitExtensionRequest:reply:)", "application(_:handlerFor:)",
        "application(_:shouldAllowExtensionPointIdentifier:)",
        "application(_:shouldRestoreApplicationState:)", "application(_:shouldRestoreSecureApplicationState:)",
        "application(_:shouldSaveApplicationState:)", "application(_:shouldSaveSecureApplicationState:)",
        "application(_:userDidAcceptCloudKitShareWith:)",
        "application(_:viewControllerWithRestorationIdentifierPath:coder:)",
        "application(_:willChangeStatusBarFrame:)", "application(_:willChangeStatusBarOrientation:duration:)",
        "application(_:willEncodeRestorableStateWith:)",
    ]

    static let furtherOfScenes = [
        "scene(_:restoreInteractionStateWith:)",
        "stateRestorationActivity(for:)",
    ]

    static let furtherOfWindowScenes = [
        "windowScene(_:didUpdate:interfaceOrientation:traitCollection:)",
        "windowScene(_:userDidAcceptCloudKitShareWith:)",
    ]

    static let furtherOfLocations = [
        "locationManager(_:didFail:withError:)",
        "locationManager(_:didFinishDeferredUpdatesWithError:)",
        "locationManager(_:didUpdateTo:from:)",
    ]
}
