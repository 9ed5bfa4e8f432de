import Foundation
import PushModel
import SystemPort

/// The surroundings that the device notices.
struct Surroundings: Sendable {
    /// The location; nil while unknown.
    var location: LocationRecord?
    /// The location for apps with reduced accuracy.
    private(set) var approximate: LocationRecord?
    /// The location switch for all apps.
    private(set) var hasLocationServices = true
    /// The direction of its top in degrees clockwise from north, 0 to 360.
    private(set) var heading = 0.0
    /// The place at which it is, and since when.
    private(set) var stay: Stay?
    /// The beacons nearby, the nearest first.
    private var beacons: [NearbyBeacon] = []

    struct Stay: Sendable {
        var place: Coordinate
        var since: Date
        /// Whether it has lasted long enough for a visit.
        var isVisit = false
    }

    /// Computes the approximate location, unless the last one is too new. Returns the time until it may be computed then.
    mutating func approximate(at date: Date) -> TimeInterval? {
        guard let location else { return nil }
        if let approximate {
            let rest = Self.approximationInterval - date.timeIntervalSince(approximate.date)
            if rest > 0.001 { return rest }
        }
        func round(_ degrees: Double) -> Double {
            (degrees / Self.approximationStep).rounded() * Self.approximationStep
        }
        approximate = LocationRecord(
            place: Coordinate(latitude: round(location.place.latitude), longitude: round(location.place.longitude)),
            date: date,
            horizontalAccuracy: Self.approximateAccuracy
        )
        return nil
    }

    /// Turns location services on or off. Returns whether that is a change.
    mutating func setLocationServices(_ isEnabled: Bool) -> Bool {
        defer { hasLocationServices = isEnabled }
        return hasLocationServices != isEnabled
    }

    mutating func turn(to degrees: Double) {
        let turned = degrees.truncatingRemainder(dividingBy: 360)
        heading = turned < 0 ? turned + 360 : turned
    }

    mutating func set(beacons: [NearbyBeacon]) { self.beacons = beacons.sorted { $0.distance < $1.distance } }

    /// Returns the beacons that the device hears, the nearest first.
    func beacons(_ constraint: BeaconConstraint) -> [NearbyBeacon] {
        beacons.filter { $0.distance <= NearbyBeacon.range && constraint.matches($0) }
    }

    /// Returns where the device is relative to a region.
    func state(of region: GeoRegion) -> RegionWatch.State {
        switch region.shape {
        case .beacon(let uuid, let major, let minor, _):
            beacons(BeaconConstraint(uuid: uuid, major: major, minor: minor)).isEmpty ? .outside : .inside
        case .circle: RegionWatch(region, at: location?.place).state
        }
    }

    /// Begins a stay at a place that is far enough from the last one. Returns the visit that this ends.
    mutating func stay(at place: Coordinate, from date: Date) -> Stay? {
        let last = stay
        if let last, last.place.distance(to: place) <= DeviceState.visitRadius { return nil }
        stay = Stay(place: place, since: date)
        return last?.isVisit == true ? last : nil
    }

    /// Makes the stay a visit. Returns it if it was none.
    mutating func beginVisit() -> Stay? {
        guard stay?.isVisit == false else { return nil }
        stay?.isVisit = true
        return stay
    }
}

/// A deadline of the location services.
enum LocationDeadline: Hashable, Sendable {
    /// A stay has lasted long enough for a visit.
    case visit
    /// A significant change may be reported.
    case significantChange
    /// The approximate location is renewed.
    case approximate
}

extension DeviceState {
    mutating func reached(_ deadline: LocationDeadline) {
        switch deadline {
        case .visit: beginVisit()
        case .significantChange: checkSignificantChanges()
        case .approximate:
            approximate()
            for bundleID in bundleIDs where isReduced(bundleID) {
                sendFacts(bundleID)
                sendCurrentLocation(to: bundleID)
            }
            checkSignificantChanges()
        }
    }

    mutating func start(_ service: LocationService, for bundleID: String) {
        apps[bundleID]?.location.start(service)
        switch service {
        case .significantChanges: checkSignificantChanges()
        case .visits: planVisit()
        case .heading: sendHeading(to: bundleID)
        }
    }

    /// Sends an app that comes to the foreground, or gets permission, what it missed.
    mutating func catchUpWithPlaces(_ bundleID: String) {
        sendHeading(to: bundleID)
        rangeBeacons(for: bundleID)
        checkConditions(of: bundleID)
        checkSignificantChanges()
    }

    /// Returns whether the app may be told about a place now, also by starting it; otherwise emits the reason, if there is `news`.
    mutating func mayTell(_ bundleID: String, news: String) -> Bool {
        guard let record = apps[bundleID], mayUseLocation(bundleID) else { return false }
        if record.condition == .active { return true }
        if let reason = reasonForSilence(record) {
            emitChange("\(news) not reported: \(reason)", app: bundleID)
            return false
        }
        if record.location.access.isProvisional {
            // As for a crossing, the user is asked when "always" first matters. The news is not kept: our decision.
            ask(record, for: .locationAlways)
            return apps[bundleID]?.location.access.isProvisional == false
                && locationAuthorization(of: bundleID) == .always
        }
        return true
    }

    // MARK: Headings

    mutating func turn(to degrees: Double) {
        surroundings.turn(to: degrees)
        emitChange("heading \(surroundings.heading)")
        for bundleID in bundleIDs { sendHeading(to: bundleID) }
    }

    /// Reports the heading to an app in the foreground that follows it; headings need no permission. Source: Apple, "Getting the
    /// heading and course of a device".
    private mutating func sendHeading(to bundleID: String) {
        guard let record = apps[bundleID], record.location.followsHeading, record.condition == .active else { return }
        let isTrueKnown = location(for: record) != nil
        sendLocation(
            .turned(HeadingRecord(degrees: surroundings.heading, isTrueKnown: isTrueKnown, date: date)),
            to: bundleID
        )
    }

    // MARK: Beacons

    mutating func set(beacons: [NearbyBeacon]) {
        surroundings.set(beacons: beacons)
        emitChange(beacons.isEmpty ? "no beacons" : "\(beacons.count) beacons")
        fireCrossed()
        for bundleID in bundleIDs {
            rangeBeacons(for: bundleID)
            if mayUseLocation(bundleID) { checkRegions(of: bundleID) }
            checkConditions(of: bundleID)
        }
    }

    mutating func startRanging(_ constraint: BeaconConstraint, for bundleID: String) {
        apps[bundleID]?.location.range(constraint)
        switch locationAuthorization(of: bundleID) {
        case .denied, .restricted:
            sendLocation(.rangingFailed(constraint, .locationDenied), to: bundleID)
        case .notDetermined: break
        case .always, .whenInUse: range(constraint, for: bundleID)
        }
    }

    private mutating func rangeBeacons(for bundleID: String) {
        for constraint in apps[bundleID]?.location.ranged ?? [] { range(constraint, for: bundleID) }
    }

    /// Reports to an app in the foreground. A phone does so every second; here it is at each change, so that a run of a day has no
    /// 86,400 reports.
    private mutating func range(_ constraint: BeaconConstraint, for bundleID: String) {
        guard let record = apps[bundleID], mayUseLocation(bundleID), record.condition == .active
        else { return }
        if isReduced(record) {
            return emitChange("beacons not ranged: the app may use an approximate location only", app: bundleID)
        }
        sendLocation(.ranged(constraint, surroundings.beacons(constraint), date: date), to: bundleID)
    }
}

// Monitored beacon regions.

extension DeviceState {
    /// Reports the beacons nearby that apps monitor with `notifyEntryStateOnDisplay`, starting the apps if necessary.
    ///
    /// Source: Apple, `CLBeaconRegion.notifyEntryStateOnDisplay`: the location manager sends beacon notifications when the user turns
    /// on the display and the device is already inside the region, and the system launches an app for them.
    mutating func displayTurnedOn() {
        for bundleID in bundleIDs {
            guard let record = apps[bundleID], !isReduced(record) else { continue }
            for watch in record.location.regions.watches
            where watch.state == .inside && watch.region.isReportedOnDisplay {
                guard mayTell(bundleID, news: "presence in region '\(watch.region.identifier)'") else { continue }
                launchForLocation(bundleID)
                sendLocation(.state(watch.region, .inside), to: bundleID)
            }
        }
    }
}

extension GeoRegion {
    fileprivate var isReportedOnDisplay: Bool {
        if case .beacon(_, _, _, onDisplay: true) = shape { true } else { false }
    }
}
