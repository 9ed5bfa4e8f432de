public import Foundation
import PushModel
import SystemPort

/// The app's interface to the device's location.
///
/// Each call uses the device of the calling app (`CurrentPort`). A manager in a global variable, which outlives its
/// process on Linux, therefore belongs to the next process as soon as that uses it. Regions belong to the app: all its
/// managers share them, and they are monitored while the app is not running.
open class CLLocationManager: NSObject {
    /// The delegate, held weakly and called on the main thread. Set it before
    /// `application(_:didFinishLaunchingWithOptions:)` returns: the event that launched the app follows right after, or
    /// as soon as there is a delegate.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        didSet {
            guard let delegate else { return }
            DelegateCheck.review(delegate, on: CurrentPort.find())
            send(.hello)
        }
    }

    /// The desired accuracy, stored only; the emulated device knows its location within 5 m in any case.
    open var desiredAccuracy: CLLocationAccuracy = kCLLocationAccuracyBest
    /// The distance in metres between two reported locations; ``kCLDistanceFilterNone`` reports every one.
    open var distanceFilter: CLLocationDistance = kCLDistanceFilterNone
    /// Stored only; the emulated device never pauses.
    open var pausesLocationUpdatesAutomatically = true
    /// Stored only.
    open var activityType = CLActivityType.other
    /// Stored only; the emulated device draws no status bar.
    open var showsBackgroundLocationIndicator = false
    /// The turn in degrees between two reported headings; ``kCLHeadingFilterNone`` reports every one.
    open var headingFilter: CLLocationDegrees = 1
    /// Stored only; headings refer to the top of the device.
    open var headingOrientation = CLDeviceOrientation.portrait

    /// Whether locations are delivered in the background. Setting it to true in an app whose `UIBackgroundModes` lack
    /// `location` raises an exception.
    open var allowsBackgroundLocationUpdates = false {
        didSet {
            if allowsBackgroundLocationUpdates, !isBackgroundable {
                RaisedException.raise(
                    "Invalid parameter not satisfying: !stayUp || CLClientIsBackgroundable(internal->fClient)"
                )
                allowsBackgroundLocationUpdates = false
            } else if slot.isUpdating {
                send(.updateInBackground(slot.updatesInBackground))
            }
        }
    }

    /// Creates a manager without a device; the first use of the manager finds it.
    public override init() { super.init() }

    // MARK: Permission

    /// The permission of the app at this moment.
    open var authorizationStatus: CLAuthorizationStatus { Self.status }

    /// Returns the permission of the app, by its spelling before iOS 14.
    @available(iOS, introduced: 4.2, deprecated: 14.0, message: "Use the property of an instance.")
    open class func authorizationStatus() -> CLAuthorizationStatus { status }

    private static var status: CLAuthorizationStatus {
        CLAuthorizationStatus(rawValue: facts.authorization.rawValue) ?? .notDetermined
    }

    /// The device's location switch for all apps.
    open class func locationServicesEnabled() -> Bool { facts.areServicesEnabled }

    /// Asks the user, once. Without `NSLocationWhenInUseUsageDescription` in the Info.plist it has no effect.
    open func requestWhenInUseAuthorization() {
        if SystemSymbol.requestWhenInUse.require() { send(.requestAuthorization(always: false)) }
    }

    /// Asks the user, once; for an app with access while in use, whether it may always have access.
    ///
    /// Since iOS 13 an app that has not asked before gets the prompt of ``requestWhenInUseAuthorization()``, has
    /// "always" access from then on, and the user is asked again when that first matters. Without
    /// `NSLocationAlwaysAndWhenInUseUsageDescription` and `NSLocationWhenInUseUsageDescription` in the Info.plist
    /// (`NSLocationAlwaysUsageDescription` before iOS 11) it has no effect.
    open func requestAlwaysAuthorization() {
        if SystemSymbol.requestAlways.require() { send(.requestAuthorization(always: true)) }
    }

    /// Whether the app gets exact or approximate locations; iOS 13 and earlier know exact ones only.
    open var accuracyAuthorization: CLAccuracyAuthorization { Self.facts.isReduced ? .reducedAccuracy : .fullAccuracy }

    /// Whether widgets may use the location: here with permission at any time.
    open var isAuthorizedForWidgetUpdates: Bool { authorizationStatus == .authorizedAlways }

    /// Asks the user for exact locations until the app leaves the foreground.
    ///
    /// - Parameters:
    ///   - purposeKey: a key of `NSLocationTemporaryUsageDescriptionDictionary` in the Info.plist.
    ///   - completion: called on the main thread; with ``CLError/Code/promptDeclined`` if the user declined or could not be asked.
    open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String,
        completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let number = slot.wait(completion)
        send(.requestFullAccuracy(number: number, purposeKey: purposeKey))
    }

    /// Asks for the exact location until the app is no longer in use.
    ///
    /// - Throws: ``CLError`` if the user declines or the purpose is not in Info.plist.
    nonisolated(nonsending) open func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) { error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume()
                }
            }
        }
    }

    // MARK: Locations

    /// The last known location; nil if unknown, and without permission.
    open var location: CLLocation? { Self.facts.last.map { CLLocation($0) } }

    /// Reports the current location and each new one to the delegate. Has no effect while updates are already running.
    open func startUpdatingLocation() {
        guard !slot.read(self).isUpdating else { return }
        slot.change(self) { use in
            use.isUpdating = true
            use.lastReported = nil
        }
        send(.startUpdating(inBackground: slot.updatesInBackground))
    }

    /// Ends the updates of this manager.
    open func stopUpdatingLocation() {
        slot.change(self) { $0.isUpdating = false }
        send(slot.isUpdating ? .updateInBackground(slot.updatesInBackground) : .stopUpdating)
    }

    /// Reports the current location to the delegate once, or a failure.
    open func requestLocation() {
        guard SystemSymbol.requestLocation.require() else { return }
        slot.change(self) { $0.wantsOne = true }
        send(.requestLocation)
    }

    // MARK: Significant changes and visits

    /// Returns true: the device can tell.
    open class func significantLocationChangeMonitoringAvailable() -> Bool { true }

    /// Reports the location now, and as soon as the device has moved 500 m or more and five minutes have passed.
    ///
    /// With `authorizedAlways` the app is launched for it; it then has to call this method again.
    open func startMonitoringSignificantLocationChanges() {
        slot.change(self) { use in
            use.followsChanges = true
            use.lastChange = nil
        }
        send(.start(.significantChanges))
    }

    /// Ends the reports of significant changes.
    open func stopMonitoringSignificantLocationChanges() {
        slot.change(self) { $0.followsChanges = false }
        if !slot.uses(\.followsChanges) { send(.stop(.significantChanges)) }
    }

    /// Reports arrivals and departures; with `authorizedAlways` the app is launched for them. Only the delegate has to be set again
    /// then.
    open func startMonitoringVisits() {
        if SystemSymbol.startVisits.require() { send(.start(.visits)) }
    }

    /// Ends the reports of visits.
    open func stopMonitoringVisits() { send(.stop(.visits)) }

    // MARK: Headings

    /// Returns true: the device has a compass.
    open class func headingAvailable() -> Bool { true }

    /// The last reported heading; nil before there is one.
    open var heading: CLHeading? { slot.read(self).heading }

    /// Reports the heading now and each turn, while the app is in the foreground.
    open func startUpdatingHeading() {
        slot.change(self) { use in
            use.followsHeading = true
            use.heading = nil
        }
        send(.start(.heading))
    }

    /// Ends the reports of headings.
    open func stopUpdatingHeading() {
        slot.change(self) { $0.followsHeading = false }
        if !slot.uses(\.followsHeading) { send(.stop(.heading)) }
    }

    /// Has no effect; the emulated device needs no calibration.
    open func dismissHeadingCalibrationDisplay() {}

    // MARK: Beacons

    /// Returns true: the device can tell how near beacons are.
    open class func isRangingAvailable() -> Bool { true }

    /// The constraints that this manager ranges.
    open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> {
        Set(slot.read(self).ranged.map { CLBeaconIdentityConstraint($0) })
    }

    /// Reports the beacons nearby now and at each change, while the app is in the foreground.
    open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        slot.change(self) { _ = $0.ranged.insert(constraint.record) }
        send(.startRanging(constraint.record))
    }

    /// Ends the reports of these beacons.
    open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
        let use = slot.change(self) { _ = $0.ranged.remove(constraint.record) }
        if use.rangedRegions[constraint.record] == nil { send(.stopRanging(constraint.record)) }
    }

    // MARK: Beacons, in the spelling before iOS 13: by regions

    /// The regions that this manager ranges with ``startRangingBeacons(in:)``.
    @available(iOS, introduced: 7.0, deprecated: 13.0, message: "Use rangedBeaconConstraints.")
    open var rangedRegions: Set<CLRegion> { Set(slot.read(self).rangedRegions.values) }

    /// Reports the beacons of a region now and at each change, while the app is in the foreground, to
    /// `locationManager(_:didRangeBeacons:in:)`.
    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "startRangingBeacons(satisfying:)")
    open func startRangingBeacons(in region: CLBeaconRegion) {
        let constraint = region.beaconIdentityConstraint.record
        slot.change(self) { $0.rangedRegions[constraint] = region }
        send(.startRanging(constraint))
    }

    /// Ends the reports of the beacons of a region, by the spelling before iOS 13.
    @available(iOS, introduced: 7.0, deprecated: 13.0, renamed: "stopRangingBeacons(satisfying:)")
    open func stopRangingBeacons(in region: CLBeaconRegion) {
        let constraint = region.beaconIdentityConstraint.record
        let use = slot.change(self) { $0.rangedRegions[constraint] = nil }
        if !use.ranged.contains(constraint) { send(.stopRanging(constraint)) }
    }

    // MARK: Regions

    /// True for circles and beacons.
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
        regionClass is CLCircularRegion.Type || regionClass is CLBeaconRegion.Type
    }

    /// The maximum radius in metres; a larger circle is monitored with this radius.
    open var maximumRegionMonitoringDistance: CLLocationDistance { GeoRegion.greatestRadius }

    /// All regions of the app, as copies.
    open var monitoredRegions: Set<CLRegion> { Set(Self.facts.monitored.map { CLRegion.make($0) }) }

    /// Monitors a region until ``stopMonitoring(for:)`` or the device's next restart, replacing one with the same
    /// identifier; an app has at most 20.
    ///
    /// The delegate receives the result. Crossings are reported while the app is in the foreground, and with
    /// `authorizedAlways` at any time: the app is then launched for them. The current location is not a crossing.
    open func startMonitoring(for region: CLRegion) { send(.startMonitoring(region.record)) }

    /// Stops monitoring the region with this one's identifier.
    open func stopMonitoring(for region: CLRegion) { send(.stopMonitoring(identifier: region.identifier)) }

    /// Asks whether the device is inside; the delegate's `didDetermineState` receives the answer.
    open func requestState(for region: CLRegion) { send(.requestState(region.record)) }

    // MARK: Internals

    private static var facts: LocationFacts { CurrentPort.facts.location }

    private var slot: LocationSlot { .current }

    private var isBackgroundable: Bool {
        CurrentPort.facts.info["UIBackgroundModes"]?.array?.contains("location") ?? false
    }

    func send(_ call: LocationCall) {
        let port = CurrentPort.find()
        _ = LocationSlot.of(port).read(self)
        port.call(.location(call))
    }
}
