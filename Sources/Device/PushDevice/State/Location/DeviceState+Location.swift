import PushModel
import SystemPort

// The device's location, and the apps that receive it.

/// An app's wish to get each new location.
struct LocationUpdates: Sendable {
    fileprivate(set) var areOn = false
    /// Whether locations are delivered in the background too.
    fileprivate(set) var goOnInBackground = false
}

/// The regions that an app monitors. They outlive the app's process.
struct WatchedRegions: Sendable {
    /// The regions, in the order in which they were added.
    fileprivate(set) var watches: [RegionWatch] = []
    /// Crossings that wait for the user's answer.
    fileprivate var held: [(region: GeoRegion, crossing: RegionWatch.Crossing)] = []
}

extension DeviceState {
    /// The accuracy of the device's location, in metres.
    static let locationAccuracy = 5.0

    mutating func call(_ call: LocationCall, from bundleID: String) {
        switch call {
        case .hello: sendLocation(.authorization, to: bundleID)
        case .requestAuthorization(let always): requestLocation(bundleID, always: always)
        case .startMonitoring(let region): startMonitoring(region, for: bundleID)
        case .stopMonitoring(let identifier):
            apps[bundleID]?.location.regions.watches.removeAll { $0.region.identifier == identifier }
            apps[bundleID]?.location.regions.held.removeAll { $0.region.identifier == identifier }
            sendFacts(bundleID)
        case .requestState(let region):
            let isKnown = mayUseLocation(bundleID) && !isReduced(bundleID)
            sendLocation(.state(region, isKnown ? surroundings.state(of: region) : .unknown), to: bundleID)
        case .startUpdating(let inBackground):
            apps[bundleID]?.location.updates = LocationUpdates(areOn: true, goOnInBackground: inBackground)
            if let error = refusal(of: bundleID) {
                sendLocation(.failed(error), to: bundleID)
            } else {
                sendCurrentLocation(to: bundleID)
            }
        case .updateInBackground(let inBackground):
            apps[bundleID]?.location.updates.goOnInBackground = inBackground
            planSuspension(of: bundleID)
        case .stopUpdating:
            apps[bundleID]?.location.updates = LocationUpdates()
            planSuspension(of: bundleID)
        case .requestLocation: sendLocationOnce(to: bundleID)
        case .start(let service): start(service, for: bundleID)
        case .stop(let service): apps[bundleID]?.location.stop(service)
        case .requestFullAccuracy(let number, let purposeKey):
            requestFullAccuracy(number, purposeKey: purposeKey, for: bundleID)
        case .startRanging(let constraint): startRanging(constraint, for: bundleID)
        case .stopRanging(let constraint): apps[bundleID]?.location.ranged.removeAll { $0 == constraint }
        case .addCondition(let region, let state, let monitor):
            add(region, assumed: state, to: monitor, of: bundleID)
        case .removeCondition(let identifier, let monitor): removeCondition(identifier, of: monitor, bundleID)
        case .startActivity: startActivity(of: bundleID)
        case .endActivity: endActivity(of: bundleID)
        }
    }

    private func refusal(of bundleID: String) -> SystemError? {
        switch locationAuthorization(of: bundleID) {
        case .denied, .restricted: .locationDenied
        case .notDetermined, .always, .whenInUse: nil
        }
    }

    // MARK: Places

    /// Moves the device: notifies apps that wait for a region crossing or for a location.
    mutating func move(to place: Coordinate, floor: Int? = nil) {
        let accuracy = Self.locationAccuracy
        surroundings.location = LocationRecord(place: place, date: date, horizontalAccuracy: accuracy, floor: floor)
        approximate()
        emitChange("location \(place.latitude),\(place.longitude)")
        for bundleID in bundleIDs { sendFacts(bundleID) }
        fireCrossed()
        for bundleID in bundleIDs where mayUseLocation(bundleID) {
            sendCurrentLocation(to: bundleID)
            checkRegions(of: bundleID)
            checkConditions(of: bundleID)
        }
        stay(at: place)
        checkSignificantChanges()
    }

    /// Reports the location to an app that follows it, if it is in the foreground or may continue in the background.
    mutating func sendCurrentLocation(to bundleID: String) {
        guard let record = apps[bundleID], let location = location(for: record), record.location.updates.areOn,
            record.condition == .active || record.location.updates.goOnInBackground || record.location.activity.isActive
        else { return }
        sendLocation(.updated(location), to: bundleID)
    }

    private mutating func sendLocationOnce(to bundleID: String) {
        let event: LocationEvent =
            if !mayUseLocation(bundleID) {
                .failed(.locationDenied)
            } else if let location = apps[bundleID].flatMap({ location(for: $0) }) {
                .updated(location)
            } else {
                .failed(.location(.locationUnknown, "The location is not known"))
            }
        sendLocation(event, to: bundleID)
    }

    /// Sends the event if the app is running.
    mutating func sendLocation(_ event: LocationEvent, to bundleID: String) { send(.location(event), to: bundleID) }

    // MARK: Regions

    /// Starts monitoring a region. A region of an app without location access is kept, and monitored once access is
    /// granted. Source of the limit and the errors: Apple, `startMonitoring(for:)` and `CLError.Code`.
    private mutating func startMonitoring(_ region: GeoRegion, for bundleID: String) {
        guard let watches = apps[bundleID]?.location.regions.watches else { return }
        let isNew = !watches.contains { $0.region.identifier == region.identifier }
        if let problem = region.problem {
            return fail(region, .location(.regionMonitoringFailure, problem), of: bundleID)
        }
        if isNew, watches.count >= GeoRegion.watchedLimit {
            let text = "The app already monitors \(GeoRegion.watchedLimit) regions; stop one of them first."
            return fail(region, .location(.regionMonitoringFailure, text), of: bundleID)
        }
        let access = locationAuthorization(of: bundleID)
        if access.isGranted, !isReduced(bundleID) { return watch(region.clamped, for: bundleID) }
        keep(RegionWatch(region.clamped, at: nil), for: bundleID)
        if access.isGranted {
            let words = "region '\(region.identifier)' not monitored: the app may use an approximate location only"
            emitChange(words, app: bundleID)
        } else if access != .notDetermined {
            fail(region, .location(.regionMonitoringDenied, SystemError.locationDenied.text), of: bundleID)
        }
    }

    /// Starts watching: the current location is not a crossing.
    mutating func watch(_ region: GeoRegion, for bundleID: String) {
        keep(RegionWatch(region, state: surroundings.state(of: region)), for: bundleID)
        sendLocation(.startedMonitoring(region), to: bundleID)
    }

    private mutating func keep(_ watch: RegionWatch, for bundleID: String) {
        let watches = apps[bundleID]?.location.regions.watches ?? []
        if let place = watches.firstIndex(where: { $0.region.identifier == watch.region.identifier }) {
            apps[bundleID]?.location.regions.watches[place] = watch
        } else {
            apps[bundleID]?.location.regions.watches.append(watch)
        }
        sendFacts(bundleID)
    }

    private mutating func fail(_ region: GeoRegion, _ error: SystemError, of bundleID: String) {
        emitChange("region '\(region.identifier)' not monitored: \(error.text)", app: bundleID)
        sendLocation(.monitoringFailed(region, error), to: bundleID)
    }

    /// Reports the regions that the device has entered or left.
    mutating func checkRegions(of bundleID: String) {
        guard let record = apps[bundleID], !isReduced(record) else { return }
        for index in record.location.regions.watches.indices {
            let region = record.location.regions.watches[index].region
            let state = surroundings.state(of: region)
            guard let crossing = apps[bundleID]?.location.regions.watches[index].update(to: state) else { continue }
            crossed(region, crossing, by: bundleID)
        }
    }

    private mutating func crossed(_ region: GeoRegion, _ crossing: RegionWatch.Crossing, by bundleID: String) {
        guard let record = apps[bundleID] else { return }
        if record.condition == .active { return sendCrossing(region, crossing, to: bundleID) }
        if let reason = reasonForSilence(record) {
            let words = "\(crossing) of region '\(region.identifier)' not reported: \(reason)"
            return emitChange(words, app: bundleID)
        }
        if record.location.access.isProvisional {
            // Holding the event until the answer is our decision; Apple says only that the prompt appears now.
            apps[bundleID]?.location.regions.held.append((region, crossing))
            return ask(record, for: .locationAlways)
        }
        sendCrossing(region, crossing, to: bundleID)
    }

    /// Returns why an app in the background is not notified of a crossing; nil if it is.
    func reasonForSilence(_ record: AppRecord) -> String? {
        if locationAuthorization(of: record.app.bundleID) != .always, !record.location.activity.isActive {
            return "the app may use the location only while it is in use"
        }
        return record.background.isAllowed ? nil : "Background App Refresh is off"
    }

    /// Handles the user's answer about "always": sends or drops the crossings that waited for it.
    mutating func releaseCrossings(_ bundleID: String) {
        let held = apps[bundleID]?.location.regions.held ?? []
        apps[bundleID]?.location.regions.held = []
        for (region, crossing) in held { crossed(region, crossing, by: bundleID) }
    }

    /// Notifies the app, starting it if necessary, even after the user swiped it away. Sources: Apple,
    /// `startMonitoring(for:)` (launched into the background with the location key),
    /// `locationManager(_:didDetermineState:for:)` (called at crossings too), and "App Programming Guide for iOS",
    /// background execution: location apps are relaunched after being force quit since iOS 8.
    mutating func launchForLocation(_ bundleID: String) {
        guard apps[bundleID]?.process == nil else { return }
        launchInBackground(bundleID, isForLocation: true)
    }

    private mutating func sendCrossing(_ region: GeoRegion, _ crossing: RegionWatch.Crossing, to bundleID: String) {
        launchForLocation(bundleID)
        sendLocation(.crossed(region, crossing), to: bundleID)
        sendLocation(.state(region, crossing == .entry ? .inside : .outside), to: bundleID)
    }
}

extension GeoRegion {
    /// The region with a monitored radius: at most ``greatestRadius``.
    fileprivate var clamped: GeoRegion {
        guard case .circle(let center, let radius) = shape else { return self }
        var region = self
        region.shape = .circle(center: center, radius: min(max(radius, 0), Self.greatestRadius))
        return region
    }
}
