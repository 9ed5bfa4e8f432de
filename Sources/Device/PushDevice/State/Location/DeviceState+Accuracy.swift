import Foundation
import PushModel
import SystemPort

// The approximate location of apps with reduced accuracy (iOS 14 and later). Sources: Apple, `CLAccuracyAuthorization` and
// `NSLocationDefaultAccuracyReduced`; radar.com, "Understanding approximate location in iOS 14": the location is computed about four
// times an hour and accurate to between 1 and 20 km, significant changes and visits get it too, and region monitoring and beacons do
// not work.

extension Surroundings {
    /// The time between two approximate locations.
    static let approximationInterval: TimeInterval = 900
    /// The size of the fields that the approximate locations are the centres of, in degrees: about 5 km. Our decision within the
    /// limits above.
    static let approximationStep = 0.05
    static let approximateAccuracy = 5000.0
}

/// The accuracy of the location that an app gets.
struct LocationAccuracy: Sendable {
    /// The user's choice of an approximate location; nil if there was none, and the app's Info.plist decides.
    fileprivate var isReducedByUser: Bool?
    /// Whether the user allowed full accuracy until the app is no longer in use.
    fileprivate var isFullForNow = false
    /// The requests for full accuracy that wait for the user's answer.
    fileprivate var requests: [Int] = []

    mutating func startProcess() {
        isFullForNow = false
        requests = []
    }
}

extension DeviceState {
    /// Whether the app gets an approximate location.
    func isReduced(_ record: AppRecord) -> Bool {
        guard profile.major >= 14, !record.location.accuracy.isFullForNow else { return false }
        return record.location.accuracy.isReducedByUser ?? record.app.info["NSLocationDefaultAccuracyReduced"]?.bool
            ?? false
    }

    /// Whether the app with an id gets an approximate location.
    func isReduced(_ bundleID: String) -> Bool { apps[bundleID].map { isReduced($0) } ?? false }

    /// Returns the location as the app may know it; nil if it is unknown or the app has no permission.
    func location(for record: AppRecord) -> LocationRecord? {
        guard mayUseLocation(record.app.bundleID) else { return nil }
        return isReduced(record) ? surroundings.approximate : surroundings.location
    }

    /// Computes the approximate location, unless the last one is too new; it is then computed later.
    mutating func approximate() {
        guard let rest = surroundings.approximate(at: date), apps.values.contains(where: { isReduced($0) }) else {
            return
        }
        add(.alarm(.location(.approximate), .seconds(rest)))
    }

    // MARK: The user's choice

    mutating func setPrecise(_ bundleID: String, _ isAllowed: Bool) {
        guard let record = apps[bundleID] else { return }
        let before = isReduced(record)
        apps[bundleID]?.location.accuracy.isReducedByUser = !isAllowed
        accuracyChanged(bundleID, from: before)
    }

    /// Handles an app's request. Source: Apple, `requestTemporaryFullAccuracyAuthorization(withPurposeKey:completion:)`.
    mutating func requestFullAccuracy(_ number: Int, purposeKey: String, for bundleID: String) {
        guard let record = apps[bundleID] else { return }
        var refusal: SystemError?
        let purposes = record.app.info["NSLocationTemporaryUsageDescriptionDictionary"]?.object
        if !mayUseLocation(bundleID) {
            refusal = .locationDenied
        } else if purposes?[purposeKey]?.string == nil {
            refusal = .location(
                .promptDeclined,
                "NSLocationTemporaryUsageDescriptionDictionary of the Info.plist has no text for '\(purposeKey)'"
            )
        } else if record.condition != .active {
            refusal = .location(.promptDeclined, "The app is not in the foreground")
        }
        if refusal != nil || !isReduced(record) {
            return sendLocation(.fullAccuracy(number: number, refusal), to: bundleID)
        }
        apps[bundleID]?.location.accuracy.requests.append(number)
        ask(record, for: .locationAccuracy)
    }

    mutating func answerAccuracy(_ bundleID: String, _ allow: Bool) {
        guard let record = apps[bundleID] else { return }
        let before = isReduced(record)
        if allow { apps[bundleID]?.location.accuracy.isFullForNow = true }
        apps[bundleID]?.location.accuracy.requests = []
        accuracyChanged(bundleID, from: before)
        let refusal = allow ? nil : SystemError.location(.promptDeclined, "The user declined")
        for number in record.location.accuracy.requests {
            sendLocation(.fullAccuracy(number: number, refusal), to: bundleID)
        }
    }

    /// Ends what the user allowed once: the app is no longer in use.
    mutating func endFullAccuracy(of bundleID: String) {
        guard apps[bundleID]?.location.accuracy.isFullForNow == true else { return }
        apps[bundleID]?.location.accuracy.isFullForNow = false
        accuracyChanged(bundleID, from: false)
    }

    private mutating func accuracyChanged(_ bundleID: String, from before: Bool) {
        guard let record = apps[bundleID], isReduced(record) != before else { return }
        if !before { approximate() }
        sendFacts(bundleID)
        emitChange(before ? "precise location on" : "precise location off", app: bundleID)
        sendLocation(.authorization, to: bundleID)
        guard mayUseLocation(bundleID) else { return }
        if before {
            // Regions are monitored again, from where the device is now.
            for region in record.location.regions.watches.map(\.region) { watch(region, for: bundleID) }
        }
        sendCurrentLocation(to: bundleID)
        catchUpWithPlaces(bundleID)
    }
}
