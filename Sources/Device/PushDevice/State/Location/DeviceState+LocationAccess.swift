import PushModel
import SystemPort

// Access to the device's location.

/// An app's permission to use the location.
struct LocationAccess: Sendable {
    /// The user's choice; the device's switch for all apps takes precedence.
    fileprivate(set) var authorization = LocationAuthorization.notDetermined
    /// Whether access was granted for use only, but is treated as "always" until it matters.
    fileprivate(set) var isProvisional = false
    /// Whether the app requests "always" in the prompt on the screen.
    fileprivate var wantsAlways = false
    /// Whether it has requested "always", which it can do once.
    fileprivate var hasAskedForAlways = false
}

extension DeviceState {
    /// Returns an app's location access. While the device's switch is off, every app is denied.
    func locationAuthorization(of bundleID: String) -> LocationAuthorization {
        surroundings.hasLocationServices ? apps[bundleID]?.location.access.authorization ?? .notDetermined : .denied
    }

    func mayUseLocation(_ bundleID: String) -> Bool { locationAuthorization(of: bundleID).isGranted }

    func locationFacts(_ record: AppRecord) -> LocationFacts {
        var facts = LocationFacts()
        facts.authorization = locationAuthorization(of: record.app.bundleID)
        facts.areServicesEnabled = surroundings.hasLocationServices
        facts.last = location(for: record)
        facts.isReduced = isReduced(record)
        facts.hasActivity = record.location.activity.isActive
        facts.monitors = record.location.monitors
        facts.monitored = record.location.regions.watches.map(\.region)
        return facts
    }

    // MARK: Prompts

    /// Handles an app's request. The user is asked at most twice: once about use, once about "always".
    ///
    /// Source: Apple, `requestWhenInUseAuthorization()` and `requestAlwaysAuthorization()`, read November 2026.
    mutating func requestLocation(_ bundleID: String, always: Bool) {
        guard let record = apps[bundleID], surroundings.hasLocationServices else { return }
        if let key = missingPurpose(of: record, always: always) {
            return emitChange("no location prompt: the Info.plist has no \(key)", app: bundleID)
        }
        switch record.location.access.authorization {
        case .notDetermined:
            if always {
                apps[bundleID]?.location.access.wantsAlways = true
                apps[bundleID]?.location.access.hasAskedForAlways = true
            }
            ask(record, for: .location)
        case .whenInUse where always && !record.location.access.hasAskedForAlways:
            apps[bundleID]?.location.access.hasAskedForAlways = true
            ask(record, for: .locationAlways)
        case .whenInUse where always:
            emitChange("no location prompt: the app has already asked for always access", app: bundleID)
        case .whenInUse, .always, .denied, .restricted: break
        }
    }

    /// Returns the Info.plist key whose absence prevents the prompt; nil if all are present.
    private func missingPurpose(of record: AppRecord, always: Bool) -> String? {
        var keys = ["NSLocationWhenInUseUsageDescription"]
        if always, profile.major < 11 { keys = ["NSLocationAlwaysUsageDescription"] }
        if always, profile.major >= 11 { keys.append("NSLocationAlwaysAndWhenInUseUsageDescription") }
        return keys.first { record.app.info[$0]?.string == nil }
    }

    mutating func answerLocation(_ question: PermissionPrompt, _ allow: Bool) {
        let bundleID = question.bundleID
        guard let old = apps[bundleID]?.location.access else { return }
        if question.subject == .locationAccuracy { return answerAccuracy(bundleID, allow) }
        let before = locationAuthorization(of: bundleID)
        // Since iOS 13 the first prompt does not offer "always"; a second one asks when it matters.
        let asksTwice = profile.major >= 13
        var access = old
        access.wantsAlways = false
        access.isProvisional = false
        switch (question.subject, allow) {
        // Changed in Settings in the meantime.
        case (.location, _) where old.authorization != .notDetermined: break
        case (.location, true):
            access.authorization = old.wantsAlways ? .always : .whenInUse
            access.isProvisional = old.wantsAlways && asksTwice
        case (.location, false): access.authorization = .denied
        case (.locationAlways, _) where !old.authorization.isGranted: break
        case (_, true): access.authorization = .always
        case (_, false): access.authorization = .whenInUse
        }
        apps[bundleID]?.location.access = access
        locationAccessChanged(bundleID, from: before)
        releaseCrossings(bundleID)
    }

    // MARK: Settings

    mutating func setLocationAccess(of bundleID: String, _ access: LocationAuthorization) {
        guard var new = apps[bundleID]?.location.access else { return }
        let before = locationAuthorization(of: bundleID)
        new.authorization = access
        new.isProvisional = false
        if access == .notDetermined { new.hasAskedForAlways = false }
        apps[bundleID]?.location.access = new
        locationAccessChanged(bundleID, from: before)
    }

    mutating func setLocationServices(_ isEnabled: Bool) {
        let before = apps.keys.map { ($0, locationAuthorization(of: $0)) }.sorted { $0.0 < $1.0 }
        guard surroundings.setLocationServices(isEnabled) else { return }
        emitChange(isEnabled ? "location services on" : "location services off")
        for (bundleID, old) in before {
            sendFacts(bundleID)
            locationAccessChanged(bundleID, from: old)
        }
    }

    private mutating func locationAccessChanged(_ bundleID: String, from before: LocationAuthorization) {
        let now = locationAuthorization(of: bundleID)
        guard now != before else { return }
        sendFacts(bundleID)
        emitChange("location access \(now)", app: bundleID)
        sendLocation(.authorization, to: bundleID)
        guard now.isGranted != before.isGranted else { return }
        if now.isGranted {
            // Monitoring that was requested before starts now.
            for region in apps[bundleID]?.location.regions.watches.map(\.region) ?? [] { watch(region, for: bundleID) }
            sendCurrentLocation(to: bundleID)
            catchUpWithPlaces(bundleID)
        } else if apps[bundleID]?.location.updates.areOn == true {
            sendLocation(.failed(.locationDenied), to: bundleID)
        }
    }
}
