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

/// The counts of notifications on the devices of one language.
package struct LanguageCounts: Codable, Sendable, Equatable {
    /// The language that the devices have now, a BCP 47 tag; nil for devices that sent none.
    @OrNull package var language: String?
    package var counts = DeliveryCounts()

    private enum CodingKeys: String, CodingKey {
        case language
        case counts = "_0"
    }
}

package struct LanguagesAnswer: Codable, Sendable {
    package let languages: [LanguageCounts]

    package init(languages: [LanguageCounts]) { self.languages = languages }
}

// Counts by what devices report now, such as the app's version. Messages of other apps are left out.
extension ReportQueries {
    /// Returns the counts of notifications by the app's version, the version of the most devices first.
    package func appVersions(of messages: [MessageID], app: App.ID) async throws -> [AppVersionCounts] {
        try await counts(of: messages, app: app) { registry.appVersions(of: $0, of: app) }
            .map { AppVersionCounts(appVersion: $0.name, counts: $0.counts) }
    }

    /// Returns the counts of notifications by language, the language of the most devices first.
    package func languages(of messages: [MessageID], app: App.ID) async throws -> [LanguageCounts] {
        try await counts(of: messages, app: app) { registry.languages(of: $0, of: app) }
            .map { LanguageCounts(language: $0.name, counts: $0.counts) }
    }

    private func counts(
        of messages: [MessageID],
        app: App.ID,
        by names: (ArraySlice<DeviceOrdinal>) -> NamesOfDevices
    ) async throws -> [(name: String?, counts: DeliveryCounts)] {
        try await log.flush()
        var counts: [String?: DeliveryCounts] = [:]
        for message in messages {
            for reach in try await store.reach(of: message, app: app) where reach.kind == .send {
                add(reach, names(reach.ordinals[...]), to: &counts)
            }
        }
        return counts.sorted { ($1.value.target, $0.key ?? "") < ($0.value.target, $1.key ?? "") }
            .map { ($0.key, $0.value) }
    }

    private func add(_ reach: ChunkReach, _ names: NamesOfDevices, to counts: inout [String?: DeliveryCounts]) {
        var byNumber: [UInt16: DeliveryCounts] = [:]
        for place in reach.ordinals.indices {
            var one = byNumber[names.number(at: place), default: DeliveryCounts()]
            one.target += 1
            one.sent += reach.sent.contains(place) ? 1 : 0
            one.received += reach.received.contains(place) ? 1 : 0
            one.displayed += reach.displayed.contains(place) ? 1 : 0
            one.clicked += reach.clicked.contains(place) ? 1 : 0
            byNumber[names.number(at: place)] = one
        }
        for (number, one) in byNumber {
            let name = names.names[number]
            counts[name] = (counts[name] ?? DeliveryCounts()) + one
        }
    }
}
