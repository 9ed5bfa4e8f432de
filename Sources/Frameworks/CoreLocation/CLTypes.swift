public import Foundation
package import PushModel

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
/// The major value of a beacon, which tells groups apart.
public typealias CLBeaconMajorValue = UInt16
/// The minor value of a beacon, which tells beacons of a group apart.
public typealias CLBeaconMinorValue = UInt16

/// The greatest distance: no deferral by distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// Reports every movement.
public let kCLDistanceFilterNone: CLLocationDistance = -1

/// The accuracies for ``CLLocationManager/desiredAccuracy``, in metres; negative ones mean the best available.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The best accuracy without navigation; the accuracy asked for has no effect here.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// An accuracy of ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// An accuracy of a hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// An accuracy of a kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// An accuracy of three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// The accuracy of an app that gets approximate locations.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = .greatestFiniteMagnitude
/// Reports every turn.
public let kCLHeadingFilterNone: CLLocationDirection = -1
/// The longest time: no deferral by time.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude
/// A part of the magnetic field, in microteslas.
public typealias CLHeadingComponentValue = Double
/// The uncertainty of a direction, in degrees; negative if unknown.
public typealias CLLocationDirectionAccuracy = Double
/// The uncertainty of a speed, in metres a second; negative if unknown.
public typealias CLLocationSpeedAccuracy = Double

/// An app's access to the device's location.
public enum CLAuthorizationStatus: Int32, Sendable {
    /// The user was not asked.
    case notDetermined = 0
    /// A restriction of the device denies it. It never occurs here.
    case restricted = 1
    /// The user has denied it, or the location services are off.
    case denied = 2
    /// At any time.
    case authorizedAlways = 3
    /// While the app is in use.
    case authorizedWhenInUse = 4

    /// The name before iOS 8.
    @available(iOS, introduced: 4.2, deprecated: 8.0, renamed: "authorizedAlways")
    public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// The accuracy of the locations that an app gets.
public enum CLAccuracyAuthorization: Int, Sendable {
    /// Exact locations.
    case fullAccuracy = 0
    /// The user allows an approximate location only.
    case reducedAccuracy = 1
}

/// The movement that an app expects; stored only.
public enum CLActivityType: Int, Sendable {
    /// No particular one.
    case other = 1
    /// Driving.
    case automotiveNavigation
    /// On foot.
    case fitness
    /// By train, ship or bicycle.
    case otherNavigation
    /// Flying.
    case airborne
}

/// The orientation that headings refer to.
public enum CLDeviceOrientation: Int32, Sendable {
    /// Not known.
    case unknown = 0
    /// How the device is held; stored, without effect.
    case portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown
}

/// The device's position relative to a region.
public enum CLRegionState: Int, Sendable {
    /// The device does not know its location, or the app may not know it.
    case unknown = 0
    /// Within the border.
    case inside = 1
    /// Outside of the border.
    case outside = 2

    package init(_ state: RegionWatch.State) {
        switch state {
        case .unknown: self = .unknown
        case .inside: self = .inside
        case .outside: self = .outside
        }
    }
}
