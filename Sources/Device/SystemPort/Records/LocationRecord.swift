public import Foundation
public import PushModel

/// The device's location at a time, as sent over the port.
public struct LocationRecord: Hashable, Sendable, Codable {
    /// The coordinate.
    public var place: Coordinate
    /// The time at which the device was there.
    public var date: Date
    /// The radius of uncertainty in metres.
    public var horizontalAccuracy: Double
    /// The floor of the building; nil if unknown.
    public var floor: Int?

    /// Creates a location.
    public init(place: Coordinate, date: Date, horizontalAccuracy: Double, floor: Int? = nil) {
        self.floor = floor
        self.place = place
        self.date = date
        self.horizontalAccuracy = horizontalAccuracy
    }
}

/// The facts about its use of the location that an app can read without waiting.
public struct LocationFacts: Hashable, Sendable, Codable {
    /// The app's permission to use the location.
    public var authorization = LocationAuthorization.notDetermined
    /// The device's location switch for all apps.
    public var areServicesEnabled = true
    /// The device's location, if it is known and the app may use it.
    public var last: LocationRecord?
    /// The monitored regions, in the order in which they were added.
    public var monitored: [GeoRegion] = []
    /// Whether the app gets an approximate location only.
    public var isReduced = false
    /// Whether a background activity keeps the app in use.
    public var hasActivity = false
    /// The conditions of the app's monitors, by the monitor's name, in the order in which they were added.
    public var monitors: [String: [ConditionRecord]] = [:]

    /// Creates the facts of an app that has not asked yet.
    public init() {}
}

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
