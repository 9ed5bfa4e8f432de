import Foundation
import PushModel
import SystemPort

/// The managers of one process of an app, held weakly.
///
/// `@unchecked Sendable`: an app's managers need not be Sendable; the list is read and written under the lock, and
/// managers are called on the main thread only.
package final class LocationSlot: PortSlot, @unchecked Sendable {
    /// The state of a manager in this process.
    struct Use {
        var isUpdating = false
        var wantsOne = false
        /// The authorization last reported to its delegate.
        var status: CLAuthorizationStatus?
        /// The location last reported to its delegate.
        var lastReported: CLLocation?
        /// The accuracy last reported to its delegate.
        var accuracy: CLAccuracyAuthorization?
        var followsChanges = false
        /// The significant change last reported to its delegate.
        var lastChange: CLLocation?
        var followsHeading = false
        var heading: CLHeading?
        var ranged: Set<BeaconConstraint> = []
        /// The regions that are ranged in the spelling before iOS 13.
        var rangedRegions: [BeaconConstraint: CLBeaconRegion] = [:]
    }

    private struct Entry {
        weak var manager: CLLocationManager?
        var use = Use()
    }

    private let lock = NSLock()
    private var entries: [Entry] = []
    /// Crossings not delivered to any delegate yet.
    private var held: [LocationEvent] = []

    package init() {}

    /// Returns the state of a manager; an unknown manager is added.
    func read(_ manager: CLLocationManager) -> Use { change(manager) { _ in } }

    @discardableResult
    func change(_ manager: CLLocationManager, _ body: (inout Use) -> Void) -> Use {
        lock.withLock {
            entries.removeAll { $0.manager == nil }
            if let place = entries.firstIndex(where: { $0.manager === manager }) {
                body(&entries[place].use)
                return entries[place].use
            }
            var entry = Entry(manager: manager)
            body(&entry.use)
            entries.append(entry)
            return entry.use
        }
    }

    /// The managers that still exist, in the order of their first use.
    var managers: [CLLocationManager] { lock.withLock { entries.compactMap(\.manager) } }

    var isUpdating: Bool { managers.contains { read($0).isUpdating } }

    var updatesInBackground: Bool { managers.contains { read($0).isUpdating && $0.allowsBackgroundLocationUpdates } }

    func uses(_ service: KeyPath<Use, Bool>) -> Bool { managers.contains { read($0)[keyPath: service] } }

    // MARK: Sessions

    private var sessions = 0

    /// The number of service sessions that the app holds.
    var sessionCount: Int { lock.withLock { sessions } }

    func countSession(_ difference: Int) { lock.withLock { sessions += difference } }

    // MARK: Requests for full accuracy

    private var waiting: [Int: @Sendable ((any Error)?) -> Void] = [:]
    private var lastRequest = 0

    /// Keeps a completion.
    ///
    /// - Returns: the request's number.
    func wait(_ completion: (@Sendable ((any Error)?) -> Void)?) -> Int {
        lock.withLock {
            lastRequest += 1
            waiting[lastRequest] = completion
            return lastRequest
        }
    }

    func takeWaiting(_ number: Int) -> (@Sendable ((any Error)?) -> Void)? {
        lock.withLock { waiting.removeValue(forKey: number) }
    }

    // MARK: Events without a delegate

    func hold(_ event: LocationEvent) { lock.withLock { held.append(event) } }

    func takeHeld() -> [LocationEvent] {
        lock.withLock { held.takeAll() }
    }
}
