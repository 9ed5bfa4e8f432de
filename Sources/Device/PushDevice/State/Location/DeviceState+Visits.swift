import Foundation
import PushModel
import SystemPort

// Visits and significant changes.

extension DeviceState {
    /// The time after which a stay is a visit. Apple documents no time ("a noteworthy time"): our decision.
    static let visitTime = Duration.seconds(300)
    /// The distance in metres within which the device stays at a place. Our decision.
    static let visitRadius = 100.0
    /// The distance and the time between two significant changes. Source: Apple, `startMonitoringSignificantLocationChanges()`: an
    /// app can expect a notification as soon as the device moves 500 metres or more from its previous one, not more often than once
    /// every five minutes.
    static let significantDistance = 500.0
    static let significantInterval: TimeInterval = 300

    // MARK: Visits

    /// Notes where the device is: a place that is far enough away ends the stay, and begins another.
    mutating func stay(at place: Coordinate) {
        if let visit = surroundings.stay(at: place, from: date) { endVisit(visit) }
        planVisit()
    }

    /// Waits for the end of the time that makes the stay a visit, if an app wants to know.
    mutating func planVisit() {
        guard let stay = surroundings.stay, !stay.isVisit, apps.values.contains(where: \.location.followsVisits) else {
            return add(.cancel(.location(.visit)))
        }
        let rest = Self.visitTime - .seconds(date.timeIntervalSince(stay.since))
        if rest > .zero { add(.alarm(.location(.visit), rest)) } else { _ = surroundings.beginVisit() }
    }

    mutating func beginVisit() {
        guard let stay = surroundings.beginVisit() else { return }
        for bundleID in bundleIDs where apps[bundleID]?.location.followsVisits == true {
            apps[bundleID]?.location.knowsArrival = true
            send(visit: stay, departure: nil, to: bundleID)
        }
    }

    private mutating func endVisit(_ stay: Surroundings.Stay) {
        for bundleID in bundleIDs where apps[bundleID]?.location.followsVisits == true {
            send(visit: stay, departure: date, to: bundleID)
            apps[bundleID]?.location.knowsArrival = false
        }
    }

    /// Reports a visit, starting the app if necessary. Source: Apple, `startMonitoringVisits()`.
    private mutating func send(visit stay: Surroundings.Stay, departure: Date?, to bundleID: String) {
        let knowsArrival = apps[bundleID]?.location.knowsArrival == true
        guard mayTell(bundleID, news: departure == nil ? "arrival" : "departure"), let record = apps[bundleID] else {
            return
        }
        let isApproximate = isReduced(record)
        let place = isApproximate ? surroundings.approximate?.place ?? stay.place : stay.place
        launchForLocation(bundleID)
        let visit = VisitRecord(
            place: place,
            horizontalAccuracy: isApproximate ? Surroundings.approximateAccuracy : Self.locationAccuracy,
            arrival: knowsArrival ? stay.since : nil,
            departure: departure
        )
        sendLocation(.visited(visit), to: bundleID)
    }

    // MARK: Significant changes

    /// Reports what is due, and waits for what is due later.
    mutating func checkSignificantChanges() {
        if let rest = bundleIDs.compactMap({ checkSignificantChange(of: $0) }).min() {
            add(.alarm(.location(.significantChange), .seconds(rest)))
        } else {
            add(.cancel(.location(.significantChange)))
        }
    }

    /// - Returns: the time until the app may be told; nil if there is nothing to tell.
    private mutating func checkSignificantChange(of bundleID: String) -> TimeInterval? {
        guard let record = apps[bundleID], let changes = record.location.significant,
            let now = location(for: record)
        else { return nil }
        if let last = changes.last {
            if last.place.distance(to: now.place) < Self.significantDistance { return nil }
            let rest = Self.significantInterval - date.timeIntervalSince(last.date)
            if rest > 0.001 { return rest }
        }
        guard mayTell(bundleID, news: "significant change") else { return nil }
        launchForLocation(bundleID)
        var reported = now
        reported.date = date
        apps[bundleID]?.location.significant?.last = reported
        sendLocation(.changedSignificantly(now), to: bundleID)
        return nil
    }
}
