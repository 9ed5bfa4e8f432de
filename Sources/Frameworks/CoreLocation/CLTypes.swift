public import Foundation

/// An angle on the Earth, in degrees.
public typealias CLLocationDegrees = Double
/// A length in metres.
public typealias CLLocationDistance = Double
/// A radius of uncertainty in metres; negative if the associated value is invalid.
public typealias CLLocationAccuracy = Double
/// A speed in metres per second; negative if unknown.
public typealias CLLocationSpeed = Double
/// A direction in degrees clockwise from north; negative if unknown.
public typealias CLLocationDirection = Double
public typealias CLBeaconMajorValue = UInt16
public typealias CLBeaconMinorValue = UInt16

public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// Reports every movement.
public let kCLDistanceFilterNone: CLLocationDistance = -1

/// The accuracies for ``CLLocationManager/desiredAccuracy``, in metres; negative ones mean the best available.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// The accuracy of an app that gets approximate locations.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = .greatestFiniteMagnitude
/// Reports every turn.
public let kCLHeadingFilterNone: CLLocationDirection = -1
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude
public typealias CLHeadingComponentValue = Double
public typealias CLLocationDirectionAccuracy = Double
public typealias CLLocationSpeedAccuracy = Double

/// An app's access to the device's location.
public enum CLAuthorizationStatus: Int32, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorizedAlways = 3
    case authorizedWhenInUse = 4

    @available(iOS, introduced: 4.2, deprecated: 8.0, renamed: "authorizedAlways")
    public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// The accuracy of the locations that an app gets.
public enum CLAccuracyAuthorization: Int, Sendable {
    case fullAccuracy = 0
    /// The user allows an approximate location only.
    case reducedAccuracy = 1
}

/// The movement that an app expects; stored only.
public enum CLActivityType: Int, Sendable {
    case other = 1
    case automotiveNavigation
    case fitness
    case otherNavigation
    case airborne
}

/// The orientation that headings refer to.
public enum CLDeviceOrientation: Int32, Sendable {
    case unknown = 0
    case portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown
}
