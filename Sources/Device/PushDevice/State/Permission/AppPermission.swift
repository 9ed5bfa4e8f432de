import SystemPort

/// The user's settings for an app's notifications, and the registrations of an iOS 8 or 9 app that wait for them.
struct AppPermission: Sendable {
    var settings = SettingsRecord()
    /// The requested types of an iOS 8 or 9 app: the bits of `UIUserNotificationType`.
    private var types: UInt = 0
    /// The number of such requests by its process that have not been answered yet.
    private var calls = 0

    mutating func startProcess() { calls = 0 }

    /// Adds a registration.
    mutating func register(_ types: UInt) {
        self.types = calls > 0 ? self.types | types : types
        calls += 1
    }

    /// The types of the registrations that wait for an answer.
    var awaitedTypes: UInt { calls > 0 ? types : 0 }

    /// Removes the registrations that wait. Returns their number, and the types that are granted.
    mutating func takeCalls() -> (count: Int, types: UInt) {
        defer { calls = 0 }
        return (calls, settings.allowed & types)
    }

    /// Grants those of the options that the app can have; nothing is asked of the user.
    mutating func grant(
        _ options: UInt,
        of kinds: UInt,
        as authorization: SettingsRecord.Authorization = .authorized
    ) {
        settings.authorization = authorization
        settings.requested = options
        settings.allowed = options & kinds
    }

    /// Grants types that the user was not asked about with those that they allowed.
    mutating func grantFurther(_ types: UInt) {
        settings.allowed |= types & ~settings.requested
        settings.requested |= types
    }

    /// Enables settings that become available to the user and are not set yet.
    mutating func offer(_ app: InstalledApp, on profile: SystemProfile, announcement isAsked: Bool) {
        if profile.hasInterruptionLevels, app.entitlements.contains(.timeSensitive) { settings.timeSensitive = true }
        if profile.hasScheduledSummary {
            settings.scheduledDelivery = settings.scheduledDelivery ?? false
            // On at first, for apps that may have communication notifications.
            let mayHaveMessages = app.entitlements.contains(.communication)
            settings.directMessages = settings.directMessages ?? (mayHaveMessages ? true : nil)
        }
        if profile.announcements == .always || profile.announcements == .onRequest && isAsked {
            settings.announcement = settings.announcement ?? false
        }
    }

    /// Changes the settings as the user does.
    mutating func change(_ change: (inout SettingsRecord) -> Void) { change(&settings) }

    /// Denies everything; `options` are those of the prompt that the user declined, if there was one.
    mutating func deny(_ options: UInt? = nil) {
        settings.authorization = .denied
        settings.requested = options ?? settings.requested
        settings.allowed = 0
    }
}

extension SettingsRecord {
    /// The options that any app may have, as on iOS 8 and 9.
    static let usual = badge | sound | alert
}
