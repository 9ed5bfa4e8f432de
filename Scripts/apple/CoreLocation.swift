// CoreLocation as far as the client for apps uses it, with the availability of Apple's headers.

@_exported import Foundation

@available(iOS 4.0, *)
open class CLRegion: NSObject, NSCopying, NSSecureCoding {
    public override init() {}
    public required init?(coder: NSCoder) {}
    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) {}
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

@available(iOS 7.0, *)
open class CLCircularRegion: CLRegion {}

@available(iOS 7.0, *)
open class CLBeaconRegion: CLRegion {}

@available(iOS 2.0, *)
open class CLLocation: NSObject {}
