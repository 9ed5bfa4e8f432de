package import PushModel

/// The counts of notifications on the devices that have one version of the app.
package struct AppVersionCounts: Codable, Sendable, Equatable {
    /// The version that the devices have now; nil for devices whose SDK sent none.
    @OrNull package var appVersion: String?
    package var counts = DeliveryCounts()

    private enum CodingKeys: String, CodingKey {
        case appVersion
        case counts = "_0"
    }
}

package struct AppVersionsAnswer: Codable, Sendable {
    package let appVersions: [AppVersionCounts]

    package init(appVersions: [AppVersionCounts]) { self.appVersions = appVersions }
}

extension ReportQueries {
    /// Returns the counts of notifications by the app's version, as the devices report it now; the version of the most devices first.
    ///
    /// Messages of other apps are left out.
    package func appVersions(of messages: [MessageID], app: App.ID) async throws -> [AppVersionCounts] {
        try await log.flush()
        var counts: [String?: AppVersionCounts] = [:]
        for message in messages {
            for reach in try await store.reach(of: message, app: app) { add(reach, of: app, to: &counts) }
        }
        return counts.values.sorted {
            ($1.counts.target, $0.appVersion ?? "") < ($0.counts.target, $1.appVersion ?? "")
        }
    }

    private func add(_ reach: NotificationReach, of app: App.ID, to counts: inout [String?: AppVersionCounts]) {
        let versions = registry.appVersions(of: reach.ordinals[...], of: app)
        var byNumber: [UInt16: DeliveryCounts] = [:]
        for place in reach.ordinals.indices {
            var one = byNumber[versions.number(at: place), default: DeliveryCounts()]
            one.target += 1
            one.sent += reach.sent.contains(place) ? 1 : 0
            one.received += reach.received.contains(place) ? 1 : 0
            one.displayed += reach.displayed.contains(place) ? 1 : 0
            one.clicked += reach.clicked.contains(place) ? 1 : 0
            byNumber[versions.number(at: place)] = one
        }
        for (number, one) in byNumber {
            let version = versions.names[number]
            let sum = counts[version]?.counts ?? DeliveryCounts()
            counts[version] = AppVersionCounts(appVersion: version, counts: sum + one)
        }
    }
}
