public import Foundation
import PushModel
import SystemPort

/// The app's door to the device's place.
///
/// Each call finds the device of the app that makes it (`CurrentPort`), so a manager in a global variable, which
/// outlives its process on Linux, belongs to the next process too as soon as that uses it. Regions belong to the app:
/// all its managers share them, and they are watched while the app does not run.
open class CLLocationManager: NSObject {
    /// Held weakly, and called on the main thread. Set it before `application(_:didFinishLaunchingWithOptions:)` returns:
    /// what the app was launched for comes right after, or as soon as there is a delegate.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        didSet { if delegate != nil { tell(.hello) } }
    }

    /// Kept; the emulated device knows its place within 5 m, whatever is asked for.
    open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
    /// Metres between two places that are told; ``kCLDistanceFilterNone`` for every one.
    open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
    /// Kept; the emulated device never pauses.
    open var pausesLocationUpdatesAutomatically = true

    /// Places go on coming while the app is not in front. Setting it to true in an app whose `UIBackgroundModes` lack
    /// `location` raises an exception.
    open var allowsBackgroundLocationUpdates = false {
        didSet {
            if allowsBackgroundLocationUpdates, !isBackgroundable {
                RaisedException.raise(
                    "Invalid parameter not satisfying: !stayUp || CLClientIsBackgroundable(internal->fClient)"
                )
                allowsBackgroundLocationUpdates = false
            } else if slot.isUpdating {
                tell(.updateInBackground(slot.updatesInBackground))
            }
        }
    }

    /// Needs no device; the first use of the manager finds it.
    public override init() { super.init() }

    // MARK: Permission

    open var authorizationStatus: CLAuthorizationStatus { Self.status }

    @available(iOS, introduced: 4.2, deprecated: 14.0, message: "Use the property of an instance.")
    open class func authorizationStatus() -> CLAuthorizationStatus { status }

    private static var status: CLAuthorizationStatus {
        CLAuthorizationStatus(rawValue: facts.authorization.rawValue) ?? .notDetermined
    }

    /// The device's switch for all apps.
    open class func locationServicesEnabled() -> Bool { facts.areServicesEnabled }

    /// Asks the person, once. Without `NSLocationWhenInUseUsageDescription` in the Info.plist nothing happens.
    open func requestWhenInUseAuthorization() { tell(.requestAuthorization(always: false)) }

    /// Asks the person, once; of an app that may use the location while in use, whether it always may.
    ///
    /// Since iOS 13 an app that was not asked about gets the prompt of ``requestWhenInUseAuthorization()``, may always
    /// from then on, and the person is asked again when that first matters. Without
    /// `NSLocationAlwaysAndWhenInUseUsageDescription` and `NSLocationWhenInUseUsageDescription` in the Info.plist
    /// (`NSLocationAlwaysUsageDescription` before iOS 11) nothing happens.
    open func requestAlwaysAuthorization() { tell(.requestAuthorization(always: true)) }

    // MARK: Places

    /// The last known place; nil without one, and without permission.
    open var location: CLLocation? { Self.facts.last.map { CLLocation($0) } }

    /// Tells the delegate of the present place, and of each new one. While that goes on, another call changes nothing.
    open func startUpdatingLocation() {
        guard !slot.read(self).isUpdating else { return }
        slot.change(self) { use in
            use.isUpdating = true
            use.told = nil
        }
        tell(.startUpdating(inBackground: slot.updatesInBackground))
    }

    open func stopUpdatingLocation() {
        slot.change(self) { $0.isUpdating = false }
        tell(slot.isUpdating ? .updateInBackground(slot.updatesInBackground) : .stopUpdating)
    }

    /// Tells the delegate of the present place once, or of a failure.
    open func requestLocation() {
        slot.change(self) { $0.wantsOne = true }
        tell(.requestLocation)
    }

    // MARK: Regions

    /// True of circles; an emulated device hears no beacons.
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool { regionClass is CLCircularRegion.Type }

    /// In metres; a larger circle is monitored as one of this radius.
    open var maximumRegionMonitoringDistance: CLLocationDistance { GeoRegion.greatestRadius }

    /// All regions of the app, as copies.
    open var monitoredRegions: Set<CLRegion> { Set(Self.facts.monitored.map { CLRegion.make($0) }) }

    /// Watches a region until ``stopMonitoring(for:)`` or the device's next start, in the place of one with its
    /// identifier; an app has 20 at most.
    ///
    /// What becomes of it comes to the delegate. Crossings are told of while the app is in front, and with
    /// `authorizedAlways` at any time: then the app is launched for them. Where the device is now is no crossing.
    open func startMonitoring(for region: CLRegion) { tell(.startMonitoring(region.record)) }

    /// Stops watching the region with this one's identifier.
    open func stopMonitoring(for region: CLRegion) { tell(.stopMonitoring(identifier: region.identifier)) }

    /// Asks whether the device is inside; the delegate's `didDetermineState` has the answer.
    open func requestState(for region: CLRegion) { tell(.requestState(region.record)) }

    // MARK: Inside

    private static var facts: LocationFacts { CurrentPort.find().facts.location }

    private var slot: LocationSlot { .of(CurrentPort.find()) }

    private var isBackgroundable: Bool {
        CurrentPort.find().facts.info["UIBackgroundModes"]?.array?.contains("location") ?? false
    }

    private func tell(_ call: LocationCall) {
        let port = CurrentPort.find()
        _ = LocationSlot.of(port).read(self)
        port.call(.location(call)) { _ in }
    }
}
