import SystemPort

// Permission requests of apps before iOS 10. Source: Apple, `UIApplication`, `UIUserNotificationSettings`.

extension UIApplication {
    /// Asks the user the first time. The delegate receives the granted types in `application(_:didRegister:)`, at later
    /// calls without a prompt. The categories replace the previous ones.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNUserNotificationCenter.")
    public func registerUserNotificationSettings(_ notificationSettings: UIUserNotificationSettings) {
        guard SystemSymbol.registerSettings.require() else { return }
        let categories = UIUserNotificationCategory.records(of: notificationSettings.categories ?? [])
        let types = notificationSettings.types.rawValue
        CurrentPort.find().call(.registerUserNotificationSettings(types: types, categories: categories))
    }

    /// The types granted now, and the categories.
    @available(iOS, introduced: 8.0, deprecated: 10.0, message: "Use UNUserNotificationCenter.")
    public var currentUserNotificationSettings: UIUserNotificationSettings? {
        guard SystemSymbol.currentSettings.require() else { return nil }
        var types: UInt = 0
        if case .settings(let settings) = CurrentPort.find().read(.notificationSettings),
            settings.authorization != .provisional
        {
            types = settings.allowed & 7
        }
        return UIUserNotificationSettings(granted: types)
    }

    /// Asks the user the first time, and requests an APNs token; iOS 7 and before. Later systems do nothing.
    @available(iOS, introduced: 3.0, deprecated: 8.0, message: "Use registerForRemoteNotifications().")
    public func registerForRemoteNotifications(matching types: UIRemoteNotificationType) {
        let port = CurrentPort.find()
        guard port.facts.systemMajor < 8 else {
            return print("registerForRemoteNotificationTypes: is not supported in iOS 8.0 and later.")
        }
        port.call(.requestAuthorization(options: types.rawValue & 7))
        port.call(.registerForRemoteNotifications)
    }

    /// The types that the user allows; iOS 7 and before. Later systems return none.
    @available(iOS, introduced: 3.0, deprecated: 8.0, message: "Use currentUserNotificationSettings.")
    public func enabledRemoteNotificationTypes() -> UIRemoteNotificationType {
        let port = CurrentPort.find()
        guard port.facts.systemMajor < 8, case .settings(let settings) = port.read(.notificationSettings) else {
            return []
        }
        return UIRemoteNotificationType(rawValue: settings.allowed & 7)
    }
}

extension UIUserNotificationSettings {
    /// Creates the settings with the categories stored on the device.
    @MainActor
    convenience init(granted types: UInt) {
        var categories: Set<UIUserNotificationCategory>?
        if case .categories(let records) = CurrentPort.find().read(.categories), !records.isEmpty {
            categories = Set(records.map { UIUserNotificationCategory($0) })
        }
        self.init(types: UIUserNotificationType(rawValue: types), categories: categories)
    }
}
