import Foundation
import PushModel

/// Reads which devices did what with earlier pushes, for audiences that ask for it.
struct PastPushes: Sendable {
    /// The pushes that are looked at in one query for those who opened any.
    private static let page = 1000

    let store: any AcceptStore & ReportStore
    let registry: Registry
    let log: JourneyLog
    let settings: Adjustable<ServiceSettings>

    /// Returns the devices that the audience and its segments ask for; without a call to the store if they ask for none.
    ///
    /// - Throws: 1003 for a push that the app does not have, and for more days than pushes are kept.
    func devices(for audience: Audience, of app: App.ID, at date: Date) async throws -> PastDevices {
        var past = PastDevices()
        guard case .filter(let filter) = audience, filter.dependsOnPast || !filter.segments.isEmpty else { return past }
        var filters = [filter]
        for segment in registry.segments(of: app) where filter.segments.contains(where: segment.name.isSame) {
            if case .filter(let filter) = segment.audience { filters.append(filter) }
        }
        filters.removeAll { !$0.dependsOnPast }
        guard !filters.isEmpty else { return past }
        try await log.flush()
        for message in Set(filters.flatMap(\.pastPushes).map(\.message)) {
            guard try await store.knowsMessage(message, app: app, since: .distantPast) else {
                let days = settings.value.retention.messages
                throw JPushError.badValue(
                    "'audience.x_pushes' names \(message), which is not a push of the app; pushes are kept for \(days) days."
                )
            }
            for reach in try await store.reach(of: message, app: app) {
                past.got[message, default: DeviceSet()].insert(
                    reach.devices { reach.sent.contains($0) || reach.received.contains($0) }
                )
                past.opened[message, default: DeviceSet()].insert(reach.devices(reach.clicked.contains))
            }
        }
        for days in Set(filters.compactMap(\.openedNothingForDays)) {
            past.openers[days] = try await openers(days, of: app, at: date)
        }
        return past
    }

    private func openers(_ days: Int, of app: App.ID, at date: Date) async throws -> DeviceSet {
        let kept = settings.value.retention.messages
        guard days <= kept else {
            throw JPushError.badValue(
                "'audience.x_opened_nothing_for_days' is \(days); pushes are kept for \(kept) days, which is the most that it can be."
            )
        }
        var openers = DeviceSet()
        var next: MessageID? = MessageID(0)
        let since = RetentionRules.date(days, before: date)
        while let after = next {
            let page = try await store.openers(of: app, since: since, after: after, limit: Self.page)
            for devices in page.devices { openers.insert(devices[...]) }
            next = page.next
        }
        return openers
    }
}

extension ChunkReach {
    /// Returns the devices at the places that are meant.
    fileprivate func devices(_ isMeant: (Int) -> Bool) -> ArraySlice<DeviceOrdinal> {
        ordinals.indices.filter(isMeant).map { ordinals[$0] }[...]
    }
}
