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
    mutating func grant(_ options: UInt, of kinds: UInt, status: Int = 2) {
        settings.status = status
        settings.requested = options
        settings.allowed = options & kinds
    }

    /// Denies everything; `options` are those of the prompt that the user declined, if there was one.
    mutating func deny(_ options: UInt? = nil) {
        settings.status = 1
        settings.requested = options ?? settings.requested
        settings.allowed = 0
    }
}

extension SettingsRecord {
    /// The options that any app may have, as on iOS 8 and 9.
    static let usual = badge | sound | alert
}
