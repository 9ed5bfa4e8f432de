public import Foundation
public import PushModel

/// Where a device was, and when, as it crosses the port.
public struct LocationRecord: Hashable, Sendable, Codable {
    public var place: Coordinate
    public var date: Date
    /// The radius of uncertainty in metres.
    public var horizontalAccuracy: Double

    public init(place: Coordinate, date: Date, horizontalAccuracy: Double) {
        self.place = place
        self.date = date
        self.horizontalAccuracy = horizontalAccuracy
    }
}

/// What an app can know about its use of the location, without waiting.
public struct LocationFacts: Hashable, Sendable, Codable {
    public var authorization = LocationAuthorization.notDetermined
    /// The device's switch for all apps.
    public var areServicesEnabled = true
    /// Where the device is, if that is known and the app may know it.
    public var last: LocationRecord?
    /// In the order in which they were added.
    public var monitored: [GeoRegion] = []

    public init() {}
}
