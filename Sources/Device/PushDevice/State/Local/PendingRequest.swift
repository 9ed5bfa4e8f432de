import Foundation
import PushModel
import SystemPort

/// A pending local notification.
struct PendingRequest: Sendable {
    var bundleID: String
    var request: RequestRecord
    /// The sequence number of the request.
    var order: Int
    /// The time at which it fires; nil without a time trigger.
    var due: Date?
    /// The watched region; nil without a location trigger.
    var watch: RegionWatch?

    /// Requests without a date come last.
    func fires(before other: PendingRequest) -> Bool {
        (due ?? .distantFuture, order) < (other.due ?? .distantFuture, other.order)
    }
}

/// The pending local notifications of all apps.
struct PendingRequests: Sendable {
    var all: [PendingRequest] = []
    private var lastOrder = 0

    /// The earliest time at which one fires.
    var next: Date? { all.compactMap(\.due).min() }

    /// Returns the requests of an app, the next to fire first.
    func of(_ bundleID: String) -> [PendingRequest] {
        all.filter { $0.bundleID == bundleID }.sorted { $0.fires(before: $1) }
    }

    /// Returns the requests that fire until a date, in their order.
    func due(until date: Date) -> [PendingRequest] {
        all.filter { ($0.due ?? .distantFuture) <= date }.sorted { $0.fires(before: $1) }
    }

    mutating func nextOrder() -> Int {
        lastOrder += 1
        return lastOrder
    }

    /// Changes a request; nothing if it is not pending any more.
    mutating func change(_ order: Int, _ change: (inout PendingRequest) -> Void) {
        if let place = all.firstIndex(where: { $0.order == order }) { change(&all[place]) }
    }

    /// Removes requests, and returns them.
    @discardableResult
    mutating func remove(where matches: (PendingRequest) -> Bool) -> [PendingRequest] {
        let gone = all.filter(matches)
        all.removeAll(where: matches)
        return gone
    }

    /// Removes one request of an app with too many, and returns it. Requests without a date do not count.
    mutating func evict(of bundleID: String, _ profile: SystemProfile) -> PendingRequest? {
        let own = of(bundleID).filter { $0.due != nil }
        guard own.count > profile.pendingLimit else { return nil }
        let victim =
            switch profile.eviction {
            case .latestFiring: own.last
            case .oldestAdded: own.min { $0.order < $1.order }
            }
        return remove { $0.order == victim?.order }.first
    }
}
