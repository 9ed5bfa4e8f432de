/// What a person allows an app to know of the device's place, with the raw values of `CLAuthorizationStatus`.
public enum LocationAuthorization: Int32, Hashable, Sendable, Codable {
    case notDetermined = 0
    /// Something other than the person forbids it.
    case restricted = 1
    case denied = 2
    /// In the background too.
    case always = 3
    /// While the app is in front.
    case whenInUse = 4

    /// Whether the app may use the location at all.
    public var isGranted: Bool { self == .always || self == .whenInUse }
}
