/// An app's access to the device's location, with the raw values of `CLAuthorizationStatus`.
public enum LocationAuthorization: Int32, Hashable, Sendable, Codable {
    /// The user was not asked.
    case notDetermined = 0
    /// Denied by something other than the user.
    case restricted = 1
    /// The user has denied it.
    case denied = 2
    /// In the background too.
    case always = 3
    /// While the app is in the foreground.
    case whenInUse = 4

    /// Whether the app may use the location at all.
    public var isGranted: Bool { self == .always || self == .whenInUse }
}
